//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block.hpp: one pass of a bitonic sort over one part.
//
// A block loads a part into registers, the items of a window a thread; runs the steps
// of the window's bits; hands the items over through shared memory where the next steps
// need another window; and writes the part back. Loads and stores are in windows at or
// above bit five, where a warp's lanes are consecutive items.
//
// Between two barriers a slot is used by one thread alone: a thread reads the slots of
// its new window behind the barrier and writes the same ones before the next.
//
// Places beyond the input hold copies of the part's first item, so that the user's
// comparator never sees anything else; comparators that reach them are inactive.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bitonic_sort/plan.hpp>
#include <colonnade/detail/bitonic_sort/window.hpp>
#include <colonnade/detail/sort_network/exchange.hpp>

namespace colonnade::detail {

template <class Key, class Value, class Exchange> struct bitonic_arguments {
  using key = Key;
  using value = Value;
  using item = sort_item<Key, Value>;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  static constexpr uint32_t item_words_count =
      item_words<Key>::count + (has_values ? item_words<Value>::count : 0);

  Key *keys;
  Value *values; // if there are any
  uint64_t num_items;
  Exchange exchange;
  bitonic_pass pass;    // of the first pass: stage is the number of stages to run
};

/// Tuning::value has log2_part and log2_items.
template <class Tuning, class Arguments, class Machine> class bitonic_block {
  static constexpr uint32_t log2_part = Tuning::value.log2_part;
  static constexpr uint32_t bits = Tuning::value.log2_items, items = 1u << bits;
  static constexpr uint32_t memory_window = log2_part - bits;
  static_assert(memory_window >= lane_bits, "a warp's lanes are consecutive items");
  static_assert(log2_part <= 16);
  using window = register_window<bits>;
  using item = typename Arguments::item;

public:
  static constexpr uint32_t threads = 1u << memory_window;
  static constexpr size_t shared_bytes = sizeof(uint32_t) * Arguments::item_words_count << log2_part;

  COLONNADE_KERNEL_CODE bitonic_block(const Machine &machine, const Arguments &arguments,
                                      char *shared)
      : machine_(machine), a_(arguments), shared_(reinterpret_cast<uint32_t *>(shared)) {}

  /// The first pass: sorts a tile.
  COLONNADE_KERNEL_CODE void sort() {
    map_ = part_map::tile(machine_.block(), log2_part);
    if (is_full())
      sort_part<true>();
    else
      sort_part<false>();
  }
  /// Any other pass.
  COLONNADE_KERNEL_CODE void merge() {
    map_ = part_map::of(a_.pass, machine_.block(), log2_part);
    const uint32_t first = a_.pass.mirrored() ? 1u << (log2_part - 1) : 0;
    if (index(first) >= a_.num_items)
      return; // nothing here to merge
    if (is_full())
      merge_part<true>();
    else
      merge_part<false>();
  }

private:
  COLONNADE_KERNEL_CODE bool is_full() const {
    return index((1u << log2_part) - 1) < a_.num_items;
  }

  template <bool Full> COLONNADE_KERNEL_CODE void sort_part() {
    load<Full>(window(memory_window, false, machine_.thread()));
    enter<Full>(0, false);
    sort_registers<bitonic_network, Full ? items : 1>(items_, valid_, a_.exchange);
    for (uint32_t stage = bits; stage < a_.pass.stage; ++stage)
      run_steps<Full>(stage, 0, true, false);
    if (bottom_ < lane_bits)
      enter<Full>(lane_bits, false);
    store<Full>(window(bottom_, false, machine_.thread()));
  }
  template <bool Full> COLONNADE_KERNEL_CODE void merge_part() {
    const bool mirrored = a_.pass.mirrored();
    load<Full>(window(memory_window, mirrored, machine_.thread()));
    run_steps<Full>(log2_part - 1, log2_part - a_.pass.steps(), mirrored, true);
    if (bottom_ < lane_bits)
      enter<Full>(lane_bits, false);
    store<Full>(window(bottom_, bottom_ == memory_window && mirrored, machine_.thread()));
  }

  /// The steps top ... bottom on bits of the place. `loaded`: the first window is the one
  /// that the items are in.
  template <bool Full>
  COLONNADE_KERNEL_CODE void run_steps(uint32_t top, uint32_t bottom, bool mirrored, bool loaded) {
    uint32_t left = top + 1;
    do {
      const uint32_t lowest = left < bottom + bits && !mirrored && !loaded ? bottom : left - bits;
      if (!loaded)
        enter<Full>(lowest, mirrored);
      run_in_registers<Full>(mirrored, left - 1 - lowest, bottom > lowest ? bottom - lowest : 0);
      left = lowest > bottom ? lowest : bottom;
      mirrored = loaded = false;
    } while (left > bottom);
  }

  /// The steps first ... last on register bits.
  template <bool Full>
  COLONNADE_KERNEL_CODE void run_in_registers(bool mirrored, uint32_t first, uint32_t last) {
    const active_exchange<Full> exchange{a_.exchange, valid_};
    if (mirrored)
      run_step<bits - 1, bits - 1>(exchange);
    else if (first == bits - 1)
      run_step<bits, bits - 1>(exchange);
    run_lower_steps(first, last, exchange, std::make_integer_sequence<uint32_t, bits - 1>{});
  }
  template <class Active, uint32_t... Below>
  COLONNADE_KERNEL_CODE void run_lower_steps(uint32_t first, uint32_t last, const Active &exchange,
                                             std::integer_sequence<uint32_t, Below...>) {
    ((last < bits - 1 - Below && bits - 1 - Below <= first + 1
          ? run_step<bits, bits - 2 - Below>(exchange)
          : void()),
     ...);
  }
  template <uint32_t Stage, uint32_t Step, class Active>
  COLONNADE_KERNEL_CODE void run_step(const Active &exchange) {
    COLONNADE_UNROLL
    for (uint32_t low = 0; low < items; ++low)
      if (const uint32_t high = bitonic_network::high({Stage, Step}, low); high < items)
        exchange.at(items_, low, high);
  }

  /// Comparators whose higher item is beyond the input do nothing.
  template <bool Full> struct active_exchange {
    const decltype(Arguments::exchange) &exchange;
    uint32_t valid;
    COLONNADE_KERNEL_CODE void at(item (&list)[items], uint32_t low, uint32_t high) const {
      exchange(list[low], list[high], Full || high < valid);
    }
  };

  /// Hands the items over to the threads of another window.
  template <bool Full> COLONNADE_KERNEL_CODE void enter(uint32_t bottom, bool mirrored) {
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      put(slot_[r], items_[r]);
    if (window::within_warp(bottom_) && window::within_warp(bottom))
      machine_.warp_sync();
    else
      machine_.block_sync();
    set_window<Full>(window(bottom, mirrored, machine_.thread()));
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      items_[r] = get(slot_[r]);
  }
  template <bool Full> COLONNADE_KERNEL_CODE void set_window(const window &w) {
    bottom_ = w.bottom;
    w.slots(slot_);
    if constexpr (!Full) { // places grow with r: the first `valid` are in the input
      valid_ = 0;
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < items; ++r)
        valid_ += index(w.place(r)) < a_.num_items;
    }
  }

