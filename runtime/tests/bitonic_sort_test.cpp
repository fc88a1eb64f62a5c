//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of the bitonic sort on the host, under random schedules. The comparators
// that they run are recorded, and proved by the 0-1 principle; faults are planted, and must
// be seen. Their address maps: bitonic_sort_maps_test.cpp.
//
//===----------------------------------------------------------------------===//

#include "host_bitonic.hpp"
#include "planted.hpp"
#include "zero_one.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

using one_warp = small_part<7, 2>; // three passes of two steps above the tile, and so on
using two_warps = small_part<8, 2>;
using wide_threads = small_part<8, 3>;
using four_warps = small_part<10, 3>;

// ------------------------------------------------------------------ the network

struct recording {
  comparator_list tiles;
  std::map<uint32_t, comparator_list> stages;
};

template <class Tuning> recording record(uint32_t n, unsigned seed) {
  using arguments = bitonic_arguments<uint32_t, no_value, recorder>;
  std::vector<uint32_t> keys(n);
  for (uint32_t i = 0; i < n; ++i)
    keys[i] = i;
  std::vector<comparator_list> passes;
  std::vector<uint32_t> stage;
  const std::string wrong =
      host_bitonic<Tuning>(seed, {}, arguments{keys.data(), nullptr, n, {&passes}, {}},
                           [&](const bitonic_pass &pass, bool) {
                             passes.emplace_back();
                             stage.push_back(pass.stage);
                           });
  EXPECT_EQ(wrong, "");
  recording r{passes[0], {}};
  for (size_t k = 1; k < passes.size(); ++k)
    r.stages[stage[k]].insert(r.stages[stage[k]].end(), passes[k].begin(), passes[k].end());
  return r;
}

/// Those within [first, first + length), counted from first; none may cross.
comparator_list within(const comparator_list &list, uint32_t first, uint32_t length) {
  comparator_list result;
  for (const auto &[low, high] : list) {
    EXPECT_EQ(low < first, high < first);
    EXPECT_EQ(low < first + length, high < first + length);
    if (low >= first && low < first + length)
      result.push_back({low - first, high - first});
  }
  return result;
}

template <class Tuning> void prove(uint32_t n) {
  SCOPED_TRACE(::testing::Message()
               << "n = " << n << ", parts of " << (1u << Tuning::value.log2_part));
  const recording r = record<Tuning>(n, n);
  const uint32_t part = 1u << Tuning::value.log2_part;
  for (uint32_t first = 0; first < n; first += part) {
    const uint32_t length = std::min(part, n - first);
    const comparator_list tile = within(r.tiles, first, length);
    // Of a network for all tiles alike; a last tile has the stages of a whole one.
    comparator_list right;
    for (uint32_t stage = 0;
         stage < std::max(ceil_log2(std::min(n, part)), Tuning::value.log2_items); ++stage)
      for (const auto &c : stage_comparators<bitonic_network>(stage, length))
        right.push_back(c);
    EXPECT_EQ(in_order(tile, length), in_order(right, length)) << first;
    if (length <= 24) {
      EXPECT_TRUE(sorts_all_zeros_and_ones(tile, length)) << first;
    }
  }
  EXPECT_EQ(r.stages.size(), n > part ? ceil_log2(n) - Tuning::value.log2_part : 0);
  for (const auto &[stage, list] : r.stages)
    for (uint32_t block = 2u << stage, first = 0; first + block / 2 < n; first += block) {
      const uint32_t length = std::min(block, n - first);
      EXPECT_TRUE(merges_all_sorted_halves(within(list, first, length), length))
          << stage << " " << first;
    }
}

