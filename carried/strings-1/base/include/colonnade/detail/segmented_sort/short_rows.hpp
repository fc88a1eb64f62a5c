//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// short_rows.hpp: sorts the segments of a small input in one launch, whatever their lengths. They
// are not listed by class first, and are sorted by merging (merging/block_order.hpp).
//
// In: where segments begin and end. Out: they are sorted; the first bad one (it ends before it
// begins, or beyond the items) is reported in the status. A block has one segment, or one for
// each of its warps. A warp sorts a segment of up to 32 items for each item of a thread; the block
// sorts the longer ones, one after the other. Invariant: segments that a block cannot hold are not
// touched; they are for long_rows.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/block_order.hpp>
#include <colonnade/detail/segmented_sort/given_segments.hpp>
#include <colonnade/detail/segmented_sort/row_outputs.hpp>

namespace colonnade::detail {

template <class Output, class Segments> struct short_rows_arguments {
  using raw = typename Output::raw;
  const raw *keys_in;
  Output output;
  Segments segments;
  bool row_a_warp; // a segment for every warp; else for every block
  device_status *status;
};

/// The order of items. Merging is stable, so places need not be compared.
template <class Item> struct item_below {
  COLONNADE_KERNEL_CODE bool operator()(const Item &a, const Item &b) const { return a < b; }
};
template <> struct item_below<wide_item> {
  COLONNADE_KERNEL_CODE bool operator()(const wide_item &a, const wide_item &b) const {
    return a.word < b.word;
  }
};

template <class Output, class Segments, class Machine> class short_rows_block {
public:
  using arguments = short_rows_arguments<Output, Segments>;
  using items = typename Output::items;
  using item = typename items::item;
  using cell = item_cell<item>;
  static constexpr uint32_t items_per_thread = order_items_per_thread(sizeof(item));
  static constexpr uint32_t most_in_warp = 32 * items_per_thread;
  static constexpr uint32_t most_threads = 1024, most_in_block = most_threads * items_per_thread;
  static constexpr size_t table_bytes = most_threads / 32 * sizeof(row_span);

  static constexpr size_t shared_bytes(uint32_t threads) {
    return table_bytes + threads / 32 * order_cells<items_per_thread>(32) * sizeof(cell);
  }

  COLONNADE_KERNEL_CODE short_rows_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), longer_(reinterpret_cast<row_span *>(shared)),
        cells_(reinterpret_cast<cell *>(shared + table_bytes)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t warps = machine_.num_threads() / 32, rows = a_.row_a_warp ? warps : 1;
    row_span own;
    if (machine_.warp() < rows)
      own = a_.segments.row(machine_, machine_.block() * rows + machine_.warp(),
                            machine_.lane() == 0 ? a_.status : nullptr);
    if (machine_.lane() == 0)
      longer_[machine_.warp()] = own;
    if (own.length > 0 && own.length <= most_in_warp)
      sort(one_warp<Machine>{machine_},
           cells_ + machine_.warp() * order_cells<items_per_thread>(32), own);
    machine_.block_sync();
    for (uint32_t w = 0; w < rows; ++w)
      if (longer_[w].length > most_in_warp && longer_[w].length <= most_in_block)
        sort(whole_block<Machine>{machine_}, cells_, longer_[w]);
  }

private:
  template <class Group>
  COLONNADE_KERNEL_CODE void sort(const Group &group, cell *cells, row_span row) const {
    order_items<items_per_thread, item>(
        machine_, group, cells, row.length,
        [&](uint32_t i) { return items::make(a_.output.order.word(a_.keys_in[row.begin + i]), i); },
        [&](uint32_t i, const item &x) {
          a_.output.put(row.begin + i, a_.output.fetch(row.begin, items::out(x)));
        },
        item_below<item>{});
  }

  const Machine &machine_;
  const arguments &a_;
  row_span *longer_; // each warp's row
  cell *cells_;
};

} // namespace colonnade::detail
