//===- ReuseTest.cpp - How far back a unit was last accessed --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distances against a cache that is simulated: what it does not answer is what is farther back than
// it holds, and memory is written once for each unit that it evicts after a store, or holds at
// last.
//
//===----------------------------------------------------------------------===//

#include "Model/Reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

using namespace colonnade;
using namespace colonnade::model;

namespace {

struct Simulated {
  uint64_t misses = 0, writes = 0;
};

/// Evicts what was not used for the longest time.
Simulated simulate(const std::vector<UnitAccess> &accesses, uint64_t units) {
  struct Entry {
    uint64_t unit;
    bool isStored;
  };
  std::list<Entry> recent; // the last used first
  Simulated result;
  for (const UnitAccess &access : accesses) {
    auto found = std::find_if(recent.begin(), recent.end(),
                              [&](const Entry &entry) { return entry.unit == access.unit; });
    Entry entry{access.unit, access.isStore};
    if (found == recent.end()) {
      ++result.misses;
    } else {
      entry.isStored |= found->isStored;
      recent.erase(found);
    }
    recent.push_front(entry);
    if (recent.size() > units) {
      result.writes += recent.back().isStored;
      recent.pop_back();
    }
  }
  for (const Entry &entry : recent)
    result.writes += entry.isStored;
  return result;
}

TEST(Reuse, IsThatOfACache) {
  std::mt19937 random(1);
  for (uint64_t numUnits : {1, 7, 40}) {
    std::vector<UnitAccess> accesses;
    for (int k = 0; k < 2000; ++k) {
      const uint64_t unit = k % 3 == 0 ? uint64_t(k) % numUnits : random() % numUnits;
      accesses.push_back({OpId(random() % 3), unit, 32, random() % 4 == 0});
    }
    for (uint64_t size : {1, 2, 5, 30, 100}) {
      uint64_t misses = 0, writes = 0, total = 0;
      for (const auto &[op, site] : reuse(accesses)) {
        misses += site.accesses.first() + site.accesses.beyond(32.0 * double(size));
        writes += site.writes.first() + site.writes.beyond(32.0 * double(size));
        total += site.accesses.first() + site.accesses.beyond(-1);
      }
      const Simulated expected = simulate(accesses, size);
      EXPECT_EQ(misses, expected.misses) << numUnits << " units, " << size;
      EXPECT_EQ(writes, expected.writes) << numUnits << " units, " << size;
      EXPECT_EQ(total, accesses.size());
    }
  }
}

TEST(Reuse, DistancesAreInBytes) {
  // a b c a: the units of b and c lie between, and a itself.
  const std::vector<UnitAccess> accesses = {{OpId(0), 1, 32, false},
                                            {OpId(0), 2, 64, false},
                                            {OpId(0), 3, 128, false},
                                            {OpId(0), 1, 32, false}};
  const Distances distances = reuse(accesses).at(OpId(0)).accesses;
  EXPECT_EQ(distances.first(), 3u);
  EXPECT_EQ(distances.beyond(223), 1u);
  EXPECT_EQ(distances.beyond(224), 0u);
  EXPECT_EQ(distances.likelyBeyond(224), 0);
  EXPECT_DOUBLE_EQ(distances.likelyBeyond(196), 3 * 0.125);
  EXPECT_DOUBLE_EQ(distances.likelyBeyond(224 / 1.5), 1);
  EXPECT_EQ(distances.likelyBeyond(0), 1);
}

} // namespace
