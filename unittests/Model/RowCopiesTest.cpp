//===- RowCopiesTest.cpp - How a warp copies the rows of its instances ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of requests, sectors and wavefronts are those that an H200 counted (docs/results).
//
//===----------------------------------------------------------------------===//

#include "Model/RowCopies.h"

#include <gtest/gtest.h>

#include <set>

using namespace colonnade::model;

namespace {

/// `stencil`, `sharpen`: 18 x 18 bytes, 81 words, eight instances a warp.
constexpr RowCopy Image{81, 81, 0, 4, 32, 8};
/// `common_subsequence`: 64 letters, an instance each lane.
constexpr RowCopy Letters{16, 16, 0, 4, 32, 32};
/// Rows one behind the other, of blocks of a warp.
constexpr RowPlaces Plain{0, 0, 1};

TEST(RowCopies, AWarpThatIsNotFullPartsWhereLanesHaveMore) {
  EXPECT_EQ(Image.requests(8).size(), 21u);
  EXPECT_TRUE(Image.parts());
  EXPECT_EQ(Image.requests(7).size(), 19u); // 18 of lanes that have one more, 17 of others
  EXPECT_EQ(Image.groupsOfAll(3, 7, 32, Plain), 315u);
  EXPECT_EQ(Letters.requests(32).size(), 16u);
  EXPECT_FALSE(Letters.parts());
  EXPECT_EQ(Letters.requests(31).size(), 19u); // 16 and 15
  EXPECT_EQ(Letters.groupsOfAll(0, 31, 32, Plain), 62u);
  EXPECT_EQ(Letters.excessWavefronts(31, {17, 0, 1}), 12u);
}

TEST(RowCopies, EachUnitOnce) {
  for (int64_t width : {1, 3, 16, 33, 81, 128})
    for (int64_t rows = 0; rows <= 8; ++rows) {
      std::vector<unsigned> copied(static_cast<size_t>(rows * width));
      for (const auto &request : RowCopy{width, width, 0, 4, 32, 8}.requests(rows)) {
        EXPECT_LE(request.size(), 32u);
        for (int64_t unit : request)
          ++copied[static_cast<size_t>(unit)];
      }
      EXPECT_EQ(copied, std::vector<unsigned>(copied.size(), 1)) << width << " x " << rows;
    }
}

/// By the addresses of all requests; the array begins some units behind a line.
TEST(RowCopies, GroupsWhereverTheArrayBegins) {
  for (int64_t width : {3, 16, 33})
    for (int64_t base : {0, 1, 7, 8, 31})
      for (int64_t groupBytes : {32, 128})
        for (int64_t rest : {0, 5}) {
          const RowCopy copy{width + 2, width, 1, 4, 32, 8, base};
          uint64_t expected = 0;
          for (int64_t warp = 0; warp < 9 + (rest > 0); ++warp)
            for (const auto &request : copy.requests(warp < 9 ? 8 : rest)) {
              std::set<int64_t> groups;
              for (int64_t unit : request) {
                const int64_t row = warp * 8 + unit / width;
                groups.insert((base + row * (width + 2) + 1 + unit % width) * 4 / groupBytes);
              }
              expected += groups.size();
            }
          EXPECT_EQ(copy.groupsOfAll(9, rest, groupBytes, Plain), expected)
              << width << ", " << base << ", " << groupBytes << ", " << rest;
        }
}

/// Of some sectors, two units of 16 bytes each.
TEST(RowCopies, LiveUnitsAlone) {
  const std::vector<int64_t> live = {0, 1, 6, 7, 10, 11};
  RowCopy copy{64, 64, 0, 4, 32, 8};
  copy.useUnits(68, false);
  EXPECT_EQ(copy.unitBytes, 16);
  copy.live = live;
  EXPECT_EQ(copy.requests(8).size(), 2u); // 48 units
  EXPECT_TRUE(copy.parts());
  EXPECT_EQ(copy.groupsOfAll(3, 5, 32, {17, 0, 1}), (3u * 8 + 5) * 3);
  // Two lines of each row; the request's 32 units end within one.
  EXPECT_EQ(copy.groupsOfAll(3, 5, 128, {17, 0, 1}), (3u * 8 + 5) * 2 + 3);
  // Eight lanes at once have two rows, whose first units are in the same banks.
  EXPECT_EQ(copy.excessWavefronts(8, {16, 0, 1}), 6u);
}

/// What the hardware copies by itself, and how far it goes, modulo a line.
RowCopy byHardware(RowCopy copy) {
  copy.isByHardware = true;
  return copy;
}

/// `streams::prefix_sums`: of 32 rows of 1,024 cells a strip of 257, which lie one behind the
/// other. 3,875,000 of four strips of 31,250 warps, and 120 of 31 instances.
TEST(RowCopies, RowsThatGoElsewhereTakeAWavefrontEach) {
  const RowCopy strip = byHardware({1024, 257, 0, 4, 32, 32});
  EXPECT_EQ(strip.excessWavefronts(32, {257, 0, 4}), 31u);
  EXPECT_EQ(strip.excessWavefronts(31, {257, 0, 4}), 30u);
  EXPECT_EQ(byHardware(Letters).excessWavefronts(31, {17, 0, 1}), 12u);
  EXPECT_EQ(byHardware(Image).excessWavefronts(8, {100, 0, 4}), 7u);
  EXPECT_FALSE(strip.mayTakeMore({257, 0, 4}));
}

/// `teams::cholesky` with n = 16: 8 rows of 64 units of 16 bytes, 65 units apart in shared memory.
/// Every other row's sectors go to two each: 48,000,032 of 1,000,001 instances, and 1,472 of 31.
/// `fft_256`: 66 units apart, sectors stay whole.
TEST(RowCopies, HalvesOfASectorThatGoToTwoAskForItTwice) {
  const RowCopy rows = byHardware({64, 64, 0, 16, 32, 8}),
                fewer = byHardware({64, 64, 0, 16, 32, 4});
  EXPECT_EQ(rows.groupsOfAll(125'000, 1, 32, {65, 0, 4}), 48'000'032u);
  EXPECT_EQ(rows.groupsOfAll(3, 7, 32, {65, 0, 4}), 1472u);
  EXPECT_EQ(rows.groupsOfAll(3, 7, 128, {65, 0, 4}), 31u * 8);
  EXPECT_TRUE(rows.mayTakeMore({65, 0, 4}));
  EXPECT_EQ(fewer.groupsOfAll(7, 3, 32, {66, 0, 4}), 31u * 32);
  EXPECT_TRUE(fewer.mayTakeMore({66, 0, 4}));
  EXPECT_FALSE(fewer.mayTakeMore({68, 0, 4})); // whole halves of a line: teams::floyd_warshall
}

} // namespace
