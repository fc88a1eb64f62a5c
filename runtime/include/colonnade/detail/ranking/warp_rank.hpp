//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// warp_rank.hpp: stable ranks of 32 items among those of the same bucket.
//
// `match_lanes` says which lanes hold the same id: by ceil(log2 m) ballots, or by
// the GPU's own instruction. `rank_row` turns that into places: a warp keeps, for
// every bucket, the place of its next item, in shared memory; the lanes of a
// bucket take consecutive places in lane order, and the highest of them moves the
// counter on. Rows are ranked one after the other, so the ranks are stable.
//
// Source: S. Ashkiani, thesis (2017), section 3.5: warp-wide ballots per bit of the
// bucket id, one histogram and one local offset per warp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/multisplit_tuning.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Of so many buckets; at least one.
constexpr uint32_t bits_of_ids(uint32_t num_buckets) {
  uint32_t bits = 1;
  while (bits < 32 && (num_buckets - 1) >> bits)
    ++bits;
  return bits;
}

/// The lanes whose id is this lane's. Ids are below 2^Bits.
template <uint32_t Bits, match_method Method, class Machine>
COLONNADE_KERNEL_CODE uint32_t match_lanes(const Machine &machine, uint32_t id) {
  if constexpr (Method == match_method::instruction) {
    return machine.match(id);
  } else {
    uint32_t same = ~0u;
    COLONNADE_UNROLL
    for (uint32_t bit = 0; bit < Bits; ++bit)
      same &= machine.same_bit(id, 1u << bit);
    return same;
  }
}

/// The lanes on either side of this one.
struct other_lanes {
  uint32_t below, above;
  COLONNADE_KERNEL_CODE explicit other_lanes(uint32_t lane)
      : below((1u << lane) - 1), above(~1u << lane) {}
};

/// The place of this lane's item, in units of 1 / Scale; `next` is the place of the
/// warp's next item of its bucket, in the same units, and is moved on.
template <uint32_t Scale, class Machine>
COLONNADE_KERNEL_CODE uint32_t rank_row(const Machine &machine, other_lanes others, uint32_t same,
                                        uint32_t *next) {
  const uint32_t place = *next + Machine::count_ones(same & others.below) * Scale;
  machine.warp_sync(); // all have read
  if ((same & others.above) == 0)
    *next = place + Scale;
  machine.warp_sync(); // the next row reads
  return place;
}

} // namespace colonnade::detail
