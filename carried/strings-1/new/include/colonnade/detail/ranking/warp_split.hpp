//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// warp_split.hpp: a multisplit of the items of a warp, in registers.
//
// In: a lane has Items items; item k of lane l has the number 32 k + l (rows of 32). Out: the
// number of items in each bucket, and the place of each item sorted by bucket. Bucket b belongs to
// lane b % 32, register b / 32: that lane counts the bucket's items in each row by ballots on the
// bits of the ids, and an item gets what it needs to know of its bucket from that lane by a
// shuffle. Invariant: items of a bucket keep their order; numbers from num_valid on have no item,
// are not counted and keep their place; an id out of range counts as the last bucket.
//
// Source: S. Ashkiani, thesis (2017), sections 3.5.4 to 3.5.6.1 and 3.5.7.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>

namespace colonnade::detail {

/// An id out of range counts as the last bucket.
template <uint32_t NumBuckets> COLONNADE_KERNEL_CODE uint32_t safe_id(uint32_t id) {
  if constexpr (NumBuckets == 1)
    return 0;
  else
    return id < NumBuckets - 1 ? id : NumBuckets - 1;
}

/// The buckets of a lane; [r] is bucket 32 r + lane.
template <uint32_t NumBuckets> struct warp_buckets {
  static constexpr uint32_t rows = (NumBuckets + 31) / 32;
  uint32_t count[rows]; // items of the bucket; 0 for bucket numbers beyond the last
  uint32_t start[rows]; // items in the buckets before it
};

template <uint32_t NumBuckets, class Machine> class warp_split {
public:
  static constexpr uint32_t bits = bits_of_ids(NumBuckets), low_bits = bits < 5 ? bits : 5;
  static constexpr uint32_t rows = warp_buckets<NumBuckets>::rows;
  static_assert(NumBuckets >= 1 && NumBuckets <= 256, "1 to 256 buckets");

  COLONNADE_KERNEL_CODE explicit warp_split(const Machine &machine)
      : machine_(machine), others_(machine.lane()) {}

  /// Adds one row's items to the lanes' counts.
  COLONNADE_KERNEL_CODE void count_row(uint32_t id, uint32_t valid, uint32_t (&count)[rows]) const {
    (void)rank_row(id, valid, count);
  }
  /// The same; gives how many valid items of the id are in lower lanes.
  COLONNADE_KERNEL_CODE uint32_t rank_row(uint32_t id, uint32_t valid,
                                          uint32_t (&count)[rows]) const {
    uint32_t same = valid, mine[rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r)
      mine[r] = 32 * r + machine_.lane() < NumBuckets ? valid : 0;
    COLONNADE_UNROLL
    for (uint32_t bit = 0; bit < bits; ++bit) {
      const uint32_t ones = machine_.ballot(id >> bit & 1);
      same &= id >> bit & 1 ? ones : ~ones;
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < rows; ++r)
        mine[r] &= (32 * r + machine_.lane()) >> bit & 1 ? ones : ~ones;
    }
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r)
      count[r] += Machine::count_ones(mine[r]);
    return Machine::count_ones(same & others_.below);
  }
  /// What the lane of bucket `id` has in `held` for it.
  template <class T> COLONNADE_KERNEL_CODE T of_bucket(uint32_t id, const T (&held)[rows]) const {
    T found = machine_.shuffle(held[0], id % 32);
    COLONNADE_UNROLL
    for (uint32_t r = 1; r < rows; ++r) {
      const T other = machine_.shuffle(held[r], id % 32);
      found = id / 32 == r ? other : found;
    }
    return found;
  }
  /// Exclusive prefix sums of count over the buckets.
  template <class T>
  COLONNADE_KERNEL_CODE void starts(const T (&count)[rows], T (&start)[rows]) const {
    T before = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r) {
      const T up_to = warp_inclusive_sum(machine_, count[r]);
      start[r] = before + up_to - count[r];
      before += machine_.shuffle(up_to, 31);
    }
  }
  /// The lanes whose item of row k exists.
  COLONNADE_KERNEL_CODE static uint32_t valid_lanes(uint32_t k, uint32_t num_valid) {
    const uint32_t first = 32 * k;
    return num_valid >= first + 32 ? ~0u : num_valid > first ? (1u << (num_valid - first)) - 1 : 0;
  }

private:
  const Machine &machine_;
  const other_lanes others_;
};

/// How many of a warp's items are in each bucket.
template <uint32_t NumBuckets, uint32_t Items, class Machine>
COLONNADE_KERNEL_CODE warp_buckets<NumBuckets>
warp_counts(const Machine &machine, const uint32_t (&ids)[Items], uint32_t num_valid) {
  const warp_split<NumBuckets, Machine> split(machine);
  warp_buckets<NumBuckets> buckets{};
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Items; ++k)
    split.count_row(safe_id<NumBuckets>(ids[k]), split.valid_lanes(k, num_valid), buckets.count);
  split.starts(buckets.count, buckets.start);
  return buckets;
}

/// The place of each item of a warp when they are sorted by bucket, stably.
template <uint32_t NumBuckets, uint32_t Items, class Machine>
COLONNADE_KERNEL_CODE warp_buckets<NumBuckets>
warp_places(const Machine &machine, const uint32_t (&ids)[Items], uint32_t (&places)[Items],
            uint32_t num_valid) {
  const warp_split<NumBuckets, Machine> split(machine);
  warp_buckets<NumBuckets> buckets{};
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Items; ++k) {
    const uint32_t id = safe_id<NumBuckets>(ids[k]);
    const uint32_t before = split.of_bucket(id, buckets.count); // in the rows before
    places[k] = before + split.rank_row(id, split.valid_lanes(k, num_valid), buckets.count);
  }
  split.starts(buckets.count, buckets.start);
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Items; ++k) {
    const uint32_t number = 32 * k + machine.lane();
    const uint32_t start = split.of_bucket(safe_id<NumBuckets>(ids[k]), buckets.start);
    places[k] = number < num_valid ? start + places[k] : number;
  }
  return buckets;
}

/// Calls use(k, item) in each lane for the item whose place is 32 k + lane, below num_valid. tile:
/// shared memory of this warp alone, for 32 * Rows items.
template <uint32_t Rows, class T, class Machine, class Use>
COLONNADE_KERNEL_CODE void in_order_of_places(const Machine &machine, const T (&items)[Rows],
                                              const uint32_t (&places)[Rows], uint32_t num_valid,
                                              T *tile, Use use) {
  machine.warp_sync(); // the tile is free
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Rows; ++k)
    if (32 * k + machine.lane() < num_valid)
      tile[places[k]] = items[k];
  machine.warp_sync();
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Rows; ++k)
    if (32 * k + machine.lane() < num_valid)
      use(k, tile[32 * k + machine.lane()]);
}

/// Moves the items to their places. tile: shared memory of this warp alone, for 32 * Items items.
template <class T, uint32_t Items, class Machine>
COLONNADE_KERNEL_CODE void warp_exchange(const Machine &machine, T (&items)[Items],
                                         const uint32_t (&places)[Items], T *tile) {
  in_order_of_places(machine, items, places, 32 * Items, tile,
                     [&](uint32_t k, const T &item) { items[k] = item; });
}

} // namespace colonnade::detail
