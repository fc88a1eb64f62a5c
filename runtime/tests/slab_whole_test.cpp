//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_whole_test.cpp: what is done to a slab hash as a whole, on the host machine: chains are
// flushed, counted, read out, and built from arrays; counts become offsets. Planted faults are
// found.
//
//===----------------------------------------------------------------------===//
#include "host_dictionary.hpp"
#include "planted.hpp"

#include <colonnade/detail/slab_hash/build.hpp>
#include <colonnade/detail/slab_hash/chains.hpp>
#include <colonnade/detail/slab_hash/offsets.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

constexpr slab_faults no_faults;

struct chain_range {
  uint32_t first, end;
};
template <class Table, class Job>
std::vector<std::string> walk(const Table &table, const Job &job, unsigned seed,
                              const faults &planted = {}, chain_range chains = {0, ~0u}) {
  const uint32_t end = std::min(chains.end, table.num_buckets);
  host_grid grid(seed, 2, planted);
  grid.run(2, 64, 0, [&](const host_machine &m, char *) {
    const host_slab_machine machine(m, no_faults);
    Job own = job;
    detail::chain_walk<host_slab_machine, Table>{machine, table}.run(chains.first, end, own);
  });
  return grid.complaints;
}

/// Chains with tombstones at random places, some of them empty, are counted, read out, flushed, and
/// counted again.
template <class Item, bool Multiple> std::string run_flush(unsigned seed, const faults &planted) {
  using table_type = host_table_of<Item, Multiple>;
  using format = typename table_type::format_type;
  std::mt19937 random(seed);
  host_dictionary<table_type> map(1 + seed % 7, 40);
  slab_statistics right;
  const uint32_t put = random() % 150, erased = random() % 101;
  for (uint32_t i = 0; i < put; ++i) {
    const bool gone = random() % 100 < erased;
    const Item key = widened<Item>(Multiple ? i % 20 : i);
    map.put(Multiple ? i % 20 : i,
            gone ? map.table.format.tombstone(key) : map.table.format.live(key, widened<Item>(i)));
    ++(gone ? right.num_tombstones : right.num_pairs);
  }
  std::vector<std::string> complaints;
  const auto before = map.check(complaints);
  const auto compare = [&](const char *when, const slab_statistics &expected) {
    slab_statistics counted;
    for (const std::string &c : walk(map.table, detail::count_chains{&counted}, seed, planted))
      complaints.push_back(c);
    uint64_t chains = 0;
    for (const uint64_t of_length : counted.chains_of_length)
      chains += of_length;
    if (counted.num_pairs != expected.num_pairs ||
        counted.num_tombstones != expected.num_tombstones || chains != map.table.num_buckets ||
        counted.num_slabs != map.table.num_buckets + 40 - map.slabs_free)
      complaints.push_back(std::string("statistics, ") + when);
    if (counted.longest_chain < 1 ||
        !counted.chains_of_length[std::min<uint64_t>(counted.longest_chain, 16) - 1])
      complaints.push_back(std::string("the longest chain, ") + when);
  };
  compare("before", right);
  std::vector<Item> keys(put + 1), values(put + 1);
  uint64_t copied = 0;
  const uint64_t capacity = put - put / 3;
  using copy = detail::copy_pairs<Item, Item, Item *, Item *>;
  walk(map.table, copy{keys.data(), values.data(), capacity, &copied}, seed, planted);
  std::set<uint32_t> different;
  for (uint64_t i = 0; i < std::min(copied, capacity); ++i)
    if (!different.insert(narrowed(values[i])).second ||
        narrowed(keys[i]) != (Multiple ? narrowed(values[i]) % 20 : narrowed(values[i])))
      complaints.push_back("a pair that there is not, or one twice");
  if (copied != right.num_pairs)
    complaints.push_back("pairs are missing");
  for (const std::string &c : walk(map.table, detail::flush_chains<table_type>{}, seed, planted))
    complaints.push_back(c);
  if (map.check(complaints) != before)
    complaints.push_back("flushed: other pairs");
  if (map.slots_taken != before.size())
    complaints.push_back("flushed: slots are taken");
  right.num_tombstones = 0;
  compare("flushed", right);
  if (right.num_pairs == 0 && map.slabs_free != 40)
    complaints.push_back("slabs are taken for nothing");
  if (map.slabs_free < 40 - right.num_pairs / format::slots)
    complaints.push_back("slabs are not given back");
  return joined(complaints);
}

