//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// team_rank.hpp: stable places by bucket for the items that a team of blocks holds, all
// in registers.
//
// A team is one block, or the blocks of a cluster; each holds one stretch of the items,
// each warp a stretch of its block's, in rows of 32: a lane's item k is 32 k behind its
// first. The number of buckets, up to 256, is known at run time only.
//
//   rank    ranks within the warp, by ballots, and counts per warp and bucket
//   place   sums over the warps and over the team, and where buckets start
//
// In: ids of the items that exist. Out: for every such item its place in the block's
// stretch sorted by bucket, and for every bucket what is to be added to a place to get
// the item's index in the team's output. Blocks of a multiple of 256 threads: one a bucket.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t team_buckets = 256;   // at most
constexpr uint32_t usual_teammates = 8;  // at most, on every GPU with clusters
constexpr uint32_t most_teammates = 16;  // where a GPU allows more
constexpr uint32_t most_team_warps = 32; // of a block
constexpr uint32_t least_team_threads = team_buckets;

/// A block's shared memory, but for the items.
struct alignas(16) team_rank_storage {
  uint16_t counts[most_team_warps][team_buckets]; // of a warp; then: of the warps before
  uint64_t scratch[team_buckets / 32];
  uint32_t totals[team_buckets];    // of this block; read by the team
  uint32_t target[team_buckets];    // index in the output less place
  uint32_t start[team_buckets + 1]; // place of the first item; behind the last: all items
};

