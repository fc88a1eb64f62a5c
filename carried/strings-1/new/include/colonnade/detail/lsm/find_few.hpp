//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// find_few.hpp: what a tile of lanes answers: find, successor, predecessor.
//
// A search is a chain of loads, each of which waits for the one before. A thread that looks into
// one run after the other (find.hpp) waits for all their chains; where queries are so few that most
// of a GPU would have none, every run gets a lane, the newest the lowest, and all chains are waited
// for at once. A tile has as many lanes as there may be runs, rounded up to a power of two, so a
// warp has one query or several.
//
// In: a table, its state, a key for each tile. Out: the element that counts, in one lane of the
// tile. Invariant: called by whole warps. As in find.hpp the newest run that has a key decides
// about it; neighbours that are deleted are passed over, a round each, by the lanes that have them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/find.hpp>

namespace colonnade::detail {

/// Of the lanes of a tile: one for the buffer and each level.
COLONNADE_HOST_DEVICE uint32_t lsm_log2_query_lanes(uint32_t num_levels) {
  uint32_t log2 = 0;
  while (1u << log2 <= num_levels)
    ++log2;
  return log2;
}

template <lsm_search Search, class Table, class Machine> class lsm_tile_finder {
public:
  using raw = typename Table::raw;
  using run = typename Table::run;
  using answer = lsm_answer<raw, typename Table::value>;

  COLONNADE_KERNEL_CODE lsm_tile_finder(const Machine &machine, const Table &table,
                                        const lsm_state &state)
      : machine_(machine), format_(table.format), lane_(machine.lane()),
        lanes_(1u << lsm_log2_query_lanes(table.num_levels)), first_(lane_ & ~(lanes_ - 1)),
        tile_(~0u >> (32 - lanes_) << first_), run_(run_of(table, state, lane_ - first_)) {}
  /// Whether this lane answers its tile's query: one lane does. asks: whether the tile has one.
  template <lsm_query Query>
  COLONNADE_KERNEL_CODE bool ask(raw key, bool asks, answer &found) const {
    const raw word = format_.word(key);
    if constexpr (Query == lsm_query::find)
      return find(word, asks, found);
    else
      return neighbour < Query == lsm_query::successor > (word, asks, found);
  }

private:
  COLONNADE_KERNEL_CODE bool find(raw word, bool asks, answer &found) const {
    uint64_t at = 0;
    const bool here = asks && run_.count && last_equal<Search>(run_, format_, word, at);
    const bool answers = lane_ == newest(machine_.ballot(here));
    found = here && answers ? answer_at(run_, at) : answer{};
    return answers;
  }
  /// The lane of the newest of these runs of the tile, or, where there is none, its first lane.
  COLONNADE_KERNEL_CODE uint32_t newest(uint32_t runs) const {
    return runs & tile_ ? Machine::first_one(runs & tile_) : first_;
  }
  /// Every lane has the nearest key of its run; the nearest of these is next. `place` is how many
  /// elements come before where the run is divided: above it is what may follow, or what may
  /// precede below it.
  template <bool Above>
  COLONNADE_KERNEL_CODE bool neighbour(raw word, bool asks, answer &found) const {
    const uint64_t count = asks ? run_.count : 0;
    uint64_t place = 0;
    if (count)
      place = Above ? count_up_to<Search>(run_, format_, word)
                    : count_below<Search>(run_, format_, word);
    for (;;) {
      const bool some = Above ? place < count : place > 0;
      const raw there = some ? format_.word(run_.keys[Above ? place : place - 1]) : raw{},
                next = nearest<Above>(some, there);
      const bool here = some && there == next;
      const uint32_t runs = machine_.ballot(here);
      const bool answers = lane_ == newest(runs);
      uint64_t last = place - 1; // where the key counts
      if (Above && here)
        last = last_of_equal<Search>(run_, format_, next, place);
      found = here && answers ? answer_at(run_, last) : answer{};
      // A tile that is done finds the same again while others of its warp go on.
      const uint32_t present = machine_.ballot(found.present);
      const bool is_erased = (runs & tile_) && !(present & tile_);
      if (!machine_.ballot(is_erased))
        return answers;
      if (is_erased && here)
        place = Above ? last + 1 : first_of_equal<Search>(run_, format_, next, place - 1);
    }
  }
  /// The smallest word of the lanes of the tile that have one, or the largest.
  template <bool Above> COLONNADE_KERNEL_CODE raw nearest(bool some, raw word) const {
    raw own = some ? word : Above ? static_cast<raw>(~raw{0}) : raw{0};
    for (uint32_t mask = lanes_ / 2; mask > 0; mask /= 2) {
      const raw other = machine_.shuffle_xor(own, mask);
      own = (Above ? other < own : other > own) ? other : own;
    }
    return own;
  }

  const Machine &machine_;
  const typename Table::format_type &format_;
  uint32_t lane_, lanes_, first_, tile_; // of the tile: how many, which is the first, all as bits
  run run_;                              // of this lane
};

/// A tile a query: there are at least as many.
template <lsm_search Search, lsm_query Query, class Arguments, class Machine>
COLONNADE_KERNEL_CODE void answer_few_queries(const Machine &machine, const Arguments &a) {
  using table = typename Arguments::table_type;
  using finder = lsm_tile_finder<Search, table, Machine>;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  const uint64_t thread = uint64_t{machine.block()} * machine.num_threads() + machine.thread(),
                 query = thread >> lsm_log2_query_lanes(a.table.num_levels);
  const bool asks = query < a.num_queries;
  const typename table::raw key = asks ? a.queries[query] : typename table::raw{};
  const lsm_state state = known_state(machine, a.table, a.status);
  typename finder::answer found;
  const bool answers = finder(machine, a.table, state).template ask<Query>(key, asks, found);
  if (asks && answers)
    write_answer(a, query, found);
}

} // namespace colonnade::detail
