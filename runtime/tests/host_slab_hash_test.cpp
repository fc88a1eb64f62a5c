//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_hash_test.cpp: slab hashes and lists on the CPU, used by several threads at once: sums
// by key, keys that come and go, pairs of 64 bits, multimaps, growth; against maps of the standard
// library.
//
//===----------------------------------------------------------------------===//
#include "host_slab_maps.hpp"

#include <random>
#include <set>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Two keys are reserved: of integers the largest. Literals are keys and values, not arrays.
TEST(HostSlabHash, ReservedKeys) {
  host_slab_map<int32_t, uint32_t> map(slab_map_options_for<int32_t, uint32_t>(100));
  EXPECT_FALSE(map.insert(0, 0));
  EXPECT_FALSE(map.insert(-1, 5));
  EXPECT_EQ(map.find(-1), 5u);
  const std::vector<int32_t> keys{std::numeric_limits<int32_t>::max() - 1, -2,
                                  std::numeric_limits<int32_t>::max()};
  const std::vector<uint32_t> values{1, 2, 3};
  const device_status status = map.insert(keys.data(), values.data(), keys.size());
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(map.find(-2), 2u);
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

TEST(HostSlabHash, RefusesOptions) {
  EXPECT_THROW(word_map map(buckets<word_map>(0)), std::invalid_argument);
  word_map::options_type same = buckets<word_map>(3);
  same.tombstone_key = same.empty_key = 7;
  EXPECT_THROW(word_map map(same), std::invalid_argument);
  slab_list_options<uint32_t, uint32_t> same_of_list;
  same_of_list.tombstone_key = same_of_list.empty_key;
  EXPECT_THROW((host_slab_list<uint32_t, uint32_t>(same_of_list)), std::invalid_argument);
  word_map map(buckets<word_map>(3));
  map.insert(4, 5);
  EXPECT_THROW(map.rehash(0), std::invalid_argument);
  EXPECT_EQ(map.find(4), 5u);
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

/// Both halves of a wide pair change at once: a key and its value agree whenever they are seen.
TEST(HostSlabHash, WidePairsAreWhole) {
  wide_map map(buckets<wide_map>(2));
  const auto value_of = [](uint64_t key, uint64_t times) { return key * 5 + (times << 44); };
  std::atomic<uint64_t> torn{0};
  by_threads(4, [&](uint32_t t) {
    for (uint64_t i = 0; i < 20000; ++i) {
      const uint64_t key = uint64_t{i * (t + 1) % 11 + 1} << 31;
      if (t == 3 && i % 3 == 0)
        map.erase(key);
      else
        map.insert_or_assign(key, value_of(key, i));
      const auto found = map.find(key);
      torn += found && *found % (uint64_t{1} << 44) != value_of(key, 0) % (uint64_t{1} << 44);
    }
  });
  EXPECT_EQ(torn, 0u);
  map.clear();
  by_threads(4, [&](uint32_t) {
    for (uint64_t i = 0; i < 20000; ++i)
      map.insert_or_apply(i % 7 << 40, uint64_t{1} << 33, std::plus<uint64_t>());
  });
  uint64_t sum = 0;
  for (const auto &[key, value] : contents(map))
    sum += value;
  EXPECT_EQ(sum, uint64_t{80000} << 33);
}

/// A list has any number of slabs in one chain, and finds keys by the user's function alone.
TEST(HostSlabHash, Lists) {
  struct same_low_byte {
    bool operator()(uint32_t a, uint32_t b) const { return a % 256 == b % 256; }
  };
  host_slab_list<uint32_t, uint32_t, same_low_byte> list;
  by_threads(3, [&](uint32_t t) {
    for (uint32_t i = 0; i < 3000; ++i)
      list.insert_or_apply(i * 256 * t + i % 200, 1, std::plus<uint32_t>());
  });
  EXPECT_EQ(list.statistics().num_pairs, 200u);
  EXPECT_EQ(list.statistics().num_slabs, 200u / 15 + 1);
  for (uint32_t key = 0; key < 200; ++key)
    ASSERT_EQ(list.find(key + 512), 45u);
  EXPECT_FALSE(list.find(200));
  host_slab_multilist<uint64_t, uint32_t> many;
  for (uint32_t i = 0; i < 100; ++i)
    many.insert(i % 3, i);
  EXPECT_EQ(many.count(2), 33u);
  EXPECT_EQ(many.statistics().longest_chain, 100u / 7 + 1);
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

/// Chain by chain: tombstones go, pairs stay in order, and slabs are used again.
TEST(HostSlabHash, SomeChainsAreFlushed) {
  wide_map map(buckets<wide_map>(5));
  std::map<uint64_t, uint64_t> right;
  for (uint64_t i = 0; i < 3000; ++i)
    map.insert(i, i * 3);
  for (uint64_t i = 0; i < 3000; ++i)
    if (i % 3)
      map.erase(i);
    else
      right[i] = i * 3;
  const uint64_t slabs = map.statistics().num_slabs;
  map.flush(5, 2);
  EXPECT_EQ(map.statistics().num_tombstones, 2000u);
  map.flush(1, 2);
  const uint64_t left = map.statistics().num_tombstones;
  EXPECT_GT(left, 800u);
  EXPECT_LT(left, 1600u);
  EXPECT_EQ(contents(map), right);
  map.flush(0, 1);
  map.flush(3, ~0u);
  EXPECT_EQ(map.statistics().num_tombstones, 0u);
  EXPECT_EQ(contents(map), right);
  EXPECT_LE(map.statistics().num_slabs, 1000 / 7 + 5u);
  for (uint64_t i = 0; i < 3000; ++i) {
    EXPECT_EQ(map.find(i).has_value(), right.count(i) != 0);
    map.insert(i, i * 3);
  }
  EXPECT_EQ(map.statistics().num_slabs, slabs);
}

/// Pairs that are there all the time are listed while other threads insert and erase.
TEST(HostSlabHash, ListsWhileOthersChange) {
  using many_map = host_slab_multimap<uint32_t, uint32_t>;
  many_map many(buckets<many_map>(3));
  constexpr uint32_t num_keys = 40, each = 6;
  std::vector<uint32_t> keys(num_keys), listed(20000);
  std::vector<uint64_t> offsets(num_keys + 1);
  for (uint32_t k = 0; k < num_keys; ++k) {
    keys[k] = k;
    for (uint32_t i = 0; i < each; ++i)
      many.insert(k, k << 8 | i);
  }
  std::atomic<bool> ends{false};
  std::thread other([&] {
    std::mt19937 random(1);
    for (uint32_t i = 0; !ends && i < 10000; ++i)
      many.insert(random() % num_keys, 1u << 20);
  });
  for (int turn = 0; turn < 30; ++turn) {
    ASSERT_TRUE(many.find_all(keys, offsets, listed, 1).ok());
    for (uint32_t k = 0; k < num_keys; ++k)
      EXPECT_EQ(std::count_if(&listed[offsets[k]], &listed[offsets[k + 1]],
                              [&](uint32_t value) { return value >> 8 == k; }),
                each);
  }
  ends = true;
  other.join();
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
