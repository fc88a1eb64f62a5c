//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_hash_test.cpp: slab hashes on the CPU, used by several threads at once: sums by key,
// keys that come and go, multimaps, growth, arrays; against maps of the standard library.
//
//===----------------------------------------------------------------------===//
#include <colonnade/host_slab_hash.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

using namespace colonnade;

namespace {

using word_map = host_slab_map<uint32_t, uint32_t>;

template <class Map> typename Map::options_type buckets(uint32_t count) {
  typename Map::options_type options;
  options.num_buckets = count;
  return options;
}
template <class Body> void by_threads(uint32_t count, Body body) {
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < count; ++t)
    threads.emplace_back(body, t);
  for (std::thread &t : threads)
    t.join();
}
std::map<uint32_t, uint32_t> contents(const word_map &map) {
  std::map<uint32_t, uint32_t> all;
  map.for_each([&](uint32_t key, uint32_t value) {
    EXPECT_TRUE(all.insert({key, value}).second) << key << " stands there twice";
  });
  return all;
}

TEST(HostSlabHash, AgreesWithAMap) {
  word_map map(buckets<word_map>(7));
  std::map<uint32_t, uint32_t> right;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint32_t key = random() % 500, value = static_cast<uint32_t>(random());
    const auto at = right.find(key);
    const std::optional<uint32_t> before =
        at == right.end() ? std::nullopt : std::optional<uint32_t>(at->second);
    switch (random() % 5) {
    case 0:
      ASSERT_EQ(map.insert(key, value), before);
      right.insert({key, value});
      break;
    case 1:
      ASSERT_EQ(map.insert_or_assign(key, value), before);
      right[key] = value;
      break;
    case 2:
      ASSERT_EQ(map.insert_or_apply(key, value, std::plus<uint32_t>()), before);
      right[key] = before ? *before + value : value;
      break;
    case 3:
      ASSERT_EQ(map.erase(key), before);
      right.erase(key);
      break;
    default:
      ASSERT_EQ(map.find(key), before);
      ASSERT_EQ(map.count(key), before.has_value());
    }
  }
  EXPECT_EQ(contents(map), right);
  map.rehash(100);
  EXPECT_EQ(contents(map), right);
  const slab_statistics now = map.statistics();
  EXPECT_EQ(now.num_pairs, right.size());
  EXPECT_EQ(now.num_tombstones, 0u);
  EXPECT_GE(now.num_slabs, 100u);
  map.clear();
  EXPECT_TRUE(contents(map).empty());
}

/// Few keys and many threads: nothing that was added is lost.
TEST(HostSlabHash, SumsOfThreads) {
  word_map map(buckets<word_map>(3));
  by_threads(4, [&](uint32_t t) {
    for (uint32_t i = 0; i < 50000; ++i)
      map.insert_or_apply(i * (t + 1) % 101, 1, std::plus<uint32_t>());
  });
  uint64_t sum = 0;
  for (const auto &[key, value] : contents(map))
    sum += value;
  EXPECT_EQ(sum, 200000u);
}

/// Each key is inserted as often as it is erased, but once more if it is there in the end.
TEST(HostSlabHash, KeysComeAndGo) {
  word_map map(buckets<word_map>(2));
  std::vector<std::atomic<int>> balance(137);
  by_threads(4, [&](uint32_t t) {
    std::mt19937 random(t);
    for (int i = 0; i < 50000; ++i) {
      const uint32_t key = random() % 137;
      if (random() % 2)
        balance[key] += !map.insert(key, key * 3);
      else if (const auto found = map.erase(key)) {
        --balance[key];
        EXPECT_EQ(*found, key * 3);
      }
    }
  });
  const auto all = contents(map);
  for (uint32_t key = 0; key < 137; ++key)
    EXPECT_EQ(balance[key], static_cast<int>(all.count(key))) << key;
  EXPECT_LE(map.statistics().num_slabs, 12u); // a slot a key
}

TEST(HostSlabHash, GrowsWhileItIsUsed) {
  word_map map(buckets<word_map>(400)); // two super blocks
  by_threads(4, [&](uint32_t t) {
    for (uint32_t i = 0; i < 25000; ++i) {
      map.insert(i * 4 + t, t);
      EXPECT_EQ(map.find(i * 4 + t), t);
    }
  });
  EXPECT_EQ(contents(map).size(), 100000u);
}

TEST(HostSlabHash, ArraysAndReservedKeys) {
  word_map map(slab_map_options_for<uint32_t, uint32_t>(30000));
  std::vector<uint32_t> keys(30000), values(30000), found(30000);
  for (uint32_t i = 0; i < 30000; ++i) {
    keys[i] = i * 7;
    values[i] = i;
  }
  keys[5] = ~0u; // reserved
  values[5] = ~0u;
  const auto present = std::make_unique<bool[]>(30000);
  map.insert(keys.data(), values.data(), 30000, present.get(), 3);
  EXPECT_EQ(std::count(present.get(), present.get() + 30000, true), 0);
  map.find(keys.data(), found.data(), 30000, present.get(), 3);
  EXPECT_EQ(found, values);
  EXPECT_EQ(std::count(present.get(), present.get() + 30000, true), 29999);
  map.insert_or_assign(keys.data(), keys.data(), 30000, nullptr, 2);
  map.find(keys.data(), found.data(), 30000);
  EXPECT_EQ(found, keys);
  map.erase(keys.data(), 30000, present.get());
  EXPECT_EQ(std::count(present.get(), present.get() + 30000, true), 29999);
  EXPECT_EQ(map.statistics().num_tombstones, 29999u);
  map.flush();
  EXPECT_EQ(map.statistics().num_tombstones, 0u);
}

TEST(HostSlabHash, MultimapsAndSets) {
  using many_map = host_slab_multimap<uint32_t, uint32_t>;
  many_map many(buckets<many_map>(2));
  by_threads(4, [&](uint32_t t) {
    for (uint32_t i = 0; i < 1000; ++i)
      many.insert(i % 10, i * 4 + t);
  });
  std::vector<uint32_t> values(500);
  EXPECT_EQ(many.find_all(3, values.data(), 500), 400u);
  EXPECT_EQ(std::set<uint32_t>(values.begin(), values.begin() + 400).size(), 400u);
  EXPECT_TRUE(many.erase(3));
  EXPECT_EQ(many.count(3), 399u);
  std::atomic<uint32_t> erased{0};
  by_threads(4, [&](uint32_t) { erased += many.erase_all(3); });
  EXPECT_EQ(erased, 399u);
  EXPECT_FALSE(many.contains(3));
  host_slab_set<uint32_t> set(buckets<host_slab_set<uint32_t>>(5));
  std::atomic<uint32_t> news{0};
  by_threads(4, [&](uint32_t) {
    for (uint32_t i = 0; i < 5000; ++i)
      news += !set.insert(i % 700);
  });
  EXPECT_EQ(news, 700u);
  EXPECT_EQ(set.statistics().num_pairs, 700u);
}

} // namespace
