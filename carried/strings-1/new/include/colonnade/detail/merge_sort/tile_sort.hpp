//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tile_sort.hpp: the first kernel of a merge sort: sorts every tile of the input.
//
// In: the caller's input. Out: sorted runs of tile_items items, and their samples: every stride-th
// key, which divide the first pass into tiles. Invariant: a block reads its whole tile before it
// writes any of it, so the output may be the input.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/block_sort.hpp>
#include <colonnade/merge_sort_tuning.hpp>

#include <iterator>

namespace colonnade::detail {

/// In, Out: joined arrays (joined.hpp); Key: of the samples.
template <class In, class Out, class Key, class Compare> struct tile_sort_arguments {
  using item = typename std::iterator_traits<In>::value_type;
  using compare_type = Compare;
  In in;
  Out out;
  uint64_t num_items;
  Key *samples; // null: not wanted
  Compare compare;
};

template <class Tuning, bool Stable, class Arguments, class Machine> class tile_sort_block {
public:
  using item = typename Arguments::item;
  static constexpr merge_sort_tuning tuning = Tuning::value;
  static constexpr uint32_t threads = tuning.threads, items_per_thread = tuning.items_per_thread,
                            min_blocks = tuning.min_blocks, tiles_per_block = 1;
  using arguments = Arguments;
  using sorter = block_sort<item, threads, items_per_thread, Stable>;
  using cell = typename sorter::cell;
  static constexpr uint32_t tile_items = sorter::tile_items;
  static constexpr size_t shared_bytes = sorter::num_cells * sizeof(cell);
  static constexpr uint32_t stride = tuning.sample_stride;
  static_assert(tile_items % stride == 0, "runs start at samples");

  COLONNADE_KERNEL_CODE tile_sort_block(const Machine &machine, const Arguments &a, char *shared)
      : machine_(machine), a_(a), cells_(reinterpret_cast<cell *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    machine_.let_next_kernel_start();
    first_ = uint64_t{machine_.block()} * tile_items;
    const uint64_t rest = a_.num_items - first_;
    num_items_ = rest < tile_items ? static_cast<uint32_t>(rest) : tile_items;
    item items[items_per_thread];
    if (num_items_ == tile_items)
      load<true>(items);
    else
      load<false>(items);
    machine_.block_sync();
    sorter::get_blocked(machine_, cells_, items);
    machine_.block_sync();
    sorter::sort(machine_, cells_, items, num_items_,
                 item_order<typename Arguments::compare_type>{a_.compare});
    machine_.block_sync();
    sorter::put_blocked(machine_, cells_, items);
    machine_.block_sync();
    if (num_items_ == tile_items)
      store<true>();
    else
      store<false>();
  }

private:
  template <bool Whole> COLONNADE_KERNEL_CODE void load(item (&items)[items_per_thread]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items_per_thread; ++k) {
      const uint32_t place = k * threads + machine_.thread();
      if (Whole || place < num_items_)
        items[k] = a_.in[static_cast<std::ptrdiff_t>(first_ + place)];
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items_per_thread; ++k)
      cells_[k * threads + machine_.thread()].item = items[k];
  }
  template <bool Whole> COLONNADE_KERNEL_CODE void store() const {
    const uint64_t first = first_ + machine_.thread();
    const auto out = a_.out + static_cast<std::ptrdiff_t>(first);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items_per_thread; ++k) {
      const uint32_t place = k * threads + machine_.thread();
      if (Whole || place < num_items_)
        out[k * threads] = cells_[place].item;
    }
    if (a_.samples)
      for (uint32_t place = machine_.thread() * stride; place < num_items_;
           place += threads * stride)
        a_.samples[(first_ + place) / stride] = key_of(cells_[place].item);
  }

  const Machine &machine_;
  const Arguments &a_;
  cell *cells_;
  uint64_t first_ = 0;
  uint32_t num_items_ = 0;
};

} // namespace colonnade::detail
