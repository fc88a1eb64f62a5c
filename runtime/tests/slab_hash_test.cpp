//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_test.cpp: slab maps on the host machine: histories of concurrent operations by tiles of
// all widths are linearisable, key by key, also where a user's function says which keys are equal;
// what is promised of slots and slabs holds afterwards; planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "planted.hpp"
#include "slab_hash_run.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

using wide_table = host_table_of<uint64_t>;

TEST(SlabHash, HistoriesAreLinearisable) {
  for (unsigned seed = 0; seed < 3000; ++seed)
    ASSERT_EQ(run_random(seed, {}), "") << "seed " << seed;
}

/// Words of 128 bits: slabs of 7 pairs.
TEST(SlabHash, WideHistoriesAreLinearisable) {
  for (unsigned seed = 0; seed < 1000; ++seed)
    ASSERT_EQ(run_random<wide_table>(seed, {}), "") << "seed " << seed;
}
/// Keys that differ in bits and are equal have one slot.
TEST(SlabHash, HistoriesOfEqualKeysAreLinearisable) {
  for (unsigned seed = 0; seed < 600; ++seed)
    ASSERT_EQ(run_random<host_table_of_variants<uint32_t>>(seed, {}), "") << "seed " << seed;
  for (unsigned seed = 0; seed < 200; ++seed)
    ASSERT_EQ(run_random<host_table_of_variants<uint64_t>>(seed, {}), "") << "seed " << seed;
}

TEST(SlabHash, PlantedFaultsInWidePairsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run_case<wide_table>(hot_keys, seed, planted);
  });
  runs.expect("torn_wide_pairs", [](slab_faults &f) { f.torn_pairs = true; });
  runs.expect("split_wide_swap", [](slab_faults &f) { f.split_swap = true; });
  const planted_runs full("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run_case<wide_table>(full_chains, seed, planted);
  });
  full.expect("lost_filter", [](slab_faults &f) { f.lost_filter = true; });
}

TEST(SlabHash, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, run_random<>);
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
