//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dense.hpp: a warp reads a segment of a text in which even the rarest part of the pattern is
// everywhere, and finds where the pattern is: by its sketch, by duels of places that have that,
// and by comparing the few that are left.
//
// In, out, invariant: as in skim.hpp.
//
// A kernel of its own: what it needs in registers would slow down the one for all other texts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sketch.hpp>
#include <colonnade/detail/string_matching/skim.hpp>

namespace colonnade::detail {

/// Of bytes; the pattern has a sketch.
template <class Tuning, class Machine> class dense_skimmer : public skimmer<Tuning, 4, Machine> {
  using base = skimmer<Tuning, 4, Machine>;
  using base::job_, base::machine_, base::text_;

public:
  using base::base, base::loads, base::step_bytes, base::position, base::segment_begin;

  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    verifier<Machine, 16, uint8_t, true> verify(machine_, job_, base::last_byte(segment));
    for (uint32_t round = 0; round < job_.rounds && at < text_.end; ++round, at += step_bytes) {
      const bool decided = verify.decides(position(at), step_bytes),
                 by_sketch = !decided && has_sketch(job_, position(at), loads);
      uint64_t there = by_sketch ? sketched<loads>(machine_, job_, position(at)) : ~uint64_t{0};
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < loads; ++row, there >>= 16) {
        const auto windows = static_cast<uint32_t>(there & 0xffff);
        if (machine_.ballot(windows != 0) == 0)
          continue;
        const uint64_t mine = at + row * row_bytes + machine_.lane() * 16, first = position(mine);
        if (!each(mine, decided
                            ? verify.decided(first)
                            : verify.matches(by_sketch ? windows : base::row_windows(mine), first)))
          return;
      }
    }
  }
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t found = 0;
    rows(segment, [&](uint64_t, uint32_t matches) {
      found += machine_.count_ones(matches);
      return true;
    });
    return found;
  }
};

} // namespace colonnade::detail
