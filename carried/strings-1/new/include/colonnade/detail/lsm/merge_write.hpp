//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_write.hpp: writes a tile of an insertion.
//
// In: a tile whose runs are merged, or one that has elements of one run alone. Out: its elements in
// the slices of the plan, or in the staging area. Invariant: values are read when their place is
// known, and never are in shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/merge_pairs.hpp>

namespace colonnade::detail {

template <class Tuning, class Arguments, class Machine>
class lsm_merge_write : public lsm_merge_pairs<Tuning, false, Arguments, Machine> {
  using pairs = lsm_merge_pairs<Tuning, false, Arguments, Machine>;

public:
  using pairs::pairs;
  using typename pairs::element;
  using typename pairs::piece;
  using typename pairs::table;

protected:
  using pairs::a_;
  using pairs::items_of_tile;
  using pairs::machine_;
  using pairs::plan_;
  using pairs::s_;

  /// All runs but the oldest have been merged.
  template <bool Erased> COLONNADE_KERNEL_CODE void finish(uint64_t tile) const {
    if (plan_.num_runs > 1)
      pairs::merge_oldest();
    write_to_slices<Erased>(
        machine_, tile * plan_.tile_items, items_of_tile(),
        [&](uint64_t at) { return slice_of(at); },
        [&](uint32_t i) { return pairs::template element_at<Erased>(i); },
        [&](uint32_t i) { return pairs::word_of(s_.cells[i]); });
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void copy(uint64_t tile) const {
    const piece p = s_.pieces[s_.only];
    write_to_slices<Erased, Tuning::value.copied_rows>(
        machine_, tile * plan_.tile_items, items_of_tile(),
        [&](uint64_t at) { return slice_of(at); },
        [&](uint32_t i) {
          return element{p.keys[i], p.template value<Erased>(machine_, i),
                         Erased && p.is_tombstone(i)};
        },
        [&](uint32_t i) { return a_.format.word(p.keys[i]); });
  }

private:
  COLONNADE_KERNEL_CODE typename table::slice slice_of(uint64_t at) const {
    if (at < plan_.staged_begin || at >= plan_.staged_end || !a_.staging.keys)
      return planned_slice(plan_, at);
    typename table::slice slice = a_.staging;
    slice.begin = plan_.staged_begin;
    slice.count = plan_.staged_end - plan_.staged_begin;
    return slice;
  }
};

} // namespace colonnade::detail
