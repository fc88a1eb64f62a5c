//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// outbox.hpp: a warp gathers the vertices whose distance its relaxations shortened, and
// writes them to the queues of their piles by a warp-level multisplit.
//
// In: vertices with their piles. Out: the queues, and the counts of new items in the
// control's set. `put` appends the lanes' vertices, in lane order, to the warp's outbox in
// shared memory. When it is full, the multisplit counts how many go to each pile, one
// atomic for each such pile reserves places in its queue, and the vertices are written. At
// the end of a step `send_all` does the same with one atomic for each pile and block.
// Invariant: a vertex waits at most once in each queue, so no queue overflows. The order
// within a queue is any.
//
// Source: S. Ashkiani, thesis (2017), section 3.5 (warp-level multisplit); global
// offsets by atomics instead of a prefix sum, since the order does not matter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/warp_split.hpp>
#include <colonnade/detail/shortest_paths/state.hpp>

namespace colonnade::detail {

template <class Machine, class Arguments, class Plan, uint32_t NumPiles, uint32_t Items>
class path_outbox {
  static_assert(Items % 32 == 0 && Items >= 64);

public:
  COLONNADE_KERNEL_CODE path_outbox(const Machine &machine, const Arguments &arguments,
                                    const Plan &plan, path_block_counts &block, uint32_t *items)
      : machine_(machine), arguments_(arguments), plan_(plan), block_(block), items_(items) {}

  /// Called by all lanes, before up to Rows calls of put.
  template <uint32_t Rows> COLONNADE_KERNEL_CODE void make_room() {
    static_assert(32 * Rows <= Items);
    if (count_ > Items - 32 * Rows)
      send();
  }

  /// Called by all lanes; `has`: whether the lane has a vertex.
  COLONNADE_KERNEL_CODE void put(bool has, uint32_t vertex, uint32_t pile) {
    const uint32_t lanes = machine_.ballot(has);
    if (!lanes)
      return;
    if (has) {
      const uint32_t place =
          count_ + Machine::count_ones(lanes & other_lanes(machine_.lane()).below);
      items_[place] = vertex | pile << path_vertex_bits;
    }
    count_ += Machine::count_ones(lanes);
  }

  /// Called by all warps of the block, also those with nothing to send; block_.count is zero
  /// before. Contains two barriers.
  COLONNADE_KERNEL_CODE void send_all() {
    const uint32_t lane = machine_.lane();
    const uint32_t count = count_by_pile();
    uint32_t first = 0;
    if (count)
      first = machine_.fetch_add(&block_.count[lane], count);
    machine_.block_sync();
    if (machine_.warp() == 0 && block_.count[lane])
      block_.first[lane] = take(block_.count[lane]);
    machine_.block_sync();
    write(count ? first + block_.first[lane] : 0);
  }

private:
  using split_type = warp_split<NumPiles, Machine>;

  COLONNADE_KERNEL_CODE void send() {
    const uint32_t count = count_by_pile();
    write(count ? take(count) : 0);
  }

  COLONNADE_KERNEL_CODE uint32_t pile_of(uint32_t item) const {
    return item < count_ ? items_[item] >> path_vertex_bits : 0;
  }

  /// In lane p: how many of the warp's vertices go to pile p.
  COLONNADE_KERNEL_CODE uint32_t count_by_pile() {
    const split_type split(machine_);
    uint32_t count[1] = {0};
    machine_.warp_sync(); // the outbox has been written
    for (uint32_t row = 0; row < count_; row += 32)
      split.count_row(pile_of(row + machine_.lane()), split.valid_lanes(row / 32, count_), count);
    return count[0];
  }

  /// In lane p: reserves places for `count` vertices in pile p; the first of them.
  COLONNADE_KERNEL_CODE uint32_t take(uint32_t count) {
    const uint32_t lane = machine_.lane();
    return plan_.totals[lane] +
           machine_.fetch_add(&arguments_.control->counts[plan_.set][lane].value, count);
  }

  /// Writes the vertices to the queues. place: in lane p, that of the warp's first for pile p.
  COLONNADE_KERNEL_CODE void write(uint32_t place) {
    const split_type split(machine_);
    uint32_t next[1] = {place};
    for (uint32_t row = 0; row < count_; row += 32) {
      const uint32_t item = row + machine_.lane(), pile = pile_of(item);
      const uint32_t first = machine_.shuffle(next[0], pile);
      const uint32_t rank = split.rank_row(pile, split.valid_lanes(row / 32, count_), next);
      if (item < count_)
        pile_items(arguments_, pile, plan_.near_out, plan_.far_out,
                   plan_.window.far_pile())[first + rank] =
            items_[item] & ((1u << path_vertex_bits) - 1);
    }
    count_ = 0;
  }

  const Machine &machine_;
  const Arguments &arguments_;
  const Plan &plan_;
  path_block_counts &block_;
  uint32_t *items_;
  uint32_t count_ = 0;
};

} // namespace colonnade::detail
