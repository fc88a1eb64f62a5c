//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_bulk_test.cpp: the kernel of bulk operations on the host machine, on a pool that gets full:
// the operations that were not done are counted and listed, each once, a reserved key is reported
// beside them, and a second launch over the list does what is left; also where the status counts on
// from call to call.
//
//===----------------------------------------------------------------------===//
#include "planted.hpp"
#include "slab_bulk_run.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

TEST(SlabBulk, WhatIsNotDoneIsListedAndThenDone) {
  for (unsigned seed = 0; seed < 15; ++seed)
    ASSERT_EQ(run_bulk(seed, {}), "") << seed;
}

/// A status that several calls share, or the replays of a graph: each call's list is complete, and
/// within its bounds.
TEST(SlabBulk, AStatusThatCountsOnListsAll) {
  for (unsigned seed = 0; seed < 6; ++seed)
    for (const uint64_t before : {1u, bulk_run::num_keys - 3, bulk_run::num_keys, 1000u})
      ASSERT_EQ(bulk_run(seed, {}, before).run(), "") << seed << ", " << before;
}

TEST(SlabBulk, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, run_bulk);
  runs.expect("split_status", [](slab_faults &f) { f.split_status = true; });
  runs.expect("split_count", [](slab_faults &f) { f.split_count = true; });
  runs.expect("off_by_one_tail", [](slab_faults &f) { f.lost_tail = 1; });
  // Lanes meet in ballots and shuffles, and nothing hands out numbers.
  has_none("slab_hash", "dropped_warp_sync");
  has_none("slab_hash", "unreset_ticket");
}

} // namespace
