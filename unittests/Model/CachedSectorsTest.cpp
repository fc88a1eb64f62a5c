//===- CachedSectorsTest.cpp - What the L1 caches ask L2 for --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CachedSectors.h"

#include "IRText.h"

#include <set>

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// c[i] = b[i], then the same again: with b in memory or in registers.
std::string copiedTwice(const std::string &spaceOfB) {
  return "func \"f\" kernel threads 256 mangled \"f\" {\n"
         "  array @b : f32[n] parameter instance const reads of b in " +
         spaceOfB + (spaceOfB == "registers" ? " loaded\n" : "\n") +
         "  array @c : f32[n] parameter instance writes of c in memory\n"
         R"(  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    %3 = const 2 : s64
    for %k#4 : s64 = %1 lt %3 step %2 () {
      for %i#5 : s64 = %1 lt %n#0 step %2 () {
        %6 = load @b[%i#5] access 0 : varying f32
        store @c[%i#5], %6 access 1
        yield
      } -> %7 : s64
      yield
    } -> %8 : s64
    return
  }
}
)";
}

constexpr int64_t Cells = 24;
constexpr CacheMachine Large{1 << 20, 1024, 4, {}}, Small{8192, 1024, 4, {}};

CachedSectors cached(const std::string &text, const CacheMachine &machine, Layout layout, int64_t p,
                     const std::vector<OrderedAccess> &accesses) {
  const ir::Module module = ir::parsed(text);
  const std::vector<ModelArray> arrays = {{Cells, false, 4}, {Cells, false, 4}};
  const AccessProfile profile;
  auto found = cachedSectors(machine, module.functions[0], layout, accesses, {profile, arrays, p});
  if (found)
    return *found;
  ADD_FAILURE() << llvm::toString(found.takeError());
  return {};
}

CachedSectors cached(const std::string &text, const CacheMachine &machine, Layout layout,
                     int64_t p) {
  std::vector<OrderedAccess> accesses;
  for (int k = 0; k < 2; ++k)
    for (int64_t i = 0; i < Cells; ++i) {
      accesses.push_back({ArrayId(0), i, false});
      accesses.push_back({ArrayId(1), i, true});
    }
  return cached(text, machine, layout, p, accesses);
}

Interval exactly(uint64_t number) { return {number, number}; }

TEST(CachedSectors, ALargeCacheReadsEachSectorOnce) {
  for (Layout layout : allLayouts())
    for (int64_t p : {1, 32, 256, 4096, 5000}) {
      std::set<int64_t> sectors;
      for (int64_t j = 0; j < p; ++j)
        for (int64_t i = 0; i < Cells; ++i)
          sectors.insert(Arrangement{layout, Cells, p, 32}.address(i, j) / 8);
      const CachedSectors sum = cached(copiedTwice("memory"), Large, layout, p);
      EXPECT_TRUE(sum.read.isExact());
      EXPECT_EQ(sum.read.low, sectors.size()) << name(layout) << ", p = " << p;
    }
}

/// Row-wise 8 of an instance's cells are a sector, each store is of one; they may be merged.
TEST(CachedSectors, StoresAreAllWritten) {
  const uint64_t all = 2u * Cells * 512;
  EXPECT_EQ(cached(copiedTwice("memory"), Large, Layout::Row, 512).written,
            (Interval{all / 8, all}));
  EXPECT_EQ(cached(copiedTwice("memory"), Large, Layout::Column, 512).written, exactly(all / 8));
}

/// Caches of 64 lines: a line of a row is gone before its next cell is read; column-wise only the
/// second round reads again.
TEST(CachedSectors, ASmallCacheReadsAgain) {
  const uint64_t p = 2048;
  const CachedSectors row = cached(copiedTwice("memory"), Small, Layout::Row, p);
  EXPECT_EQ(row.read, exactly(2 * Cells * p));
  const CachedSectors column = cached(copiedTwice("memory"), Small, Layout::Column, p);
  EXPECT_EQ(column.read, exactly(2 * Cells * p / 8));
}

/// Both rounds take 2 * 24 * 8 lines of a block. One to four blocks are resident on an SM.
TEST(CachedSectors, WhatIsNotKnownIsAnInterval) {
  const uint64_t p = 4096, once = Cells * p / 8;
  auto read = [&](int64_t lines) {
    const CacheMachine machine{lines * 128, 1024, 4, {}};
    return cached(copiedTwice("memory"), machine, Layout::Column, p).read;
  };
  EXPECT_EQ(read(8 * 384), exactly(once));
  EXPECT_EQ(read(384), (Interval{once, 2 * once}));
  EXPECT_EQ(read(384 / 4), exactly(2 * once));
}

