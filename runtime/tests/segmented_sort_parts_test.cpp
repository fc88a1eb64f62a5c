//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What segmented sorts are made of: bank conflicts of the tile, classes of lengths,
// divisions.
//
//===----------------------------------------------------------------------===//

#include <colonnade/detail/segmented_sort/row_classes.hpp>
#include <colonnade/detail/segmented_sort/row_network.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace colonnade::detail;

namespace {

/// Eight neighbours move a pack each at a time, on 32 banks of 4 bytes.
template <class T, uint32_t E> void expect_no_conflicts() {
  using tile = row_tile<T, E>;
  for (uint32_t first = 0; first < 32; first += 8)
    for (uint32_t p = 0; p < tile::packs; ++p) {
      std::set<size_t> own, neighbours;
      for (uint32_t t = first; t < first + 8; ++t)
        own.insert((t * tile::stride * sizeof(T) / 16 + p) % 8);
      EXPECT_EQ(own.size(), 8u) << sizeof(T) << " " << E;
    }
  EXPECT_EQ(tile::stride % tile::pack::count, 0u);
}
TEST(RowTile, PiecesMeetNoBankConflict) {
  expect_no_conflicts<uint32_t, 4>();
  expect_no_conflicts<uint32_t, 8>();
  expect_no_conflicts<uint32_t, 16>();
  expect_no_conflicts<uint32_t, 24>();
  expect_no_conflicts<uint32_t, 28>();
  expect_no_conflicts<uint32_t, 32>();
  expect_no_conflicts<uint64_t, 32>();
  expect_no_conflicts<wide_item, 16>();
}

TEST(RowClasses, HoldTheirRows) {
  using classes = row_classes<32>;
  EXPECT_EQ(classes::in_warp, 9u);
  EXPECT_EQ(classes::in_block, 12u);
  for (uint64_t length = 1; length <= 8192; ++length) {
    const uint32_t c = classes::of(length);
    ASSERT_LE(length, classes::row_items(c));
    ASSERT_TRUE(c == 0 || length > classes::row_items(c - 1));
    ASSERT_LE(classes::row_items(c), 32u << classes::log2_threads(c));
  }
  EXPECT_EQ(classes::of(8193), classes::large);
  EXPECT_EQ(row_classes<16>::of(4097), row_classes<16>::large);
}

TEST(SmallDivisor, IsExact) {
  for (uint32_t d = 1; d <= 2048; ++d)
    for (uint32_t x = 0; x < std::min(8192u, 256 * d); ++x)
      ASSERT_EQ(small_divisor(d).quotient(x), x / d);
}

} // namespace
