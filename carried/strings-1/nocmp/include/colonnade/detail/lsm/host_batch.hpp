//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_batch.hpp: the operations of a call on the host, sorted: one run.
//
// In: keys, values, and which operations erase. Out: a run; or the index of the first NaN.
// Invariant: equal keys keep their order; of them the last alone counts, so where deletions win it
// is a tombstone if one of its key is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/dictionaries/host_threads.hpp>
#include <colonnade/detail/lsm/table_of.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace colonnade::detail {

/// Sorts by threads: parts, then pairs of neighbours are merged.
template <class Item> void sort_on_host(std::vector<Item> &items, uint32_t threads) {
  const uint64_t n = items.size(), parts = host_parts(n, threads);
  const auto at = [&](uint64_t p) {
    return items.begin() + static_cast<std::ptrdiff_t>(n * std::min(p, parts) / parts);
  };
  each_host_part(parts, [&](uint64_t p) { std::sort(at(p), at(p + 1)); });
  std::vector<Item> merged(parts > 1 ? n : 0);
  for (uint64_t width = 1; width < parts; width *= 2) {
    each_host_part((parts + 2 * width - 1) / (2 * width), [&](uint64_t p) {
      const auto begin = at(p * 2 * width), middle = at(p * 2 * width + width),
                 end = at((p + 1) * 2 * width);
      std::merge(begin, middle, middle, end, merged.begin() + (begin - items.begin()));
    });
    items.swap(merged);
  }
}

template <class Key, class Value> struct host_batch {
  using table = lsm_table_of<Key, Value>;
  using raw = typename table::raw;
  using raw_value = typename table::value;
  std::vector<raw> keys;
  std::vector<raw_value> values;
  std::vector<uint32_t> tombstones;
  typename table::run run;

  /// The number of the first key that is a NaN, or n.
  static uint64_t first_nan(const Key *keys, uint64_t n) {
    if constexpr (std::is_floating_point_v<Key>)
      for (uint64_t i = 0; i < n; ++i)
        if (std::isnan(keys[i]))
          return i;
    return n;
  }

  /// values: null if all erase; erases: null if all do the same.
  host_batch(const typename table::format_type &format, const Key *keys_in, const Value *values_in,
             const bool *erases, uint64_t n, bool deletions_win, uint32_t threads)
      : keys(n), values(values_in ? n : 0), tombstones(erases ? (n + 31) / 32 : 0) {
    std::vector<std::pair<raw, uint32_t>> order(n);
    share_items(n, threads, [&](uint64_t i) {
      std::memcpy(&keys[i], keys_in + i, sizeof(raw));
      order[i] = {format.word(keys[i]), static_cast<uint32_t>(i)};
    });
    sort_on_host(order, threads);
    share_items(n, threads, [&](uint64_t i) {
      const uint32_t from = order[i].second;
      std::memcpy(&keys[i], keys_in + from, sizeof(raw));
      if (values_in)
        std::memcpy(&values[i], values_in + from, sizeof(raw_value));
    });
    bool one_erases = false; // of the equal keys so far
    for (uint64_t i = 0; erases && i < n; ++i) {
      const bool erased = erases[order[i].second];
      one_erases =
          erased || (deletions_win && i > 0 && order[i - 1].first == order[i].first && one_erases);
      tombstones[i / 32] |= uint32_t{one_erases} << i % 32;
    }
    run.keys = keys.data();
    run.values = values_in ? values.data() : nullptr;
    run.tombstones = erases ? tombstones.data() : nullptr;
    run.count = n;
    run.all_erased = !values_in;
  }
};

} // namespace colonnade::detail
