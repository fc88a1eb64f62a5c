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

/// A network that is given a zero more at a time, all items being ones at first. A comparator of
/// which one item turns from 1 to 0 passes that on by one of its outputs, so one output of the
/// network changes; all others stay as they are.
class network_of_ones {
public:
  network_of_ones(const comparator_list &list, uint32_t n)
      : list_(list), first_(n, end), next_(list.size()), ones_(list.size(), 2) {
    for (uint32_t c = static_cast<uint32_t>(list.size()); c-- > 0;) {
      auto &[low, high] = list[c];
      next_[c] = {first_[low], first_[high]};
      first_[low] = first_[high] = c;
    }
  }
  /// Input `item` turns from 1 to 0; which output does.
  uint32_t turn_to_zero(uint32_t item) {
    for (uint32_t c = first_[item]; c != end;) {
      const bool lower = ones_[c]-- == 2; // both were ones: now the lower one is not
      item = lower ? list_[c].first : list_[c].second;
      c = lower ? next_[c].first : next_[c].second;
    }
    return item;
  }

private:
  static constexpr uint32_t end = ~0u;
  const comparator_list &list_;
  std::vector<uint32_t> first_; // comparator of an item, or end
  comparator_list next_;        // comparators of both outputs, or end
  std::vector<uint8_t> ones_;   // among a comparator's inputs
};

/// Items [0, half) are sorted, and items [half, n). Ones behind a number of zeros come out sorted
/// with a zero more if it is the first one that turns.
inline bool merges_all_sorted_parts(const comparator_list &list, uint32_t n, uint32_t half) {
  network_of_ones lower_ones(list, n);
  for (uint32_t upper = 0;; ++upper) { // so many zeros begin the upper part
    network_of_ones network = lower_ones;
    for (uint32_t lower = 0; lower < half; ++lower)
      if (network.turn_to_zero(lower) != upper + lower)
        return false;
    if (upper == n - half)
      return true;
    if (lower_ones.turn_to_zero(half + upper) != upper)
      return false;
  }
}
/// The lower half is the next lower power of two of n.
inline bool merges_all_sorted_halves(const comparator_list &list, uint32_t n) {
  return merges_all_sorted_parts(list, n, 1u << (detail::ceil_log2(n) - 1));
}

} // namespace colonnade::testing
