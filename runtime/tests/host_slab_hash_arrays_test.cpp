//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_hash_arrays_test.cpp: slab hashes on the CPU: operations on arrays and spans, maps that
// are built from them, saved and loaded, and where memory ends.
//
//===----------------------------------------------------------------------===//
#include "failing_new.hpp"
#include "host_slab_maps.hpp"

#include <colonnade/pair_npy.hpp>

#include <set>
#include <span>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

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

} // namespace
