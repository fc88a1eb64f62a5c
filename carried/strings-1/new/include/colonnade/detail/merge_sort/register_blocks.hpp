//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// register_blocks.hpp: the kernels of a merge sort whose warps work in registers alone
// (merge_method::registers).
//
// In, out: as in tile_sort.hpp and merge_tile.hpp, with the same plan, samples and partition. A
// warp sorts a tile two-dimensionally; in a pass a warp merges the pieces of a tile as k streams.
// Invariant: no shared memory is used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/k_merge.hpp>
#include <colonnade/detail/merge_sort/merge_tile.hpp>
#include <colonnade/detail/merge_sort/tile_sort.hpp>

namespace colonnade::detail {

template <class Tuning, bool Stable, class Arguments, class Machine> class register_sort_block {
public:
  using item = typename Arguments::item;
  using arguments = Arguments;
  static constexpr merge_sort_tuning tuning = Tuning::value;
  static constexpr uint32_t threads = 128, min_blocks = 1, tiles_per_block = threads / 32;
  static constexpr uint32_t rows = tuning.rows, tile_items = rows * 32;
  static constexpr size_t shared_bytes = 0;
  static_assert(tile_items % tuning.sample_stride == 0, "runs start at samples");

  COLONNADE_KERNEL_CODE register_sort_block(const Machine &machine, const Arguments &a, char *)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.let_next_kernel_start();
    const uint64_t tile = uint64_t{machine_.block()} * tiles_per_block + machine_.warp();
    const uint64_t first = tile * tile_items + machine_.lane();
    if (tile * tile_items >= a_.num_items)
      return;
    placed_item<item> items[rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r) {
      const bool there = first + r * 32 < a_.num_items;
      items[r].item = there ? a_.in[static_cast<std::ptrdiff_t>(first + r * 32)] : item{};
      items[r].place = there ? r * 32 + machine_.lane() : absent_place;
    }
    using less = item_order<typename Arguments::compare_type>;
    sort_two_dimensional(machine_, items, placed_order<less, Stable>{{a_.compare}});
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r) {
      const uint64_t place = first + r * 32;
      if (place >= a_.num_items)
        continue;
      a_.out[place] = items[r].item;
      if (place % tuning.sample_stride == 0 && a_.samples)
        a_.samples[place / tuning.sample_stride] = key_of(items[r].item);
    }
  }

private:
  const Machine &machine_;
  const Arguments &a_;
};

template <class Tuning, bool Stable, class Arguments, class Machine> class register_merge_block {
public:
  using item = typename Arguments::item;
  using arguments = Arguments;
  static constexpr merge_sort_tuning tuning = Tuning::value;
  static constexpr uint32_t threads = 128, min_blocks = 1, tiles_per_block = threads / 32;
  static constexpr uint32_t ways = tuning.ways, tile_samples = tuning.warp_tile_samples;
  static constexpr size_t shared_bytes = 0;

  COLONNADE_KERNEL_CODE register_merge_block(const Machine &machine, const Arguments &a, char *)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() const {
    machine_.wait_for_previous_kernel();
    machine_.let_next_kernel_start();
    const uint32_t tile = machine_.block() * tiles_per_block + machine_.warp();
    if (tile >= a_.plan.num_tiles)
      return;
    const tile_pieces<ways> pieces(a_.plan, a_.splits, tile, 0x7fffffff);
    uint32_t own_items = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < ways; ++r)
      own_items = machine_.lane() == r ? pieces.items[r] : own_items;
    const auto read = [&](uint32_t stream, uint32_t index) {
      uint64_t place = pieces.place[0];
      COLONNADE_UNROLL
      for (uint32_t r = 1; r < ways; ++r)
        place = stream == r ? pieces.place[r] : place;
      return a_.in[static_cast<std::ptrdiff_t>(place + index)];
    };
    const auto write = [&](uint32_t index, const item &moved) {
      const uint64_t place = pieces.target + index;
      a_.out[place] = moved;
      if (place % tuning.sample_stride == 0 && a_.samples)
        a_.samples[place / tuning.sample_stride] = key_of(moved);
    };
    using less = item_order<typename Arguments::compare_type>;
    k_merge<item, ways, tuning.rows, Stable, Machine, decltype(read), decltype(write), less>(
        machine_, own_items, read, write, less{a_.compare})
        .run();
  }

private:
  const Machine &machine_;
  const Arguments &a_;
};

} // namespace colonnade::detail
