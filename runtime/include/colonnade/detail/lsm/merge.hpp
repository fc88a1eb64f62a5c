//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge.hpp: merges the runs of a plan, tile by tile.
//
// A tile has a piece of each run. The pieces are loaded into shared memory, one after the other,
// and neighbours are merged in pairs there, until one is left: so global memory is read and written
// once, however many runs there are. Cells hold a key and where its value is in the tile; values
// stay where they are.
//
// In: a plan and the splits of its tiles. Out: an insertion writes the merged sequence to its
// slices, or to the staging area; a cleanup drops what is stale, writes what is left of each tile
// to the place of the tile in the staging area, and how many they are. Invariant: whatever the
// splits are, nothing outside the arrays and the tile is accessed; stale is all but the last of
// equal keys, and tombstones.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/rows.hpp>
#include <colonnade/detail/merging/merge_path.hpp>
#include <colonnade/lsm_tuning.hpp>

namespace colonnade::detail {

template <class Table> struct lsm_merge_arguments {
  using table_type = Table;
  using plan_type = lsm_plan<typename Table::raw, typename Table::value>;
  const plan_type *plan;
  const uint64_t *splits;
  typename Table::format_type format;
  typename Table::slice staging; // of an insertion: null keys if nothing is staged
  uint32_t *tile_counts;         // of a cleanup: null for an insertion
};

/// from: the place in the tile where it was loaded; its highest bit: a tombstone.
template <class Raw> struct lsm_cell {
  Raw key, from;
};
template <class Format> struct lsm_cell_order {
  const Format &format;
  template <class Cell> COLONNADE_KERNEL_CODE bool operator()(const Cell &a, const Cell &b) const {
    return format.word(a.key) < format.word(b.key);
  }
};

/// Drops: a cleanup.
template <class Tuning, bool Drops, class Arguments, class Machine> class lsm_merge_block {
public:
  using table = typename Arguments::table_type;
  using raw = typename table::raw;
  using value = typename table::value;
  using cell = lsm_cell<raw>;
  using element = lsm_element<raw, value>;
  static constexpr uint32_t threads = Tuning::value.threads,
                            items_per_thread = Tuning::value.items_per_thread,
                            max_items = (threads - 1) * items_per_thread;
  static constexpr raw tombstone_bit = raw{1} << (8 * sizeof(raw) - 1);

  struct storage {
    item_cell<cell> cells[max_items + 2 * items_per_thread];
    value values[max_items];
    uint64_t place[most_lsm_runs], target, scratch[threads / 32];
    uint32_t bound[most_lsm_runs + 1], kept;
    bool goes_on; // the first of the next tile has the key of the last of this one
  };

  COLONNADE_KERNEL_CODE lsm_merge_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), plan_(*a.plan), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    for (uint64_t tile = machine_.block(); tile < plan_.num_tiles; tile += machine_.num_blocks()) {
      find_pieces(tile);
      load();
      machine_.block_sync();
      for (uint32_t width = 1; width < plan_.num_runs; width *= 2)
        merge(width);
      if constexpr (Drops)
        keep(tile);
      else
        write();
      machine_.block_sync(); // before the next tile's pieces
    }
  }

