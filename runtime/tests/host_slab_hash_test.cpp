//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_hash_test.cpp: slab hashes and lists on the CPU, used by several threads at once: sums
// by key, keys that come and go, pairs of 64 bits, multimaps, growth, arrays, files; against maps
// of the standard library.
//
//===----------------------------------------------------------------------===//
#include "failing_new.hpp"

#include <colonnade/host_slab_hash.hpp>
#include <colonnade/pair_npy.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <span>

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
using wide_map = host_slab_map<uint64_t, uint64_t>;

template <class Map> auto contents(const Map &map) {
  std::map<typename Map::key_type, typename Map::value_type> all;
  map.for_each([&](auto key, auto value) {
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
  const auto is_reported = [](const device_status &status) {
    return status.error() == slab_error::reserved_key && status.detail() == 5;
  };
  EXPECT_TRUE(is_reported(map.insert(keys.data(), values.data(), 30000, present.get(), 3)));
  EXPECT_EQ(std::count(present.get(), present.get() + 30000, true), 0);
  EXPECT_TRUE(is_reported(map.find(keys.data(), found.data(), 30000, present.get(), 3)));
  EXPECT_TRUE(map.find(keys.data(), found.data(), 5).ok());
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
  EXPECT_TRUE(is_reported(map.build(keys, values)));
  EXPECT_EQ(map.statistics().num_pairs, 29999u);
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
    const device_status status = many.find_all(keys, offsets, listed, 1);
    ASSERT_TRUE(status.ok() || status.error() == slab_error::changed_meanwhile);
    const uint64_t complete = status.ok() ? num_keys : status.detail();
    for (uint32_t k = 0; k < complete; ++k)
      EXPECT_EQ(std::count_if(&listed[offsets[k]], &listed[offsets[k + 1]],
                              [&](uint32_t value) { return value >> 8 == k; }),
                each);
  }
  ends = true;
  other.join();
}

/// Arrays that know their size.
TEST(HostSlabHash, Spans) {
  const std::vector<uint32_t> keys{3, 1, 4, 1, 5}, values{1, 2, 3, 4, 5}, few{7};
  std::vector<uint32_t> found(5);
  std::vector<uint64_t> offsets(6), counts(5);
  const auto present = std::make_unique<bool[]>(5);
  const std::span<bool> p(present.get(), 5);
  using many_map = host_slab_multimap<uint32_t, uint32_t>;
  many_map many(buckets<many_map>(2));
  EXPECT_THROW(many.insert(keys, few), std::invalid_argument);
  EXPECT_TRUE(many.insert(keys, values).ok());
  EXPECT_THROW(many.count(keys, counts), std::invalid_argument);
  EXPECT_TRUE(many.count(keys, offsets).ok());
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 1, 3, 4, 6, 7}));
  const device_status listed = many.find_all(keys, offsets, found);
  EXPECT_TRUE(listed.error() == data_error::buffer_too_small && listed.detail() == 7);
  EXPECT_TRUE(many.erase_all(keys, counts).ok());
  EXPECT_EQ(counts, (std::vector<uint64_t>{1, 2, 1, 0, 1}));
  EXPECT_TRUE(many.build(keys, values).ok());
  EXPECT_TRUE(many.erase(few).ok());
  EXPECT_EQ(many.statistics().num_pairs, 5u);
  word_map map(buckets<word_map>(2));
  EXPECT_TRUE(map.insert_or_assign(keys, values).ok());
  EXPECT_TRUE(map.insert_or_apply(keys, values, std::plus<uint32_t>()).ok());
  EXPECT_TRUE(map.find(keys, found).ok());
  EXPECT_EQ(found, (std::vector<uint32_t>{2, 10, 6, 10, 10}));
  EXPECT_THROW(map.find(few, found), std::invalid_argument);
  EXPECT_TRUE(map.contains(keys, p).ok());
  EXPECT_TRUE(std::all_of(p.begin(), p.end(), [](bool is) { return is; }));
  host_slab_set<uint32_t> set(buckets<host_slab_set<uint32_t>>(5));
  EXPECT_TRUE(set.build(few).ok());
  EXPECT_TRUE(set.insert(keys, present.get()).ok());
  EXPECT_EQ(set.statistics().num_pairs, 5u);
}