TEST(SlabWhole, ChainsAreCountedReadAndFlushed) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    ASSERT_EQ((run_flush<uint32_t, false>(seed, {})), "") << seed;
    ASSERT_EQ((run_flush<uint64_t, false>(seed, {})), "") << seed;
    ASSERT_EQ((run_flush<uint32_t, true>(seed, {})), "") << seed;
    ASSERT_EQ((run_flush<uint64_t, true>(seed, {})), "") << seed;
  }
}

/// Of some chains: those lose their tombstones, the others stay as they are.
template <class Item, bool Multiple> std::string run_flush_of_some(unsigned seed) {
  using table_type = host_table_of<Item, Multiple>;
  std::mt19937 random(seed);
  host_dictionary<table_type> map(9, 40);
  for (uint32_t i = 0; i < 160; ++i) {
    const Item key = widened<Item>(i);
    map.put(i, random() % 2 ? map.table.format.tombstone(key)
                            : map.table.format.live(key, widened<Item>(i)));
  }
  const uint32_t first = random() % 10, count = random() % 5;
  const chain_range some{first, detail::end_of_chains(first, count, 9)};
  const auto tombstones = [&](chain_range chains) {
    slab_statistics counted;
    walk(map.table, detail::count_chains{&counted}, seed, {}, chains);
    return counted.num_tombstones;
  };
  std::vector<std::string> complaints;
  const auto before = map.check(complaints);
  const uint64_t outside = tombstones({0, first}) + tombstones({some.end, 9});
  walk(map.table, detail::flush_chains<table_type>{}, seed, {}, some);
  if (map.check(complaints) != before)
    complaints.push_back("other pairs");
  if (tombstones(some) != 0)
    complaints.push_back("tombstones stay");
  if (first <= some.end && tombstones({0, 9}) != outside)
    complaints.push_back("other chains are flushed");
  return joined(complaints);
}
TEST(SlabWhole, SomeChainsAreFlushed) {
  EXPECT_EQ(detail::end_of_chains(3, 2, 9), 5u);
  EXPECT_EQ(detail::end_of_chains(3, ~0u, 9), 9u);
  EXPECT_EQ(detail::end_of_chains(9, 1, 9), 9u);
  for (unsigned seed = 0; seed < 60; ++seed) {
    ASSERT_EQ((run_flush_of_some<uint32_t, false>(seed)), "") << seed;
    ASSERT_EQ((run_flush_of_some<uint64_t, true>(seed)), "") << seed;
  }
}

/// Groups of 4 buckets, of 64 threads that hold 128 pairs at once.
using small_shape = detail::build_shape<64, 2, 2>;

struct build_case {
  uint32_t pairs, keys, buckets, slabs;
};
constexpr build_case build_cases[] = {{120, 300, 9, 40}, {300, 200, 5, 50}, {200, 1, 3, 5},
                                      {180, 40, 1, 40},  {0, 1, 9, 0},      {160, 400, 4, 3}};

