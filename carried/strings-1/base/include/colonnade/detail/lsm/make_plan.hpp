//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// make_plan.hpp: plans a change.
//
// In: a table, and a sorted batch; or none, to merge all there is. Out: a plan, divided into tiles,
// and, of an insertion, the new state, in the plan. What cannot be done is reported: no room, or,
// in a graph that was captured when the tree had fewer levels, more elements than it knows the
// levels of. Invariant: then, and where a key is a NaN, the plan is to do nothing, and the state
// stays as it is. The state is only read: several blocks may make the same plan.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/lowest_level.hpp>
#include <colonnade/detail/lsm/mend_runs.hpp>
#include <colonnade/detail/lsm/plan.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_plan_arguments {
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  Table table;
  typename Table::run batch; // none: all there is
  const uint32_t *refused;   // null, or not 0: nothing is to be done
  plan_type *plan;
  device_status *status;                     // or null
  bool merges_all, sorted_to_level;          // see lowest_level.hpp
  lsm_sort_report<typename Table::raw> sort; // without digits: nothing is to be learned
  uint32_t blocks;                           // that merge: most_lsm_blocks at most
};

/// One thread. first: of the first block, which says what cannot be done; where the batch is in
/// its place the others have nothing to do but its index, and need no more of the plan than that.
template <class Tuning, class Machine, class Table, class Plan>
COLONNADE_KERNEL_CODE void make_plan(const Machine &machine, const lsm_plan_arguments<Table> &a,
                                     Plan &plan, bool first) {
  lsm_planner<Table> planner(a.table, plan);
  planner.clear();
  if (a.refused && *a.refused) {
    plan.refused = true;
    return;
  }
  const lsm_state &before = planner.state();
  uint64_t needed = a.table.num_elements(before);
  typename Table::run batch = a.batch;
  const bool in_place = a.sorted_to_level && fills_lowest_level(before.batches, before.buffered);
  if (in_place) {
    const typename Table::slice level = a.table.level_slice(0, 0);
    batch.keys = level.keys;
    batch.values = level.values;
    if (!first) {
      plan.num_runs = 1;
      plan.in_place = true;
      plan.slices[0] = level;
      return;
    }
  }
  plan.refused = a.merges_all ? !planner.cleanup() : !planner.insert(batch, needed);
  plan.in_place = in_place && !plan.refused;
  if (plan.refused && first && a.status)
    report_error(machine, a.status, data_error::buffer_too_small, needed);
  plan.changes_state = !plan.refused && !a.merges_all;
  plan.after = planner.state();
  constexpr lsm_tuning tuning = Tuning::value;
  static_assert(lsm_most_tile_items(tuning, most_lsm_runs) > 0,
                "lsm: (threads - 17) * items_per_thread of the tuning is 32 at least");
  planner.divide(tuning, a.blocks);
  if (plan.in_place)
    plan.num_tiles = 0;
}

/// A plan as words.
template <class Table> struct plan_words {
  using plan_type = typename lsm_plan_arguments<Table>::plan_type;
  static constexpr uint32_t count = sizeof(plan_type) / sizeof(uint64_t);
  static_assert(sizeof(plan_type) % sizeof(uint64_t) == 0);
  uint64_t words[count];

  COLONNADE_KERNEL_CODE plan_type &plan() { return *reinterpret_cast<plan_type *>(words); }
};

/// By all threads of a block: `made`, and `plan` if it is not null, is what make(plan) makes of
/// nothing, in one thread; in shared memory, where that writes and reads it in less time. It is
/// written as a whole, with the places of runs and slices that there are none of, since a plan is
/// copied as a whole.
template <class Table, class Machine, class Make>
COLONNADE_KERNEL_CODE void write_plan(const Machine &machine, plan_words<Table> &made,
                                      typename lsm_plan_arguments<Table>::plan_type *plan,
                                      Make make) {
  for (uint32_t i = machine.thread(); i < made.count; i += machine.num_threads())
    made.words[i] = 0;
  machine.block_sync();
  if (machine.thread() == 0)
    make(made.plan());
  machine.block_sync();
  if (plan)
    copy_plan(machine, *plan, made.plan());
}

/// Every block makes the plan, in shared memory; the first one writes it, and what is learned.
template <class Tuning, class Machine, class Table>
COLONNADE_KERNEL_CODE void make_plans(const Machine &machine, const lsm_plan_arguments<Table> &a,
                                      plan_words<Table> &made) {
  const bool first = machine.block() == 0;
  write_plan(machine, made, first ? a.plan : nullptr,
             [&](auto &plan) { make_plan<Tuning>(machine, a, plan, first); });
  if constexpr (may_sort_by_high_digits<typename Table::raw>)
    if (first && machine.thread() == 0 && a.sort.digits) {
      const auto *keys = a.sort.keys.array();
      learn(*a.sort.digits, *a.sort.unsorted,
            a.table.format.word(keys[0]) ^ a.table.format.word(keys[a.batch.count - 1]));
    }
}

} // namespace colonnade::detail
