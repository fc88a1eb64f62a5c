//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The network that sorts a row of a segmented sort, by the 0-1 principle, for every
// number of items a thread and of threads a row, up to 4096 items: what threads compare
// is recorded; a row of T threads is two rows of T / 2, side by side, and then a merge,
// which must merge all sorted halves of zeros and ones. Shorter rows have items behind
// their end that are larger than all others: they are among those sequences.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "zero_one.hpp"

#include <colonnade/detail/segmented_sort/row_network.hpp>

#include <gtest/gtest.h>

#include <map>

using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

/// Knows its place. Places rise, so nothing is ever exchanged, and each comparison tells
/// which two places it is of.
struct placed {
  uint32_t place;
  static inline comparator_list asked;
  friend bool operator<(const placed &a, const placed &b) {
    asked.push_back(std::minmax(a.place, b.place));
    return a.place < b.place;
  }
};
placed shuffle_item(const host_machine &machine, const placed &item, uint32_t mask) {
  return {machine.shuffle_xor(item.place, mask)};
}

/// Both threads of a comparator ask: the second time does not count. What a thread asks
/// about its own items it asks once.
template <uint32_t E> comparator_list once_each(const comparator_list &asked) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> times;
  comparator_list list;
  for (const auto &c : asked)
    if (c.first / E == c.second / E || times[c]++ % 2 == 0)
      list.push_back(c);
  return list;
}

/// Of a row of 2^log2_threads threads, E items each.
template <uint32_t E, bool CrossesWarps> comparator_list row_comparators(uint32_t log2_threads) {
  using network = row_network<placed, E, CrossesWarps, host_machine>;
  const uint32_t threads = 1u << log2_threads, launched = std::max(threads, 32u);
  placed::asked.clear();
  host_grid grid(log2_threads + E);
  grid.run(1, launched, network::tile::bytes(launched),
           [&](const host_machine &machine, char *shared) {
             placed x[E];
             for (uint32_t i = 0; i < E; ++i)
               x[i] = {machine.thread() * E + i};
             network(machine, {reinterpret_cast<placed *>(shared)}).sort(x, log2_threads);
             for (uint32_t i = 0; i < E; ++i)
               EXPECT_EQ(x[i].place, machine.thread() * E + i);
           });
  EXPECT_TRUE(grid.complaints.empty());
  comparator_list row; // the first of the warp's
  for (const auto &c : once_each<E>(placed::asked))
    if (c.second < threads * E)
      row.push_back(c);
  return row;
}

/// The two halves of a row, one after the other.
comparator_list side_by_side(const comparator_list &half, uint32_t half_items) {
  comparator_list both = half;
  for (const auto &[low, high] : half)
    both.push_back({low + half_items, high + half_items});
  return both;
}

/// What is left of `row` after both of its halves are sorted; they must be what it begins with.
comparator_list merge_of(const comparator_list &row, const comparator_list &halves,
                         uint32_t items) {
  std::vector<uint32_t> before(items), seen(items);
  for (const auto &[low, high] : halves)
    ++before[low], ++before[high];
  comparator_list first, merge;
  for (const auto &[low, high] : row) {
    const bool in_halves = seen[low]++ < before[low];
    EXPECT_EQ(in_halves, seen[high]++ < before[high]);
    (in_halves ? first : merge).push_back({low, high});
  }
  EXPECT_EQ(in_order(first, items), in_order(halves, items));
  return merge;
}

template <uint32_t E, bool CrossesWarps> void prove(uint32_t most_log2_threads) {
  comparator_list half = row_comparators<E, CrossesWarps>(0);
  EXPECT_EQ(in_order(half, E), in_order(comparators_of<odd_even_network>(E), E)) << E;
  for (uint32_t log2 = 1; log2 <= most_log2_threads; ++log2) {
    const uint32_t items = E << log2;
    const comparator_list row = row_comparators<E, CrossesWarps>(log2);
    const comparator_list merge = merge_of(row, side_by_side(half, items / 2), items);
    EXPECT_TRUE(merges_all_sorted_parts(merge, items, items / 2))
        << E << " items of 2^" << log2 << " threads";
    half = row;
  }
}

TEST(RowNetwork, MergesAllSortedHalvesWithinWarps) {
  prove<4, false>(5);
  prove<8, false>(5);
  prove<12, false>(5);
  prove<16, false>(5);
  prove<24, false>(5);
  prove<28, false>(5);
  prove<32, false>(5);
}
TEST(RowNetwork, MergesAllSortedHalvesAcrossWarps) {
  prove<16, true>(8);
  prove<24, true>(7);
  prove<28, true>(7);
  prove<32, true>(7);
}

/// A lone comparator less, and some halves are not merged: the test can fail.
TEST(RowNetwork, NeedsEveryComparatorOfAMerge) {
  const comparator_list half = row_comparators<12, false>(1);
  const comparator_list merge = merge_of(row_comparators<12, false>(2), side_by_side(half, 24), 48);
  for (size_t k = 0; k < merge.size(); ++k) {
    comparator_list fewer = merge;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(k));
    // A length of 12 ends in networks for three items, of which one comparator more is needed at
    // times.
    if (merges_all_sorted_parts(fewer, 48, 24)) {
      EXPECT_EQ(merge[k].second / 3, merge[k].first / 3)
          << merge[k].first << " " << merge[k].second;
    }
  }
}

} // namespace
