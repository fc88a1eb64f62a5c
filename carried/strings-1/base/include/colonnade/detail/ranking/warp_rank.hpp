//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// warp_rank.hpp: stable ranks of 32 items, one in each lane, among those of the same bucket.
//
// In: bucket ids. Out: match_lanes gives the lanes that have the same id, by ceil(log2 m) ballots
// or by the GPU's match instruction; rank_row turns that into places. A warp keeps, in shared
// memory, the place of its next item of every bucket; the lanes of a bucket take consecutive
// places, and the highest of them moves the counter on.
// Invariant: places are in lane order, and rows are ranked one after the other, so ranks are
// stable.
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

/// The bits that the ids of so many buckets have; at least one.
constexpr uint32_t bits_of_ids(uint32_t num_buckets) {
  uint32_t bits = 1;
  while (bits < 32 && (num_buckets - 1) >> bits)
    ++bits;
  return bits;
}

/// The lanes whose id is the same as this lane's, as bits. Ids are below 2^Bits.
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

/// The lanes below and above this one, as bits.
struct other_lanes {
  uint32_t below, above;
  COLONNADE_KERNEL_CODE explicit other_lanes(uint32_t lane)
      : below((1u << lane) - 1), above(~1u << lane) {}
};

/// Scale times the place of this lane's item. same: the lanes of its bucket. next: Scale times the
/// place of the warp's next item of the bucket, which moves on.
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
