//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_lsm_test.cpp: log-structured merge trees on the CPU against std::map: calls of every size by
// one thread and by several, all queries, cleanups; trees that are built, saved and loaded; what is
// refused.
//
//===----------------------------------------------------------------------===//
#include "failing_new.hpp"

#include <colonnade/host_lsm.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

using namespace colonnade;
using colonnade::testing::runs_out;

namespace {

lsm_options options_of(uint64_t batch_size, lsm_order order = lsm_order::deletions_win) {
  lsm_options options;
  options.batch_size = batch_size;
  options.order = order;
  return options;
}

/// A tree and a map that are told the same.
template <class Key> class both {
public:
  host_lsm_map<Key, uint64_t> tree;
  std::map<Key, uint64_t> model;

  both(uint64_t batch_size, lsm_order order) : tree(options_of(batch_size, order)), order_(order) {}
  static Key key_of(uint32_t number) {
    return static_cast<Key>(static_cast<Key>(number) - Key(70)) * Key(3);
  }

  void call(uint64_t n, uint32_t different, std::mt19937 &random, uint32_t threads) {
    std::vector<Key> keys;
    std::vector<uint64_t> values;
    const auto erases = std::make_unique<bool[]>(n);
    const uint32_t kind = random() % 3; // insertions, deletions, both
    for (uint64_t i = 0; i < n; ++i) {
      keys.push_back(key_of(random() % different));
      values.push_back(uint64_t{random()} << 20);
      erases[i] = kind == 1 || (kind == 2 && random() % 3 == 0);
    }
    const device_status status =
        kind == 0   ? tree.insert(keys.data(), values.data(), n, threads)
        : kind == 1 ? tree.erase(keys.data(), n, threads)
                    : tree.update(keys.data(), values.data(), erases.get(), n, threads);
    EXPECT_TRUE(status.ok());
    const bool deletions_win = order_ == lsm_order::deletions_win;
    for (uint64_t i = 0; i < n; ++i)
      if (!erases[i])
        model[keys[i]] = values[i];
      else if (!deletions_win)
        model.erase(keys[i]);
    for (uint64_t i = 0; deletions_win && i < n; ++i)
      if (erases[i])
        model.erase(keys[i]);
  }

  void check(uint32_t different, uint32_t threads) const {
    using found = typename host_lsm_map<Key, uint64_t>::found;
    const auto element = [&](auto at) {
      return at == model.end() ? found() : found(std::pair<Key, uint64_t>(*at));
    };
    std::vector<Key> queries;
    for (uint32_t i = 0; i < different + 2; ++i)
      queries.insert(queries.end(), {key_of(i), static_cast<Key>(key_of(i) + Key(1))});
    const uint64_t n = queries.size();
    std::vector<uint64_t> values(n), next_values(n), last_values(n);
    std::vector<Key> next(n);
    const auto there = std::make_unique<bool[]>(n), before = std::make_unique<bool[]>(n);
    tree.find(queries.data(), values.data(), n, there.get(), 77, threads);
    tree.successor(queries.data(), n, next.data(), next_values.data(), nullptr, 78, threads);
    tree.predecessor(queries.data(), n, nullptr, last_values.data(), before.get(), 79, threads);
    for (uint64_t i = 0; i < n; ++i) {
      const found right = element(model.find(queries[i])),
                  above = element(model.upper_bound(queries[i]));
      auto at = model.lower_bound(queries[i]);
      const found below = at == model.begin() ? found() : element(std::prev(at));
      ASSERT_EQ(there[i], right.has_value()) << i;
      ASSERT_EQ(values[i], right ? right->second : 77) << i;
      ASSERT_EQ(next_values[i], above ? above->second : 78) << i;
      ASSERT_TRUE(!above || next[i] == above->first) << i;
      ASSERT_EQ(before[i], below.has_value()) << i;
      ASSERT_EQ(last_values[i], below ? below->second : 79) << i;
    }
  }

  void check_ranges(uint32_t different, std::mt19937 &random, uint32_t threads) const {
    std::vector<Key> first, last, keys;
    std::vector<uint64_t> offsets{0}, values;
    for (uint32_t i = 0; i < 2500; ++i) {
      first.push_back(i == 7 ? std::numeric_limits<Key>::lowest() : key_of(random() % different));
      last.push_back(i == 7       ? std::numeric_limits<Key>::max()
                     : i % 5 == 3 ? static_cast<Key>(first[i] - Key(1)) // often empty
                                  : static_cast<Key>(first[i] + Key(30)));
      if (first[i] <= last[i])
        for (auto at = model.lower_bound(first[i]); at != model.end() && at->first <= last[i];
             ++at) {
          keys.push_back(at->first);
          values.push_back(at->second);
        }
      offsets.push_back(keys.size());
    }
    const uint64_t all = keys.size(), capacity = all - all / 9;
    std::vector<uint64_t> got_offsets(2501), got_values(all, 5);
    std::vector<Key> got(all, Key(5));
    EXPECT_EQ(tree.count(first.data(), last.data(), got_offsets.data(), 2500, threads), all);
    EXPECT_EQ(got_offsets, offsets);
    EXPECT_EQ(tree.range(first.data(), last.data(), 2500, got_offsets.data(), got.data(),
                         got_values.data(), capacity, threads),
              all);
    EXPECT_EQ(got_offsets, offsets);
    std::fill(keys.begin() + static_cast<std::ptrdiff_t>(capacity), keys.end(), Key(5));
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(capacity), values.end(), 5);
    EXPECT_TRUE(got == keys && got_values == values);
  }

