//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// move.hpp: moves what is staged to its slices, and adds up counts.
//
// In: the staging area in pieces: of an insertion, equal ones; of a cleanup, what is left of each
// tile. Out: the slices. A cleanup adds up the tiles' counts first, by one block, which then knows
// how many elements are left, and so which levels they fill. Invariant: when a kernel here runs,
// all runs of the plan have been read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/rows.hpp>

namespace colonnade::detail {

constexpr uint32_t lsm_scan_threads = 512;

/// One block: offsets[i] = the sum of counts 0 to i - 1, which may be in the same
/// place. Returns the sum of all; to all threads. Each warp has an equal part, which it reads
/// twice: so all reads are of neighbouring words, and there is one barrier however many there are.
/// scratch: a word for each warp, and one more.
template <class Machine, class Count>
COLONNADE_KERNEL_CODE uint64_t add_up(const Machine &machine, const Count *counts,
                                      uint64_t *offsets, uint64_t num_counts, uint64_t *scratch) {
  constexpr uint32_t warps = lsm_scan_threads / 32;
  uint64_t *const total = scratch + warps;
  const uint64_t part = ((num_counts + warps - 1) / warps + 31) / 32 * 32,
                 begin = machine.warp() * part,
                 end = begin + part < num_counts ? begin + part : num_counts;
  uint64_t sum = 0;
  COLONNADE_UNROLL_BY(8)
  for (uint64_t i = begin + machine.lane(); i < end; i += 32)
    sum += counts[i];
  const uint64_t before = block_exclusive_sum(machine, sum, scratch);
  if (machine.thread() == lsm_scan_threads - 1)
    *total = before + sum;
  uint64_t next = machine.shuffle(before, 0);
  for (uint64_t row = begin; row < end; row += 32) {
    const uint64_t i = row + machine.lane(), count = i < end ? counts[i] : 0,
                   up_to = next + warp_inclusive_sum(machine, count);
    if (i < end)
      offsets[i] = up_to - count;
    next = machine.shuffle(up_to, 31);
  }
  machine.block_sync();
  return *total;
}

template <class Table> struct lsm_move_arguments {
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  Table table;
  plan_type *plan;
  typename Table::slice staging;
  // Of a cleanup; null for an insertion.
  const uint32_t *tile_counts;
  uint64_t *tile_offsets;
};

/// Of a cleanup, one block, when all tiles have been merged: where their elements go, and the new
/// state, unless the plan is refused. plan: room for it where one thread changes it in less time
/// than in global memory.
template <class Table, class Machine>
COLONNADE_KERNEL_CODE void place_tiles(const Machine &machine, const lsm_move_arguments<Table> &a,
                                       typename lsm_move_arguments<Table>::plan_type &plan,
                                       uint64_t *scratch) {
  copy_plan(machine, plan, *a.plan);
  const uint64_t left = add_up(machine, a.tile_counts, a.tile_offsets, a.plan->num_tiles, scratch);
  if (machine.thread() == 0 && !plan.refused) {
    lsm_planner<Table> planner(a.table, plan);
    planner.fill_with(left);
    *a.table.state = planner.state();
  }
  machine.block_sync();
  copy_plan(machine, *a.plan, plan);
}

constexpr uint32_t lsm_moved_piece = 2048, lsm_move_threads = 256, lsm_moved_rows = 8;

/// `count` staged elements from `from` on become those of the merged sequence from `to` on.
template <bool Erased, class Table, class Machine>
COLONNADE_KERNEL_CODE void move_piece(const Machine &machine, const lsm_move_arguments<Table> &a,
                                      uint64_t from, uint64_t to, uint32_t count) {
  using element = lsm_element<typename Table::raw, typename Table::value>;
  const auto *const keys = a.staging.keys + from;
  const auto *const values = a.staging.values + from;
  write_to_slices<Erased, lsm_moved_rows>(
      machine, to, count, [&](uint64_t at) { return planned_slice(*a.plan, at); },
      [&](uint32_t i) {
        const uint64_t at = from + i;
        const bool bit = Erased && (a.staging.tombstones[at / 32] >> at % 32 & 1);
        return element{keys[i], values[i], bit};
      },
      [&](uint32_t i) { return a.table.format.word(keys[i]); });
}

template <class Table, class Machine>
COLONNADE_KERNEL_CODE void move_pieces(const Machine &machine, const lsm_move_arguments<Table> &a) {
  machine.wait_for_previous_kernel();
  const auto &plan = *a.plan;
  if (!a.tile_counts) {
    const uint64_t staged = plan.staged_end - plan.staged_begin;
    for (uint64_t from = uint64_t{machine.block()} * lsm_moved_piece; from < staged;
         from += uint64_t{machine.num_blocks()} * lsm_moved_piece) {
      const uint64_t left = staged - from, to = plan.staged_begin + from;
      const uint32_t count = left < lsm_moved_piece ? static_cast<uint32_t>(left) : lsm_moved_piece;
      if (plan.erased)
        move_piece<true>(machine, a, from, to, count);
      else
        move_piece<false>(machine, a, from, to, count);
    }
    return;
  }
  // From the end: what was staged last is still in the second-level cache.
  for (uint64_t i = machine.block(); i < plan.num_tiles; i += machine.num_blocks()) {
    const uint64_t tile = plan.num_tiles - 1 - i;
    move_piece<false>(machine, a, tile * plan.tile_items, a.tile_offsets[tile],
                      a.tile_counts[tile]);
  }
}

} // namespace colonnade::detail
