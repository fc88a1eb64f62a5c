//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// columns.hpp: sorts arrays of a bulk sort, or 2^Bits items of one, in the registers of one
// thread.
//
// In: arrays in a layout in which the threads of a warp, one array each, access neighbouring
// items. Out: sorted arrays, or arrays after one more pass. A short array is in the registers as a
// whole: one pass over memory, an odd-even merge network. Arrays too long for column_block.hpp are
// sorted 2^Bits items at a time, then merged by the bitonic network, Bits of its steps a pass: with
// the windows of sort_network/window.hpp, but items are handed over through global memory.
//
// Invariant: the user's comparator sees items of the array alone. Rows beyond the length hold
// last_item's value where there is one; else copies of the thread's first item, and comparators
// that reach them are inactive.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bulk_sort/last_item.hpp>
#include <colonnade/detail/sort_network/exchange.hpp>
#include <colonnade/detail/sort_network/network.hpp>
#include <colonnade/detail/sort_network/window.hpp>
#include <colonnade/detail/sort_network/window_steps.hpp>

#include <type_traits>

namespace colonnade::detail {

/// A value with the number of the row that it comes from; ordered by the numbers.
template <class Value, class Number> struct numbered {
  Value value;
  Number number;
  COLONNADE_HOST_DEVICE friend bool operator<(const numbered &a, const numbered &b) {
    return a.number < b.number;
  }
};
template <class Value, class Number> struct last_number<numbered<Value, Number>> {
  static COLONNADE_KERNEL_CODE numbered<Value, Number> value() {
    return {Value{}, last_number<Number>::value()};
  }
};

/// The arrays of a bulk sort. keys_out and numbers_out may be null where there are row numbers:
/// then they are not written. If numbers_in is null, an item's number is its row.
template <class Key, class Value, class Number> struct bulk_arrays {
  using key = Key;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  static constexpr bool has_numbers = !std::is_same_v<Number, no_value>;
  using carried =
      std::conditional_t<!has_values, Number,
                         std::conditional_t<!has_numbers, Value, numbered<Value, Number>>>;
  using item = sort_item<Key, carried>;
  static constexpr uint32_t words =
      item_words<Key>::count + (has_values ? item_words<Value>::count : 0) + (has_numbers ? 1 : 0);

  const Key *keys_in;
  Key *keys_out;
  const Value *values_in;
  Value *values_out;
  const Number *numbers_in;
  Number *numbers_out;

  COLONNADE_KERNEL_CODE item load(uint64_t at, uint32_t row) const {
    item result;
    result.key = keys_in[at];
    if constexpr (has_values && has_numbers)
      result.value = {values_in[at], number(at, row)};
    else if constexpr (has_values)
      result.value = values_in[at];
    else if constexpr (has_numbers)
      result.value = number(at, row);
    return result;
  }
  COLONNADE_KERNEL_CODE void store(uint64_t at, const item &what) const {
    if (!has_numbers || keys_out)
      keys_out[at] = what.key;
    if constexpr (has_values && has_numbers)
      values_out[at] = what.value.value;
    else if constexpr (has_values)
      values_out[at] = what.value;
    if constexpr (has_numbers)
      if (numbers_out) {
        if constexpr (has_values)
          numbers_out[at] = what.value.number;
        else
          numbers_out[at] = what.value;
      }
  }
  /// The arrays of the later passes, which read what the first has written.
  bulk_arrays in_place() const {
    return {keys_out, keys_out, values_out, values_out, numbers_out, numbers_out};
  }

private:
  COLONNADE_KERNEL_CODE Number number(uint64_t at, uint32_t row) const {
    return numbers_in ? numbers_in[at] : static_cast<Number>(row);
  }
};

/// visit(row) for From, ..., To - 1, until there(row) is false. The branches are nested, because
/// ptxas takes more registers for loads that are predicated one by one.
template <uint32_t From, uint32_t To, class There, class Visit>
COLONNADE_KERNEL_CODE void visit_while(const There &there, const Visit &visit) {
  if constexpr (From < To)
    if (there(From)) {
      visit(From);
      visit_while<From + 1, To>(there, visit);
    }
}

/// One of several passes over long arrays.
struct column_pass {
  uint32_t bottom;      // the window's lowest bit
  uint32_t first, last; // the steps first, first - 1, ..., last on its bits
  bool mirrored;        // `first` is a stage's first step
  bool sorts;           // no steps: the thread's items are sorted (the first pass)
};

/// visit(pass) for all of them in order, until it returns false.
template <class Visit> bool for_each_column_pass(uint32_t length, uint32_t bits, Visit visit) {
  if (!visit(column_pass{0, 0, 0, false, true}))
    return false;
  for (uint32_t stage = bits; stage < ceil_log2(length); ++stage)
    for (uint32_t left = stage + 1; left > 0;) {
      const uint32_t bottom = left < bits ? 0 : left - bits;
      if (!visit(column_pass{bottom, left - 1 - bottom, 0, left == stage + 1, false}))
        return false;
      left = bottom;
    }
  return true;
}

/// The threads that one array takes in a pass, each with 2^bits items.
inline uint64_t num_groups(uint32_t length, uint32_t bits, uint32_t bottom) {
  const uint64_t span = uint64_t{1} << (bottom + bits);
  return (length + span - 1) / span << bottom;
}

/// The arguments of all kernels of a bulk sort.
template <class Arrays, class Exchange> struct bulk_sort_arguments {
  Arrays arrays;
  uint64_t num_arrays;
  uint32_t length;
  uint32_t blocks_per_row; // blocks for one window of all arrays, a thread each
  column_pass pass;
  Exchange exchange;
};

/// What one thread does.
template <class Layout, class Arguments, class Machine> class bulk_sort_thread {
  using item = typename decltype(Arguments::arrays)::item;
  using exchange = decltype(Arguments::exchange);

public:
  COLONNADE_KERNEL_CODE bulk_sort_thread(const Machine &machine, const Arguments &arguments)
      : a_(arguments), group_(machine.block() / arguments.blocks_per_row),
        instance_(uint64_t{machine.block() % arguments.blocks_per_row} * machine.num_threads() +
                  machine.thread()) {
    const auto view = Layout::view(instance_, a_.length, a_.num_arrays);
    base_ = view.base;
    stride_ = view.stride;
  }

  /// Sorts a whole array in registers, From <= length <= To.
  template <uint32_t From, uint32_t To> COLONNADE_KERNEL_CODE void sort() const {
    if (instance_ >= a_.num_arrays)
      return;
    using last = last_item<exchange, item>;
    item items[To];
    uint64_t at = base_;
    const auto load = [&](uint32_t row) {
      items[row] = a_.arrays.load(at, row);
      at += stride_;
    };
    const auto store = [&](uint32_t row) {
      a_.arrays.store(at, items[row]);
      at += stride_;
    };
    // First the rows that may not exist: what follows is code without branches, in which
    // comparators overlap with loads.
    if constexpr (!last::exists)
      items[0] = a_.arrays.load(base_, 0);
    COLONNADE_UNROLL
    for (uint32_t row = From; row < To; ++row)
      if constexpr (last::exists)
        items[row] = last::value();
      else
        items[row] = items[0];
    at = base_ + From * stride_;
    visit_while<From, To>([&](uint32_t row) { return row < a_.length; }, load);
    at = base_;
    COLONNADE_UNROLL
    for (uint32_t row = 0; row < From; ++row)
      load(row);
    sort_registers<odd_even_network, last::exists ? To : From>(items, a_.length, a_.exchange);
    at = computed_anew(base_);
    const uint32_t length = computed_anew(a_.length);
    COLONNADE_UNROLL
    for (uint32_t row = 0; row < From; ++row)
      store(row);
    visit_while<From, To>([&](uint32_t row) { return row < length; }, store);
  }

  /// One pass over 2^Bits items of a longer array.
  template <uint32_t Bits> COLONNADE_KERNEL_CODE void pass() const {
    const column_pass &p = a_.pass;
    const register_window<Bits> window(p.bottom, p.mirrored, group_);
    const uint32_t half = p.mirrored ? window.items / 2 : 0; // of what is to be compared
    if (instance_ >= a_.num_arrays || window.place(half) >= a_.length)
      return; // nothing here to sort
    const uint32_t behind = (a_.length - 1 - window.place(half)) >> p.bottom;
    if (half + behind + 1 >= window.items)
      run<Bits, true>(window, window.items);
    else
      run<Bits, false>(window, half + behind + 1);
  }

private:
  /// The first `valid` of the thread's items are in the array.
  template <uint32_t Bits, bool Full>
  COLONNADE_KERNEL_CODE void run(const register_window<Bits> &window, uint32_t valid) const {
    constexpr uint32_t num = 1u << Bits;
    item items[num];
    for_each_row(window, base_, [&](uint32_t r, uint32_t row, uint64_t at) {
      if (!Full && r > 0)
        items[r] = items[0];
      if (Full || r < valid)
        items[r] = a_.arrays.load(at, row);
    });
    if (a_.pass.sorts)
      sort_registers<odd_even_network, Full ? num : 1>(items, valid, a_.exchange);
    else
      run_window_steps<Full>(items, a_.pass.mirrored, a_.pass.first, a_.pass.last, valid,
                             a_.exchange);
    valid = computed_anew(valid);
    for_each_row(window, computed_anew(base_), [&](uint32_t r, uint32_t, uint64_t at) {
      if (Full || r < valid)
        a_.arrays.store(at, items[r]);
    });
  }
  template <uint32_t Bits, class Visit>
  COLONNADE_KERNEL_CODE void for_each_row(const register_window<Bits> &window, uint64_t base,
                                          Visit visit) const {
    const uint64_t step = stride_ << window.bottom;
    uint64_t at = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < window.items; ++r, at += step) {
      const uint32_t row = window.place(r);
      if (r % (window.items / 2) == 0)
        at = base + row * stride_;
      visit(r, row, at);
    }
  }

  const Arguments &a_;
  uint32_t group_;
  uint64_t instance_, base_, stride_;
};

} // namespace colonnade::detail
