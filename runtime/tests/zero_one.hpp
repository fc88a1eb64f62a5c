//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// zero_one.hpp: lists of comparators, and whether they sort zeros and ones.
//
// A word holds one item of 64 sequences. After a comparator the lower item is the
// AND, the higher one the OR; a sequence is sorted if no item is 1 before a 0.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/network.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace colonnade::testing {

using comparator_list = std::vector<std::pair<uint32_t, uint32_t>>;

template <class Network> comparator_list comparators_of(uint32_t n) {
  comparator_list list;
  detail::for_each_comparator<Network>(
      n, [&](uint32_t low, uint32_t high) { list.push_back({low, high}); });
  return list;
}

/// An exchange of items that leaves them where they are, and writes down whose keys it is asked
/// to compare.
struct recorder {
  std::vector<comparator_list> *passes;
  template <class Item> void operator()(Item &low, Item &high, bool active) const {
    if (active)
      passes->back().push_back({low.key, high.key});
  }
};

/// Those of one stage alone.
template <class Network> comparator_list stage_comparators(uint32_t stage, uint32_t n) {
  comparator_list list;
  for (uint32_t step = stage + 1; step-- > 0;)
    for (uint32_t low = 0; low < n; ++low)
      if (const uint32_t high = Network::high({stage, step}, low); high < n)
        list.push_back({low, high});
  return list;
}

/// A list as a partial order: a comparator, and the how-manieth of both its items it is.
inline std::multiset<std::array<uint32_t, 4>> in_order(const comparator_list &list, uint32_t n) {
  std::vector<uint32_t> seen(n);
  std::multiset<std::array<uint32_t, 4>> result;
  for (const auto &[low, high] : list) {
    const uint32_t a = seen[low]++, b = seen[high]++;
    result.insert({low, high, a, b});
  }
  return result;
}

/// Whether all 64 sequences come out sorted.
inline bool sorts(const comparator_list &list, std::vector<uint64_t> &items) {
  for (const auto &[low, high] : list) {
    const uint64_t a = items[low], b = items[high];
    items[low] = a & b;
    items[high] = a | b;
  }
  uint64_t before = 0;
  for (uint64_t item : items) {
    if (before & ~item)
      return false;
    before |= item;
  }
  return true;
}

inline bool sorts_all_zeros_and_ones(const comparator_list &list, uint32_t n) {
  static constexpr uint64_t bit[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                     0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  std::vector<uint64_t> items(n);
  for (uint64_t word = 0; word == 0 || word << 6 < uint64_t{1} << n; ++word) {
    for (uint32_t i = 0; i < n; ++i)
      items[i] = i < 6 ? bit[i] : word >> (i - 6) & 1 ? ~uint64_t{0} : 0;
    if (!sorts(list, items))
      return false;
  }
  return true;
}

/// Items [0, half) are sorted, and items [half, n).
inline bool merges_all_sorted_parts(const comparator_list &list, uint32_t n, uint32_t half) {
  std::vector<uint64_t> items(n);
  for (uint32_t zeros = 0; zeros <= half; ++zeros)
    for (uint32_t first = 0; first <= n - half; first += 64) {
      for (uint32_t i = 0; i < half; ++i)
        items[i] = i < zeros ? 0 : ~uint64_t{0};
      for (uint32_t i = half; i < n; ++i) { // sequence s has first + s zeros in its upper half
        const uint32_t at = i - half;
        items[i] = at < first         ? 0
                   : at - first >= 63 ? ~uint64_t{0}
                                      : (uint64_t{2} << (at - first)) - 1;
      }
      if (!sorts(list, items))
        return false;
    }
  return true;
}
/// The lower half is the next lower power of two of n.
inline bool merges_all_sorted_halves(const comparator_list &list, uint32_t n) {
  return merges_all_sorted_parts(list, n, 1u << (detail::ceil_log2(n) - 1));
}

} // namespace colonnade::testing
