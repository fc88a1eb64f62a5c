//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_split.hpp: a multisplit of the items of a block.
//
// In: Items items in each thread, in rows of 32, a contiguous range for each warp: item k of lane l
// of warp w has the number 32 (Items w + k) + l. Out: the place of each item; storage.start, seen
// by all threads. Each warp ranks its items by ballots, with a counter for each bucket in shared
// memory; one prefix sum over all threads turns the counts of the warps into places.
// Invariant: items of a bucket keep their order; numbers from num_valid on have no item, are not
// counted and keep their place; an id out of range counts as the last bucket.
//
// Source: S. Ashkiani, thesis (2017), sections 3.5.5.3, 3.5.5.4 and 3.5.6.2; the
// warps' counters replace its shuffles, which 32 buckets bound.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/warp_split.hpp>

namespace colonnade::detail {

template <uint32_t Threads, uint32_t NumBuckets> struct block_split_storage {
  static constexpr uint32_t warps = Threads / 32;
  uint32_t counters[warps][NumBuckets + 1]; // the last: of what is not valid
  uint32_t start[NumBuckets + 1];           // items in the buckets below; all of them
  uint32_t scratch[warps];
};

template <uint32_t Threads, uint32_t NumBuckets, uint32_t Items, class Machine> class block_split {
public:
  using storage = block_split_storage<Threads, NumBuckets>;
  static constexpr uint32_t warps = storage::warps, bits = bits_of_ids(NumBuckets);
  static constexpr uint32_t tile_items = Threads * Items;
  static_assert(Threads % 32 == 0 && Threads <= 1024, "whole warps, a block at most");
  static_assert(NumBuckets >= 1, "at least one bucket");

  COLONNADE_KERNEL_CODE block_split(const Machine &machine, storage &s, uint32_t num_valid)
      : machine_(machine), s_(s), others_(machine.lane()), num_valid_(num_valid) {}

  COLONNADE_KERNEL_CODE void run(const uint32_t (&ids)[Items], uint32_t (&places)[Items]) {
    clear();
    if (num_valid_ == tile_items)
      rank<true>(ids, places);
    else
      rank<false>(ids, places);
    machine_.block_sync();
    place_counters();
    const uint32_t *counters = s_.counters[machine_.warp()];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      places[k] = valid(k) ? places[k] + counters[safe_id<NumBuckets>(ids[k])] : number(k);
  }

private:
  COLONNADE_KERNEL_CODE uint32_t number(uint32_t k) const {
    return 32 * (Items * machine_.warp() + k) + machine_.lane();
  }
  COLONNADE_KERNEL_CODE bool valid(uint32_t k) const { return number(k) < num_valid_; }
  COLONNADE_KERNEL_CODE void clear() const {
    for (uint32_t b = machine_.lane(); b <= NumBuckets; b += 32)
      s_.counters[machine_.warp()][b] = 0;
    machine_.warp_sync();
  }
  /// Ranks within warp and bucket; the counters then hold the warp's counts.
  template <bool Full>
  COLONNADE_KERNEL_CODE void rank(const uint32_t (&ids)[Items], uint32_t (&ranks)[Items]) const {
    uint32_t *counters = s_.counters[machine_.warp()];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      const uint32_t id = safe_id<NumBuckets>(ids[k]);
      uint32_t same = match_lanes<bits, match_method::ballots>(machine_, id);
      uint32_t *next = counters + id;
      if constexpr (!Full) {
        const uint32_t exist = machine_.ballot(valid(k));
        same = valid(k) ? same & exist : ~exist;
        next = valid(k) ? next : counters + NumBuckets;
      }
      ranks[k] = rank_row<1>(machine_, others_, same, next);
    }
  }
  /// From counts per warp to where the warp's first item of each bucket goes. A thread
  /// has a few neighbouring buckets.
  COLONNADE_KERNEL_CODE void place_counters() const {
    constexpr uint32_t each = (NumBuckets + Threads - 1) / Threads;
    const uint32_t first = machine_.thread() * each;
    uint32_t total = 0;
    COLONNADE_UNROLL
    for (uint32_t e = 0; e < each; ++e)
      if (first + e < NumBuckets)
        for (uint32_t w = 0; w < warps; ++w)
          total += s_.counters[w][first + e];
    uint32_t place = block_exclusive_sum(machine_, total, s_.scratch);
    COLONNADE_UNROLL
    for (uint32_t e = 0; e < each; ++e)
      if (first + e < NumBuckets)
        place_bucket(first + e, place);
    machine_.block_sync();
  }
  /// `place`: where the bucket starts; then: where the next one does.
  COLONNADE_KERNEL_CODE void place_bucket(uint32_t b, uint32_t &place) const {
    s_.start[b] = place;
    for (uint32_t w = 0; w < warps; ++w) {
      const uint32_t count = s_.counters[w][b];
      s_.counters[w][b] = place;
      place += count;
    }
    if (b == NumBuckets - 1)
      s_.start[NumBuckets] = place;
  }

  const Machine &machine_;
  storage &s_;
  const other_lanes others_;
  const uint32_t num_valid_;
};

/// Moves the items to their places. tile: shared memory for Threads * Items of them.
template <class T, uint32_t Items, class Machine>
COLONNADE_KERNEL_CODE void block_exchange(const Machine &machine, T (&items)[Items],
                                          const uint32_t (&places)[Items], T *tile) {
  machine.block_sync(); // the tile is free
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Items; ++k)
    tile[places[k]] = items[k];
  machine.block_sync();
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Items; ++k)
    items[k] = tile[32 * (Items * machine.warp() + k) + machine.lane()];
}

} // namespace colonnade::detail
