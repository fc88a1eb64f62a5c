//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_rows.hpp: segments for the host tests of segmented sorts, and how they are sorted
// without the runtime's code.
//
// In: lengths and gaps of segments, a seed. Out: segments, keys, and for every place of the
// output the index of the item that must be there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/segmented_sort/items.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace colonnade::testing {

using namespace colonnade::detail;

/// A key's bits as a number that is ordered as the keys are, computed without the runtime.
template <class Key> uint64_t order_of(typename sorted_as<Key>::raw bits) {
  using raw = typename sorted_as<Key>::raw;
  constexpr raw sign = static_cast<raw>(raw{1} << (8 * sizeof(raw) - 1));
  if constexpr (std::is_floating_point_v<Key>) {
    if (bits == sign)
      bits = 0;
    return bits & sign ? static_cast<raw>(~bits) : static_cast<raw>(bits + sign);
  }
  return std::is_signed_v<Key> ? static_cast<raw>(bits ^ sign) : bits;
}

template <class Raw> std::vector<Raw> some_keys(size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Raw> keys(n);
  const Raw sign = static_cast<Raw>(Raw{1} << (8 * sizeof(Raw) - 1));
  for (Raw &k : keys) {
    const uint64_t kind = random() % 4;
    k = kind == 0   ? Raw(0)
        : kind == 1 ? sign
                    : static_cast<Raw>(kind == 2 ? random() % 5 : random());
  }
  return keys;
}

struct segments {
  std::vector<uint32_t> begins, ends;
  uint32_t num_items = 0;
  void add(uint32_t length, uint32_t gap) {
    begins.push_back(num_items);
    ends.push_back(num_items += length);
    num_items += gap;
  }
};

/// For each place of the output the index of the item that must be there; ~0: it is in no segment.
template <class Key>
std::vector<uint32_t> reference(const std::vector<typename sorted_as<Key>::raw> &keys,
                                const segments &s, bool descending, uint64_t mask = ~uint64_t{0}) {
  std::vector<uint32_t> from(keys.size(), ~0u);
  for (size_t i = 0; i < s.begins.size(); ++i) {
    std::iota(from.begin() + s.begins[i], from.begin() + s.ends[i], s.begins[i]);
    std::stable_sort(
        from.begin() + s.begins[i], from.begin() + s.ends[i], [&](uint32_t a, uint32_t b) {
          const uint64_t x = order_of<Key>(keys[a]) & mask, y = order_of<Key>(keys[b]) & mask;
          return descending ? x > y : x < y;
        });
  }
  return from;
}

template <class Key> word_range whole_range(bool descending) {
  return {sorted_as<Key>::flip(descending), 0, 8 * sizeof(Key)};
}

struct sort_faults : faults {
  bool dirty_words = false;   // look-back words are those of the pass before
  bool dirty_counts = false;  // digits' counts are not zeroed
  bool dirty_tickets = false; // tickets for tiles are not reset
  bool lost_item = false;     // the last segment ends one item early
};

/// Where segments end, as kernels are told.
inline std::vector<uint32_t> ends_of(const segments &s, const sort_faults &planted) {
  std::vector<uint32_t> ends = s.ends;
  ends.back() -= planted.lost_item;
  return ends;
}

} // namespace colonnade::testing
