//===- ColumnCopiesTest.cpp - How a block copies its instances' columns ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ColumnCopies.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace colonnade::model;

namespace {

ColumnCopy copyOf(int64_t instances, int64_t team, int64_t width, Layout layout, int64_t count,
                  int64_t base = 0) {
  return {instances, team, 0, width, 4, {layout, width, count, 32, base}};
}

TEST(ColumnCopies, EachCellOnceByLanesOfOneWarp) {
  for (int64_t instances : {8, 16, 32, 64})
    for (int64_t team : {4, 8, 32})
      for (int64_t width : {1, 7, 32, 100})
        for (int64_t rows : {int64_t(1), int64_t(5), instances}) {
          std::vector<unsigned> copied(static_cast<size_t>(instances * width));
          copyOf(instances, team, width, Layout::Column, 1000)
              .forEachRequest(rows, [&](const ColumnCopy::Request &request) {
                EXPECT_LE(request.size(), 32u);
                for (const auto &each : request)
                  ++copied[static_cast<size_t>(each.row * width + each.cell)];
              });
          std::vector<unsigned> expected(copied.size());
          std::fill_n(expected.begin(), rows * width, 1);
          EXPECT_EQ(copied, expected) << instances << ", " << team << ", " << width << ", " << rows;
        }
}

/// By the addresses of all requests of all blocks.
TEST(ColumnCopies, GroupsWhereverTheArrayBegins) {
  for (Layout layout : {Layout::Column, Layout::Tiled})
    for (int64_t instances : {8, 16, 32, 64})
      for (int64_t base : {0, 3})
        for (int64_t count : {1, 31, 257, 416, 1000})
          for (int64_t groupBytes : {32, 128}) {
            const ColumnCopy copy = copyOf(instances, 8, 20, layout, count, base);
            uint64_t expected = 0;
            for (int64_t first = 0; first < count; first += instances)
              copy.forEachRequest(
                  std::min(instances, count - first), [&](const ColumnCopy::Request &request) {
                    std::set<int64_t> groups;
                    for (const auto &each : request)
                      groups.insert(copy.memory.address(each.cell, first + each.row) * 4 /
                                    groupBytes);
                    expected += groups.size();
                  });
            EXPECT_EQ(copy.groups(groupBytes), expected)
                << name(layout) << ", " << instances << ", " << base << ", " << count;
          }
}

/// Of some cells: these and no others, as many at once.
TEST(ColumnCopies, LiveCellsAlone) {
  std::vector<int64_t> live;
  for (int64_t cell = 0; cell < 64; ++cell)
    if (cell % 8 < cell / 8) // below the diagonal
      live.push_back(cell);
  ColumnCopy copy = copyOf(16, 4, 64, Layout::Column, 1024);
  copy.live = live;
  EXPECT_EQ(copy.requests(), 7u); // of each warp
  EXPECT_EQ(copy.groups(32), 28u * 1024 / 8);
  std::map<int64_t, unsigned> copied;
  copy.forEachRequest(16, [&](const ColumnCopy::Request &request) {
    for (const auto &each : request)
      ++copied[each.cell];
  });
  EXPECT_EQ(copied.size(), live.size());
  for (int64_t cell : live)
    EXPECT_EQ(copied[cell], 16u) << cell;
  // A warp copies two cells at once: two numbers of the list, which has 16 to a sector.
  EXPECT_EQ(copy.listGroups(1), 28u * 64);
  EXPECT_EQ(copy.listGroups(16), 14u * 64);
}

/// Where lines are filled, each sector of the array is asked for once.
TEST(ColumnCopies, WholeSectorsWhereColumnsBeginAtOne) {
  EXPECT_EQ(copyOf(8, 32, 256, Layout::Column, 1024).groups(32), 256u * 1024 / 8);
  EXPECT_EQ(copyOf(32, 4, 256, Layout::Tiled, 1024).groups(32), 256u * 1024 / 8);
  EXPECT_EQ(copyOf(8, 32, 256, Layout::Column, 1001).groups(32), 32u * 125 + 224 * 250 + 256);
  EXPECT_EQ(copyOf(16, 8, 256, Layout::Column, 1024).requests(), 32u);
}

uint64_t waits(int64_t instances, int64_t team, uint64_t pitch, uint64_t spread = 0) {
  ir::Array rows;
  rows.cell = ir::ScalarType::F32;
  rows.extents = {SizeExpr::constant(instances), SizeExpr::constant(256)};
  rows.pitch = pitch;
  rows.spread = spread;
  return copyOf(instances, team, 256, Layout::Column, instances).excessWavefronts(rows);
}

/// Rows one word apart for a tile's instances, two for half of them: each in a bank of its own.
TEST(ColumnCopies, Banks) {
  EXPECT_EQ(waits(32, 4, 257), 0u);
  EXPECT_EQ(waits(16, 8, 258), 0u);
  EXPECT_EQ(waits(8, 32, 260), 0u);
  EXPECT_EQ(waits(32, 4, 260), 256u * 3);
  EXPECT_EQ(waits(32, 4, 256), 256u * 31);
}

/// In whatever order rows lie.
TEST(ColumnCopies, BanksOfSpreadRows) {
  EXPECT_EQ(waits(32, 16, 257, 16), 0u);
  EXPECT_EQ(waits(16, 8, 258, 4), 0u);
  EXPECT_EQ(waits(32, 16, 272, 16), 256u * 15);
}

} // namespace
