//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// export.hpp: what a cleanup would leave, to arrays of the caller; and what a new tree is built
// from.
//
// In: merged tiles, packed in the staging area, and how many elements each has; or a sorted batch.
// Out: the first `capacity` elements, in order, and how many there are; or a plan that merges the
// batch alone. Invariant: the tree is only read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/move.hpp>
#include <colonnade/device_status.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_export_arguments {
  using raw = typename Table::raw;
  using value = typename Table::value;
  const lsm_plan<raw, value> *plan;
  typename Table::slice staging;
  const uint32_t *tile_counts;
  uint64_t *tile_offsets;
  raw *keys;     // null: not wanted
  value *values; // null: not wanted
  uint64_t capacity;
  uint64_t *num_elements;
  device_status *status; // or null
};

/// One block: where the tiles' elements go, and how many they are.
template <class Table, class Machine>
COLONNADE_KERNEL_CODE void place_exported(const Machine &machine,
                                          const lsm_export_arguments<Table> &a, uint64_t *scratch) {
  machine.wait_for_previous_kernel();
  const uint64_t all = add_up(machine, a.tile_counts, a.tile_offsets, a.plan->num_tiles, scratch);
  if (machine.thread() != 0)
    return;
  *a.num_elements = all;
  if (a.status && all > a.capacity)
    report_error(machine, a.status, data_error::buffer_too_small, all);
}

template <class Table, class Machine>
COLONNADE_KERNEL_CODE void export_tiles(const Machine &machine,
                                        const lsm_export_arguments<Table> &a) {
  machine.wait_for_previous_kernel();
  const auto &plan = *a.plan;
  for (uint64_t tile = machine.block(); tile < plan.num_tiles; tile += machine.num_blocks()) {
    const uint64_t from = tile * plan.tile_items, to = a.tile_offsets[tile];
    for (uint64_t i = machine.thread(); i < a.tile_counts[tile] && to + i < a.capacity;
         i += machine.num_threads()) {
      if (a.keys)
        a.keys[to + i] = a.staging.keys[from + i];
      if (a.values)
        a.values[to + i] = a.staging.values[from + i];
    }
  }
}

/// A plan that merges nothing but the batch; of equal keys the last stays.
template <class Table>
COLONNADE_KERNEL_CODE void plan_build(const Table &table, const typename Table::run &batch,
                                      lsm_plan<typename Table::raw, typename Table::value> &plan) {
  lsm_planner<Table>(table, plan).clear();
  if (batch.count == 0)
    return;
  plan.runs[0] = batch;
  plan.num_runs = 1;
  plan.num_items = batch.count;
}

} // namespace colonnade::detail
