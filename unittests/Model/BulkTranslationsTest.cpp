//===- BulkTranslationsTest.cpp - Bulk executions on the VAT machine ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BulkTranslations.h"

#include "TranslationSequences.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// Address by address, without lists of pages, waves in the order of the definition.
uint64_t simulated(const VatMachine &machine, const TranslationTree &tree, Layout layout,
                   Replacement policy, const VatInput &input) {
  std::vector<uint64_t> starts, pages;
  uint64_t start = 0;
  const auto page = static_cast<uint64_t>(machine.pageBytes);
  const auto arranged = [&](const ModelArray &array) {
    return Arrangement{layout, array.cells, array.isShared ? 1 : input.count, input.tile};
  };
  for (const ModelArray &array : input.arrays) {
    starts.push_back(start);
    // A tile is whole, also if not all of its instances are there.
    int64_t count = array.isShared ? 1 : input.count;
    while (layout == Layout::Tiled && !array.isShared && count % input.tile != 0)
      ++count;
    const int64_t last = array.cells * count - 1;
    while (start <= starts.back() + static_cast<uint64_t>(last * array.bytes))
      start += page;
  }
  for (int64_t begin = 0; begin < input.count; begin += machine.resident)
    for (const CellAccess &access : input.accesses)
      for (int64_t j = begin; j < std::min(begin + machine.resident, input.count); ++j) {
        const ModelArray &array = input.arrays[access.array.index];
        const int64_t cell = array.isShared ? access.cell : arranged(array).address(access.cell, j);
        if (access.cell >= 0 && access.cell < array.cells)
          pages.push_back((starts[access.array.index] + static_cast<uint64_t>(cell * array.bytes)) /
                          page);
      }
  return insertions(tree, machine.cache, policy, pages);
}

TEST(BulkTranslations, AreWhatTheSimulatorFinds) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const std::vector<ModelArray> arrays = {{int64_t(1 + random() % 20), false, 4},
                                            {int64_t(1 + random() % 20), true, 8},
                                            {int64_t(1 + random() % 5), false, 1}};
    std::vector<CellAccess> accesses;
    for (unsigned a = 0; a < 60; ++a) {
      const auto array = static_cast<uint32_t>(random() % 3);
      // Now and then outside, as a masked lane's.
      accesses.push_back(
          {ArrayId(array), int64_t(random() % uint64_t(arrays[array].cells + 2)) - 1});
    }
    VatMachine machine;
    machine.pageBytes = 8 << random() % 5;
    machine.fanout = 2 + random() % 3;
    machine.cache = 14 + random() % 20;
    const VatInput input{accesses, arrays, int64_t(1 + random() % 100), 4};
    machine.resident = 1 + static_cast<int64_t>(random() % uint64_t(input.count));
    for (Layout layout : allLayouts()) {
      auto memory = vatMemory(machine, layout, input);
      ASSERT_TRUE(bool(memory)) << llvm::toString(memory.takeError());
      for (Replacement policy : allReplacements()) {
        auto cost = vatCost(machine, layout, policy, input);
        ASSERT_TRUE(bool(cost)) << llvm::toString(cost.takeError());
        EXPECT_EQ(cost->insertions, simulated(machine, memory->tree, layout, policy, input))
            << "seed " << seed << " " << name(layout) << " " << name(policy);
        EXPECT_EQ(cost->visits, 60u * static_cast<uint64_t>(input.count));
      }
    }
  }
}

/// Column-wise, one wave: each step is a sequential access, and a cell's pages are never met again.
TEST(BulkTranslations, ColumnWiseIsSequential) {
  const std::vector<ModelArray> arrays = {{4, false, 8}};
  std::vector<CellAccess> accesses;
  for (int64_t cell = 0; cell < 4; ++cell)
    accesses.push_back({ArrayId(0u), cell});
  VatMachine machine;
  machine.pageBytes = 1 << 12;
  machine.fanout = 16;
  const VatInput input{accesses, arrays, 1 << 20, 32};
  auto cost = vatCost(machine, Layout::Column, Replacement::Lru, input);
  ASSERT_TRUE(bool(cost)) << llvm::toString(cost.takeError());
  EXPECT_EQ(cost->insertions, sequentialInsertions({16, 4}, 1 << 12, 0, 4 << 23));
}

/// A loop over the cells of one page: after its second step nothing is simulated any more.
TEST(BulkTranslations, RecurringStatesAreSkipped) {
  const std::vector<ModelArray> arrays = {{8, false, 8}};
  std::vector<CellAccess> accesses;
  for (int64_t step = 0; step < 1'000'000; ++step)
    accesses.push_back({ArrayId(0u), step % 8});
  VatMachine machine;
  machine.pageBytes = 1 << 12;
  const VatInput input{accesses, arrays, 1 << 20, 32}; // row-wise 64 MiB, 16,384 pages a step
  auto cost = vatCost(machine, Layout::Row, Replacement::Lru, input);
  ASSERT_TRUE(bool(cost)) << llvm::toString(cost.takeError());
  // Each sweep misses all leaves and the nodes above them, and never the root.
  EXPECT_EQ(cost->insertions, uint64_t(1'000'000) * (16'384 + 32) + 1);
}

TEST(BulkTranslations, WhatCannotBeSimulatedIsAnError) {
  const std::vector<ModelArray> arrays = {{1 << 20, false, 8}};
  std::vector<CellAccess> accesses;
  for (int64_t cell = 0; cell < 1 << 10; ++cell)
    accesses.push_back({ArrayId(0u), cell << 10});
  const auto message = [&](VatMachine machine, Replacement policy) {
    VatInput input{accesses, arrays, 1 << 20, 32};
    input.maxTranslations = 1'500'000;
    auto cost = vatCost(machine, Layout::Row, policy, input);
    return cost ? "" : llvm::toString(cost.takeError());
  };
  VatMachine machine;
  EXPECT_EQ(message(machine, Replacement::Min),
            "MIN knows the future: 1073741824 page visits are more than the 10000000 that are "
            "simulated; give fewer instances, or --policy lru,islru");
  EXPECT_EQ(message(machine, Replacement::Lru),
            "more than 1500000 page visits: too many to simulate; give fewer instances, or "
            "larger pages");
  machine.depth = 1;
  EXPECT_EQ(message(machine, Replacement::Lru),
            "a tree of depth 1 does not translate all addresses: --depth has to be 3 or more");
  machine.depth = 4;
  machine.cache = 4;
  EXPECT_EQ(message(machine, Replacement::Lru), "a translation cache of 4 nodes does not hold a "
                                                "path of 5: give a larger --cache");
}

} // namespace
