//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of merge sort on the host, against std::stable_sort: sizes around warps,
// tiles and groups of runs, two to eight ways, equal keys, pairs, orders that are none,
// hundreds of schedules. Then faults are planted, and must be seen.
//
//===----------------------------------------------------------------------===//

#include "host_keys.hpp"
#include "host_merge_sort.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace colonnade;
using namespace colonnade::testing;
using detail::no_items;
using detail::nothing;

namespace {

template <uint32_t Ways, uint32_t Threads = 64, uint32_t Items = 3, uint32_t Stride = 8>
struct small_policy : merge_sort_policy {
  static constexpr merge_sort_tuning tuning(gpu_architecture, size_t, size_t) {
    merge_sort_tuning t;
    t.threads = Threads;
    t.items_per_thread = Items;
    t.ways = Ways;
    t.merge_threads = Threads;
    t.merge_items_per_thread = Items;
    t.sample_stride = Stride;
    return t;
  }
};

/// The thesis's method.
template <uint32_t Ways, uint32_t Rows, uint32_t Stride = 16>
struct small_register_policy : merge_sort_policy {
  static constexpr merge_sort_tuning tuning(gpu_architecture, size_t, size_t) {
    merge_sort_tuning t;
    t.method = merge_method::registers;
    t.ways = Ways;
    t.rows = Rows;
    t.sample_stride = Stride;
    t.warp_tile_samples = 20;
    return t;
  }
};

struct by_value {
  template <class T> bool operator()(const T &a, const T &b) const { return a < b; }
};
/// Many equal keys.
struct by_high_bits {
  uint32_t shift;
  bool operator()(uint32_t a, uint32_t b) const { return a >> shift < b >> shift; }
};
struct descending {
  template <class T> bool operator()(const T &a, const T &b) const { return a > b; }
};

/// Pairs with their index as the value. Empty if the result is right; otherwise what is
/// wrong. Unstable: equal keys may come in any order, but no item twice.
template <class Policy, bool Stable = true, class Key, class Compare>
std::string pairs(const std::vector<Key> &keys, Compare compare, unsigned seed,
                  merge_faults planted = {}) {
  const size_t n = keys.size();
  std::vector<Key> out(n + 8, Key(77));
  std::vector<uint64_t> from(n + 8, 0xabababab);
  const std::string wrong =
      host_merge_sort<Policy, Stable>(seed, planted, keys.data(), out.data(),
                                      detail::index_iterator<uint64_t>{}, from.data(), n, compare);
  std::vector<uint64_t> expected(n);
  std::iota(expected.begin(), expected.end(), uint64_t{0});
  std::stable_sort(expected.begin(), expected.end(),
                   [&](uint64_t a, uint64_t b) { return compare(keys[a], keys[b]); });
  std::vector<bool> used(n);
  for (size_t i = 0; i < n; ++i) {
    if (from[i] >= n || used[from[i]] || out[i] != keys[from[i]])
      return wrong + "no permutation at " + std::to_string(i);
    used[from[i]] = true;
    if (Stable ? from[i] != expected[i]
               : compare(out[i], keys[expected[i]]) || compare(keys[expected[i]], out[i]))
      return wrong + "item " + std::to_string(i);
  }
  for (size_t i = n; i < n + 8; ++i)
    if (out[i] != Key(77) || from[i] != 0xabababab)
      return wrong + "written beyond the output";
  return wrong;
}

constexpr size_t tile = 192;

TEST(MergeSort, SizesAroundWarpsTilesAndGroups) {
  for (size_t n : {size_t{0},  size_t{1},    size_t{2},  size_t{3},     size_t{31},   size_t{32},
                   size_t{33}, size_t{95},   size_t{96}, size_t{97},    tile - 1,     tile,
                   tile + 1,   2 * tile - 1, 2 * tile,   2 * tile + 1,  3 * tile + 5, 4 * tile - 1,
                   4 * tile,   4 * tile + 1, 5 * tile,   16 * tile + 1, 20 * tile - 7}) {
    const auto keys = random_keys(n, 1);
    EXPECT_EQ((pairs<small_policy<4>>(keys, by_value{}, 1)), "") << n;
    EXPECT_EQ((pairs<small_policy<4>>(keys, by_high_bits{29}, 2)), "") << n;
    EXPECT_EQ((pairs<small_policy<4>, false>(keys, by_high_bits{24}, 3)), "") << n;
  }
}

TEST(MergeSort, EveryNumberOfWays) {
  for (size_t n : {tile + 1, 8 * tile, 8 * tile + 1, 13 * tile + 100, 65 * tile}) {
    const auto keys = random_keys(n, 2);
    EXPECT_EQ((pairs<small_policy<2>>(keys, by_high_bits{28}, 1)), "") << n;
    EXPECT_EQ((pairs<small_policy<8>>(keys, by_high_bits{28}, 2)), "") << n;
    EXPECT_EQ((pairs<small_policy<4, 128, 5, 32>>(keys, by_high_bits{20}, 3)), "") << n;
    EXPECT_EQ((pairs<small_policy<4, 32, 9, 16>>(keys, by_high_bits{20}, 4)), "") << n;
  }
}

TEST(MergeSort, InRegisters) {
  for (size_t n : {size_t{0}, size_t{1}, size_t{33}, size_t{129}, size_t{600}}) {
    const auto keys = random_keys(n, 3);
    EXPECT_EQ((pairs<small_register_policy<4, 4>>(keys, by_value{}, 1)), "") << n;
    EXPECT_EQ((pairs<small_register_policy<4, 7>>(keys, by_high_bits{28}, 2)), "") << n;
    EXPECT_EQ((pairs<small_register_policy<8, 16>, false>(keys, by_high_bits{28}, 3)), "") << n;
    EXPECT_EQ((pairs<small_register_policy<2, 2>>(keys, by_high_bits{20}, 4)), "") << n;
  }
  std::vector<uint32_t> keys(700, 5);
  EXPECT_EQ((pairs<small_register_policy<4, 5>>(keys, by_value{}, 1)), "");
  std::iota(keys.begin(), keys.end(), 0u);
  EXPECT_EQ((pairs<small_register_policy<4, 5>>(keys, by_value{}, 2)), "");
  EXPECT_EQ((pairs<small_register_policy<4, 5>, false>(keys, descending{}, 3)), "");
}

TEST(MergeSort, WideOffsets) {
  auto keys = random_keys(21 * tile + 11, 8);
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  std::vector<uint32_t> out(keys.size());
  EXPECT_EQ((host_merge_sort<small_policy<4>, false, uint64_t>(
                1, {}, keys.data(), out.data(), no_items{}, static_cast<nothing *>(nullptr),
                keys.size(), by_value{})),
            "");
  EXPECT_EQ(out, expected);
}

TEST(MergeSort, SkewedKeys) {
  std::vector<uint32_t> keys(9 * tile + 17, 5);
  EXPECT_EQ((pairs<small_policy<4>>(keys, by_value{}, 1)), "");
  std::iota(keys.begin(), keys.end(), 0u);
  EXPECT_EQ((pairs<small_policy<4>>(keys, by_value{}, 2)), "");
  EXPECT_EQ((pairs<small_policy<4>>(keys, descending{}, 3)), "");
  for (uint32_t &key : keys) // runs of which one is all below the next
    key = key * 7919 % 100 + key / tile * 50;
  EXPECT_EQ((pairs<small_policy<4>>(keys, descending{}, 4)), "");
  EXPECT_EQ((pairs<small_policy<8>>(keys, by_value{}, 5)), "");
}

TEST(MergeSort, OtherTypes) {
  const auto words = random_keys(5 * tile + 3, 3);
  const std::vector<uint8_t> bytes(words.begin(), words.end());
  const std::vector<uint64_t> wide(words.begin(), words.end());
  const std::vector<double> reals(words.begin(), words.end());
  EXPECT_EQ((pairs<small_policy<4>>(bytes, by_value{}, 1)), "");
  EXPECT_EQ((pairs<small_policy<4>>(wide, descending{}, 2)), "");
  EXPECT_EQ((pairs<small_policy<4>>(reals, by_value{}, 3)), "");
}

TEST(MergeSort, KeysAloneAndInPlace) {
  auto keys = random_keys(17 * tile + 5, 4);
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ((host_merge_sort<small_policy<4>, false>(1, {}, keys.data(), keys.data(), no_items{},
                                                     static_cast<nothing *>(nullptr), keys.size(),
                                                     by_value{})),
            "");
  EXPECT_EQ(keys, expected);
}

/// Not an order at all: results are unspecified, but nothing else is touched.
struct no_order {
  bool operator()(uint32_t a, uint32_t b) const { return (a * 2654435761u ^ b * 40503u) >> 31; }
};

TEST(MergeSort, AnOrderThatIsNoneHarmsNothing) {
  const auto keys = random_keys(18 * tile + 5, 5);
  std::vector<uint32_t> out(keys.size() + 8, 7);
  for (unsigned seed = 0; seed < 10; ++seed)
    EXPECT_EQ((host_merge_sort<small_policy<4>, true>(seed, {}, keys.data(), out.data(), no_items{},
                                                      static_cast<nothing *>(nullptr), keys.size(),
                                                      no_order{})),
              "");
  EXPECT_EQ((host_merge_sort<small_register_policy<4, 8>, true>(
                1, {}, keys.data(), out.data(), no_items{}, static_cast<nothing *>(nullptr),
                keys.size(), no_order{})),
            "");
  EXPECT_TRUE(std::all_of(out.end() - 8, out.end(), [](uint32_t x) { return x == 7; }));
}

/// The temporary storage of the policy, as documented: `share` of the input's copies.
template <class Policy, class Key, class Value> void check_storage(double share) {
  using blocks = detail::merge_sort_blocks<
      detail::compiled<detail::merge_tunings<Policy, sizeof(Key), detail::bytes_of<Value>>>, true,
      const Key *, Key, const Value *, Value, by_value, host_machine>;
  constexpr merge_sort_tuning tuning =
      Policy::tuning(detail::compiled_architecture, sizeof(Key), sizeof(Value));
  for (uint64_t n : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 20, (uint64_t{1} << 33) + 12345})
    for (bool argsort : {false, true}) {
      const detail::merge_sort_plan plan({n, blocks::sort::tile_items, tuning.ways,
                                          tuning.sample_stride, blocks::pass::tile_samples,
                                          sizeof(Key), sizeof(Value), argsort});
      const double copies =
          static_cast<double>(n) * (sizeof(Key) * (argsort ? 2 : 1) + sizeof(Value));
      EXPECT_GE(plan.storage.bytes(), 1u);
      EXPECT_LE(static_cast<double>(plan.storage.bytes()), copies * (1 + share) + 65536) << n;
    }
}

