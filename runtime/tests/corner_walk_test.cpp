//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The corners of a loop against all of its iterations.
//
//===----------------------------------------------------------------------===//
#include <colonnade/bulk/corner_walk.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace colonnade::runtime::detail {
namespace {

template <class T> bool passes(T i, T high, loop_test test) {
  switch (test) {
  case loop_test::lt:
    return i < high;
  case loop_test::le:
    return i <= high;
  case loop_test::gt:
    return i > high;
  case loop_test::ge:
    return i >= high;
  case loop_test::ne:
    return i != high;
  }
  return false;
}

/// The counters of all iterations, or nothing if the loop wraps or is long.
template <class T> bool iterations(T low, T high, T step, loop_test test, std::vector<T> &all) {
  for (T i = low; passes(i, high, test);) {
    all.push_back(i);
    const bool down = step < T{} || step > static_cast<T>(std::numeric_limits<T>::max() / 2 + 1);
    T next;
    const bool wraps = down ? __builtin_sub_overflow(i, static_cast<T>(T{} - step), &next)
                            : __builtin_add_overflow(i, step, &next);
    if (wraps || all.size() > 5000)
      return false;
    i = next;
  }
  return true;
}

template <class T> void compare_with_all_iterations() {
  std::mt19937_64 random(7);
  const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  unsigned exact = 0;
  for (unsigned trial = 0; trial < 20000; ++trial) {
    const T bases[] = {T{0}, least, static_cast<T>(most - 20), static_cast<T>(most / 2)};
    const T base = bases[random() % 4];
    const T low = static_cast<T>(base + random() % 20), high = static_cast<T>(base + random() % 20);
    const T step = static_cast<T>(random() % 9) - T{4};
    const auto test = static_cast<loop_test>(random() % 5);
    std::vector<T> all;
    const bool ends = iterations(low, high, step, test, all);
    corner_walk walk;
    std::vector<T> seen;
    for (corner_loop<T> loop(walk, low, high, step, test); loop.next();) {
      seen.push_back(loop.counter);
      walk.access(0, 1);
    }
    if (!walk.exact)
      continue;
    ++exact;
    ASSERT_TRUE(ends) << trial;
    ASSERT_EQ(walk.accesses, all.size());
    ASSERT_EQ(walk.weight, 1u);
    ASSERT_EQ(seen.empty(), all.empty());
    if (!all.empty()) {
      EXPECT_EQ(seen.front(), all.front());
      EXPECT_EQ(seen.back(), all.back());
    }
  }
  EXPECT_GT(exact, 4000u);
}

TEST(CornerWalk, LoopsOfAllTypes) {
  compare_with_all_iterations<int32_t>();
  compare_with_all_iterations<uint32_t>();
  compare_with_all_iterations<int64_t>();
  compare_with_all_iterations<uint64_t>();
}

TEST(CornerWalk, NoticesWhatIsLost) {
  auto exact = [](auto operation) {
    corner_walk walk;
    operation(walk);
    return walk.exact;
  };
  EXPECT_TRUE(exact([](corner_walk &w) { w.add<int32_t>(1, 2); }));
  EXPECT_FALSE(exact([](corner_walk &w) { w.add<int32_t>(INT32_MAX, 1); }));
  EXPECT_FALSE(exact([](corner_walk &w) { w.sub<uint32_t>(0, 1); }));
  EXPECT_FALSE(exact([](corner_walk &w) { w.mul<int64_t>(INT64_MAX, 2); }));
  EXPECT_TRUE(exact([](corner_walk &w) { w.shl<int32_t>(3, 4); }));
  EXPECT_FALSE(exact([](corner_walk &w) { w.shl<int32_t>(1, 31); }));
  EXPECT_TRUE(exact([](corner_walk &w) { w.convert<int64_t>(int32_t{-1}); }));
  EXPECT_FALSE(exact([](corner_walk &w) { w.convert<uint32_t>(int32_t{-1}); }));
  EXPECT_FALSE(exact([](corner_walk &w) { w.convert<int32_t>(int64_t{1} << 40); }));
}

TEST(CornerWalk, Extents) {
  corner_walk walk;
  EXPECT_TRUE(walk.access(4, 5));
  EXPECT_FALSE(walk.access(5, 5));
  EXPECT_FALSE(walk.access(-1, UINT64_MAX));
}

} // namespace
} // namespace colonnade::runtime::detail