template <class Item, bool Multiple>
std::string run_build(const build_case &c, unsigned seed, const faults &planted,
                      uint32_t lost_tail = 0) {
  using table_type = host_table_of<Item, Multiple>;
  std::mt19937 random(seed);
  host_dictionary<table_type> map(c.buckets, c.slabs);
  map.spoil_buckets();
  const uint32_t groups = (c.buckets + 3) / 4;
  std::vector<std::vector<uint32_t>> of_group(groups);
  typename host_dictionary<table_type>::pairs_type right;
  for (uint32_t i = 0; i < c.pairs; ++i) {
    const uint32_t key = random() % c.keys;
    of_group[map.table.bucket_number(widened<Item>(key)) / 4].push_back(key);
  }
  std::vector<Item> keys, values;
  std::vector<uint64_t> offsets(1);
  for (const auto &of_one : of_group) {
    for (const uint32_t key : of_one) {
      const uint32_t number = static_cast<uint32_t>(keys.size());
      if constexpr (Multiple)
        right.insert({key, number});
      else
        right[key] = number;
      keys.push_back(widened<Item>(key));
      values.push_back(widened<Item>(number));
    }
    offsets.push_back(keys.size());
  }
  keys.push_back(static_cast<Item>(-2)); // reserved, in the last group
  values.push_back(0);
  offsets.back() = keys.size() - lost_tail;
  device_status wild, status;
  wild.first = 77 << 8 | 1;
  const detail::build_arguments<table_type> arguments{
      map.table, keys.data(), values.data(), offsets.data(), 2, &wild, &status};
  using storage = detail::build_storage<table_type, small_shape>;
  host_grid grid(seed, 2, planted);
  grid.run(groups, 64, sizeof(storage), [&](const host_machine &m, char *shared) {
    const host_slab_machine machine(m, no_faults);
    detail::group_build<host_slab_machine, table_type, small_shape>(
        machine, arguments, *reinterpret_cast<storage *>(shared))
        .run();
  });
  std::vector<std::string> complaints = grid.complaints;
  const auto pairs = map.check(complaints);
  if (c.pairs < 100 && map.full_filters > 0)
    complaints.push_back("a filter holds nothing back");
  if (status.error() == slab_error::pool_full) {
    if (map.slabs_free > 4) // a warp may hold one for a moment
      complaints.push_back("refused, though there are slabs");
    if (pairs.size() + status.detail() < right.size())
      complaints.push_back("pairs are missing and not counted");
    for (const auto &[key, value] : pairs)
      if (!right.count(key) || (!Multiple && right.find(key)->second < value))
        complaints.push_back("a pair that nobody gave");
  } else {
    if (status.error() != slab_error::reserved_key || status.detail() != 77)
      complaints.push_back("the reserved key is not reported");
    std::multiset<std::pair<uint32_t, uint32_t>> is(pairs.begin(), pairs.end()),
        should(right.begin(), right.end());
    if (is != should)
      complaints.push_back("other pairs");
  }
  return joined(complaints);
}
std::string run_some_build(unsigned seed, const faults &planted, uint32_t lost_tail = 0) {
  const build_case &c = build_cases[seed % std::size(build_cases)];
  return run_build<uint32_t, false>(c, seed, planted, lost_tail);
}

TEST(SlabWhole, GroupsAreBuilt) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const build_case &c = build_cases[seed % std::size(build_cases)];
    ASSERT_EQ(run_some_build(seed, {}), "") << seed;
    ASSERT_EQ((run_build<uint64_t, false>(c, seed, {})), "") << seed;
    ASSERT_EQ((run_build<uint32_t, true>(c, seed, {})), "") << seed;
    ASSERT_EQ((run_build<uint64_t, true>(c, seed, {})), "") << seed;
  }
}

/// Hardly a bucket has more than two equal keys: none is missed, wherever they stand.
TEST(SlabWhole, FewEqualKeysAreFound) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    ASSERT_EQ((run_build<uint32_t, false>({60, 900, 5, 30}, seed, {})), "") << seed;
    ASSERT_EQ((run_build<uint64_t, false>({60, 900, 5, 60}, seed, {})), "") << seed;
  }
}