/// A number, where twice the cache and half of it do the same.
TEST(CachedSectors, AwayFromTheCachesSizeTheReadsAreANumber) {
  const uint64_t p = 4096, once = Cells * p / 8;
  auto likely = [&](int64_t lines) {
    const CacheMachine machine{lines * 128, 1024, 4, {}};
    return cached(copiedTwice("memory"), machine, Layout::Column, p).likelyRead;
  };
  EXPECT_EQ(likely(8 * 384), once);
  EXPECT_EQ(likely(4 * 384), std::nullopt); // of four blocks: just what both rounds take
  EXPECT_EQ(likely(384 / 4), 2 * once);
  const std::vector<OrderedAccess> masked = {{ArrayId(0), 3, false, true}};
  EXPECT_EQ(cached(copiedTwice("memory"), Large, Layout::Tiled, 512, masked).likelyRead,
            std::nullopt);
}

/// Stored to in part or not, a sector likely stays.
TEST(CachedSectors, SectorsLikelyStayWhenTheyAreStoredTo) {
  const CachedSectors row = cached(copiedTwice("memory"), Large, Layout::Row, 512);
  EXPECT_EQ(row.likelyRead, Cells * 512u / 8);
  EXPECT_EQ(cached(copiedTwice("local"), Large, Layout::Row, 512).likelyRead, Cells * 512u / 8);
}

/// Each cell is read, written and read: row-wise a store writes an eighth of a sector.
TEST(CachedSectors, AStoreOfAPartMayDropTheSector) {
  std::vector<OrderedAccess> accesses;
  for (int64_t i = 0; i < Cells; ++i)
    for (bool isStore : {false, true, false})
      accesses.push_back({ArrayId(1), i, isStore});
  const uint64_t p = 512, once = Cells * p / 8;
  auto read = [&](Layout layout) {
    return cached(copiedTwice("memory"), Large, layout, p, accesses).read;
  };
  EXPECT_EQ(read(Layout::Row), (Interval{once, once + Cells * p}));
  EXPECT_EQ(read(Layout::Column), exactly(once));
}

TEST(CachedSectors, MaskedAccessesArePerhapsMade) {
  const std::vector<OrderedAccess> accesses = {{ArrayId(0), 3, false, true},
                                               {ArrayId(1), 3, true, true}};
  const CachedSectors sum = cached(copiedTwice("memory"), Large, Layout::Tiled, 512, accesses);
  EXPECT_EQ(sum.read, (Interval{0, 64}));
  EXPECT_EQ(sum.written, (Interval{0, 64}));
}

TEST(CachedSectors, LocalArraysAreInRegistersOrMemory) {
  const CachedSectors sum = cached(copiedTwice("local"), Large, Layout::Row, 512);
  EXPECT_EQ(sum.read, (Interval{0, Cells * 512 / 8}));
}

TEST(CachedSectors, RegistersAreLoadedOnce) {
  const CachedSectors sum = cached(copiedTwice("registers"), Small, Layout::Column, 512);
  EXPECT_EQ(sum.read, exactly(Cells * 512 / 8));
}

/// L2 has room for both rounds of all 16 resident blocks, or for less than an eighth of one.
TEST(CachedSectors, DramIsWhatL2DoesNotAnswer) {
  const uint64_t p = 4096, once = Cells * p / 8;
  CacheMachine machine = Small;
  machine.l2 = 2 * 16 * 384 * 128;
  const CachedSectors large = cached(copiedTwice("memory"), machine, Layout::Column, p);
  EXPECT_EQ(large.dramRead, exactly(once));
  EXPECT_EQ(large.dramWritten, (Interval{0, once}));
  machine.l2 = 384 * 128 / 8;
  const CachedSectors small = cached(copiedTwice("memory"), machine, Layout::Column, p);
  EXPECT_EQ(small.dramRead, exactly(2 * once));
  EXPECT_EQ(small.dramWritten, (Interval{2 * once - 384 * 4 / 8, 2 * once}));
}

/// Row-wise with one sector of each line: pairs are read, and what is written in part.
TEST(CachedSectors, DramIsReadByPairsPerhaps) {
  CacheMachine machine = Large;
  machine.l2 = 1 << 24;
  const CachedSectors sum = cached(copiedTwice("memory"), machine, Layout::Row, 256,
                                   {{ArrayId(0), 0, false}, {ArrayId(1), 0, true}});
  EXPECT_EQ(sum.dramRead, (Interval{256, 4 * 256}));
}

/// Each cell is stored to once: by itself, or four cells one right after the other.
std::optional<uint64_t> likelyWritten(Layout layout, int64_t p, bool isTogether) {
  std::vector<OrderedAccess> accesses;
  for (int64_t i = 0; i < Cells; ++i)
    accesses.push_back({ArrayId(1), i, true, false, isTogether ? uint32_t(1 + i / 4) : 0});
  return cached(copiedTwice("memory"), Large, layout, p, accesses).likelyWritten;
}

