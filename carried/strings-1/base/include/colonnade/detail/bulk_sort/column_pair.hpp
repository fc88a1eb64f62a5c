//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// column_pair.hpp: sorts arrays of a bulk sort that fit in the registers of two threads.
//
// In: arrays as in columns.hpp, of From <= length <= To items. Out: the same arrays, sorted, each
// item read and written once. Lanes l and l + 16 of a warp sort the lower and the upper half of an
// array, as one thread sorts a shorter one. Then they compare mirrored items, half of the pairs
// each, and each lane merges the bitonic sequence that this leaves it.
// Invariant: items beyond the length are last_item's value, so no comparator has to check where
// the array ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bulk_sort/columns.hpp>
#include <colonnade/detail/sort_network/lane_items.hpp>

namespace colonnade::detail {

template <class Layout, uint32_t From, uint32_t To, class Arguments, class Machine>
class column_pair {
  using item = typename decltype(Arguments::arrays)::item;
  using last = last_item<decltype(Arguments::exchange), item>;
  static constexpr uint32_t half = To / 2;
  static_assert(To % 4 == 0 && half < From && From <= To);
  static_assert(last::exists || From == To);

public:
  COLONNADE_KERNEL_CODE column_pair(const Machine &machine, const Arguments &arguments)
      : machine_(machine), a_(arguments), upper_(machine.lane() >= 16) {}

  /// Called by all threads of the block: a warp sorts 16 arrays.
  COLONNADE_KERNEL_CODE void sort() {
    const uint64_t thread = uint64_t{machine_.block()} * machine_.num_threads() + machine_.thread();
    const uint64_t instance = thread / 32 * 16 + machine_.lane() % 16;
    const bool exists = instance < a_.num_arrays;
    const auto view = Layout::view(exists ? instance : a_.num_arrays - 1, a_.length, a_.num_arrays);
    const uint64_t base = view.base + (upper_ ? half * view.stride : 0);
    load(base, view.stride);
    sort_registers<odd_even_network>(items_, a_.exchange);
    exchange_halves();
    merge_registers(items_, a_.exchange);
    if (exists)
      store(computed_anew(base), view.stride, computed_anew(a_.length));
  }

private:
  static constexpr uint32_t certain = From - half; // so many items of both threads exist

  COLONNADE_KERNEL_CODE bool there(uint32_t r, uint32_t length) const {
    return !upper_ || half + r < length;
  }
  /// First the items that may not exist, as in columns.hpp.
  COLONNADE_KERNEL_CODE void load(uint64_t base, uint64_t stride) {
    uint64_t at = base + certain * stride;
    const auto one = [&](uint32_t r) {
      items_[r] = a_.arrays.load(at, r + (upper_ ? half : 0));
      at += stride;
    };
    if constexpr (last::exists)
      COLONNADE_UNROLL
    for (uint32_t r = certain; r < half; ++r)
      items_[r] = last::value();
    visit_while<certain, half>([&](uint32_t r) { return there(r, a_.length); }, one);
    at = base;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < certain; ++r)
      one(r);
  }
  COLONNADE_KERNEL_CODE void store(uint64_t at, uint64_t stride, uint32_t length) const {
    const auto one = [&](uint32_t r) {
      a_.arrays.store(at, items_[r]);
      at += stride;
    };
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < certain; ++r)
      one(r);
    visit_while<certain, half>([&](uint32_t r) { return there(r, length); }, one);
  }
  /// Compares item k of one thread with item half - 1 - k of the other; the lower thread keeps the
  /// smaller ones.
  COLONNADE_KERNEL_CODE void exchange_halves() {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < half / 2; ++k) {
      item &mine = items_[k], &place = items_[half - 1 - k];
      const item other = take_from_lane_xor(machine_, place, 16);
      item low = upper_ ? other : mine, high = upper_ ? mine : other;
      a_.exchange(low, high, true);
      mine = upper_ ? high : low;
      place = take_from_lane_xor(machine_, upper_ ? low : high, 16);
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  const bool upper_;
  item items_[half];
};

} // namespace colonnade::detail