private:
  /// bound[r]: where piece r begins in the tile; place[r]: in its run; target: where the tile
  /// begins in the merged sequence.
  COLONNADE_KERNEL_CODE void find_pieces(uint64_t tile) const {
    const uint32_t r = machine_.thread();
    if (r < plan_.num_runs) {
      s_.place[r] = a_.splits[tile * plan_.num_runs + r];
      s_.bound[r + 1] = static_cast<uint32_t>(end_of_piece(tile, r) - s_.place[r]);
    }
    machine_.block_sync();
    if (machine_.thread() == 0) {
      uint64_t target = 0;
      s_.bound[0] = 0;
      for (uint32_t i = 0; i < plan_.num_runs; ++i) {
        target += s_.place[i];
        s_.bound[i + 1] += s_.bound[i];
      }
      s_.target = target;
      s_.goes_on = false;
    }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE uint64_t end_of_piece(uint64_t tile, uint32_t r) const {
    return tile + 1 < plan_.num_tiles ? a_.splits[(tile + 1) * plan_.num_runs + r]
                                      : plan_.runs[r].count;
  }

  COLONNADE_KERNEL_CODE void load() const {
    constexpr uint32_t at_once = 4;
    const uint32_t num_items = items_of_tile();
    uint32_t r = 0;
    for (uint32_t first = machine_.thread(); first < num_items; first += at_once * threads) {
      element loaded[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (const uint32_t i = first + k * threads; i < num_items) {
          while (i >= s_.bound[r + 1])
            ++r;
          loaded[k] = element_of(plan_.runs[r], s_.place[r] + i - s_.bound[r]);
        }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (const uint32_t i = first + k * threads; i < num_items) {
          const raw bit = loaded[k].is_tombstone ? tombstone_bit : 0;
          s_.cells[i].item = {loaded[k].key, static_cast<raw>(i | bit)};
          s_.values[i] = loaded[k].value;
        }
    }
  }
  static COLONNADE_KERNEL_CODE element element_of(const typename table::run &run, uint64_t i) {
    return {run.keys[i], run.values ? run.values[i] : value{}, run.is_tombstone(i)};
  }
  COLONNADE_KERNEL_CODE uint32_t items_of_tile() const {
    const uint32_t items = s_.bound[plan_.num_runs];
    return items < max_items ? items : max_items;
  }

  /// Merges neighbouring pieces in pairs; a piece is `width` of the tile's.
  COLONNADE_KERNEL_CODE void merge(uint32_t width) const {
    merge_pair pair{0, 0, 0};
    uint32_t diagonal = 0;
    cell items[items_per_thread];
    const bool busy = find_pair(width, pair, diagonal);
    if (busy)
      merge_items(s_.cells, pair, diagonal, items, order());
    machine_.block_sync();
    if (busy) {
      const uint32_t at = pair.begin + diagonal;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < items_per_thread; ++i)
        if (at + i < pair.end)
          s_.cells[at + i].item = items[i];
    }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE lsm_cell_order<typename table::format_type> order() const {
    return {a_.format};
  }
  /// The pair that this thread works on, and its first item in the merged pair; false if there is
  /// none. No thread works on two pairs.
  COLONNADE_KERNEL_CODE bool find_pair(uint32_t width, merge_pair &pair, uint32_t &diagonal) const {
    const uint32_t runs = plan_.num_runs, num_items = items_of_tile();
    const auto bound = [&](uint32_t r) {
      const uint32_t at = s_.bound[r < runs ? r : runs];
      return at < num_items ? at : num_items;
    };
    uint32_t thread = machine_.thread();
    for (uint32_t r = 0; r + width < runs; r += 2 * width) {
      pair = {bound(r), bound(r + width), bound(r + 2 * width)};
      const bool both = pair.begin < pair.middle && pair.middle < pair.end;
      const uint32_t workers =
          both ? (pair.end - pair.begin + items_per_thread - 1) / items_per_thread : 0;
      if (thread < workers) {
        diagonal = thread * items_per_thread;
        return true;
      }
      thread -= workers;
    }
    return false;
  }

  COLONNADE_KERNEL_CODE element element_at(uint32_t i) const {
    const cell c = s_.cells[i].item;
    const bool is_tombstone = c.from & tombstone_bit;
    return {c.key, s_.values[c.from & ~tombstone_bit], is_tombstone};
  }
  COLONNADE_KERNEL_CODE void write() const {
    const auto slice_of = [&](uint64_t at) {
      return at >= plan_.staged_begin && at < plan_.staged_end && a_.staging.keys
                 ? staging()
                 : planned_slice(plan_, at);
    };
    write_to_slices(machine_, a_.format, s_.target, items_of_tile(), slice_of,
                    [&](uint64_t at) { return element_at(static_cast<uint32_t>(at - s_.target)); });
  }
  COLONNADE_KERNEL_CODE typename table::slice staging() const {
    typename table::slice slice = a_.staging;
    slice.begin = plan_.staged_begin;
    slice.count = plan_.staged_end - plan_.staged_begin;
    return slice;
  }

  /// Drops what is stale; what is left goes to the staging area.
  COLONNADE_KERNEL_CODE void keep(uint64_t tile) const {
    const uint32_t num_items = items_of_tile();
    find_next(tile, num_items);
    const uint32_t first = machine_.thread() * items_per_thread;
    cell items[items_per_thread];
    uint32_t kept = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i) {
      if (first + i < num_items)
        items[i] = s_.cells[first + i].item;
      kept |= uint32_t{first + i < num_items && stays(first + i, num_items)} << i;
    }
    const uint64_t own = Machine::count_ones(kept);
    uint32_t at = static_cast<uint32_t>(block_exclusive_sum(machine_, own, s_.scratch));
    if (machine_.thread() == threads - 1)
      s_.kept = at + static_cast<uint32_t>(own);
    machine_.block_sync();
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i)
      if (kept >> i & 1)
        s_.cells[at++].item = items[i];
    machine_.block_sync();
    for (uint32_t i = machine_.thread(); i < s_.kept; i += threads) {
      const element e = element_at(i);
      a_.staging.keys[s_.target + i] = e.key;
      a_.staging.values[s_.target + i] = e.value;
    }
    if (machine_.thread() == 0)
      a_.tile_counts[tile] = s_.kept;
  }
  /// Whether the tile's last key goes on in the next tile: then it is first in what some run has
  /// there.
  COLONNADE_KERNEL_CODE void find_next(uint64_t tile, uint32_t num_items) const {
    const uint32_t r = machine_.thread();
    if (r < plan_.num_runs && num_items) {
      const uint64_t end = end_of_piece(tile, r);
      if (end < plan_.runs[r].count && a_.format.word(plan_.runs[r].keys[end]) ==
                                           a_.format.word(s_.cells[num_items - 1].item.key))
        s_.goes_on = true;
    }
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE bool stays(uint32_t i, uint32_t num_items) const {
    const cell c = s_.cells[i].item;
    const bool last = i + 1 == num_items
                          ? !s_.goes_on
                          : a_.format.word(s_.cells[i + 1].item.key) != a_.format.word(c.key);
    return last && !(c.from & tombstone_bit);
  }

  const Machine &machine_;
  const Arguments &a_;
  const typename Arguments::plan_type &plan_;
  storage &s_;
};

} // namespace colonnade::detail
