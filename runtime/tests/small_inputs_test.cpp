//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels for small inputs on the host, alone and in teams of blocks: multisplits and
// radix sorts against stable sorts, histograms, merge sorts, segments of all lengths.
// Then faults are planted, and must be seen.
//
//===----------------------------------------------------------------------===//

#include "host_keys.hpp"
#include "host_small.hpp"
#include "planted.hpp"

#include <colonnade/order.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace colonnade;
using namespace colonnade::testing;
using detail::no_items;
using detail::nothing;

namespace {

struct modulo {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % m; }
};
struct by_index { // and every 13th is to be left out, every 17th out of range
  uint32_t m;
  uint32_t operator()(uint32_t key, uint64_t index) const {
    return index % 13 == 5   ? discard_bucket
           : index % 17 == 5 ? m + key % 7
                             : static_cast<uint32_t>((key + index / 7) % m);
  }
};

/// Source index of every output item, and offsets, by hand.
struct expected_split {
  std::vector<uint32_t> from;
  std::vector<uint64_t> offsets{0};
  uint64_t status = device_status{}.first;
};
template <class Bucket>
expected_split reference(const std::vector<uint32_t> &keys, uint64_t n, uint32_t m,
                         const Bucket &bucket, bool discards) {
  expected_split e;
  std::vector<uint32_t> ids(n);
  for (uint64_t i = 0; i < n; ++i) {
    if constexpr (detail::takes_index<Bucket, uint32_t>)
      ids[i] = bucket(keys[i], i);
    else
      ids[i] = bucket(keys[i]);
    if (ids[i] >= m && !(discards && ids[i] == discard_bucket)) {
      e.status = std::min<uint64_t>(e.status, i << 8 | 1);
      ids[i] = m - 1;
    }
  }
  for (uint32_t b = 0; b < m; ++b) {
    for (uint32_t i = 0; i < n; ++i)
      if (ids[i] == b)
        e.from.push_back(i);
    e.offsets.push_back(e.from.size());
  }
  return e;
}

/// Empty if the result is right; otherwise what is wrong. Value: of any size.
template <bool Discards, class Value, class Bucket>
std::string split(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket, unsigned seed,
                  host_team_shape shape, small_faults planted = {},
                  const uint64_t *d_num_items = nullptr) {
  using ids = detail::bucket_ids<Bucket, Discards>;
  const uint64_t n = keys.size();
  std::vector<uint32_t> keys_out(n + 8, 0xabababab);
  std::vector<Value> values(n), values_out(n + 8, Value(99));
  for (uint64_t i = 0; i < n; ++i)
    values[i] = Value(i + 100);
  std::vector<uint64_t> offsets(m + 2, 0xabababab);
  device_status status;
  detail::split_work<const uint32_t *, uint32_t *, const Value *, Value *, ids> work{
      {keys.data(), keys_out.data(), values.data(), values_out.data()},
      ids{bucket, m},
      item_count{d_num_items, n - planted.lost_tail},
      offsets.data(),
      &status,
      detail::bits_of_ids(m + Discards)};
  const std::string wrong = host_team_split(seed, planted, shape, work, n);
  const uint64_t there = d_num_items ? std::min(*d_num_items, n) : n;
  expected_split e = reference(keys, there, m, bucket, Discards);
  if (d_num_items && *d_num_items > n)
    e.status = std::min(e.status, *d_num_items << 8 | 2);
  for (size_t i = 0; i < n + 8; ++i) {
    const bool written = i < e.from.size();
    if (keys_out[i] != (written ? keys[e.from[i]] : 0xabababab) ||
        values_out[i] != (written ? values[e.from[i]] : Value(99)))
      return wrong + "item " + std::to_string(i);
  }
  if (!std::equal(e.offsets.begin(), e.offsets.end(), offsets.begin()))
    return wrong + "offsets";
  if (offsets[m + 1] != 0xabababab)
    return wrong + "an offset too many";
  return status.first == e.status ? wrong : wrong + "status";
}

