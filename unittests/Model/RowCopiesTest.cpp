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

TEST(RowCopies, AWarpThatIsNotFullPartsWhereLanesHaveMore) {
  EXPECT_EQ(Image.requests(8).size(), 21u);
  EXPECT_TRUE(Image.parts());
  EXPECT_EQ(Image.requests(7).size(), 19u); // 18 of lanes that have one more, 17 of others
  EXPECT_EQ(Image.groupsOfAll(3, 7, 32), 315u);
  EXPECT_EQ(Letters.requests(32).size(), 16u);
  EXPECT_FALSE(Letters.parts());
  EXPECT_EQ(Letters.requests(31).size(), 19u); // 16 and 15
  EXPECT_EQ(Letters.groupsOfAll(0, 31, 32), 62u);
  EXPECT_EQ(Letters.excessWavefronts(31, 17, 0), 12u);
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
          EXPECT_EQ(copy.groupsOfAll(9, rest, groupBytes), expected)
              << width << ", " << base << ", " << groupBytes << ", " << rest;
        }
}

} // namespace
