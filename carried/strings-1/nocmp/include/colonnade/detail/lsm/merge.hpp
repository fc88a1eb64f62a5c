//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge.hpp: merges the runs of a plan, tile by tile.
//
// A tile has a piece of each run. Cells (cells.hpp) that stand for their elements are merged in
// shared memory, so global memory is read and written once, however many runs there are. A tile
// with elements of one run alone is copied.
//
// In: a plan and the splits of its tiles. Out: an insertion writes the merged sequence to its
// slices, or to the staging area (merge_write.hpp), and what the state of the tree is then; a
// cleanup drops what is stale, writes what is left of each tile to the place of the tile in the
// staging area, and how many they are (merge_keep.hpp). Invariant: of the plan only what all
// threads need is read by all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/merge_keep.hpp>
#include <colonnade/detail/lsm/merge_write.hpp>

#include <type_traits>

namespace colonnade::detail {

template <class Tuning, bool Drops, class Arguments, class Machine>
using lsm_merge_steps = std::conditional_t<Drops, lsm_merge_keep<Tuning, Arguments, Machine>,
                                           lsm_merge_write<Tuning, Arguments, Machine>>;

/// Drops: a cleanup.
template <class Tuning, bool Drops, class Arguments, class Machine>
class lsm_merge_block : lsm_merge_steps<Tuning, Drops, Arguments, Machine> {
  using steps = lsm_merge_steps<Tuning, Drops, Arguments, Machine>;
  using steps::a_;
  using steps::machine_;
  using steps::plan_;
  using steps::s_;

public:
  using steps::steps;
  using typename steps::storage;

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    if (!Drops && machine_.block() == 0 && machine_.thread() == 0 && plan_.changes_state)
      *a_.state = plan_.after;
    if (plan_.erased)
      merge_tiles<true>();
    else
      merge_tiles<false>();
  }

private:
  /// Erased: whether there may be tombstones.
  template <bool Erased> COLONNADE_KERNEL_CODE void merge_tiles() const {
    for (uint64_t tile = machine_.block(); tile < plan_.num_tiles; tile += machine_.num_blocks()) {
      steps::find_pieces(tile);
      if (!Drops && s_.only < most_lsm_runs) {
        if constexpr (!Drops)
          steps::template copy<Erased>(tile);
      } else {
        steps::template load<Erased>(tile);
        machine_.block_sync();
        for (uint32_t width = 1; width + 1 < plan_.num_runs; width *= 2)
          steps::merge_newer(width);
        steps::template finish<Erased>(tile);
      }
      machine_.block_sync(); // before the next tile's pieces
    }
  }
};

} // namespace colonnade::detail