TEST(SmallInputs, SplitOfAllSizesAndBucketCounts) {
  for (size_t n : {0, 1, 31, 32, 33, 255, 256, 257, 1000, 2303, 2304})
    for (uint32_t m : {1, 2, 3, 32, 200, 256}) {
      const auto keys = random_keys(n, m);
      EXPECT_EQ((split<false, uint32_t>(keys, m, modulo{m}, m, {})), "") << n << " " << m;
    }
}
TEST(SmallInputs, SplitByTeams) {
  for (size_t n : {0, 1, 33, 700, 1025, 4000})
    for (uint32_t m : {2, 7, 256})
      for (uint32_t blocks : {2, 11}) { // more than 8: counts are read in two turns
        const auto keys = random_keys(n, m);
        EXPECT_EQ((split<false, uint32_t>(keys, m, modulo{m}, m, {blocks})), "")
            << n << " " << m << " " << blocks;
      }
}
TEST(SmallInputs, ShapesOfTeamsHoldTheirItems) {
  struct limit {
    uint32_t items_per_thread, most_blocks;
    uint64_t most;
  };
  for (const limit l : {limit{9, 1, 9216},
                        {9, 8, 73728},
                        {9, 16, 73728},
                        {6, 1, 6144},
                        {6, 8, 49152},
                        {6, 16, 98304},
                        {4, 1, 4096},
                        {4, 8, 32768},
                        {4, 16, 65536}}) {
    for (uint64_t n = 1; n <= l.most; n += n < 2600 ? 1 : 61) {
      const detail::team_shape shape = detail::shape_of_team(n, l.items_per_thread, l.most_blocks);
      ASSERT_GE(shape.blocks, 1u) << n;
      ASSERT_LE(shape.blocks, l.most_blocks) << n;
      ASSERT_LE(n, uint64_t{shape.blocks} * shape.threads * l.items_per_thread) << n;
    }
    EXPECT_GT(detail::shape_of_team(l.most, l.items_per_thread, l.most_blocks).blocks, 0u);
    EXPECT_EQ(detail::shape_of_team(l.most + 1, l.items_per_thread, l.most_blocks).blocks, 0u);
  }
}
TEST(SmallInputs, SplitOfWideValuesByIndexWithItemsToLeaveOut) {
  for (size_t n : {1, 300, 1500})
    for (uint32_t blocks : {1, 3}) {
      const auto keys = random_keys(n, 4);
      EXPECT_EQ((split<true, uint64_t>(keys, 9, by_index{9}, 1, {blocks})), "") << n;
      EXPECT_EQ((split<true, uint8_t>(keys, 255, by_index{255}, 1, {blocks})), "") << n;
      EXPECT_EQ((split<true, __int128>(keys, 1, by_index{1}, 1, {blocks, 512})), "") << n;
    }
}
TEST(SmallInputs, SplitOfWhatTheDeviceSays) {
  const auto keys = random_keys(900, 5);
  for (uint64_t number : {0, 1, 449, 899, 900, 901})
    for (uint32_t blocks : {1, 2})
      EXPECT_EQ((split<false, uint32_t>(keys, 5, modulo{5}, 1, {blocks}, {}, &number)), "");
}

template <class Key, class Value>
std::string sort(size_t n, uint32_t begin, uint32_t end, unsigned seed, host_team_shape shape,
                 small_faults planted = {}) {
  constexpr bool has_values = !std::is_same_v<Value, nothing>;
  using values_in = std::conditional_t<has_values, detail::index_iterator<Value>, no_items>;
  using stored = std::conditional_t<has_values, Value, uint8_t>;
  std::mt19937_64 random(seed + n);
  std::vector<Key> keys(n), keys_out(n + 1, 77), spare(n + 1, 77);
  for (Key &k : keys)
    k = static_cast<Key>(random());
  std::vector<stored> values_out(n + 1, 77), spare_values(n + 1, 77);
  detail::sort_work<detail::integer_word<Key>, Key, values_in, Value> work{
      keys.data(),
      {},
      {keys_out.data(), spare.data()},
      {},
      detail::digits_of_bits(begin, end, 0),
      static_cast<uint32_t>(n - planted.lost_tail)};
  if constexpr (has_values)
    work.values = {values_out.data(), spare_values.data()};
  std::string wrong = host_team_split(seed, planted, shape, work, n);
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  const uint64_t mask = end - begin == 64 ? ~uint64_t{0} : (uint64_t{1} << (end - begin)) - 1;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return (uint64_t{keys[a]} >> begin & mask) < (uint64_t{keys[b]} >> begin & mask);
  });
  for (size_t i = 0; i < n; ++i)
    if (keys_out[i] != keys[order[i]] ||
        (has_values && values_out[i] != static_cast<stored>(order[i])))
      return wrong + "item " + std::to_string(i);
  return keys_out[n] == 77 && spare[n] == 77 ? wrong : wrong + "written behind the end";
}

