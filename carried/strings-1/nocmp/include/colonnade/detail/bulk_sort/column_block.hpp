//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// column_block.hpp: sorts arrays of a bulk sort that are too long for registers and fit in shared
// memory: a block sorts several of them and reads and writes each once.
//
// In: 2^Log2Columns neighbouring arrays of up to 2^Log2Rows items. Out: the same arrays, sorted.
// A place in the block's part has the array's number in its Log2Columns low bits, and the row
// above them. Windows (sort_network/window.hpp) are bits of the row: network steps run in
// registers, and items are handed over through shared memory without bank conflicts.
// Neighbouring lanes have neighbouring arrays, then rows.
//
// Invariant: the user's comparator sees items of the arrays alone. Rows beyond the length hold
// last_item's value where there is one; else copies of the array's row 0, and comparators check
// where the array ends. Arrays beyond the last one are copies of the last one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bulk_sort/columns.hpp>
#include <colonnade/detail/sort_network/shared_items.hpp>

namespace colonnade::detail {

template <class Layout, uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits, class Arguments,
          class Machine>
class column_block {
  static constexpr uint32_t log2_part = Log2Rows + Log2Columns, items = 1u << Bits;
  static constexpr uint32_t memory_window = log2_part - Bits;
  static_assert(memory_window >= 5 && memory_window >= Log2Columns && Log2Rows > Bits);
  using arrays = decltype(Arguments::arrays);
  using item = typename arrays::item;
  using last = last_item<decltype(Arguments::exchange), item>;
  using window = register_window<Bits>;
  using shared = shared_items<typename arrays::key, typename arrays::carried, log2_part>;

public:
  static constexpr uint32_t threads = 1u << memory_window;
  static constexpr uint32_t min_blocks =
      threads < 512 ? 512 / threads : 1; // 128 registers a thread
  static constexpr uint32_t columns = 1u << Log2Columns;
  static constexpr size_t shared_bytes = shared::bytes;

  COLONNADE_KERNEL_CODE column_block(const Machine &machine, const Arguments &arguments,
                                     char *shared_memory)
      : machine_(machine), a_(arguments), shared_{shared_memory} {}

  COLONNADE_KERNEL_CODE void sort() {
    if (a_.length == 1u << Log2Rows)
      run<true, true>();
    else
      run<last::exists, false>();
  }

private:
  /// Full: no comparator has to check where the array ends. Whole: it has 2^Log2Rows rows.
  template <bool Full, bool Whole> COLONNADE_KERNEL_CODE void run() {
    const uint64_t instance = uint64_t{machine_.block()} * columns + machine_.thread() % columns;
    const bool exists = instance < a_.num_arrays;
    const auto view = Layout::view(exists ? instance : a_.num_arrays - 1, a_.length, a_.num_arrays);
    load<Whole>(view.base, view.stride);
    enter<Full>(0, false);
    sort_registers<odd_even_network, Full ? items : 1>(items_, valid_, a_.exchange);
    COLONNADE_UNROLL
    for (uint32_t stage = Bits; stage < Log2Rows; ++stage) {
      enter<Full>(stage + 1 - Bits, true);
      run_window_steps<Full>(items_, true, Bits - 1, 0, valid_, a_.exchange);
      for (uint32_t left = stage + 1 - Bits; left > 0; left = bottom_) {
        enter<Full>(left < Bits ? 0 : left - Bits, false);
        run_window_steps<Full>(items_, false, left - 1 - bottom_, 0, valid_, a_.exchange);
      }
    }
    enter<Full>(Log2Rows - Bits, false);
    store<Whole>(computed_anew(view.base), view.stride, exists);
  }

  /// bottom: the window's lowest bit, counted from the lowest bit of the row. Full: `valid_`, how
  /// many of the thread's items are in the array, stays as it is.
  template <bool Full> COLONNADE_KERNEL_CODE void set_window(uint32_t bottom, bool mirrored) {
    bottom_ = bottom;
    const window w(bottom + Log2Columns, mirrored, machine_.thread(), Log2Columns);
    w.slots(slot_);
    first_row_ = w.place(0) >> Log2Columns;
    if constexpr (!Full) {
      valid_ = 0;
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < items; ++r)
        valid_ += w.place(r) >> Log2Columns < a_.length;
    }
  }
  /// Hands the items over to another window.
  template <bool Full> COLONNADE_KERNEL_CODE void enter(uint32_t bottom, bool mirrored) {
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      shared_.put(slot_[r], items_[r]);
    machine_.block_sync();
    set_window<Full>(bottom, mirrored);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      items_[r] = shared_.get(slot_[r]);
  }

  /// What rows beyond the length hold.
  COLONNADE_KERNEL_CODE item beyond(uint64_t base) const {
    if constexpr (last::exists)
      return last::value();
    else
      return a_.arrays.load(base, 0);
  }
  template <bool Whole> COLONNADE_KERNEL_CODE void load(uint64_t base, uint64_t stride) {
    set_window<Whole>(Log2Rows - Bits, false);
    item pad{};
    if constexpr (!Whole)
      pad = beyond(base);
    uint64_t at = base + first_row_ * stride;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r, at += stride << (Log2Rows - Bits)) {
      items_[r] = pad;
      if (Whole || r < valid_)
        items_[r] = a_.arrays.load(at, first_row_ + (r << (Log2Rows - Bits)));
    }
  }
  template <bool Whole>
  COLONNADE_KERNEL_CODE void store(uint64_t base, uint64_t stride, bool exists) const {
    uint64_t at = base + first_row_ * stride;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r, at += stride << (Log2Rows - Bits))
      if (exists && (Whole || r < valid_))
        a_.arrays.store(at, items_[r]);
  }

  const Machine &machine_;
  const Arguments &a_;
  shared shared_;
  item items_[items];
  uint32_t slot_[items];
  uint32_t bottom_ = 0, first_row_ = 0, valid_ = items;
};

} // namespace colonnade::detail
