//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// outbox.hpp: a warp gathers the vertices that its relaxations woke, and splits
// them into their piles: a warp-level multisplit.
//
// Put: lanes with a vertex append it, in lane order, to the warp's outbox in
// shared memory. Send: the warp counts its vertices by pile, takes places in the
// piles' queues with one atomic for each pile it has anything for, ranks its
// vertices by pile (warp_rank.hpp) and writes them. Places within a pile come in
// any order; no queue overflows, for a vertex waits at most once in each.
//
// Source: S. Ashkiani, thesis (2017), section 3.5 (warp-level multisplit); global
// offsets by atomics instead of a prefix sum, since the order does not matter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/state.hpp>
#include <colonnade/detail/warp_rank.hpp>

namespace colonnade::detail {

/// PileBits: ceil(log2(number of piles)).
template <class Machine, class Arguments, class Plan, uint32_t PileBits, uint32_t Items>
class path_outbox {
  static_assert(Items % 32 == 0 && Items >= 64);

public:
  COLONNADE_KERNEL_CODE path_outbox(const Machine &machine, const Arguments &arguments,
                                    const Plan &plan, path_outbox_counters &counters,
                                    uint32_t *vertices, uint8_t *piles)
      : machine_(machine), arguments_(arguments), plan_(plan), counters_(counters),
        vertices_(vertices), piles_(piles) {}

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

  COLONNADE_KERNEL_CODE void send() {
    if (!count_)
      return;
    take_places();
    for (uint32_t row = 0; row < count_; row += 32) {
      const uint32_t item = row + machine_.lane();
      const bool has = item < count_;
      const uint32_t pile = has ? piles_[item] : 0;
      const uint32_t alike =
          match_lanes<PileBits, match_method::ballots>(machine_, pile);
      const uint32_t used = machine_.ballot(has);
      const uint32_t place =
          rank_row<1>(machine_, other_lanes(machine_.lane()), alike & (has ? used : ~used),
                      &counters_.next[has ? pile : max_piles]);
      if (has)
        pile_items(arguments_, pile, plan_.near_out, plan_.far_out,
                   plan_.window.far_pile())[place] = vertices_[item];
    }
    count_ = 0;
  }

private:
  /// counters.next[pile]: where the warp's first item of the pile goes.
  COLONNADE_KERNEL_CODE void take_places() {
    const uint32_t lane = machine_.lane();
    counters_.next[lane] = 0;
    machine_.warp_sync();
    for (uint32_t item = lane; item < count_; item += 32)
      machine_.add_shared(&counters_.next[piles_[item]], 1);
    machine_.warp_sync();
    const uint32_t count = counters_.next[lane];
    if (count)
      counters_.next[lane] =
          plan_.totals[lane] +
          machine_.fetch_add(&arguments_.control->counts[plan_.set][lane].value, count);
    machine_.warp_sync();
  }

  const Machine &machine_;
  const Arguments &arguments_;
  const Plan &plan_;
  path_outbox_counters &counters_;
  uint32_t *vertices_;
  uint8_t *piles_;
  uint32_t count_ = 0;
};

} // namespace colonnade::detail