TEST(HostSlabHash, CountsAndListsOfArrays) {
  using many_map = host_slab_multimap<uint32_t, uint32_t>;
  many_map many(buckets<many_map>(40));
  std::vector<uint32_t> keys(5000), values(5000), queries = {9, 10, 5000, 9};
  for (uint32_t i = 0; i < 5000; ++i) {
    keys[i] = i % 10;
    values[i] = i;
  }
  many.insert(keys.data(), values.data(), 5000, nullptr, 3);
  std::vector<uint64_t> counts(4), offsets(5);
  EXPECT_TRUE(many.count(queries.data(), offsets.data(), 4).ok());
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 500, 500, 500, 1000}));
  std::vector<uint32_t> found(700, ~0u);
  const device_status listed = many.find_all(queries.data(), 4, offsets.data(), found.data(), 600);
  EXPECT_TRUE(listed.error() == data_error::buffer_too_small && listed.detail() == 1000);
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 500, 500, 500, 1000}));
  EXPECT_EQ(std::set<uint32_t>(found.begin(), found.begin() + 500).size(), 500u);
  EXPECT_TRUE(
      std::all_of(found.begin(), found.begin() + 600, [](uint32_t v) { return v % 10 == 9; }));
  EXPECT_TRUE(std::all_of(found.begin() + 600, found.end(), [](uint32_t v) { return v == ~0u; }));
  many.erase_all(queries.data(), counts.data(), 4, 1);
  EXPECT_EQ(counts, (std::vector<uint64_t>{500, 0, 0, 0}));
  const auto there = std::make_unique<bool[]>(4);
  queries[3] = 8;
  many.contains(queries.data(), there.get(), 4);
  EXPECT_TRUE(!there[0] && !there[1] && !there[2] && there[3]);

  word_map sums(buckets<word_map>(9));
  std::vector<uint32_t> old(5000);
  sums.insert_or_apply(keys.data(), values.data(), 5000, std::plus<uint32_t>(), old.data(), nullptr,
                       1);
  EXPECT_EQ(old[3], ~0u);
  EXPECT_EQ(old[13], 3u);
  EXPECT_EQ(old[23], 16u);
}

/// Of equal keys the last wins, however many threads build; files hold what was there.
TEST(HostSlabHash, IsBuiltSavedAndLoaded) {
  std::vector<uint64_t> keys(20000), values(20000);
  std::map<uint64_t, uint64_t> right;
  for (uint64_t i = 0; i < 20000; ++i) {
    keys[i] = i * i % 7001 << 30;
    values[i] = i;
    right[keys[i]] = i;
  }
  wide_map map(buckets<wide_map>(1000));
  map.insert(1, 2); // goes
  map.build(keys.data(), values.data(), 20000, 4);
  EXPECT_EQ(contents(map), right);
  const std::string path = ::testing::TempDir() + "colonnade_host_slab_hash_test";
  ASSERT_EQ(map.save(path.c_str()), pair_file_error::none);
  wide_map loaded(buckets<wide_map>(3000));
  ASSERT_EQ(loaded.load(path.c_str()), pair_file_error::none);
  EXPECT_EQ(contents(loaded), right);
  word_map other(buckets<word_map>(3));
  other.insert(7, 8);
  EXPECT_EQ(other.load(path.c_str()), pair_file_error::other_types);
  EXPECT_EQ(other.find(7), 8u);
  wide_map::options_type reserves = buckets<wide_map>(3);
  reserves.tombstone_key = keys[5];
  wide_map reserving(reserves);
  reserving.insert(7, 8);
  EXPECT_EQ(reserving.load(path.c_str()), pair_file_error::other_types);
  EXPECT_EQ(reserving.find(7), 8u);
  map.retrieve_all(keys, values);
  EXPECT_EQ(keys.size(), right.size());
  ASSERT_TRUE(write_npy_pairs(path, keys.data(), values.data(), keys.size()));
  std::vector<uint64_t> keys_read, values_read;
  ASSERT_TRUE(read_npy_pairs(path, keys_read, values_read));
  EXPECT_TRUE(keys_read == keys && values_read == values);
  std::remove(path.c_str());
}

/// Wherever memory ends, in this thread or another, an array's insertion throws; what is in the map
/// then is right, and the map can be used.
TEST(HostSlabHash, MemoryEnds) {
  constexpr uint32_t n = 80'000; // two super blocks of slabs
  std::vector<uint32_t> keys(n), values(n);
  for (uint32_t i = 0; i < n; ++i) {
    keys[i] = i * 7;
    values[i] = i;
  }
  for (const uint32_t threads : {1u, 3u}) {
    int64_t failures = 0;
    for (bool failed = true; failed; ++failures) {
      word_map map(buckets<word_map>(500));
      map.insert(3, 4);
      failed = colonnade::testing::runs_out(
          failures, [&] { map.insert(keys.data(), values.data(), n, nullptr, threads); });
      auto all = contents(map);
      EXPECT_EQ(all.erase(3), 1u);
      for (const auto &[key, value] : all)
        ASSERT_EQ(key, value * 7);
      EXPECT_EQ(all.size() == n, !failed);
      map.insert(keys.data(), values.data(), n, nullptr, threads);
      EXPECT_EQ(contents(map).size(), n + 1);
    }
    EXPECT_GT(failures, 1) << threads;
  }
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
