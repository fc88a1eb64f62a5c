//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_lanes_test.cpp: what the compilers' vector extensions do not do themselves,
// against plain loops, per instruction set: rows to a tile and back, conversions
// between integer widths and of masks, products of lower halves, minimum and maximum of
// NaNs, division of 8- and 16-bit lanes by every kind of constant. Includes itself once per
// instruction set, as generated files do.
//
//===----------------------------------------------------------------------===//
#ifndef COLONNADE_ISA
#include <colonnade/bulk/cpu_launch.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#define COLONNADE_NAME_JOIN(A, B) A##_##B
#define COLONNADE_NAME_OF(A, B) COLONNADE_NAME_JOIN(A, B)
#define COLONNADE_TEST_NAME(NAME) COLONNADE_NAME_OF(NAME, COLONNADE_ISA_NAMESPACE)

#define COLONNADE_TEST(SUITE, NAME) TEST(SUITE, NAME)

#define COLONNADE_ISA 1
#include "cpu_lanes_test.cpp"
#if defined(__x86_64__)
#define COLONNADE_ISA 2
#include "cpu_lanes_test.cpp"
#define COLONNADE_ISA 3
#include "cpu_lanes_test.cpp"
#endif

#else
// In this order: each is included for one instruction set, which begin.hpp chooses.
#include <colonnade/simd/begin.hpp>

#include <colonnade/simd/vec.hpp>

#include <colonnade/bulk/cpu_lanes.hpp>

namespace cpu_lanes_test::COLONNADE_ISA_NAMESPACE {

namespace lanes = colonnade::bulk::detail::COLONNADE_ISA_NAMESPACE;
using colonnade::simd::COLONNADE_ISA_NAMESPACE::mask;
using colonnade::simd::COLONNADE_ISA_NAMESPACE::vec;
constexpr int native = lanes::native_bytes;

inline bool supported() { return colonnade::bulk::detail::isa_supported(COLONNADE_ISA_NAME); }

// Assertions in each of many instances would take their time to compile: one for all.
void expect_right(const char *wrong, size_t from_bytes, size_t to_bytes, int lanes,
                  uint64_t cells = 1) {
  EXPECT_EQ(wrong, nullptr) << wrong << ": " << from_bytes << " to " << to_bytes << " bytes, "
                            << lanes << " lanes, " << cells << " cells";
}

/// Rows that begin `before` cells after those of a vector.
template <class T, int W> void transposes(uint64_t cells, size_t before) {
  std::vector<T> rows(before + cells * W), tile(cells * W + 1, T(77));
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = i < before ? T(77) : static_cast<T>(i * 2654435761u >> 7);
  const char *wrong = nullptr;
  lanes::rows_to_tile<T, W>(rows.data() + before, tile.data(), cells);
  for (uint64_t i = 0; i < cells; ++i)
    for (uint64_t lane = 0; lane < W; ++lane)
      if (tile[i * W + lane] != rows[before + lane * cells + i])
        wrong = "rows to tile";
  std::vector<T> back(rows.size() + 1, T(77));
  lanes::tile_to_rows<T, W>(tile.data(), back.data() + before, cells);
  if (tile.back() != T(77) || back.back() != T(77))
    wrong = "beyond the end";
  back.pop_back();
  if (back != rows)
    wrong = "tile to rows";
  expect_right(wrong, sizeof(T), sizeof(T), W, cells);
}
template <class T, int W> void transposes() {
  for (const uint64_t cells : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 128, 129, 256})
    for (const size_t before : {0, 1, 4, 13}) // cache lines begin elsewhere
      transposes<T, W>(cells, before);
}
template <class T> void transposes_of() {
  transposes<T, native / 8>();
  transposes<T, native / 4>();
  transposes<T, native / 2>();
  transposes<T, native>();
}
COLONNADE_TEST(COLONNADE_TEST_NAME(Transposes), RowsToTileAndBack) {
  if (!supported())
    GTEST_SKIP();
  transposes_of<uint8_t>();
  transposes_of<uint16_t>();
  transposes_of<uint32_t>();
  transposes_of<uint64_t>();
}

