//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_multimap_test.cpp: multimaps on the host machine under concurrent operations by tiles of all
// widths: every pair is there once, and erased once; what is found was there; what is there all the
// time is found, counted and listed; slots are used again. Planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "planted.hpp"
#include "slab_multimap_run.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

using multimap_table = host_table_of<uint32_t, true>;

TEST(SlabMultimap, PairsAreThereOnceAndSeen) {
  for (unsigned seed = 0; seed < 300; ++seed)
    ASSERT_EQ(run_multimap<uint32_t>(seed, {}), "") << seed;
  for (unsigned seed = 0; seed < 150; ++seed)
    ASSERT_EQ(run_multimap<uint64_t>(seed, {}), "") << seed;
}

/// 200 pairs come and go in 15 slots.
TEST(SlabMultimap, SlotsAreUsedAtOnce) {
  host_dictionary<multimap_table> map(1, 0);
  host_grid grid(1);
  const slab_faults none;
  uint32_t refused = 0;
  grid.run(1, 32, 0, [&](const host_machine &m, char *) {
    const host_slab_machine machine(m, none);
    detail::slab_worker<host_slab_machine, multimap_table, 8, 2> worker(machine, map.table);
    for (uint32_t turn = 0; turn < 20; ++turn) {
      const bool has = m.lane() < 10;
      refused +=
          worker.run(has, detail::fixed_operation<slab_operation::insert>{}, turn + m.lane(), turn)
              .was == slab_answer::no_slab;
      refused +=
          worker.run(has, detail::fixed_operation<slab_operation::erase>{}, turn + m.lane(), 0)
              .was != (has ? slab_answer::present : slab_answer::absent);
    }
  });
  std::vector<std::string> complaints;
  EXPECT_EQ(refused, 0u);
  EXPECT_TRUE(map.check(complaints).empty() && complaints.empty());
  EXPECT_LE(map.slots_taken, 15u);
}

TEST(SlabMultimap, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, run_multimap<uint32_t>);
  runs.expect("multimap_cached_loads", [](slab_faults &f) { f.cached_loads = true; });
  runs.expect("multimap_no_second_look", [](slab_faults &f) { f.no_second_look = true; });
  runs.expect("multimap_split_swap", [](slab_faults &f) { f.split_swap = true; });
}

} // namespace