TEST(SmallInputs, SortsOfAllSizes) {
  for (size_t n : {1, 32, 257, 900, 2304}) {
    EXPECT_EQ((sort<uint32_t, nothing>(n, 0, 32, 1, {})), "") << n;
    EXPECT_EQ((sort<uint32_t, uint32_t>(n, 3, 20, 2, {})), "") << n;
    EXPECT_EQ((sort<uint8_t, uint64_t>(n, 0, 8, 3, {})), "") << n;
  }
  EXPECT_EQ((sort<uint64_t, uint64_t>(700, 0, 64, 4, {})), "");
  EXPECT_EQ((sort<uint32_t, uint32_t>(500, 5, 5, 5, {})), ""); // no bits: all keep their order
}
TEST(SmallInputs, SortsByTeams) {
  for (size_t n : {1, 257, 1500})
    for (uint32_t blocks : {2, 5}) {
      EXPECT_EQ((sort<uint32_t, nothing>(n, 0, 32, 1, {blocks})), "") << n;
      EXPECT_EQ((sort<uint64_t, uint64_t>(n, 10, 34, 2, {blocks})), "") << n;
    }
}
TEST(SmallInputs, MoreThreads) {
  EXPECT_EQ((sort<uint32_t, uint32_t>(3000, 0, 16, 1, {1, 512})), "");
  EXPECT_EQ((sort<uint32_t, uint32_t>(3000, 0, 16, 1, {2, 1024})), "");
}
TEST(SmallInputs, ManySchedules) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    ASSERT_EQ((sort<uint32_t, uint64_t>(300, 0, 16, seed, {2})), "") << seed;
    ASSERT_EQ((sort<uint32_t, uint32_t>(500, 0, 16, seed, {1})), "") << seed;
  }
}

struct even_bins : detail::bins_without_table, detail::bins_without_errors {
  template <bool, uint32_t N>
  void find(const void *, const uint32_t (&x)[N], const uint64_t (&)[N],
            uint32_t (&bins)[N]) const {
    for (uint32_t k = 0; k < N; ++k)
      bins[k] = x[k] % 50; // beyond 41: none
  }
};
std::string counts(size_t n, uint32_t log2_copies, unsigned seed, small_faults planted = {},
                   uint32_t blocks = 1) {
  const auto samples = random_keys(n, seed);
  constexpr uint32_t m = 41;
  std::vector<uint64_t> out(m + 1, 77), want(m + 1, 0);
  want[m] = 77;
  for (uint32_t s : samples)
    if (s % 50 < m)
      ++want[s % 50];
  const detail::block_counts_arguments<const uint32_t *, even_bins> a{
      samples.data(), {}, static_cast<uint32_t>(n - planted.lost_tail), m, log2_copies, 0,
      out.data()};
  using block = detail::block_counts<const uint32_t *, even_bins, host_machine>;
  host_grid grid(seed, blocks, planted);
  grid.run(
      blocks, 256, block::shared_bytes(a, blocks),
      [&](const host_machine &machine, char *shared) { block(machine, a, shared).run(); }, blocks);
  return out == want ? grid.all_complaints() : grid.all_complaints() + "counts";
}
TEST(SmallInputs, Histograms) {
  for (size_t n : {0, 1, 255, 256, 257, 5000})
    for (uint32_t copies : {0, 3, 5})
      EXPECT_EQ(counts(n, copies, 1), "") << n << " " << copies;
}
TEST(SmallInputs, HistogramsByTeams) {
  for (size_t n : {0, 1, 257, 5000})
    for (uint32_t blocks : {2, 4})
      EXPECT_EQ(counts(n, 2, blocks, {}, blocks), "") << n << " " << blocks;
}