  void check_all() const {
    std::vector<Key> keys;
    std::vector<uint64_t> values;
    tree.retrieve_all(keys, values);
    ASSERT_EQ(keys.size(), model.size());
    uint64_t i = 0;
    for (const auto &[key, value] : model) {
      ASSERT_TRUE(keys[i] == key && values[i] == value) << i;
      ++i;
    }
  }

private:
  lsm_order order_;
};

template <class Key>
void random_calls(uint64_t batch_size, uint32_t different, uint64_t most, lsm_order order,
                  uint32_t threads, unsigned seed) {
  std::mt19937 random(seed);
  both<Key> b(batch_size, order);
  b.check(10, threads);
  for (uint32_t call = 0; call < 24; ++call) {
    b.call(call % 4 == 0 ? batch_size : 1 + random() % most, different, random, threads);
    if (call % 7 == 6) {
      b.tree.cleanup(threads);
      EXPECT_EQ(b.tree.statistics().num_elements, b.model.size());
    }
    if (call % 3 == 0)
      b.check(different, threads);
  }
  b.check_ranges(different, random, threads);
  b.check_all();
}

TEST(HostLsm, AgreesWithAMap) {
  random_calls<int64_t>(7, 300, 60, lsm_order::deletions_win, 1, 1);
  random_calls<int64_t>(64, 1500, 6000, lsm_order::in_order, 3, 2);
  random_calls<int64_t>(1000, 4000, 5000, lsm_order::deletions_win, 4, 3);
  random_calls<double>(33, 900, 3000, lsm_order::in_order, 2, 4);
}

/// Many copies of one key, by threads: no part of a merge divides them.
TEST(HostLsm, OneKey) {
  host_lsm_map<uint32_t, uint32_t> tree(options_of(10000));
  const std::vector<uint32_t> keys(50000, 9);
  std::vector<uint32_t> values(50000);
  for (uint32_t call = 0; call < 3; ++call) {
    for (uint32_t i = 0; i < values.size(); ++i)
      values[i] = call * 100000 + i;
    ASSERT_TRUE(tree.insert(keys.data(), values.data(), 50000, 4).ok());
    EXPECT_EQ(tree.find(9), call * 100000 + 49999);
  }
  EXPECT_FALSE(tree.successor(9) || tree.predecessor(9));
  tree.cleanup(4);
  EXPECT_EQ(tree.statistics().num_elements, 1u);
  EXPECT_EQ(tree.find(9), 249999u);
}

TEST(HostLsm, IsBuiltSavedAndLoaded) {
  both<int64_t> b(128, lsm_order::in_order);
  std::mt19937 random(5);
  b.call(300, 100, random, 1); // goes
  std::vector<int64_t> keys(5000);
  std::vector<uint64_t> values(5000);
  b.model.clear();
  for (uint64_t i = 0; i < 5000; ++i) {
    keys[i] = b.key_of(random() % 2500);
    values[i] = i;
    b.model[keys[i]] = i;
  }
  ASSERT_TRUE(b.tree.build(keys.data(), values.data(), 5000, 3).ok());
  EXPECT_EQ(b.tree.statistics().num_elements, b.model.size());
  b.check(2500, 3);
  for (int i = 0; i < 3; ++i)
    b.call(700, 2500, random, 2);
  b.check(2500, 1);
  const std::string path = ::testing::TempDir() + "colonnade_host_lsm_test";
  ASSERT_EQ(b.tree.save(path.c_str()), pair_file_error::none);
  b.tree.clear();
  EXPECT_FALSE(b.tree.successor(-1000));
  ASSERT_EQ(b.tree.load(path.c_str()), pair_file_error::none);
  EXPECT_EQ(b.tree.statistics().num_elements, b.model.size());
  b.check_all();
  std::remove(path.c_str());
  EXPECT_EQ(b.tree.load(path.c_str()), pair_file_error::not_opened);
  b.check_all();
}

