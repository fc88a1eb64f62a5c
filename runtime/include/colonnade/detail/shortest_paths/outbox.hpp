//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// outbox.hpp: a warp gathers the vertices that its relaxations woke, and splits
// them into their piles: a warp-level multisplit.
//
// Put: lanes with a vertex append it, in lane order, to the warp's outbox in
// shared memory. Send, when the outbox is full: the warp's multisplit says how many
// go to each pile, one atomic for each pile with any takes places in its queue, and
// the vertices are written. Send all, at the end of a step: the same by all warps
// of the block, with one atomic a pile for the block. Order within a pile is any;
// no queue overflows, for a vertex waits at most once in each.
//
// Source: S. Ashkiani, thesis (2017), section 3.5 (warp-level multisplit); global
// offsets by atomics instead of a prefix sum, since the order does not matter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/warp_split.hpp>
#include <colonnade/detail/shortest_paths/state.hpp>

namespace colonnade::detail {

template <class Machine, class Arguments, class Plan, uint32_t NumPiles, uint32_t Items>
class path_outbox {
  static_assert(Items % 32 == 0 && Items >= 64);
  static constexpr uint32_t rows = Items / 32;

public:
  COLONNADE_KERNEL_CODE path_outbox(const Machine &machine, const Arguments &arguments,
                                    const Plan &plan, path_block_counts &block, uint32_t *vertices,
                                    uint8_t *piles)
      : machine_(machine), arguments_(arguments), plan_(plan), block_(block), vertices_(vertices),
        piles_(piles) {}

  /// By all lanes.
  COLONNADE_KERNEL_CODE void put(bool has, uint32_t vertex, uint32_t pile) {
    const uint32_t lanes = machine_.ballot(has);
    if (!lanes)
      return;
    if (has) {
      const uint32_t place =
          count_ + Machine::count_ones(lanes & other_lanes(machine_.lane()).below);
      vertices_[place] = vertex;
      piles_[place] = static_cast<uint8_t>(pile);
    }
    count_ += Machine::count_ones(lanes);
    if (count_ > Items - 32)
      send();
  }

  /// By all warps of the block, whatever they have; block_.count is zero before. Two barriers.
  COLONNADE_KERNEL_CODE void send_all() {
    const uint32_t lane = machine_.lane();
    uint32_t piles[rows], places[rows], first = 0;
    if (count_) {
      const uint32_t count = split(piles, places, first);
      if (count)
        first = machine_.fetch_add(&block_.count[lane], count) - first;
    }
    machine_.block_sync();
    if (machine_.warp() == 0 && block_.count[lane])
      block_.first[lane] = take(block_.count[lane]);
    machine_.block_sync();
    if (count_)
      write(piles, places, first + block_.first[lane]);
    count_ = 0;
  }

private:
  COLONNADE_KERNEL_CODE void send() {
    uint32_t piles[rows], places[rows], first = 0;
    const uint32_t count = split(piles, places, first);
    write(piles, places, count ? take(count) - first : 0);
    count_ = 0;
  }

  /// This lane's items' piles, and places among all sorted by pile; of pile `lane`: how
  /// many, and the place of the first.
  COLONNADE_KERNEL_CODE uint32_t split(uint32_t (&piles)[rows], uint32_t (&places)[rows],
                                       uint32_t &first) {
    machine_.warp_sync(); // the outbox has been written
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < rows; ++k)
      piles[k] = 32 * k + machine_.lane() < count_ ? piles_[32 * k + machine_.lane()] : 0;
    const auto buckets = warp_places<NumPiles>(machine_, piles, places, count_);
    first = buckets.start[0];
    return buckets.count[0];
  }

  /// Room for `count` vertices in pile `lane`.
  COLONNADE_KERNEL_CODE uint32_t take(uint32_t count) {
    const uint32_t lane = machine_.lane();
    return plan_.totals[lane] +
           machine_.fetch_add(&arguments_.control->counts[plan_.set][lane].value, count);
  }

  /// `shift`, in lane p: from places among all to places in pile p.
  COLONNADE_KERNEL_CODE void write(const uint32_t (&piles)[rows], const uint32_t (&places)[rows],
                                   uint32_t shift) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < rows; ++k) {
      const uint32_t place = places[k] + machine_.shuffle(shift, piles[k]);
      const uint32_t item = 32 * k + machine_.lane();
      if (item < count_)
        pile_items(arguments_, piles[k], plan_.near_out, plan_.far_out,
                   plan_.window.far_pile())[place] = vertices_[item];
    }
  }

  const Machine &machine_;
  const Arguments &arguments_;
  const Plan &plan_;
  path_block_counts &block_;
  uint32_t *vertices_;
  uint8_t *piles_;
  uint32_t count_ = 0;
};

} // namespace colonnade::detail
