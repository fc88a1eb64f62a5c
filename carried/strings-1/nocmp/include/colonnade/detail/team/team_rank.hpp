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
// the item's index in the team's output. Blocks of 256, 512 or 1024 threads: one a bucket.
// Invariant: places are stable, and those of a team are each given once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/device/registers.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>
#include <colonnade/detail/team/row_groups.hpp>

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
  uint32_t scratch[team_buckets / 32];
  uint16_t totals[most_teammates][team_buckets]; // of every block of the team, written by it
  uint32_t target[team_buckets];                 // index in the output less place
  uint32_t start[team_buckets + 1]; // place of the first item; behind the last: all items
};

/// Items: how many a thread holds at most.
template <uint32_t Items, class Machine> class team_rank {
public:
  static constexpr uint32_t most_in_block = 32 * most_team_warps * Items;
  static constexpr uint32_t place_bits = 14; // of a word; the others: of a place in the team
  static_assert(most_in_block < (1u << place_bits) &&
                    most_teammates * most_in_block < (1u << (32 - place_bits)),
                "sums of a block and of the team share a word");

  COLONNADE_KERNEL_CODE team_rank(const Machine &machine, team_rank_storage &storage, uint32_t bits)
      : machine_(machine), s_(storage), bits_(bits), mine_(s_.counts[machine.warp()]) {}

  /// id_of(k) for rows k below `rows`, and up to three more (row_groups.hpp), also of items
  /// that do not exist(k): any id will do.
  template <class Exists, class IdOf>
  COLONNADE_KERNEL_CODE void rank(uint32_t rows, Exists exists, IdOf id_of) {
    struct alignas(16) eight {
      uint16_t zero[8];
    };
    static_assert(sizeof(s_.counts[0]) == 32 * sizeof(eight), "each lane clears one");
    reinterpret_cast<eight *>(mine_)[machine_.lane()] = {};
    machine_.warp_sync();
    rows_ = rows;
    const other_lanes others(machine_.lane());
    for_row_groups<Items>(rows, [&](auto group) { rank_group(group, others, exists, id_of); });
    machine_.block_sync();
  }

  /// use(bucket, first, end): where the bucket's items lie in the output of the team, for
  /// every bucket once, in the team's first block. `items` of this block. Contains barriers
  /// of the block. Where the team has several, it has arrived before, when every block had read
  /// the totals of the last time: here it waits, arrives, and waits again.
  template <class Use> COLONNADE_KERNEL_CODE void place(uint32_t items, Use use) {
    const uint32_t b = machine_.thread();
    const uint32_t total = b < num_buckets() ? add_up_warps(b) : 0;
    uint32_t all = total, before = 0; // of the team; of its blocks before this one
    if (machine_.team_size() > 1)
      ask_team(b, total, all, before);
    const uint32_t both = starts(all << place_bits | total);
    const uint32_t first = both >> place_bits, local = both & ((1u << place_bits) - 1);
    put_starts(b, local, first + before, items);
    if (b < num_buckets() && machine_.team_rank() == 0)
      use(b, first, first + all);
    machine_.block_sync();
    for_rows<Items>(rows_, [&](uint32_t k) {
      const uint32_t id = slots_[k] & 0xff;
      slots_[k] = s_.start[id] + mine_[id] + (slots_[k] >> 8);
    });
  }

  /// After place(): of item k, if it exists.
  COLONNADE_KERNEL_CODE uint32_t place_of(uint32_t k) const { return slots_[k]; }
  COLONNADE_KERNEL_CODE uint32_t num_buckets() const { return 1u << bits_; }

private:
  template <uint32_t First, uint32_t Rows, class Exists, class IdOf>
  COLONNADE_KERNEL_CODE void rank_group(row_group<First, Rows>, other_lanes others,
                                        const Exists &exists, const IdOf &id_of) {
    uint32_t ids[Rows], same[Rows], below[Rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r) {
      ids[r] = id_of(First + r);
      same[r] = machine_.ballot(exists(First + r));
    }
    COLONNADE_UNROLL
    for (uint32_t bit = 0; (team_buckets >> bit) > 1; ++bit) {
      if (bit >= bits_)
        break;
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < Rows; ++r)
        same[r] &= machine_.same_bit(ids[r], 1u << bit);
    }
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r)
      below[r] = Machine::count_ones(same[r] & others.below);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r) {
      const uint32_t rank = mine_[ids[r]] + below[r];
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
  /// Every block writes its totals into the shared memory of all: nobody waits for reads from
  /// afar, and no block has to outlive its own work.
  COLONNADE_KERNEL_CODE void ask_team(uint32_t b, uint32_t total, uint32_t &all,
                                      uint32_t &before) const {
    machine_.team_wait(); // all blocks have started, and read the totals of the last time
    // Or the addresses in all teammates' memory are kept from pass to pass.
    uint16_t *mine = s_.totals[computed_anew(machine_.team_rank())];
    if (b < num_buckets())
      COLONNADE_UNROLL
    for (uint32_t r = 0; r < most_teammates; ++r)
      if (r < machine_.team_size())
        machine_.of_teammate(mine, r)[b] = static_cast<uint16_t>(total);
    machine_.team_arrive();
    machine_.team_wait();
    if (b >= num_buckets())
      return;
    all = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < most_teammates; ++r) {
      const uint32_t theirs = r < machine_.team_size() ? s_.totals[r][b] : 0u;
      before += r < machine_.team_rank() ? theirs : 0;
      all += theirs;
    }
  }
  /// Exclusive sums over the buckets' threads.
  COLONNADE_KERNEL_CODE uint32_t starts(uint32_t value) const {
    uint32_t sum = 0;
    const bool has_bucket = machine_.warp() * 32 < num_buckets();
    if (has_bucket) {
      sum = warp_inclusive_sum(machine_, value);
      if (machine_.lane() == 31)
        s_.scratch[machine_.warp()] = sum;
    }
    machine_.block_sync();
    sum -= value;
    if (has_bucket)
      COLONNADE_UNROLL
    for (uint32_t w = 0; w + 1 < team_buckets / 32; ++w)
      if (w < machine_.warp())
        sum += s_.scratch[w];
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
  uint16_t *mine_; // counts of this warp
  uint32_t rows_ = 0;
  uint32_t slots_[Items]; // rank in the warp, and id; then: place
};

} // namespace colonnade::detail