TEST(MergeSort, TemporaryStorageIsAsDocumented) {
  check_storage<merging_policy, uint8_t, uint8_t>(0.02);
  check_storage<merging_policy, uint32_t, uint32_t>(0.02);
  check_storage<merging_policy, uint64_t, uint64_t>(0.02);
  check_storage<in_registers_policy, uint8_t, uint8_t>(0.08);
  check_storage<in_registers_policy, uint64_t, uint64_t>(0.08);
}

TEST(MergeSort, ManySchedules) {
  const auto keys = random_keys(5 * tile + 9, 6);
  for (unsigned seed = 0; seed < 150; ++seed)
    ASSERT_EQ((pairs<small_policy<4>>(keys, by_high_bits{27}, seed)), "") << seed;
}

TEST(MergeSort, PlantedFaultsAreSeen) {
  const auto keys = random_keys(18 * tile + 100, 7);
  const planted_runs runs("merge_sort", merge_faults{}, [&](unsigned seed, merge_faults f) {
    alarm(3); // bounds that are garbage make long loops
    return pairs<small_policy<4>>(keys, by_high_bits{20}, seed, f);
  });
  runs.expect("dropped_warp_sync", [](merge_faults &f) { f.drop_warp_sync = true; });
  runs.expect("dropped_block_sync", [](merge_faults &f) { f.drop_block_sync = true; });
  runs.expect("dropped_copy_wait", [](merge_faults &f) { f.drop_copy_wait = true; });
  runs.expect("stale_samples", [](merge_faults &f) { f.stale_samples = true; });
  runs.expect("off_by_one_tail", [](merge_faults &f) { f.lost_tail = 1; });
  runs.expect("moved_splits", [](merge_faults &f) { f.moved_splits = true; });
  merge_faults torn;
  torn.torn_words = true;
  has_none("merge_sort", "flag_before_value", runs.with(torn));
  has_none("merge_sort", "unreset_ticket");
}

} // namespace
