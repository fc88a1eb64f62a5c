//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_places.hpp: where the items of a block go, by class.
//
// In: of each thread's items the class, if any. Out: places, those of each class one after the
// other. Invariant: places of a warp's items of one class and one row are neighbours.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// How many items of each class a warp has, and where those of the block begin.
template <uint32_t Classes, uint32_t Threads> struct row_places_storage {
  uint32_t counts[Threads / 32][Classes];
  uint32_t first[Classes];
};

/// Called by all threads of a block. is_of(k, c): item k is of class c, of one at most. An item of
/// class c goes to first[c] + places[k]. take(counts, first): by one thread: where so many of each
/// class begin. Contains two block_sync; the storage is free after another.
template <uint32_t Classes, uint32_t Items, uint32_t Threads, class Machine, class IsOf, class Take>
COLONNADE_KERNEL_CODE void
row_places(const Machine &machine, row_places_storage<Classes, Threads> &s, const IsOf &is_of,
           uint32_t (&places)[Items], const Take &take, uint32_t (&first)[Classes]) {
  const uint32_t below = (uint32_t{1} << machine.lane()) - 1;
  COLONNADE_UNROLL
  for (uint32_t c = 0; c < Classes; ++c) {
    uint32_t count = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      const bool is = is_of(k, c);
      const uint32_t same = machine.ballot(is);
      places[k] = is ? count + Machine::count_ones(same & below) : c == 0 ? 0 : places[k];
      count += Machine::count_ones(same);
    }
    if (machine.lane() == 0)
      s.counts[machine.warp()][c] = count;
  }
  machine.block_sync();
  if (machine.thread() == 0) {
    uint32_t sums[Classes];
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < Classes; ++c) {
      sums[c] = 0;
      for (uint32_t w = 0; w < Threads / 32; ++w)
        sums[c] += s.counts[w][c];
    }
    take(sums, s.first);
  }
  machine.block_sync();
  COLONNADE_UNROLL
  for (uint32_t c = 0; c < Classes; ++c) {
    first[c] = s.first[c];
    for (uint32_t w = 0; w < machine.warp(); ++w)
      first[c] += s.counts[w][c];
  }
}

} // namespace colonnade::detail
