//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// batch.hpp: what is done to the operations of a call before and after they are sorted.
//
// In: keys, and of each operation whether it deletes. Out: NaN are reported, and the call refused;
// sorted keys and values, and bits of those that delete. Invariant: of equal keys only the last
// counts (levels.hpp), so where deletions win it alone needs the bit of all deletions of its key.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/lsm/search.hpp>

namespace colonnade::detail {

template <class Raw> struct lsm_check_arguments {
  const Raw *keys;
  uint64_t num_items;
  uint32_t *refused;
  device_status *status; // or null
};

/// Of floats: whether one is a NaN.
template <class Raw, class Machine>
COLONNADE_KERNEL_CODE void refuse_nan(const Machine &machine, const lsm_check_arguments<Raw> &a) {
  constexpr uint32_t exponent_bits = sizeof(Raw) == 4 ? 8 : 11,
                     fraction_bits = 8 * sizeof(Raw) - 1 - exponent_bits;
  constexpr Raw infinity = ((Raw{1} << exponent_bits) - 1) << fraction_bits;
  const uint64_t step = uint64_t{machine.num_blocks()} * machine.num_threads();
  for (uint64_t i = uint64_t{machine.block()} * machine.num_threads() + machine.thread();
       i < a.num_items; i += step)
    if (const Raw bits = a.keys[i] << 1 >> 1; bits > infinity) {
      machine.store_word(a.refused, 1);
      if (a.status)
        report_error(machine, a.status, data_error::value_out_of_range, i);
    }
}

template <class Table> struct lsm_gather_arguments {
  using raw = typename Table::raw;
  using value = typename Table::value;
  typename Table::format_type format;
  const uint32_t *permutation;
  const raw *keys;
  const value *values;
  const bool *erases;
  uint64_t num_items;
  raw *sorted_keys;
  value *sorted_values;
  uint32_t *tombstones; // zero before
  bool deletions_win;
};

template <class Table, class Machine>
COLONNADE_KERNEL_CODE void gather_batch(const Machine &machine,
                                        const lsm_gather_arguments<Table> &a) {
  using raw = typename Table::raw;
  const uint64_t step = uint64_t{machine.num_blocks()} * machine.num_threads();
  const auto key_at = [&](uint64_t i) { return a.keys[a.permutation[i]]; };
  for (uint64_t i = uint64_t{machine.block()} * machine.num_threads() + machine.thread();
       i < a.num_items; i += step) {
    const uint32_t from = a.permutation[i];
    const raw key = a.keys[from];
    a.sorted_keys[i] = key;
    a.sorted_values[i] = a.values[from];
    if (!a.erases[from])
      continue;
    uint64_t last = i;
    if (a.deletions_win) { // the last of its key: by doubling steps, then by halves
      const raw word = a.format.word(key);
      uint64_t reach = 1;
      while (last + reach < a.num_items && a.format.word(key_at(last + reach)) == word) {
        last += reach;
        reach *= 2;
      }
      for (; reach > 0; reach /= 2)
        if (last + reach < a.num_items && a.format.word(key_at(last + reach)) == word)
          last += reach;
    }
    machine.set_bits(a.tombstones + last / 32, 1u << last % 32, 1u << last % 32);
  }
}

} // namespace colonnade::detail
