//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block.hpp: one pass of a bitonic sort over one part, by one block.
//
// In: a part of the array, and the steps to run. Out: the part after these steps, in place. Each
// thread loads the items of a window (sort_network/window.hpp) into registers and runs the steps
// on the window's bits; where the next steps need another window, items are handed over through
// shared memory; then the part is written back. Items are loaded and stored in windows from bit
// five on, where the lanes of a warp have consecutive items.
//
// Invariant: between two barriers a slot of shared memory is used by one thread alone: after a
// barrier a thread reads the slots of its new window, and writes the same ones before the next.
// Places beyond the end of the input hold copies of the part's first item, so that the user's
// comparator never sees anything else; comparators that reach them are inactive.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bitonic_sort/plan.hpp>
#include <colonnade/detail/sort_network/shared_items.hpp>
#include <colonnade/detail/sort_network/window.hpp>
#include <colonnade/detail/sort_network/window_steps.hpp>

namespace colonnade::detail {

template <class Key, class Value, class Exchange> struct bitonic_arguments {
  using key = Key;
  using value = Value;
  using item = sort_item<Key, Value>;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  static constexpr uint32_t item_words_count = shared_items<Key, Value, 0>::words;

  Key *keys;
  Value *values; // null for keys alone
  uint64_t num_items;
  Exchange exchange;
  bitonic_pass pass; // for the first pass, `stage` is the number of stages to run
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
  using shared = shared_items<typename Arguments::key, typename Arguments::value, log2_part>;

public:
  static constexpr uint32_t threads = 1u << memory_window;
  static constexpr size_t shared_bytes = shared::bytes;

  COLONNADE_KERNEL_CODE bitonic_block(const Machine &machine, const Arguments &arguments,
                                      char *shared_memory)
      : machine_(machine), a_(arguments), shared_{shared_memory} {}

  /// The first pass: sorts a tile.
  COLONNADE_KERNEL_CODE void sort() {
    map_ = part_map::tile(machine_.block(), log2_part);
    if (is_full())
      sort_part<true>();
    else
      sort_part<false>();
  }
  /// A pass of a later stage over a part that is spread over memory.
  COLONNADE_KERNEL_CODE void merge_spread() {
    map_ = part_map::of(a_.pass, machine_.block(), log2_part);
    const uint32_t first = a_.pass.mirrored() ? 1u << (log2_part - 1) : 0;
    if (index(first) >= a_.num_items)
      return; // nothing here to merge
    if (is_full())
      merge_spread_part<true>();
    else
      merge_spread_part<false>();
  }
  /// The last pass of a stage: merges within a tile.
  COLONNADE_KERNEL_CODE void merge_tile() {
    map_ = part_map::tile(machine_.block(), log2_part);
    if (is_full())
      merge_tile_part<true>();
    else
      merge_tile_part<false>();
  }
  /// Sorts a part that is in registers: item r of thread t has the number t * items + r, before
  /// and after.
  COLONNADE_KERNEL_CODE void sort_in_registers(item (&list)[items]) {
    map_ = part_map::tile(0, log2_part);
    set_window<true>(window(0, false, machine_.thread()));
    sort_registers<bitonic_network>(list, a_.exchange);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      items_[r] = list[r];
    run_stages<true>(log2_part);
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      list[r] = items_[r];
  }

private:
  COLONNADE_KERNEL_CODE bool is_full() const { return index((1u << log2_part) - 1) < a_.num_items; }

  template <bool Full> COLONNADE_KERNEL_CODE void sort_part() {
    load<Full>(false);
    enter<Full>(0, false);
    sort_registers<bitonic_network, Full ? items : 1>(items_, valid_, a_.exchange);
    run_stages<Full>(a_.pass.stage);
    enter<Full>(lane_bits, false);
    store<Full>(window(lane_bits, false, machine_.thread()));
  }
  /// The stages that merge more than one thread's items. Items are in the window of bottom 0
  /// before and after.
  template <bool Full> COLONNADE_KERNEL_CODE void run_stages(uint32_t num_stages) {
    for (uint32_t stage = bits; stage < num_stages; ++stage) {
      enter<Full>(stage + 1 - bits, true);
      run_window_steps<Full>(items_, true, bits - 1, 0, valid_, a_.exchange);
      for (uint32_t left = stage + 1 - bits; left > 0; left = bottom_) {
        enter<Full>(left < bits ? 0 : left - bits, false);
        run_window_steps<Full>(items_, false, left - 1 - bottom_, 0, valid_, a_.exchange);
      }
    }
  }

  /// Items are loaded in the window of the highest bits, whose steps are run first. The k steps
  /// of the pass are on the highest k bits of a place, all above the bits of the lane.
  template <bool Full> COLONNADE_KERNEL_CODE void merge_spread_part() {
    const bool mirrored = a_.pass.mirrored();
    const uint32_t end = log2_part - a_.pass.steps();
    load<Full>(mirrored);
    run_window_steps<Full>(items_, mirrored, bits - 1,
                           end > memory_window ? end - memory_window : 0, valid_, a_.exchange);
    for (uint32_t left = memory_window; left > end; left = bottom_) {
      enter<Full>(left < end + bits ? end : left - bits, false);
      run_window_steps<Full>(items_, false, left - 1 - bottom_, 0, valid_, a_.exchange);
    }
    store<Full>(window(bottom_, mirrored && bottom_ == memory_window, machine_.thread()));
  }

  template <bool Full> COLONNADE_KERNEL_CODE void merge_tile_part() {
    load<Full>(false);
    run_window_steps<Full>(items_, false, bits - 1, 0, valid_, a_.exchange);
    merge_below<Full, memory_window>();
    enter<Full>(lane_bits, false);
    store<Full>(window(lane_bits, false, machine_.thread()));
  }
  /// The steps Left - 1, ..., 0. A recursion, not a loop, so that windows are constants.
  template <bool Full, uint32_t Left> COLONNADE_KERNEL_CODE void merge_below() {
    constexpr uint32_t bottom = Left < bits ? 0 : Left - bits;
    enter<Full>(bottom, false);
    run_window_steps<Full>(items_, false, Left - 1 - bottom, 0, valid_, a_.exchange);
    if constexpr (bottom > 0)
      merge_below<Full, bottom>();
  }

  /// Hands the items over through shared memory, from the window they are in to another one.
  template <bool Full> COLONNADE_KERNEL_CODE void enter(uint32_t bottom, bool mirrored) {
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      shared_.put(slot_[r], items_[r]);
    if (window::within_warp(bottom_) && window::within_warp(bottom))
      machine_.warp_sync();
    else
      machine_.block_sync();
    set_window<Full>(window(bottom, mirrored, machine_.thread()));
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r)
      items_[r] = shared_.get(slot_[r]);
  }
  template <bool Full> COLONNADE_KERNEL_CODE void set_window(const window &w) {
    bottom_ = w.bottom;
    w.slots(slot_);
    if constexpr (!Full) { // indices grow with r: the first valid_ items are in the input
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
  /// visit(r, first, offset) for all items: the index of item r is first + offset. `first` is the
  /// index of the first item of its half; `offset` is the same in all threads.
  template <class Visit>
  COLONNADE_KERNEL_CODE void for_each_index(const window &w, Visit visit) const {
    uint64_t first = 0, offset[items];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < items; ++r) {
      if (r % (items / 2) == 0)
        first = index(w.place(r));
      offset[r] = r % (items / 2) == 0
                      ? 0
                      : offset[r & (r - 1)] + map_.bit_offset(w.bottom + lowest_bit(r));
      visit(r, first, offset[r]);
    }
  }
  template <bool Full> COLONNADE_KERNEL_CODE void load(bool mirrored) {
    const window w(memory_window, mirrored, machine_.thread());
    set_window<Full>(w);
    item pad{};
    if constexpr (!Full)
      pad = read(map_.base, 0);
    for_each_index(w, [&](uint32_t r, uint64_t first, uint64_t offset) {
      items_[r] = pad;
      if (Full || first + offset < a_.num_items)
        items_[r] = read(first, offset);
    });
    if constexpr (!Full)
      machine_.block_sync(); // the first item is read before it is written
  }
  template <bool Full> COLONNADE_KERNEL_CODE void store(const window &w) const {
    for_each_index(w, [&](uint32_t r, uint64_t first, uint64_t offset) {
      if (Full || first + offset < a_.num_items)
        write(first, offset, items_[r]);
    });
  }
  COLONNADE_KERNEL_CODE item read(uint64_t first, uint64_t offset) const {
    item result;
    result.key = (a_.keys + first)[offset];
    if constexpr (Arguments::has_values)
      result.value = (a_.values + first)[offset];
    return result;
  }
  COLONNADE_KERNEL_CODE void write(uint64_t first, uint64_t offset, const item &what) const {
    (a_.keys + first)[offset] = what.key;
    if constexpr (Arguments::has_values)
      (a_.values + first)[offset] = what.value;
  }

  const Machine &machine_;
  const Arguments &a_;
  shared shared_;
  part_map map_;
  item items_[items];
  uint32_t slot_[items];                            // byte offsets
  uint32_t bottom_ = memory_window, valid_ = items; // of the window that the items are in
};

} // namespace colonnade::detail