/// 36 instances: both warps may ask for the sector that they share before it is there. Stores to it
/// may be merged with one of the last accesses that stored, not only with the last.
TEST(CachedSectors, WarpsMayAskForWhatTheyShare) {
  const std::string text = copiedTwice("memory");
  EXPECT_EQ(cached(text, Large, Layout::Column, 36, {{ArrayId(0), 1, false}}).read,
            (Interval{5, 5 + 1}));
  std::vector<OrderedAccess> accesses;
  for (int64_t cell : {0, 16, 1}) // column 1 begins in the last sector of column 0
    accesses.push_back({ArrayId(1), cell, true});
  EXPECT_EQ(cached(text, Large, Layout::Column, 36, accesses).written,
            (Interval{16 - 1 - 1, 16})); // of both warps, of both columns
}

/// One instance: four cells lie in a sector. Of 32 row-wise each has a line of its own, and L1 does
/// not collect so many.
TEST(CachedSectors, StoresOneAfterTheOtherAreLikelyMerged) {
  for (Layout layout : {Layout::Row, Layout::Column}) {
    EXPECT_EQ(likelyWritten(layout, 1, true), Cells / 4u);
    EXPECT_EQ(likelyWritten(layout, 1, false), uint64_t(Cells));
  }
  EXPECT_EQ(likelyWritten(Layout::Row, 64, true), 64u * Cells);
  EXPECT_EQ(likelyWritten(Layout::Tiled, 64, true), 64u * Cells / 8);
}

/// Where each warp of an SM has a scheduler to itself, L1 collects stores of more lines, and those
/// of all warps together: 30 cells of a column and 30 of the next share a sector, as warps do.
TEST(CachedSectors, StoresOfFewWarpsAreLikelyMergedWithEachOthers) {
  EXPECT_EQ(likelyWritten(Layout::Row, 20, true), 20u * Cells / 4); // 15 lines
  EXPECT_EQ(likelyWritten(Layout::Row, 21, true), 21u * Cells);
  // 4 columns of 36 cells at a time: 144 cells from a sector's beginning on.
  EXPECT_EQ(likelyWritten(Layout::Column, 36, true), Cells / 4u * 144 / 8);
  EXPECT_GT(*likelyWritten(Layout::Column, 132, true), Cells / 4u * 4 * 132 / 8);
}

/// Of 36 instances the column of cell 1 begins in the middle of a sector, which the warps share.
TEST(CachedSectors, AQuarterOfWhatWarpsShareIsLikelyMerged) {
  std::vector<OrderedAccess> accesses;
  for (int k = 0; k < 4; ++k)
    accesses.push_back({ArrayId(1), 1, true});
  const CachedSectors sum = cached(copiedTwice("memory"), Large, Layout::Column, 36, accesses);
  EXPECT_EQ(sum.written.high, 4u * (5 + 1));
  EXPECT_EQ(sum.likelyWritten, 4u * (5 + 1) - 1);
}

/// Cells in registers are stored to when all is computed, all of them together.
TEST(CachedSectors, RegistersAreLikelyWrittenTogether) {
  std::string text = copiedTwice("memory");
  const std::string inMemory = "writes of c in memory";
  text.replace(text.find(inMemory), inMemory.size(), "writes of c in registers");
  EXPECT_EQ(cached(text, Large, Layout::Column, 1, {}).likelyWritten, Cells / 8u);
}

/// What L2 has room for by far is read once, and what is many times too large each time; in between
/// some is found, as warps drift apart. What L2 holds of what was written stays there.
TEST(CachedSectors, DramIsLikelyThatOfCachesOfTheirSize) {
  const uint64_t p = 4096, once = Cells * p / 8, l2 = 16 * 384 * 128;
  CacheMachine machine = Small;
  machine.l2 = 2 * l2;
  EXPECT_EQ(cached(copiedTwice("memory"), machine, Layout::Column, p).likelyDramRead, once);
  EXPECT_EQ(cached(copiedTwice("memory"), machine, Layout::Column, p).likelyDramWritten, 0u);
  machine.l2Holds = l2 / 2; // half of it was written
  EXPECT_EQ(cached(copiedTwice("memory"), machine, Layout::Column, p).likelyDramWritten,
            once - l2 / 2 / 32 / 2);
  machine.l2 = l2;
  const CachedSectors some = cached(copiedTwice("memory"), machine, Layout::Column, p);
  EXPECT_GT(some.likelyDramRead, once);
  EXPECT_LT(some.likelyDramRead, 2 * once);
  machine.l2 = l2 / 16;
  EXPECT_EQ(cached(copiedTwice("memory"), machine, Layout::Column, p).likelyDramRead, 2 * once);
  EXPECT_EQ(cached(copiedTwice("memory"), Small, Layout::Column, p).likelyDramRead, std::nullopt);
}

