//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// division_bucket_test.cpp: division by a multiplication against division.
//
//===----------------------------------------------------------------------===//
#include <colonnade/division_bucket.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

using colonnade::division_bucket;

namespace {

template <class Key> void check(Key width, Key key) {
  const Key id = static_cast<Key>(key / width);
  const uint32_t expected = id > 0xffffffffu ? 0xffffffffu : static_cast<uint32_t>(id);
  ASSERT_EQ(division_bucket<Key>(width)(key), expected) << +key << " / " << +width;
}

/// Around the multiples of the width, and at both ends.
template <class Key> void check_edges(Key width, std::mt19937_64 &random) {
  const Key most = std::numeric_limits<Key>::max();
  std::vector<Key> keys = {0,
                           1,
                           static_cast<Key>(width - 1),
                           width,
                           most,
                           static_cast<Key>(most - 1),
                           static_cast<Key>(most / width * width)};
  for (int i = 0; i < 8; ++i) {
    const Key times = static_cast<Key>(random()) % (most / width) + 1;
    keys.push_back(static_cast<Key>(times * width));
    keys.push_back(static_cast<Key>(times * width - 1));
    keys.push_back(static_cast<Key>(random()));
  }
  for (const Key key : keys)
    check(width, key);
}

template <class Key> void check_widths() {
  const uint64_t seed = 20261121;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (Key width = 1; width < 2000; ++width)
    check_edges(width, random);
  for (uint32_t bit = 1; bit < 8 * sizeof(Key); ++bit)
    for (int off = -2; off <= 2; ++off)
      if (const Key width = static_cast<Key>((Key{1} << bit) + static_cast<Key>(off)))
        check_edges(width, random);
  for (int i = 0; i < 20000; ++i)
    if (const Key width = static_cast<Key>(random() >> random() % (8 * sizeof(Key))))
      check_edges(width, random);
  check_edges(std::numeric_limits<Key>::max(), random);
}

TEST(DivisionBucketTest, Uint32) { check_widths<uint32_t>(); }
TEST(DivisionBucketTest, Uint64) { check_widths<uint64_t>(); }

TEST(DivisionBucketTest, KeysFromAllOfTheRange) {
  for (const uint32_t width : {3u, 7u, 641u, 0x80000001u}) {
    const division_bucket<uint32_t> bucket(width);
    uint32_t wrong = 0;
    for (uint64_t key = 0; key <= 0xffffffffu; key += width < 100 ? 97 : 1021)
      wrong += bucket(static_cast<uint32_t>(key)) != static_cast<uint32_t>(key) / width;
    EXPECT_EQ(wrong, 0u) << width;
  }
}

} // namespace
