//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_test.cpp: slab maps on the host machine: histories of concurrent operations by tiles of
// all widths are linearisable, key by key; what is promised of slots and slabs holds afterwards;
// planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "planted.hpp"
#include "slab_history.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

struct slab_case {
  uint32_t keys; // that operations name
  uint32_t put;  // as many are there before; of every three one was erased
  uint32_t buckets, slabs, blocks, calls_each;
  uint32_t percent; // of lanes have an operation
};
/// Few keys and many; long chains; too few slabs, or none; nearly all slabs taken.
constexpr slab_case slab_cases[] = {
    {5, 2, 2, 4, 3, 3, 12},   {1, 0, 1, 1, 2, 2, 20},   {40, 30, 1, 3, 3, 2, 15},
    {40, 14, 1, 2, 2, 3, 25}, {24, 12, 1, 0, 2, 2, 25}, {70, 55, 2, 1100, 2, 2, 25},
    {3, 1, 1, 2, 3, 2, 10},   {17, 14, 1, 2, 3, 2, 15}, {50, 45, 3, 40, 2, 2, 20},
};
constexpr slab_case hot_keys = {2, 2, 1, 1, 3, 4, 15};
constexpr slab_case full_chains = {100, 60, 1, 200, 3, 2, 30};

uint32_t key_number(uint32_t k) { return k * 7 + 1; }

/// What stands in the map before, as calls that ended before any began.
template <class Item>
std::vector<slab_call> put_some(host_dictionary<host_table_of<Item>> &map, const slab_case &c) {
  std::vector<slab_call> before;
  for (uint32_t k = 0; k < c.put; ++k) {
    const uint32_t key = key_number(k);
    const bool erased = k % 3 == 2;
    const auto &format = map.table.format;
    map.put(key, erased ? format.tombstone(widened<Item>(key))
                        : format.live(widened<Item>(key), widened<Item>(k)));
    slab_call call;
    call.operation = erased ? slab_operation::find : slab_operation::insert;
    call.key = key;
    call.value = k;
    before.push_back(call);
  }
  return before;
}

slab_plan random_plan(const slab_case &c, std::mt19937 &random) {
  slab_plan plan(c.blocks * 32);
  std::map<uint32_t, int> of_key;
  for (auto &thread : plan)
    thread.resize(c.calls_each);
  for (uint32_t k = 0; k < c.calls_each; ++k)
    for (auto &thread : plan) {
      slab_call call;
      call.key = key_number(static_cast<uint32_t>(random() % c.keys));
      if (random() % 100 >= c.percent || ++of_key[call.key] > 40)
        continue;
      call.operation = static_cast<slab_operation>(random() % 5);
      call.value = static_cast<uint32_t>(random()) % 1000;
      thread[k] = call;
    }
  return plan;
}

template <class Item = uint32_t>
std::string run_case(const slab_case &c, unsigned seed, slab_faults planted) {
  std::mt19937 random(seed);
  slab_plan plan = random_plan(c, random);
  host_dictionary<host_table_of<Item>> map(
      c.buckets, c.slabs + c.put / host_table_of<Item>::format_type::slots);
  const std::vector<slab_call> before = put_some<Item>(map, c);
  const uint32_t all[] = {8, 32, 1, 16, 4};
  std::vector<uint32_t> widths = {all[random() % 5], all[random() % 5], all[random() % 5]};
  const auto complaints = run_slab_plan(map, plan, seed, widths, planted);
  return judge(before, plan, map, complaints);
}
std::string run_random(unsigned seed, slab_faults planted) {
  return run_case(slab_cases[seed % std::size(slab_cases)], seed, planted);
}

TEST(SlabHash, HistoriesAreLinearisable) {
  for (unsigned seed = 0; seed < 3000; ++seed)
    ASSERT_EQ(run_random(seed, {}), "") << "seed " << seed;
}

/// Words of 128 bits: slabs of 7 pairs.
std::string run_wide(unsigned seed, slab_faults planted) {
  return run_case<uint64_t>(slab_cases[seed % std::size(slab_cases)], seed, planted);
}
TEST(SlabHash, WideHistoriesAreLinearisable) {
  for (unsigned seed = 0; seed < 1000; ++seed)
    ASSERT_EQ(run_wide(seed, {}), "") << "seed " << seed;
}

TEST(SlabHash, PlantedFaultsInWidePairsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run_case<uint64_t>(hot_keys, seed, planted);
  });
  runs.expect("torn_wide_pairs", [](slab_faults &f) { f.torn_pairs = true; });
  runs.expect("split_wide_swap", [](slab_faults &f) { f.split_swap = true; });
  const planted_runs full("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run_case<uint64_t>(full_chains, seed, planted);
  });
  full.expect("lost_filter", [](slab_faults &f) { f.lost_filter = true; });
}

TEST(SlabHash, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, run_random);
  runs.expect("cached_loads", [](slab_faults &f) { f.cached_loads = true; });
  runs.expect("slots_out_of_order", [](slab_faults &f) { f.out_of_order = true; });
  runs.expect("erased_slot_is_open", [](slab_faults &f) { f.erase_opens = true; });
  runs.expect("forgetful_tombstone", [](slab_faults &f) { f.forgetful = true; });
  runs.expect("tombstone_for_anyone", [](slab_faults &f) { f.anyone_returns = true; });
  runs.expect("no_second_look", [](slab_faults &f) { f.no_second_look = true; });
  runs.expect("split_swap", [](slab_faults &f) { f.split_swap = true; });
  runs.expect("link_overwritten", [](slab_faults &f) { f.link_anyway = true; });
  runs.expect("lost_slab_kept", [](slab_faults &f) { f.keeps_lost_slab = true; });
}
TEST(SlabHash, PlantedFaultsInHotKeysAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run_case(hot_keys, seed, planted);
  });
  runs.expect("torn_pairs", [](slab_faults &f) { f.torn_pairs = true; });
  runs.expect("split_exchange", [](slab_faults &f) { f.split_exchange = true; });
}
TEST(SlabHash, PlantedFaultsInFullChainsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run_case(full_chains, seed, planted);
  });
  runs.expect("refused_unseen", [](slab_faults &f) { f.refuses_early = true; });
}

} // namespace