/// Items: how many a thread holds at most.
template <uint32_t Items, class Machine> class team_rank {
public:
  static_assert(32 * Items < (1u << 16), "counts of a warp have 16 bits");

  COLONNADE_KERNEL_CODE team_rank(const Machine &machine, team_rank_storage &storage, uint32_t bits)
      : machine_(machine), s_(storage), bits_(bits), mine_(s_.counts[machine.warp()]) {}

  /// id_of(k) for the items that exist(k), of which those from row `rows` on do not.
  template <class Exists, class IdOf>
  COLONNADE_KERNEL_CODE void rank(uint32_t rows, Exists exists, IdOf id_of) {
    constexpr uint32_t at_once = 4; // rows whose ballots are issued together; the first alone
    struct alignas(16) eight {
      uint16_t zero[8];
    };
    static_assert(sizeof(s_.counts[0]) == 32 * sizeof(eight), "each lane clears one");
    reinterpret_cast<eight *>(mine_)[machine_.lane()] = {};
    machine_.warp_sync();
    const other_lanes others(machine_.lane());
    if (rows > 0)
      rank_rows<0, 1>(others, exists, id_of);
    if (rows > 1)
      rank_rows<1, at_once>(others, exists, id_of);
    if (rows > 1 + at_once)
      rank_rows<1 + at_once, at_once>(others, exists, id_of);
    static_assert(Items <= 1 + 2 * at_once);
    machine_.block_sync();
  }

  /// use(bucket, first, end): where the bucket's items lie in the output of the team, for
  /// every bucket once, in the team's first block. `items` of this block. Contains barriers
  /// of the block; others of the team, where it has more than one.
  template <class Use> COLONNADE_KERNEL_CODE void place(uint32_t items, Use use) {
    const uint32_t b = machine_.thread();
    const uint32_t total = b < num_buckets() ? add_up_warps(b) : 0;
    if (machine_.team_size() == 1) {
      const uint32_t start = starts(total);
      put_starts(b, start, start, items);
      if (b < num_buckets())
        use(b, start, start + total);
    } else {
      uint32_t all = 0, before = 0;
      ask_team(b, total, all, before);
      const uint64_t both = starts(uint64_t{all} << 32 | total);
      const uint32_t first = static_cast<uint32_t>(both >> 32);
      put_starts(b, static_cast<uint32_t>(both), first + before, items);
      if (b < num_buckets() && machine_.team_rank() == 0)
        use(b, first, first + all);
    }
    machine_.block_sync();
  }

  COLONNADE_KERNEL_CODE uint32_t place_of(uint32_t k) const {
    const uint32_t id = slots_[k] & 0xff;
    return s_.start[id] + mine_[id] + (slots_[k] >> 8);
  }
  COLONNADE_KERNEL_CODE uint32_t num_buckets() const { return 1u << bits_; }

private:
  template <uint32_t First, uint32_t Rows, class Exists, class IdOf>
  COLONNADE_KERNEL_CODE void rank_rows(other_lanes others, Exists exists, IdOf id_of) {
    uint32_t ids[Rows], same[Rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r)
      if (First + r < Items) {
        const bool there = exists(First + r);
        ids[r] = there ? id_of(First + r) : 0;
        same[r] = machine_.ballot(there);
      }
    for (uint32_t bit = 0; bit < bits_; ++bit)
      COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r)
      if (First + r < Items)
        same[r] &= machine_.same_bit(ids[r], 1u << bit);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r)
      if (First + r < Items) {
        const uint32_t rank = mine_[ids[r]] + Machine::count_ones(same[r] & others.below);
        machine_.warp_sync(); // all have read
        if (exists(First + r) && (same[r] & others.above) == 0)
          mine_[ids[r]] = static_cast<uint16_t>(rank + 1);
        machine_.warp_sync(); // the next row reads
        slots_[First + r] = rank << 8 | ids[r];
      }
  }
  /// A bucket's counts to sums of the warps before. Returns the sum of all.
  COLONNADE_KERNEL_CODE uint32_t add_up_warps(uint32_t b) const {
    constexpr uint32_t at_once = 8; // loads in flight; blocks have a multiple of 8 warps
    uint32_t total = 0;
    for (uint32_t w = 0; w < machine_.num_threads() / 32; w += at_once) {
      uint32_t counts[at_once];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < at_once; ++i)
        counts[i] = s_.counts[w + i][b];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < at_once; ++i) {
        s_.counts[w + i][b] = static_cast<uint16_t>(total);
        total += counts[i];
      }
    }
    return total;
  }
  COLONNADE_KERNEL_CODE void ask_team(uint32_t b, uint32_t total, uint32_t &all,
                                      uint32_t &before) const {
    if (b < team_buckets)
      s_.totals[b] = total;
    machine_.team_arrive();
    machine_.team_wait();
    if (b >= num_buckets())
      return;
    for (uint32_t first = 0; first < machine_.team_size(); first += usual_teammates) {
      uint32_t theirs[usual_teammates]; // read at once, those of the last teammate repeatedly
      const uint32_t last = machine_.team_size() - 1;
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < usual_teammates; ++r)
        theirs[r] = machine_.of_teammate(s_.totals, first + r < last ? first + r : last)[b];
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < usual_teammates; ++r) {
        before += first + r < machine_.team_rank() ? theirs[r] : 0;
        all += first + r <= last ? theirs[r] : 0;
      }
    }
  }
  /// Exclusive sums over the buckets' threads.
  template <class T> COLONNADE_KERNEL_CODE T starts(T value) const {
    T sum = 0, *scratch = reinterpret_cast<T *>(s_.scratch);
    const bool has_bucket = machine_.warp() * 32 < num_buckets();
    if (has_bucket) {
      sum = warp_inclusive_sum(machine_, value);
      if (machine_.lane() == 31)
        scratch[machine_.warp()] = sum;
    }
    machine_.block_sync();
    sum -= value;
    if (has_bucket)
      COLONNADE_UNROLL
    for (uint32_t w = 0; w + 1 < team_buckets / 32; ++w)
      if (w < machine_.warp())
        sum += scratch[w];
    return sum;
  }
  COLONNADE_KERNEL_CODE void put_starts(uint32_t b, uint32_t local, uint32_t target,
                                        uint32_t items) const {
    if (b < team_buckets) {
      s_.start[b] = b < num_buckets() ? local : items;
      s_.target[b] = target - local;
    }
    if (b == 0)
      s_.start[team_buckets] = items;
  }

  const Machine &machine_;
  team_rank_storage &s_;
  uint32_t bits_;
  uint16_t *mine_;        // counts of this warp
  uint32_t slots_[Items]; // rank in the warp, and id
};

} // namespace colonnade::detail