/// Row-wise, where lanes are apart, a load brings the sector beside its own, too; a sector that is
/// stored to in part is read when it leaves.
TEST(CachedSectors, DramIsLikelyReadByPairs) {
  CacheMachine machine = Large;
  machine.l2 = 1 << 24;
  const std::vector<OrderedAccess> loaded = {{ArrayId(0), 0, false}},
                                   stored = {{ArrayId(1), 0, true}};
  const auto read = [&](Layout layout, const std::vector<OrderedAccess> &accesses) {
    return cached(copiedTwice("memory"), machine, layout, 256, accesses).likelyDramRead;
  };
  EXPECT_EQ(read(Layout::Row, loaded), 2 * 256u);
  EXPECT_EQ(read(Layout::Tiled, loaded), 256u / 8);
  EXPECT_EQ(read(Layout::Row, stored), 0u);
  machine.l2 = 4 * 4 * 128;
  EXPECT_GT(read(Layout::Row, stored), 200u);
  EXPECT_LE(read(Layout::Row, stored), 256u);
}

/// Loads of a batch are made by a warp before others come: a row's eight cells lie in one sector.
TEST(CachedSectors, DramIsLikelyReadByBatches) {
  const CacheMachine machine{8192, 1024, 4, 4 * 4 * 128}; // L1 has room for a warp's rows
  std::vector<OrderedAccess> accesses;
  for (int64_t cell = 0; cell < 8; ++cell)
    accesses.push_back({ArrayId(0), cell, false});
  const auto read = [&] {
    return cached(copiedTwice("memory"), machine, Layout::Row, 256, accesses).likelyDramRead;
  };
  EXPECT_EQ(read(), 8 * 2 * 256u);
  for (OrderedAccess &one : accesses)
    one.batch = 1;
  EXPECT_EQ(read(), 2 * 256u);
  // What is stored meanwhile is in a register, and is not loaded.
  accesses.push_back({ArrayId(0), 8, true});
  accesses.push_back({ArrayId(0), 8, false, false, 0, 1});
  EXPECT_NEAR(static_cast<double>(*read()), 3 * 256, 10); // a part of the next sector is stored
}

/// Four passes over what L2 has room for: of the lines that are written only so many stay.
TEST(CachedSectors, DramIsLikelyWrittenBeforeItIsFull) {
  CacheMachine machine = Large;
  machine.l2 = 4 * 295 * 128; // 192 lines of a block's are stored to
  machine.l2Holds = 32;
  std::vector<OrderedAccess> accesses;
  for (int pass = 0; pass < 4; ++pass)
    for (int64_t cell = 0; cell < Cells; ++cell)
      accesses.push_back({ArrayId(1), cell, true});
  const auto written =
      cached(copiedTwice("memory"), machine, Layout::Tiled, 256, accesses).likelyDramWritten;
  EXPECT_GT(written, 1.3 * Cells * 256 / 8);
  EXPECT_LT(written, 1.6 * Cells * 256 / 8);
}

/// What data decides is made by half of the lanes, for DRAM: its traffic is always a number.
TEST(CachedSectors, MaskedAccessesAreLikelyMadeInDramByHalf) {
  const std::vector<OrderedAccess> accesses = {{ArrayId(0), 3, false, true}};
  CacheMachine machine = Large;
  machine.l2 = 1 << 24;
  const CachedSectors tiled = cached(copiedTwice("memory"), machine, Layout::Tiled, 512, accesses),
                      row = cached(copiedTwice("memory"), machine, Layout::Row, 512, accesses);
  EXPECT_EQ(tiled.likelyRead, std::nullopt);
  EXPECT_GE(tiled.likelyDramRead, 62u); // of eight lanes one makes it
  EXPECT_NEAR(static_cast<double>(*row.likelyDramRead), 2 * 256, 60);
}

/// A sector of two blocks comes from DRAM once. All full blocks are taken to be like the second.
TEST(CachedSectors, WhatBlocksShareIsLikelyReadOnce) {
  CacheMachine machine = Large;
  machine.l2 = 1 << 24;
  const int64_t p = 2 * 256 + 4; // column 1 begins in the middle of a sector
  const CachedSectors sum =
      cached(copiedTwice("memory"), machine, Layout::Column, p, {{ArrayId(0), 1, false}});
  EXPECT_EQ(sum.likelyRead, 33u + 33 + 1);
  EXPECT_EQ(sum.likelyDramRead, 32u + 32);
}

} // namespace
