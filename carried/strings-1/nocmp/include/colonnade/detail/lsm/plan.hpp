//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// plan.hpp: what a change merges, and where the result goes.
//
// In: the state of a tree and a sorted batch; or the state alone, for a cleanup. Out: the runs that
// are merged, the oldest first; the slices of the merged sequence; the new state. Adding k batches
// to r is a binary addition: if h is the highest bit in which r and r + k differ, levels below h
// are merged with the buffer and the batch in one pass, and the result fills level h, then those
// levels below it that are bits of r + k, then the buffer. Invariant: what comes first in the
// merged sequence goes to the oldest level. So where a slice begins between equal keys, the newer
// ones are in the newer level. Level h was empty. Levels below it may be read and written by one
// change: these slices are staged first, and moved when all is merged (move.hpp). That happens only
// if k > 1, so not if a call brings no more than a batch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/levels.hpp>
#include <colonnade/lsm_tuning.hpp>

namespace colonnade::detail {

constexpr uint32_t most_lsm_runs = most_lsm_levels + 2; // with the buffer and a batch

template <class Raw, class Value> struct lsm_plan {
  uint32_t num_runs, num_slices;
  uint32_t stride;     // one element of so many of a run is a sample: a power of two
  uint32_t tile_items; // of all tiles but the last
  bool erased;         // some of the runs may have tombstones
  bool refused;        // nothing is to be done, and the state stays as it is
  bool changes_state;  // to `after`, when it is merged
  bool in_place; // the one run is the slice that it fills (lowest_level.hpp): it is not merged
  uint64_t num_items, num_samples, num_tiles;
  lsm_run<Raw, Value> runs[most_lsm_runs];
  uint64_t first_sample[most_lsm_runs + 1]; // samples of the runs before
  lsm_slice<Raw, Value> slices[most_lsm_runs];
  uint64_t staged_begin, staged_end; // of the merged sequence
  lsm_state after;
};

/// By all threads of a block.
template <class Plan, class Machine>
COLONNADE_KERNEL_CODE void copy_plan(const Machine &machine, Plan &to, const Plan &from) {
  static_assert(sizeof(Plan) % sizeof(uint64_t) == 0);
  for (uint32_t i = machine.thread(); i < sizeof(Plan) / sizeof(uint64_t);
       i += machine.num_threads())
    reinterpret_cast<uint64_t *>(&to)[i] = reinterpret_cast<const uint64_t *>(&from)[i];
}

/// Where a tile begins in run r. A single run is not searched.
template <class Plan>
COLONNADE_KERNEL_CODE uint64_t lsm_piece_begin(const Plan &plan, const uint64_t *splits,
                                               uint64_t tile, uint32_t r) {
  if (tile >= plan.num_tiles)
    return plan.runs[r].count;
  return plan.num_runs == 1 ? tile * plan.tile_items : splits[tile * plan.num_runs + r];
}

constexpr uint32_t most_lsm_blocks = 1024; // that a merge is divided for

/// Elements of a tile at most, when so many runs are merged: the last thread of every pair of runs
/// may have fewer than the others. One that is only copied has 4096: more tiles keep all blocks
/// busy to the end.
constexpr COLONNADE_HOST_DEVICE uint32_t lsm_most_tile_items(const lsm_tuning &t,
                                                             uint32_t num_runs) {
  const uint32_t room = (t.threads - (num_runs + 1) / 2) * t.items_per_thread;
  return (num_runs == 1 && room > 4096 ? 4096 : room) / 32 * 32;
}
/// Rounded up. Most numbers fit in 32 bits, which are divided in less time.
constexpr COLONNADE_HOST_DEVICE uint64_t lsm_parts(uint64_t num_items, uint32_t part) {
  return num_items < ~part ? (static_cast<uint32_t>(num_items) + part - 1) / part
                           : (num_items + part - 1) / part;
}
/// So that all blocks have as many tiles. Tiles begin where a word of tombstones does, and a node
/// of the index.
constexpr COLONNADE_HOST_DEVICE uint32_t lsm_tile_items(uint64_t num_items, uint32_t most,
                                                        uint32_t blocks) {
  const uint64_t tiles = lsm_parts(num_items, blocks * most) * blocks;
  if (tiles == 0)
    return most;
  const uint64_t least = tiles >> 32 ? (num_items + tiles - 1) / tiles
                                     : lsm_parts(num_items, static_cast<uint32_t>(tiles));
  return static_cast<uint32_t>(least + 31) / 32 * 32;
}
/// Lanes of a group that searches all runs: one for each. A change merges 32 runs at most: levels
/// below the one that it fills, the buffer and the batch, or all levels and the buffer.
COLONNADE_HOST_DEVICE uint32_t lsm_log2_group(uint32_t num_runs) {
  uint32_t log2 = 0;
  while (log2 < 5 && 1u << log2 < num_runs)
    ++log2;
  return log2;
}
/// Of how many elements one is a sample, for which a group searches: no more than a tile has.
COLONNADE_HOST_DEVICE uint32_t lsm_stride(const lsm_tuning &t, uint64_t num_items,
                                          uint32_t num_runs, uint32_t tile_items) {
  const uint32_t log2_groups = log2_below(t.partition_lanes >> lsm_log2_group(num_runs)),
                 log2_items = num_items > 1 ? log2_below(num_items - 1) + 1 : 0, // rounded up
      log2_stride = log2_items > log2_groups ? log2_items - log2_groups : 0,
                 most = log2_below(tile_items);
  return 1u << (log2_stride < most ? log2_stride : most);
}

/// Elements that a call may stage at most. Of k batches more, those levels are staged that the sum
/// has below level h: one of them less than k at most, since at least one goes to level h.
template <class Table> uint64_t most_lsm_staged(const Table &table, uint64_t num_operations) {
  if (num_operations == 0 || table.num_levels == 0)
    return 0;
  const uint64_t batches = (num_operations - 1) / table.batch_size, // with a full buffer one more
      below = (uint64_t{1} << (table.num_levels - 1)) - 1;
  return (batches < below ? batches : below) * table.batch_size;
}

template <class Table> class lsm_planner {
public:
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  using run = typename Table::run;

  COLONNADE_KERNEL_CODE lsm_planner(const Table &table, plan_type &plan)
      : table_(table), plan_(plan), state_(*table.state) {}

  /// Nothing to be done.
  COLONNADE_KERNEL_CODE void clear() {
    plan_.num_samples = plan_.num_tiles = 0;
    plan_.staged_begin = plan_.staged_end = 0;
    plan_.refused = plan_.changes_state = false;
    plan_.in_place = false;
    plan_.after = {};
    num_runs_ = 0;
    num_items_ = 0;
    erased_ = false;
    write_runs();
    plan_.num_slices = 0;
  }

  /// False, and nothing is to be done, if there is no room; `needed` elements is how many there
  /// would be.
  COLONNADE_KERNEL_CODE bool insert(const run &batch, uint64_t &needed) {
    const uint64_t all = state_.buffered + batch.count, more = batches_of(all),
                   rest = all - more * table_.batch_size;
    needed = state_.batches * table_.batch_size + all;
    if (!knows(table_, state_) || more > table_.most_batches() - state_.batches)
      return false;
    const uint64_t after = state_.batches + more;
    const uint32_t bits = bits_of(state_.batches ^ after); // h + 1, or 0
    for (uint32_t i = bits; i-- > 0;)
      if (state_.batches >> i & 1)
        add(table_.level(state_, i));
    if (state_.buffered)
      add(table_.buffer(state_));
    add(batch);
    write_runs();
    fill(after, bits, rest);
    if (bits) {
      plan_.staged_begin = table_.level_size(bits - 1);
      plan_.staged_end = num_items_ - rest;
    }
    return true;
  }
  /// Merges all there is. False, and nothing is to be done, if there is more than the table knows.
  COLONNADE_KERNEL_CODE bool cleanup() {
    if (!knows(table_, state_))
      return false;
    for (uint32_t i = table_.num_levels; i-- > 0;)
      if (state_.batches >> i & 1)
        add(table_.level(state_, i));
    if (state_.buffered)
      add(table_.buffer(state_));
    write_runs();
    return true;
  }
  /// Where so many elements go when nothing else is left.
  COLONNADE_KERNEL_CODE void fill_with(uint64_t num_items) {
    plan_.erased = erased_ = false;
    state_.batches = 0;
    fill(num_items / table_.batch_size, table_.num_levels, num_items % table_.batch_size);
  }
  /// Divides the merged sequence into tiles for so many blocks.
  COLONNADE_KERNEL_CODE void divide(const lsm_tuning &t, uint32_t blocks) {
    const uint32_t num_runs = plan_.num_runs;
    const uint64_t num_items = plan_.num_items;
    const uint32_t tile_items = lsm_tile_items(num_items, lsm_most_tile_items(t, num_runs), blocks),
                   stride = lsm_stride(t, num_items, num_runs, tile_items),
                   log2_stride = log2_below(stride);
    uint64_t samples = 0;
    for (uint32_t r = 0; r < num_runs; ++r) {
      plan_.first_sample[r] = samples;
      samples += (plan_.runs[r].count + stride - 1) >> log2_stride;
    }
    plan_.first_sample[num_runs] = plan_.num_samples = samples;
    plan_.tile_items = tile_items;
    plan_.stride = stride;
    plan_.num_tiles = lsm_parts(num_items, tile_items);
  }
  /// The state after the change.
  COLONNADE_KERNEL_CODE const lsm_state &state() const { return state_; }

private:
  static COLONNADE_KERNEL_CODE uint32_t bits_of(uint64_t number) {
    return number ? log2_below(number) + 1 : 0;
  }
  /// How many batches so many elements fill: fewer than two, mostly, and a division takes long.
  COLONNADE_KERNEL_CODE uint64_t batches_of(uint64_t num_items) const {
    const uint64_t size = table_.batch_size;
    return num_items < size ? 0 : num_items - size < size ? 1 : num_items / size;
  }
  COLONNADE_KERNEL_CODE void add(const run &r) {
    num_items_ += r.count;
    erased_ = erased_ || r.tombstones || r.all_erased;
    plan_.runs[num_runs_++] = r;
  }
  COLONNADE_KERNEL_CODE void write_runs() {
    plan_.num_runs = num_runs_;
    plan_.num_items = num_items_;
    plan_.erased = erased_;
  }
  /// Levels below `bits` that are bits of `batches`, then the other buffer.
  COLONNADE_KERNEL_CODE void fill(uint64_t batches, uint32_t bits, uint64_t rest) {
    uint64_t begin = 0;
    num_slices_ = 0;
    state_.erased &= ~(lsm_state::buffer_bit | ((1u << bits) - 1));
    for (uint32_t i = bits; i-- > 0;)
      if (batches >> i & 1) {
        add_slice(table_.level_slice(i, begin), 1u << i);
        begin += table_.level_size(i);
      }
    if (rest)
      add_slice(table_.buffer_slice(state_.which ^ 1, begin, rest), lsm_state::buffer_bit);
    plan_.num_slices = num_slices_;
    state_.batches = batches;
    state_.buffered = rest;
    state_.which ^= 1;
  }

  /// erased_bit: what the state says where it may have tombstones.
  COLONNADE_KERNEL_CODE void add_slice(typename Table::slice slice, uint32_t erased_bit) {
    if (erased_)
      state_.erased |= erased_bit;
    else
      slice.tombstones = nullptr;
    plan_.slices[num_slices_++] = slice;
  }

  const Table &table_;
  plan_type &plan_;
  lsm_state state_;
  // Of the plan, while it is made: it is in shared memory, where each change would wait for the one
  // before.
  uint32_t num_runs_ = 0, num_slices_ = 0;
  uint64_t num_items_ = 0;
  bool erased_ = false;
};

} // namespace colonnade::detail
