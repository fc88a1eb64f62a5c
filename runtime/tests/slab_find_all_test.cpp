//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_find_all_test.cpp: find_all of an array while others change its keys
// (slab_find_all_run.hpp); planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "planted.hpp"
#include "slab_find_all_run.hpp"

#include <gtest/gtest.h>

using namespace colonnade::testing;

namespace {

TEST(SlabFindAll, OthersMayChangeItsKeys) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    ASSERT_EQ((run_list<uint32_t, true>(seed, {})), "") << seed;
    ASSERT_EQ((run_list<uint32_t, false>(seed, {})), "") << seed;
  }
  for (unsigned seed = 0; seed < 60; ++seed)
    ASSERT_EQ((run_list<uint64_t, true>(seed, {})), "") << seed;
}

TEST(SlabFindAll, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", list_faults{}, run_list<uint32_t, true>);
  runs.expect("list_walks_twice", [](list_faults &f) { f.walks_twice = true; });
  runs.expect("staged_count_goes_on", [](list_faults &f) { f.count_goes_on = true; });
  const planted_runs of_maps("slab_hash", list_faults{}, run_list<uint32_t, false>);
  of_maps.expect("list_unbounded", [](list_faults &f) { f.unbounded = true; });
  of_maps.expect("gaps_of_lists_stay", [](list_faults &f) { f.gaps_stay = true; });
}

} // namespace
