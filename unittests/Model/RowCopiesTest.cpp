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

/// Of so many full warps and the rest behind them.
uint64_t groups(const RowCopy &copy, int64_t warps, int64_t rest, int64_t groupBytes,
                const RowPlaces &places) {
  return copy.groupsOfAll(warps, groupBytes, places) +
         copy.groupsOfWarp(rest, groupBytes, warps, places);
}

TEST(RowCopies, AWarpThatIsNotFullPartsWhereLanesHaveMore) {
  EXPECT_EQ(Image.requests(8).size(), 21u);
  EXPECT_TRUE(Image.parts());
  EXPECT_EQ(Image.requests(7).size(), 19u); // 18 of lanes that have one more, 17 of others
  EXPECT_EQ(groups(Image, 3, 7, 32, Plain), 315u);
  EXPECT_EQ(Letters.requests(32).size(), 16u);
  EXPECT_FALSE(Letters.parts());
  EXPECT_EQ(Letters.requests(31).size(), 19u); // 16 and 15
  EXPECT_EQ(groups(Letters, 0, 31, 32, Plain), 62u);
  EXPECT_EQ(Letters.excessWavefronts(31, {17, 0, 1}), 12u);
}

/// Lanes with 18 and 17 units, or 16 and 15: as loops in nvcc's code for sm_90 are.
TEST(RowCopies, LoopsThatAreUnrolledOtherwise) {
  const auto requests = [](RowCopy copy, int64_t rows, RestLoop rest) {
    copy.rest = rest;
    return copy.requests(rows).size();
  };
  EXPECT_EQ(requests(Image, 7, RestLoop::FoursFirst), 19u); // 16, 2 of some, 1 of the others
  EXPECT_EQ(requests(Image, 7, RestLoop::OnesFirst), 18u);  // 1, 1 of some, 16
  EXPECT_EQ(requests(Image, 7, RestLoop::OneByOne), 18u);
  EXPECT_EQ(requests(Letters, 31, RestLoop::OnesFirst), 19u); // 3 of some, 12, 4 of the others
  EXPECT_EQ(requests(Letters, 31, RestLoop::OneByOne), 16u);
}

TEST(RowCopies, EachUnitOnce) {
  for (RestLoop rest : {RestLoop::FoursFirst, RestLoop::OnesFirst, RestLoop::OneByOne})
    for (int64_t width : {1, 3, 16, 33, 81, 128})
      for (int64_t rows = 0; rows <= 8; ++rows) {
        RowCopy copy{width, width, 0, 4, 32, 8};
        copy.rest = rest;
        std::vector<unsigned> copied(static_cast<size_t>(rows * width));
        for (const auto &request : copy.requests(rows)) {
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
          EXPECT_EQ(groups(copy, 9, rest, groupBytes, Plain), expected)
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
  EXPECT_EQ(groups(copy, 3, 5, 32, {17, 0, 1}), (3u * 8 + 5) * 3);
  // Two lines of each row; the request's 32 units end within one.
  EXPECT_EQ(groups(copy, 3, 5, 128, {17, 0, 1}), (3u * 8 + 5) * 2 + 3);
  // Eight lanes at once have two rows, whose first units are in the same banks.
  EXPECT_EQ(copy.excessWavefronts(8, {16, 0, 1}), 6u);
}

/// Of the copies above, with three sectors a row: lanes load the number of their unit's.
TEST(RowCopies, NumbersOfLiveSectors) {
  const std::vector<int64_t> live = {0, 1, 6, 7, 10, 11};
  const RowCopy copy{16, 16, 0, 16, 32, 8, 0, false, live};
  EXPECT_EQ(copy.listGroups(1, 0, 16), 2u);    // both requests, of all numbers
  EXPECT_EQ(copy.listGroups(1, 0, 1), 3u + 3); // each number by itself
  EXPECT_EQ(copy.listGroups(0, 1, 1), 3u);     // one row: 6 units
  EXPECT_EQ(copy.listGroups(5, 1, 2), 5 * 4u + 2);
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
  EXPECT_EQ(groups(rows, 125'000, 1, 32, {65, 0, 4}), 48'000'032u);
  EXPECT_EQ(groups(rows, 3, 7, 32, {65, 0, 4}), 1472u);
  EXPECT_EQ(groups(rows, 3, 7, 128, {65, 0, 4}), 31u * 8);
  EXPECT_TRUE(rows.mayTakeMore({65, 0, 4}));
  EXPECT_EQ(groups(fewer, 7, 3, 32, {66, 0, 4}), 31u * 32);
  EXPECT_TRUE(fewer.mayTakeMore({66, 0, 4}));
  EXPECT_FALSE(fewer.mayTakeMore({68, 0, 4})); // whole halves of a line: teams::floyd_warshall
}

/// Of one request, by a programme of our own: sectors that L2 is asked for. Plain loads and stores
/// of 16 bytes a lane ask once for a sector, whichever quarters of the warp its lanes are in;
/// asynchronous copies as above, for each sector of shared memory that a sector goes to.
TEST(RowCopies, SectorsOfARequestThatWereCounted) {
  const RowPlaces aligned{64, 0, 1};
  const auto sectors = [](const RowCopy &copy, const RowPlaces &places) {
    return copy.groupsOfWarp(1, 32, 0, places);
  };
  const RowCopy row{32, 32, 0, 16, 32, 1}, between{40, 32, 1, 16, 32, 1};
  EXPECT_EQ(sectors(row, aligned), 16u);
  EXPECT_EQ(sectors(between, aligned), 17u);
  EXPECT_EQ(sectors(byHardware(row), aligned), 16u);
  EXPECT_EQ(sectors(byHardware(between), aligned), 32u);
  const std::vector<int64_t> pairs = {0,  1,  4,  5,  8,  9,  12, 13, 16, 17, 20,
                                      21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41,
                                      44, 45, 48, 49, 52, 53, 56, 57, 60, 61};
  RowCopy gaps{64, 64, 0, 16, 32, 1};
  gaps.live = pairs;
  EXPECT_EQ(sectors(gaps, aligned), 16u);
  EXPECT_EQ(gaps.groupsOfWarp(1, 128, 0, aligned), 8u); // lines
  EXPECT_EQ(sectors(byHardware(gaps), aligned), 16u);
}

} // namespace