/// before: what the status said.
std::string run_offsets(unsigned seed, const faults &planted, device_status status = {}) {
  std::mt19937 random(seed);
  const uint64_t n = seed % 3 ? random() % 9000 : seed % 2 ? random() % 2049 : seed;
  std::vector<uint64_t> counts(n + 1), right(n + 1), sums(n / detail::offset_tile + 1);
  for (uint64_t i = 0; i < n; ++i) {
    counts[i] = random() % 5;
    right[i + 1] = right[i] + counts[i];
  }
  const device_status before = status;
  const detail::offsets_arguments a{counts.data(),           n, sums.data(),
                                    detail::offset_tiles(n), n, &status};
  std::vector<std::string> complaints;
  const auto launch = [&](uint32_t blocks, auto step) {
    host_grid grid(seed, 2, planted);
    grid.run(blocks, detail::offset_threads, 9 * sizeof(uint64_t),
             [&](const host_machine &m, char *shared) {
               uint64_t *scratch = reinterpret_cast<uint64_t *>(shared);
               step(host_slab_machine(m, no_faults), scratch, scratch + 8);
             });
    complaints.insert(complaints.end(), grid.complaints.begin(), grid.complaints.end());
  };
  const uint32_t tiles = static_cast<uint32_t>(a.num_tiles);
  if (tiles == 1) {
    launch(1, [&](const auto &m, auto *s, auto *) { detail::write_offsets_of_tile(m, a, s); });
  } else {
    launch(tiles, [&](const auto &m, auto *s, auto *) { detail::add_up_tile(m, a, s); });
    launch(1, [&](const auto &m, auto *s, auto *total) { detail::add_up_tiles(m, a, s, total); });
    launch(tiles, [&](const auto &m, auto *s, auto *) { detail::write_offsets(m, a, s); });
  }
  if (counts != right)
    complaints.push_back("other offsets");
  const bool too_many = right[n] > n;
  if (!before.ok()) {
    if (status.first != before.first)
      complaints.push_back("a full pool is forgotten");
  } else if (status.ok() == too_many || (too_many && status.detail() != right[n]))
    complaints.push_back("the status");
  return joined(complaints);
}
TEST(SlabWhole, CountsBecomeOffsets) {
  for (unsigned seed = 0; seed < 12; ++seed)
    ASSERT_EQ(run_offsets(seed, {}), "") << seed;
}

/// Whatever else is found, a status that counts a full pool goes on saying so.
TEST(SlabWhole, AFullPoolIsNotForgotten) {
  device_status full;
  full.first = uint64_t{1} << 40 << 8 | static_cast<uint64_t>(slab_error::pool_full);
  for (unsigned seed = 0; seed < 6; ++seed)
    ASSERT_EQ(run_offsets(seed, {}, full), "") << seed;
  const uint64_t total = 7;
  for (const uint64_t capacity : {6u, 7u})
    for (device_status status : {full, device_status{}}) {
      const bool was_full = !status.ok();
      host_grid(1).run(1, 32, 0, [&](const host_machine &m, char *) {
        if (m.lane() == 0)
          detail::report_total(host_slab_machine(m, no_faults), {&total, capacity, &status});
      });
      EXPECT_EQ(status.first, was_full       ? full.first
                              : capacity < 7 ? (7u << 8 | 2u)
                                             : device_status{}.first);
    }
}

TEST(SlabWhole, PlantedFaultsAreFound) {
  faults block_sync;
  block_sync.drop_block_sync = true;
  expect_caught(
      "slab_hash", "dropped_block_sync",
      [&](unsigned seed) { return run_some_build(seed, block_sync); },
      [](unsigned seed) { return run_some_build(seed, {}); });
  expect_caught(
      "slab_hash", "build_off_by_one_tail",
      [&](unsigned seed) { return run_some_build(seed, {}, 2); },
      [](unsigned seed) { return run_some_build(seed, {}); });
  expect_caught(
      "slab_hash", "offsets_block_sync",
      [&](unsigned seed) { return run_offsets(seed, block_sync); },
      [](unsigned seed) { return run_offsets(seed, {}); });
}

} // namespace
