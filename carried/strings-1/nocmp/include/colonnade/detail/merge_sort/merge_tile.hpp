//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_tile.hpp: merges one tile of a pass: a piece of each run of a group.
//
// In: the splits of the pass. Out: the tile of the merged run, and its samples. The pieces are
// loaded into shared memory, one after the other, and merged in pairs there, then those in pairs,
// until one is left: log2(ways) merges, while global memory is read and written once.
// Invariant: whatever the splits are, nothing outside the arrays and the tile is accessed.
//
// Shared memory: cells, then the places of the pieces in the array, then their bounds in the tile
// (tile_pieces.hpp).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/cell_loader.hpp>
#include <colonnade/detail/merge_sort/tile_pieces.hpp>
#include <colonnade/detail/merging/merge_path.hpp>
#include <colonnade/merge_sort_tuning.hpp>

#include <iterator>

namespace colonnade::detail {

template <class In, class Out, class Key, class Compare> struct merge_arguments {
  using item = typename std::iterator_traits<In>::value_type;
  using in_type = In;
  using compare_type = Compare;
  In in;
  Out out;
  pass_plan plan;
  const uint64_t *splits;
  Key *samples; // of the result; null: not wanted
  Compare compare;
};

template <class Tuning, class Arguments, class Machine> class merge_block {
public:
  using item = typename Arguments::item;
  using cell = item_cell<item>;
  static constexpr merge_sort_tuning tuning = Tuning::value;
  static constexpr uint32_t ways = tuning.ways, threads = tuning.merge_threads,
                            items_per_thread = tuning.merge_items_per_thread,
                            stride = tuning.sample_stride, min_blocks = tuning.merge_min_blocks,
                            tiles_per_block = 1;
  using arguments = Arguments;
  /// In the first merge, the last thread of each of the ways / 2 pairs may have fewer items than
  /// the others.
  static constexpr uint32_t max_items = (threads - ways / 2) * items_per_thread;
  static constexpr uint32_t tile_samples = max_items / stride - (ways - 1);
  static_assert(max_items / stride >= 2 * ways, "tiles of many samples");

  static constexpr size_t places_at =
      ((max_items + items_per_thread) * sizeof(cell) + 15) / 16 * 16;
  static constexpr size_t bounds_at = places_at + (ways + 1) * sizeof(uint64_t);
  static constexpr size_t shared_bytes = bounds_at + (ways + 1) * sizeof(uint32_t);

  COLONNADE_KERNEL_CODE merge_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), cells_(reinterpret_cast<cell *>(shared)),
        place_(reinterpret_cast<uint64_t *>(shared + places_at)),
        bound_(reinterpret_cast<uint32_t *>(shared + bounds_at)) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    if (machine_.thread() == 0)
      find_pieces();
    machine_.block_sync();
    num_items_ = bound_[ways];
    load();
    machine_.block_sync();
    item items[items_per_thread];
    merge<1>(items);
    store();
  }

private:
  /// bound_[r]: where piece r begins in the tile; place_[r]: in the array; place_[ways]: where the
  /// merged tile begins in the output.
  COLONNADE_KERNEL_CODE void find_pieces() const {
    const tile_pieces<ways> pieces(a_.plan, a_.splits, machine_.block(), max_items);
    uint32_t filled = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < ways; ++r) {
      place_[r] = pieces.place[r];
      bound_[r] = filled;
      filled += pieces.items[r];
    }
    place_[ways] = pieces.target;
    bound_[ways] = filled;
  }

  COLONNADE_KERNEL_CODE void load() const {
    const cell_loader<typename Arguments::in_type, Machine> loader(machine_, a_.in);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < ways; ++r) {
      const uint32_t begin = bound_[r], items = bound_[r + 1] - begin;
      uint32_t left = items > machine_.thread() ? items - machine_.thread() : 0;
      uint64_t from = place_[r] + machine_.thread();
      cell *to = cells_ + begin + machine_.thread();
      while (left > 3 * threads) {
        COLONNADE_UNROLL
        for (uint32_t k = 0; k < 4; ++k)
          loader.load(to + k * threads, from + k * threads);
        left = left > 4 * threads ? left - 4 * threads : 0;
        from += 4 * threads;
        to += 4 * threads;
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 3; ++k)
        if (left > k * threads)
          loader.load(to + k * threads, from + k * threads);
    }
    machine_.wait_for_copies();
  }

  /// Merges neighbouring pieces in pairs, in shared memory; a piece is Width of the tile's.
  template <uint32_t Width>
  COLONNADE_KERNEL_CODE void merge(item (&items)[items_per_thread]) const {
    if constexpr (Width < ways) {
      if (something_to_merge<Width>()) {
        const item_order<typename Arguments::compare_type> less{a_.compare};
        merge_pair pair{0, 0, 0};
        uint32_t diagonal = 0;
        const bool busy = find_pair<Width>(pair, diagonal);
        if (busy)
          merge_items(cells_, pair, diagonal, items, less);
        machine_.block_sync();
        if (busy)
          put(pair.begin + diagonal, pair.end, items);
        machine_.block_sync();
      }
      merge<2 * Width>(items);
    }
  }
  /// Whether some pair has a second half that is not empty: in the last group all may be.
  template <uint32_t Width> COLONNADE_KERNEL_CODE bool something_to_merge() const {
    bool some = false;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < ways; r += 2 * Width)
      some = some || bound_[r + Width] < bound_[r + 2 * Width];
    return some;
  }
  /// The pair that this thread works on, and its first item in the merged pair; false if there is
  /// none. No thread works on two pairs.
  template <uint32_t Width>
  COLONNADE_KERNEL_CODE bool find_pair(merge_pair &pair, uint32_t &diagonal) const {
    uint32_t thread = machine_.thread();
    bool found = false;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < ways; r += 2 * Width) {
      const merge_pair candidate{bound_[r], bound_[r + Width], bound_[r + 2 * Width]};
      const uint32_t workers =
          (candidate.end - candidate.begin + items_per_thread - 1) / items_per_thread;
      if (!found && thread < workers) {
        found = true;
        pair = candidate;
        diagonal = thread * items_per_thread;
      }
      thread -= found ? 0 : workers;
    }
    return found;
  }
  COLONNADE_KERNEL_CODE void put(uint32_t at, uint32_t end,
                                 const item (&items)[items_per_thread]) const {
    if (at + items_per_thread <= end) {
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < items_per_thread; ++i)
        cells_[at + i].item = items[i];
    } else {
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < items_per_thread; ++i)
        if (at + i < end)
          cells_[at + i].item = items[i];
    }
  }
  COLONNADE_KERNEL_CODE void store() const {
    const uint64_t first = place_[ways] + machine_.thread();
    const auto out = a_.out + static_cast<std::ptrdiff_t>(first);
    const uint32_t own_items = num_items_ > machine_.thread() ? num_items_ - machine_.thread() : 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items_per_thread; ++k)
      if (k * threads < own_items)
        out[k * threads] = cells_[k * threads + machine_.thread()].item;
    if (a_.samples) {
      const uint32_t skipped = static_cast<uint32_t>(place_[ways] % stride);
      for (uint32_t i = (stride - skipped) % stride + machine_.thread() * stride; i < num_items_;
           i += threads * stride)
        a_.samples[(place_[ways] + i) / stride] = key_of(cells_[i].item);
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  cell *cells_;
  uint64_t *place_;
  uint32_t *bound_;
  uint32_t num_items_ = 0;
};

} // namespace colonnade::detail
