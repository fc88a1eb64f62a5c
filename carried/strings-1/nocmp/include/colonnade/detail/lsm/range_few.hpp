//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// range_few.hpp: counts, and lists, what lies in few ranges, in one launch.
//
// A team of blocks (of a cluster; or one alone) has all queries, each block a stretch of them, a
// warp one at a time. Blocks tell each other how many elements lie in their stretches, so each
// knows where its own begin.
//
// In: as range.hpp. Out: all offsets; the elements, if they are wanted; whether there is room for
// as many. Invariant: a block ends when its teammates have read what it has told them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/range.hpp>

namespace colonnade::detail {

template <class Table, uint32_t Warps> struct lsm_few_ranges_storage {
  using raw = typename Table::raw;
  union window {
    lsm_count_window<raw> counting;
    lsm_list_window<raw> listing;
  };
  window windows[Warps];
  uint64_t offsets[lsm_range_tile], scratch[Warps];
  uint64_t all; // of the block's queries; read by teammates
};

template <lsm_search Search, class Arguments, class Machine, uint32_t Warps> class lsm_few_ranges {
public:
  using table = typename Arguments::table_type;
  using storage = lsm_few_ranges_storage<table, Warps>;

  COLONNADE_KERNEL_CODE lsm_few_ranges(const Machine &machine, const Arguments &a, storage &shared)
      : machine_(machine), a_(a), s_(shared) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    const lsm_state state = known_state(machine_, a_.table, a_.status);
    const uint32_t team = machine_.team_size(),
                   stretch = (static_cast<uint32_t>(a_.num_queries) + team - 1) / team;
    first_ = machine_.team_rank() * stretch;
    const uint32_t left =
        first_ < a_.num_queries ? static_cast<uint32_t>(a_.num_queries) - first_ : 0;
    own_ = left < stretch ? left : stretch;
    count(state);
    place();
    if (a_.keys || a_.values)
      list(state);
    machine_.team_wait();
  }

private:
  COLONNADE_KERNEL_CODE void count(const lsm_state &state) const {
    lsm_range_count<Search, table, Machine> ranges(machine_, a_.table, state,
                                                   s_.windows[machine_.warp()].counting);
    for (uint32_t i = machine_.warp(); i < own_; i += Warps) {
      const uint64_t found = ranges.count(a_.first_keys[first_ + i], a_.last_keys[first_ + i]);
      if (machine_.lane() == 0)
        s_.offsets[i] = found;
    }
    machine_.block_sync();
  }
  /// Counts become offsets. Ends with an arrival of the team.
  COLONNADE_KERNEL_CODE void place() const {
    const uint32_t i = machine_.thread();
    const uint64_t own = i < own_ ? s_.offsets[i] : 0,
                   before = block_exclusive_sum(machine_, own, s_.scratch);
    if (i == 32 * Warps - 1)
      s_.all = before + own;
    machine_.team_arrive();
    machine_.team_wait();
    uint64_t base = 0, all = 0;
    for (uint32_t r = 0; r < machine_.team_size(); ++r) {
      base += r == machine_.team_rank() ? all : 0;
      all += *machine_.of_teammate(&s_.all, r);
    }
    machine_.team_arrive(); // who has waited for all again may end
    if (i < own_)
      a_.offsets[first_ + i] = s_.offsets[i] = base + before;
    if (i == 0 && machine_.team_rank() == 0) {
      a_.offsets[a_.num_queries] = all;
      if (a_.status && all > a_.capacity)
        report_error(machine_, a_.status, data_error::buffer_too_small, all);
    }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void list(const lsm_state &state) const {
    using writer = lsm_range_write<Arguments>;
    writer write{a_, 0};
    lsm_range_list<Search, table, Machine, writer> ranges(machine_, a_.table, state, write,
                                                          s_.windows[machine_.warp()].listing);
    for (uint32_t i = machine_.warp(); i < own_; i += Warps) {
      write.offset = s_.offsets[i];
      if (write.offset < a_.capacity)
        ranges.list(a_.first_keys[first_ + i], a_.last_keys[first_ + i]);
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  storage &s_;
  uint32_t first_ = 0, own_ = 0; // queries of the block
};

} // namespace colonnade::detail