TEST(BitonicSort, ItsComparatorsSortUpTo24) {
  for (uint32_t n = 1; n <= 24; ++n) {
    prove<one_warp>(n);
    prove<wide_threads>(n);
  }
}
TEST(BitonicSort, ItsComparatorsMergeAllSortedHalves) {
  for (uint32_t n :
       {31, 32, 33, 64, 127, 128, 129, 255, 256, 257, 300, 384, 385, 511, 512, 513, 1000, 1025}) {
    prove<one_warp>(n);
    prove<two_warps>(n);
    prove<wide_threads>(n);
  }
  for (uint32_t n : {2049, 3001, 4096})
    prove<one_warp>(n);
  prove<four_warps>(4095);
}

// ------------------------------------------------------------------ sorting

struct by_key {
  bool operator()(uint32_t a, uint32_t b) const {
    seen(a), seen(b);
    return a < b;
  }
  /// Keys of the input are below 2^31; what is beyond it in memory is not.
  static void seen(uint32_t key) { met_no_key |= key >> 31 != 0; }
  static inline bool met_no_key = false;
};

template <class Tuning>
std::string sort_pairs(uint32_t n, unsigned seed, uint32_t different, faults planted = {},
                       uint32_t lost = 0) {
  using arguments = bitonic_arguments<uint32_t, uint64_t, exchange_by_key<by_key>>;
  std::mt19937 random(seed);
  std::vector<uint32_t> keys(n + 40, 0xabababab);
  std::vector<uint64_t> values(n + 40, 0xabababab);
  for (uint32_t i = 0; i < n; ++i) {
    keys[i] = static_cast<uint32_t>(random()) % different;
    values[i] = uint64_t{keys[i]} << 32 | i;
  }
  auto right = keys;
  std::sort(right.begin(), right.begin() + n);
  std::string wrong =
      host_bitonic<Tuning>(seed, planted, arguments{keys.data(), values.data(), n - lost, {}, {}},
                           [](const bitonic_pass &, bool) {});
  if (std::exchange(by_key::met_no_key, false))
    wrong += "a comparator has met something else than a key\n";
  if (keys != right)
    return wrong + "keys";
  std::set<uint64_t> different_values(values.begin(), values.begin() + n);
  if (different_values.size() != n)
    return wrong + "a value is lost";
  for (uint32_t i = 0; i < n + 40; ++i)
    if (values[i] >> 32 != (i < n ? keys[i] : 0) || (i >= n && values[i] != 0xabababab))
      return wrong + "value " + std::to_string(i);
  return wrong;
}

TEST(BitonicSort, SortsPairs) {
  unsigned seed = 1;
  for (uint32_t n :
       {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 500, 1023, 1024, 1025, 2500})
    for (uint32_t different : {1u, 2u, 100u, 0x7fffffffu}) {
      EXPECT_EQ(sort_pairs<one_warp>(n, ++seed, different), "") << n << ", seed " << seed;
      EXPECT_EQ(sort_pairs<two_warps>(n, ++seed, different), "") << n << ", seed " << seed;
      EXPECT_EQ(sort_pairs<wide_threads>(n, ++seed, different), "") << n << ", seed " << seed;
    }
  EXPECT_EQ(sort_pairs<four_warps>(3000, 7, 1000), "");
}

TEST(BitonicSort, PlantedFaultsAreSeen) {
  const auto with = [](faults f, uint32_t lost) {
    return
        [f, lost](unsigned seed) { return sort_pairs<two_warps>(1000, seed, 0x7fffffff, f, lost); };
  };
  faults f;
  f.drop_warp_sync = true;
  expect_caught("bitonic_sort", "dropped_warp_sync", with(f, 0), with({}, 0));
  f = {};
  f.drop_block_sync = true;
  expect_caught("bitonic_sort", "dropped_block_sync", with(f, 0), with({}, 0));
  expect_caught("bitonic_sort", "off_by_one_tail", with({}, 1), with({}, 0));
  f = {};
  f.torn_words = true;
  has_none("bitonic_sort", "flag_before_value", with(f, 0));
  has_none("bitonic_sort", "unreset_ticket");
}

} // namespace