template <uint32_t Items>
std::string order(size_t n, uint32_t threads, unsigned seed, small_faults planted = {}) {
  using in = detail::joined_input<const uint32_t *, detail::index_iterator<uint32_t>>;
  using out = detail::joined_output<uint32_t *, uint32_t *>;
  auto keys = random_keys(n, seed);
  for (uint32_t &k : keys)
    k %= 100;
  std::vector<uint32_t> keys_out(n + 1, 777), values_out(n + 1, 777);
  using block = detail::block_order<Items, in, out, ascending, host_machine>;
  const typename block::arguments a{{keys.data(), {}},
                                    {keys_out.data(), values_out.data()},
                                    static_cast<uint32_t>(n - planted.lost_tail),
                                    {}};
  host_grid grid(seed, 1, planted);
  grid.run(1, threads, block::shared_bytes(threads),
           [&](const host_machine &machine, char *shared) { block::run(machine, a, shared); });
  std::string wrong = grid.all_complaints();
  if (keys_out[n] != 777 || values_out[n] != 777)
    return wrong + "written behind the end";
  std::vector<uint32_t> seen(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t from = values_out[i];
    if (from >= n || seen[from]++ || keys[from] != keys_out[i])
      return wrong + "item " + std::to_string(i) + " is none";
    if (i && (keys_out[i - 1] > keys_out[i] ||
              (keys_out[i - 1] == keys_out[i] && values_out[i - 1] > from)))
      return wrong + "order of item " + std::to_string(i);
  }
  return wrong;
}
TEST(SmallInputs, MergeSorts) {
  for (size_t n : {1, 2, 5, 6, 31, 100, 159, 160})
    EXPECT_EQ((order<5>(n, 32, 1)), "") << n;
  for (size_t n : {161, 400, 639, 640}) {
    EXPECT_EQ((order<5>(n, 128, 2)), "") << n;
  }
  EXPECT_EQ((order<3>(1500, 512, 4)), "");
}

TEST(SmallInputs, PlantedFaultsAreSeen) {
  const auto keys = random_keys(1500, 15);
  const planted_runs splits("multisplit", small_faults{}, [&](unsigned seed, small_faults f) {
    return split<false, uint32_t>(keys, 12, modulo{12}, seed, {2}, f);
  });
  splits.expect("dropped_warp_sync_team", [](small_faults &f) { f.drop_warp_sync = true; });
  splits.expect("dropped_block_sync_team", [](small_faults &f) { f.drop_block_sync = true; });
  splits.expect("dropped_team_wait", [](small_faults &f) { f.drop_team_wait = true; });
  splits.expect("off_by_one_tail_team", [](small_faults &f) { f.lost_tail = 1; });
  const auto caught = [](auto run, auto change) {
    small_faults f;
    change(f);
    return shows([&](unsigned seed) { return run(seed, f); });
  };
  const auto no_block_sync = [](small_faults &f) { f.drop_block_sync = true; };
  const auto no_warp_sync = [](small_faults &f) { f.drop_warp_sync = true; };
  const auto no_team_wait = [](small_faults &f) { f.drop_team_wait = true; };
  const auto no_tail = [](small_faults &f) { f.lost_tail = 1; };
  const auto sorts = [](unsigned seed, small_faults f) {
    return sort<uint32_t, uint64_t>(600, 0, 16, seed, {2}, f);
  };
  EXPECT_TRUE(caught(sorts, no_block_sync) && caught(sorts, no_warp_sync) &&
              caught(sorts, no_team_wait) && caught(sorts, no_tail));
  const auto histograms = [](unsigned seed, small_faults f) { return counts(900, 2, seed, f); };
  EXPECT_TRUE(caught(histograms, no_block_sync) && caught(histograms, no_tail));
  const auto team_histograms = [](unsigned seed, small_faults f) {
    return counts(900, 2, seed, f, 4);
  };
  EXPECT_TRUE(caught(team_histograms, no_block_sync) && caught(team_histograms, no_team_wait) &&
              caught(team_histograms, no_tail));
  const auto orders = [](unsigned seed, small_faults f) { return order<5>(600, 128, seed, f); };
  EXPECT_TRUE(caught(orders, no_block_sync) && caught(orders, no_warp_sync) &&
              caught(orders, no_tail));
}

} // namespace