  COLONNADE_KERNEL_CODE uint64_t index(uint32_t place) const {
    const uint64_t second_half = place >> (log2_part - 1) ? map_.second_half : 0;
    return map_.base + second_half + map_.offset(place);
  }
  COLONNADE_KERNEL_CODE item read(uint64_t at) const {
    item result;
    result.key = a_.keys[at];
    if constexpr (Arguments::has_values)
      result.value = a_.values[at];
    return result;
  }
  COLONNADE_KERNEL_CODE void write(uint64_t at, const item &what) const {
    a_.keys[at] = what.key;
    if constexpr (Arguments::has_values)
      a_.values[at] = what.value;
  }
  template <class Visit> COLONNADE_KERNEL_CODE void for_each_index(const window &w, Visit visit) const {
    uint64_t at[items];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r) {
      at[r] = r % (items / 2) == 0 ? index(w.place(r))
                                   : at[r & (r - 1)] + map_.offset(1u << (w.bottom + lowest_bit(r)));
      visit(r, at[r]);
    }
  }
  template <bool Full> COLONNADE_KERNEL_CODE void load(const window &w) {
    set_window<Full>(w);
    item pad{};
    if constexpr (!Full)
      pad = read(map_.base);
    for_each_index(w, [&](uint32_t r, uint64_t at) {
      items_[r] = pad;
      if (Full || at < a_.num_items)
        items_[r] = read(at);
    });
    if constexpr (!Full)
      machine_.block_sync(); // the first item is read before it is written
  }
  template <bool Full> COLONNADE_KERNEL_CODE void store(const window &w) const {
    for_each_index(w, [&](uint32_t r, uint64_t at) {
      if (Full || at < a_.num_items)
        write(at, items_[r]);
    });
  }

  COLONNADE_KERNEL_CODE void put(uint32_t slot, const item &what) const {
    put_words<0>(slot, what.key);
    if constexpr (Arguments::has_values)
      put_words<item_words<typename Arguments::key>::count>(slot, what.value);
  }
  COLONNADE_KERNEL_CODE item get(uint32_t slot) const {
    item result;
    get_words<0>(slot, result.key);
    if constexpr (Arguments::has_values)
      get_words<item_words<typename Arguments::key>::count>(slot, result.value);
    return result;
  }
  /// Word w of all items is a plane of its own: items of all sizes have one map.
  template <uint32_t Plane, class T> COLONNADE_KERNEL_CODE void put_words(uint32_t slot, const T &from) const {
    const auto words = item_words<T>::of(from);
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < item_words<T>::count; ++w)
      shared_[((Plane + w) << log2_part) + slot] = words.at[w];
  }
  template <uint32_t Plane, class T> COLONNADE_KERNEL_CODE void get_words(uint32_t slot, T &to) const {
    item_words<T> words;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < item_words<T>::count; ++w)
      words.at[w] = shared_[((Plane + w) << log2_part) + slot];
    to = words.item();
  }

  const Machine &machine_;
  const Arguments &a_;
  uint32_t *shared_;
  part_map map_;
  item items_[items];
  uint32_t slot_[items];
  uint32_t bottom_ = memory_window, valid_ = items;
};

} // namespace colonnade::detail
