//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// find.hpp: what one thread answers: find, successor, predecessor.
//
// In: a table, its state, a key. Out: the element that counts, or none. Invariant: the newest run
// that has a key decides about it, whether with a value or with a tombstone. A neighbour that is
// deleted is passed over, and the search goes on from its key; so there may be any number of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/search.hpp>

namespace colonnade::detail {

enum class lsm_query : uint8_t { find, successor, predecessor };

template <class Raw, class Value> struct lsm_answer {
  bool present = false;
  Raw key{};
  Value value{};
};

/// What a run says of its element at this place, if that counts.
template <class Raw, class Value>
COLONNADE_KERNEL_CODE lsm_answer<Raw, Value> answer_at(const lsm_run<Raw, Value> &r, uint64_t at) {
  if (r.is_tombstone(at))
    return {};
  return {true, r.keys[at], r.values[at]};
}

/// One thread's.
template <lsm_search Search, class Table> struct lsm_finder {
  using raw = typename Table::raw;
  using value = typename Table::value;
  using run = typename Table::run;
  using answer = lsm_answer<raw, value>;
  const Table &table;
  const lsm_state &state;

  template <lsm_query Query> COLONNADE_KERNEL_CODE answer ask(raw key) const {
    const raw word = table.format.word(key);
    if constexpr (Query == lsm_query::find)
      return find(word);
    else if constexpr (Query == lsm_query::successor)
      return successor(word);
    else
      return predecessor(word);
  }

private:
  COLONNADE_KERNEL_CODE answer find(raw word) const {
    answer found;
    for_runs(table, state, [&](const run &r) {
      uint64_t at;
      const bool here = last_equal<Search>(r, table.format, word, at);
      if (here)
        found = answer_at(r, at);
      return here;
    });
    return found;
  }
  /// The next key in any run is the first element above the word; the newest run that has it there
  /// decides.
  COLONNADE_KERNEL_CODE answer successor(raw word) const {
    for (;;) {
      bool some = false;
      raw next = 0;
      run newest;
      for_runs(table, state, [&](const run &r) {
        const uint64_t at = count_up_to<Search>(r, table.format, word);
        if (at < r.count) {
          const raw there = table.format.word(r.keys[at]);
          if (!some || there < next) {
            next = there;
            newest = r;
          }
          some = true;
        }
        return false;
      });
      uint64_t at = 0;
      if (!some || !last_equal<Search>(newest, table.format, next, at))
        return {};
      if (const answer found = answer_at(newest, at); found.present)
        return found;
      word = next;
    }
  }
  COLONNADE_KERNEL_CODE answer predecessor(raw word) const {
    for (;;) {
      bool some = false;
      raw next = 0;
      answer found;
      for_runs(table, state, [&](const run &r) {
        const uint64_t at = count_below<Search>(r, table.format, word);
        if (at > 0) {
          const raw there = table.format.word(r.keys[at - 1]);
          if (!some || there > next) {
            next = there;
            found = answer_at(r, at - 1);
          }
          some = true;
        }
        return false;
      });
      if (!some || found.present)
        return found;
      word = next;
    }
  }
};

template <class Table> struct lsm_find_arguments {
  using table_type = Table;
  static constexpr bool ordered = false;
  Table table;
  const typename Table::raw *queries;
  uint64_t num_queries;
  typename Table::raw *keys;     // null: not wanted
  typename Table::value *values; // null: not wanted
  bool *present;                 // null: not wanted
  typename Table::value absent;
  device_status *status; // or null
};
/// Queries that are not answered as they stand: a kernel of its own, for its registers.
template <class Table> struct lsm_ordered_find_arguments : lsm_find_arguments<Table> {
  static constexpr bool ordered = true;
  const uint32_t *order; // the i-th to be answered
};

template <class Arguments, class Answer>
COLONNADE_KERNEL_CODE void write_answer(const Arguments &a, uint64_t query, const Answer &found) {
  if (a.keys && found.present)
    a.keys[query] = found.key;
  if (a.values)
    a.values[query] = found.present ? found.value : a.absent;
  if (a.present)
    a.present[query] = found.present;
}

template <lsm_search Search, lsm_query Query, class Arguments, class Machine>
COLONNADE_KERNEL_CODE void answer_queries(const Machine &machine, const Arguments &a) {
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  const lsm_state state = known_state(machine, a.table, a.status);
  const lsm_finder<Search, typename Arguments::table_type> finder{a.table, state};
  const uint64_t step = uint64_t{machine.num_blocks()} * machine.num_threads();
  for (uint64_t i = uint64_t{machine.block()} * machine.num_threads() + machine.thread();
       i < a.num_queries; i += step) {
    uint64_t query = i;
    if constexpr (Arguments::ordered)
      query = a.order[i];
    write_answer(a, query, finder.template ask<Query>(a.queries[query]));
  }
}

} // namespace colonnade::detail
