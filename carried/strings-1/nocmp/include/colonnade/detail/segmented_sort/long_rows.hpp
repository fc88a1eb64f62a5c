//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// long_rows.hpp: sorts the few segments of a small input that a block cannot hold: each by a team
// of blocks, by radix (team_split.hpp).
//
// In: segments, and as many teams as segments can be longer than `longer_than`. Out: these
// segments sorted. Team t takes the t-th of them; every block looks for it by itself.
// Invariant: all blocks of a team come to the same segment, or to none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/row_walks.hpp>
#include <colonnade/detail/team/team_split.hpp>

#include <type_traits>

namespace colonnade::detail {

template <class Work, class Segments> struct long_rows_arguments {
  using work_type = Work;
  Work work;
  Segments segments;
  uint32_t longer_than;
};

template <class Arguments, class Machine> class long_rows_block {
public:
  static constexpr uint32_t most_rows = 32; // of all teams
  struct table {
    uint32_t count;
    uint32_t segments[most_rows];
  };

  /// The team's segment; empty if there is none. Called by all threads of the block.
  static COLONNADE_KERNEL_CODE row_span find(const Machine &machine, const Arguments &a,
                                             table &found) {
    if (machine.thread() == 0)
      found.count = 0;
    machine.block_sync();
    for (uint32_t s = machine.thread(); s < a.segments.count; s += machine.num_threads())
      if (a.segments.row(machine, s, nullptr).length > a.longer_than)
        found.segments[machine.take_shared(&found.count)] = s;
    machine.block_sync();
    const uint32_t team = machine.block() / machine.team_size();
    for (uint32_t i = 0; i < found.count; ++i) { // `found` is in any order
      uint32_t before = 0;
      for (uint32_t k = 0; k < found.count; ++k)
        before += found.segments[k] < found.segments[i];
      if (before == team)
        return a.segments.row(machine, found.segments[i], nullptr);
    }
    return {};
  }
};

/// The kernel.
template <class Arguments, class Machine>
COLONNADE_KERNEL_CODE void sort_long_row(const Machine &machine, const Arguments &a,
                                         typename long_rows_block<Arguments, Machine>::table &found,
                                         char *shared) {
  const row_span row = long_rows_block<Arguments, Machine>::find(machine, a, found);
  if (row.length == 0)
    return;
  const uint32_t blocks = machine.team_size();
  team_split_block<std::remove_cv_t<decltype(a.work)>, Machine>(machine, a.work, shared)
      .run({static_cast<uint32_t>(row.begin), row.length, (row.length + blocks - 1) / blocks});
}

} // namespace colonnade::detail