/// Wherever memory ends, in this thread or another, the call throws, and the tree is unchanged.
TEST(HostLsm, MemoryEnds) {
  constexpr uint64_t n = 3500; // parts of three threads
  std::mt19937 random(3);
  std::vector<uint32_t> first(n), keys(n), values(n);
  const auto erases = std::make_unique<bool[]>(n);
  for (uint64_t i = 0; i < n; ++i) {
    first[i] = random() % 5000;
    keys[i] = random() % 5000;
    values[i] = static_cast<uint32_t>(random());
    erases[i] = random() % 3 == 0;
  }
  using tree_type = host_lsm_map<uint32_t, uint32_t>;
  const auto contents = [](const tree_type &tree) {
    std::pair<std::vector<uint32_t>, std::vector<uint32_t>> all;
    tree.retrieve_all(all.first, all.second);
    return all;
  };
  const auto check = [&](const char *what, auto call) {
    int64_t failures = 0;
    for (bool failed = true; failed; ++failures) {
      tree_type tree(options_of(400));
      tree.insert(first.data(), values.data(), n, 1);
      const auto before = contents(tree);
      failed = runs_out(failures, [&] { call(tree); });
      if (failed)
        ASSERT_EQ(contents(tree), before) << what << ", after " << failures << " allocations";
      else
        ASSERT_NE(contents(tree), before) << what;
    }
    EXPECT_GT(failures, 2) << what;
  };
  for (const uint32_t threads : {1u, 3u}) {
    check("insert", [&](tree_type &t) { t.insert(keys.data(), values.data(), n, threads); });
    check("update",
          [&](tree_type &t) { t.update(keys.data(), values.data(), erases.get(), n, threads); });
    check("build", [&](tree_type &t) { t.build(keys.data(), values.data(), n, threads); });
    check("cleanup", [&](tree_type &t) {
      t.cleanup(threads);
      t.erase(first.data(), 1, threads); // so that something changes
    });
  }
}

TEST(HostLsm, IsRefused) {
  EXPECT_THROW((host_lsm_map<double, uint64_t>(options_of(0))), std::invalid_argument);
  host_lsm_map<double, uint64_t> tree(options_of(2));
  std::vector<double> keys{1, -0.0, 3, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<uint64_t> values{1, 2, 3, 4};
  const device_status status = tree.insert(keys.data(), values.data(), 4);
  EXPECT_TRUE(status.error() == data_error::value_out_of_range && status.detail() == 3);
  EXPECT_FALSE(tree.build(keys.data(), values.data(), 4).ok());
  EXPECT_EQ(tree.statistics().num_elements, 0u);
  EXPECT_TRUE(tree.insert(keys.data(), values.data(), 3).ok());
  EXPECT_EQ(tree.find(0.0), 2u);
  const bool erases[3] = {true, true, true};
  EXPECT_THROW(tree.update(keys.data(), values.data(), nullptr, 3), std::invalid_argument);
  EXPECT_THROW(tree.update(keys.data(), nullptr, erases, 3), std::invalid_argument);
  EXPECT_THROW(tree.insert(keys.data(), nullptr, 3), std::invalid_argument);
  EXPECT_THROW(tree.erase(nullptr, 3), std::invalid_argument);
  EXPECT_THROW(tree.erase(keys.data(), (uint64_t{1} << 32) + 1), std::invalid_argument);
  EXPECT_THROW(tree.build(nullptr, values.data(), 3), std::invalid_argument);
  EXPECT_TRUE(tree.update(nullptr, nullptr, nullptr, 0).ok());
  EXPECT_EQ(tree.statistics().num_elements, 3u);
  EXPECT_EQ(tree.find(0.0), 2u);
}

} // namespace