/// What is wrong, or null.
template <class To, class From, int W> const char *converts() {
  From from[W];
  To to[W];
  for (int i = 0; i < W; ++i)
    from[i] = static_cast<From>(0x9d8c7b6a5f4e3d2cull >> (7 * i % 57)) ^ static_cast<From>(i * 37);
  store(to, lanes::convert<To>(lanes::load<W>(static_cast<const From *>(from))));
  for (int i = 0; i < W; ++i)
    if (to[i] != static_cast<To>(from[i]))
      return "a value";
  constexpr int a = sizeof(From), b = sizeof(To);
  const auto m = lanes::load<W>(static_cast<const From *>(from)) < vec<From, W>(From(100));
  static_assert(std::is_same<decltype(m), const mask<a, W>>::value, "as wide as what is compared");
  bool truths[W];
  store(truths, mask<b, W>(m));
  for (int i = 0; i < W; ++i)
    if (truths[i] != (from[i] < From(100)))
      return "a mask";
  return nullptr;
}
template <class To, class From> void converts_between() {
  expect_right(converts<To, From, native / 8>(), sizeof(From), sizeof(To), native / 8);
  expect_right(converts<To, From, native / 4>(), sizeof(From), sizeof(To), native / 4);
  expect_right(converts<To, From, native / 2>(), sizeof(From), sizeof(To), native / 2);
  expect_right(converts<To, From, native>(), sizeof(From), sizeof(To), native);
}
template <class From> void converts_from() {
  converts_between<int8_t, From>();
  converts_between<uint8_t, From>();
  converts_between<int16_t, From>();
  converts_between<uint16_t, From>();
  converts_between<int32_t, From>();
  converts_between<uint32_t, From>();
  converts_between<int64_t, From>();
  converts_between<uint64_t, From>();
}
COLONNADE_TEST(COLONNADE_TEST_NAME(Conversions), IntegersAndMasks) {
  if (!supported())
    GTEST_SKIP();
  converts_from<int8_t>();
  converts_from<uint8_t>();
  converts_from<int16_t>();
  converts_from<uint16_t>();
  converts_from<int32_t>();
  converts_from<uint32_t>();
  converts_from<int64_t>();
  converts_from<uint64_t>();
}

template <int W> void multiplies_low_halves() {
  uint64_t x[W], y[W], products[W];
  for (int i = 0; i < W; ++i) {
    x[i] = 0x9d8c7b6a5f4e3d2cull + static_cast<uint64_t>(i);
    y[i] = 0xfedcba98ffffffffull - static_cast<uint64_t>(i);
  }
  const auto load = [](const uint64_t *p) { return lanes::load<W>(p); };
  store(products, lanes::multiply_low_halves(load(x), load(y)));
  for (int i = 0; i < W; ++i)
    ASSERT_EQ(products[i], (x[i] & 0xffffffff) * (y[i] & 0xffffffff)) << W << " lanes";
}
COLONNADE_TEST(COLONNADE_TEST_NAME(Products), OfLowerHalves) {
  if (!supported())
    GTEST_SKIP();
  multiplies_low_halves<1>(); // not a register: no instruction for it
  multiplies_low_halves<native / 8>();
  multiplies_low_halves<native / 4>();
}

// docs/numerics.md: the other operand, whether a NaN is quiet or signals.
template <class T, class Bits> void takes_the_other(Bits nan) {
  constexpr int W = native / sizeof(T);
  T nans[W], numbers[W], results[4][W];
  for (int i = 0; i < W; ++i) {
    std::memcpy(&nans[i], &nan, sizeof nan);
    numbers[i] = static_cast<T>(i);
  }
  const vec<T, W> a = lanes::load<W>(static_cast<const T *>(nans));
  const vec<T, W> b = lanes::load<W>(static_cast<const T *>(numbers));
  store(results[0], fmin(a, b));
  store(results[1], fmin(b, a));
  store(results[2], fmax(a, b));
  store(results[3], fmax(b, a));
  for (const auto &result : results)
    EXPECT_EQ(std::memcmp(result, numbers, sizeof numbers), 0) << std::hex << nan;
}
COLONNADE_TEST(COLONNADE_TEST_NAME(Extremes), OfNaNs) {
  if (!supported())
    GTEST_SKIP();
  for (const uint64_t nan : {0x7ff8000000000000u, 0x7ff4000000000000u, 0xfff0000000000001u})
    takes_the_other<double>(nan);
  for (const uint32_t nan : {0x7fc00000u, 0x7fa00000u, 0xff800001u})
    takes_the_other<float>(nan);
}

template <int64_t Divisor, class T> void divides() {
  constexpr int W = native / sizeof(T);
  using limits = std::numeric_limits<T>;
  T from[W], quotients[W], remainders[W];
  for (int first = limits::min(); first <= limits::max(); first += W) {
    for (int i = 0; i < W; ++i)
      from[i] = static_cast<T>(first + i);
    const vec<T, W> a = lanes::load<W>(static_cast<const T *>(from));
    store(quotients, lanes::divide<Divisor>(a));
    store(remainders, lanes::modulo<Divisor>(a));
    for (int i = 0; i < W; ++i) {
      ASSERT_EQ(quotients[i], static_cast<T>(from[i] / Divisor)) << +from[i] << " / " << Divisor;
      ASSERT_EQ(remainders[i], static_cast<T>(from[i] % Divisor)) << +from[i] << " % " << Divisor;
    }
  }
}
template <class T, int64_t... Divisor> void divides_by() { (divides<Divisor, T>(), ...); }
COLONNADE_TEST(COLONNADE_TEST_NAME(Division), NarrowLanesByConstants) {
  if (!supported())
    GTEST_SKIP();
  divides_by<int8_t, 2, 3, 10, 64, 127, -2, -7, -128>();
  divides_by<uint8_t, 2, 3, 7, 128, 255>();
  divides_by<int16_t, 2, 3, 7, 144, 1024, 32767, -2, -3, -10, -32768>();
  divides_by<uint16_t, 2, 3, 7, 10, 641, 32768, 65535>();
}

} // namespace cpu_lanes_test::COLONNADE_ISA_NAMESPACE
#include <colonnade/simd/end.hpp>
#endif
