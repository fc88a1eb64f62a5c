//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// vector_math_test.cpp: <cmath> for all lanes at once, per instruction set. Each function against
// the scalar one in more precision: within the bound of docs/numerics.md, infinities, zeros and
// NaNs where they belong. And the same bits whatever the number of lanes, a value's place and its
// neighbours, and with AVX2 and AVX-512.
//
//===----------------------------------------------------------------------===//
#ifndef COLONNADE_ISA
#define COLONNADE_VECTOR_MATH
#include <colonnade/bulk/cpu_launch.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <random>

namespace {

constexpr unsigned seed = 20261129;

/// Values of every magnitude, more of those that the functions are for, and the special ones.
template <class T> std::vector<T> values(size_t count, unsigned stream) {
  std::mt19937_64 random(seed + stream);
  using limits = std::numeric_limits<T>;
  std::vector<T> all = {T(0),
                        T(-0.0),
                        T(1),
                        T(-1),
                        T(0.5),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::quiet_NaN(),
                        limits::max(),
                        limits::lowest(),
                        limits::min(),
                        limits::denorm_min(),
                        T(88.5),
                        T(89.2),
                        T(-89.2),
                        T(710.2),
                        T(-710.2),
                        T(3e38)};
  std::shuffle(all.begin(), all.end(), random);
  const double width[] = {8, 220, 2000};
  while (all.size() < count) {
    const uint64_t bits = random();
    T value;
    if (bits % 4 == 3)
      std::memcpy(&value, &bits, sizeof value);
    else
      value = static_cast<T>((std::ldexp(static_cast<double>(bits >> 11), -53) - 0.5) *
                             width[bits % 4]);
    all.push_back(value);
  }
  return all;
}

/// In units in the last place of the exact result; infinity where one is finite, or a NaN, and the
/// other is not.
template <class T, class Wide> double error_of(T got, Wide exact) {
  const T nearest = static_cast<T>(exact);
  if (std::isnan(nearest) || std::isnan(got))
    return std::isnan(nearest) && std::isnan(got) ? 0 : INFINITY;
  if (got == nearest)
    return std::signbit(got) == std::signbit(nearest) ? 0 : INFINITY;
  if (std::isinf(nearest) || std::isinf(got))
    return INFINITY;
  const T magnitude = std::abs(nearest);
  const T next = std::nextafter(magnitude, T(0));
  return static_cast<double>(std::abs(static_cast<Wide>(got) - exact) /
                             static_cast<Wide>(magnitude - next));
}

/// What each function with FMA gave first, to compare the others with: its bits by name and type.
std::map<std::string, std::vector<uint64_t>> &first_bits() {
  static std::map<std::string, std::vector<uint64_t>> all;
  return all;
}

} // namespace

#define COLONNADE_NAME_JOIN(A, B) A##_##B
#define COLONNADE_NAME_OF(A, B) COLONNADE_NAME_JOIN(A, B)
#define COLONNADE_TEST_NAME(NAME) COLONNADE_NAME_OF(NAME, COLONNADE_ISA_NAMESPACE)
#define COLONNADE_TEST(SUITE, NAME) TEST(SUITE, NAME)

#define COLONNADE_ISA 1
#include "vector_math_test.cpp"
#define COLONNADE_ISA 2
#include "vector_math_test.cpp"
#define COLONNADE_ISA 3
#include "vector_math_test.cpp"

#else
// In this order: each is included for one instruction set, which begin.hpp chooses.
#include <colonnade/simd/begin.hpp>

#include <colonnade/simd/vec.hpp>

#include <colonnade/bulk/cpu_lanes.hpp>

namespace vector_math_test::COLONNADE_ISA_NAMESPACE {

namespace simd = colonnade::simd::COLONNADE_ISA_NAMESPACE;
constexpr int native = colonnade::bulk::detail::COLONNADE_ISA_NAMESPACE::native_bytes;
constexpr bool has_fma = COLONNADE_ISA > 1;

template <class T> struct wide_of {
  using type = long double;
};
template <> struct wide_of<float> {
  using type = double;
};

/// f of `count` pairs from `first` on, `W` lanes at a time.
template <int W, class T, class F>
std::vector<T> by_lanes(F f, const std::vector<T> &a, const std::vector<T> &b, size_t first) {
  std::vector<T> results(a.begin(), a.begin() + static_cast<long>(first));
  for (size_t i = first; i + W <= a.size(); i += W) {
    T lanes[W];
    simd::store(lanes, f(simd::load<W>(&a[i]), simd::load<W>(&b[i])));
    results.insert(results.end(), lanes, lanes + W);
  }
  return results;
}

template <class T> bool same_bits(const std::vector<T> &x, const std::vector<T> &y, size_t from) {
  for (size_t i = from; i < std::min(x.size(), y.size()); ++i)
    if (std::memcmp(&x[i], &y[i], sizeof(T)) != 0 && !(std::isnan(x[i]) && std::isnan(y[i])))
      return false;
  return true;
}

template <class T, class F, class G>
void is_right(const std::string &name, F lanes, G exact, double bound) {
  constexpr int W = native / static_cast<int>(sizeof(T));
  const std::vector<T> a = values<T>(40000, 1), b = values<T>(40000, 2);
  const std::vector<T> results = by_lanes<W>(lanes, a, b, 0);
  EXPECT_TRUE(same_bits(results, by_lanes<W>(lanes, a, b, 1), 1)) << name << ": by place";
  EXPECT_TRUE(same_bits(results, by_lanes<4 * W>(lanes, a, b, 0), 0)) << name << ": wide";
  EXPECT_TRUE(same_bits(results, by_lanes<std::max(2, W / 2)>(lanes, a, b, 0), 0))
      << name << ": half a register";
  double worst = 0;
  size_t at = 0;
  using wide = typename wide_of<T>::type;
  for (size_t i = 0; i < results.size(); ++i) {
    const wide wanted = exact(static_cast<wide>(a[i]), static_cast<wide>(b[i]));
    double error = error_of(results[i], wanted);
    // Subnormal results without FMA are rounded twice.
    if (!has_fma && std::abs(wanted) < 4 * static_cast<wide>(std::numeric_limits<T>::min()))
      error /= 2;
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  EXPECT_LE(worst, bound) << name << " of " << a[at] << ", " << b[at] << " gives " << results[at]
                          << " (seed " << seed << ")";
  if (!has_fma)
    return;
  std::vector<uint64_t> bits(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (!std::isnan(results[i]))
      std::memcpy(&bits[i], &results[i], sizeof(T));
  const auto [known, is_first] = first_bits().try_emplace(name + char(sizeof(T)), bits);
  const size_t both = std::min(bits.size(), known->second.size());
  EXPECT_TRUE(
      std::equal(bits.begin(), bits.begin() + static_cast<long>(both), known->second.begin()))
      << name << ": AVX2 and AVX-512";
}

#define COLONNADE_IS_RIGHT_1(NAME, BOUND)                                                          \
  is_right<float>(                                                                                 \
      #NAME, [](auto x, auto) { return simd::NAME(x); },                                           \
      [](double x, double) { return std::NAME(x); }, BOUND);                                       \
  is_right<double>(                                                                                \
      #NAME, [](auto x, auto) { return simd::NAME(x); },                                           \
      [](long double x, long double) { return std::NAME(x); }, BOUND);
#define COLONNADE_IS_RIGHT_2(NAME, BOUND)                                                          \
  is_right<float>(                                                                                 \
      #NAME, [](auto x, auto y) { return simd::NAME(x, y); },                                      \
      [](double x, double y) { return std::NAME(x, y); }, BOUND);                                  \
  is_right<double>(                                                                                \
      #NAME, [](auto x, auto y) { return simd::NAME(x, y); },                                      \
      [](long double x, long double y) { return std::NAME(x, y); }, BOUND);

COLONNADE_TEST(VectorMath, COLONNADE_TEST_NAME(is_within_its_bounds)) {
  if (!colonnade::bulk::detail::isa_supported(COLONNADE_ISA_NAME))
    GTEST_SKIP() << "this machine has no " << COLONNADE_ISA_NAME;
  COLONNADE_IS_RIGHT_1(sin, 1.0)
  COLONNADE_IS_RIGHT_1(cos, 1.0)
  COLONNADE_IS_RIGHT_1(tan, 1.0)
  COLONNADE_IS_RIGHT_1(asin, 1.0)
  COLONNADE_IS_RIGHT_1(acos, 1.0)
  COLONNADE_IS_RIGHT_1(atan, 1.0)
  COLONNADE_IS_RIGHT_1(sinh, 1.5) // the C library's, towards the end of the range
  COLONNADE_IS_RIGHT_1(cosh, 1.5)
  COLONNADE_IS_RIGHT_1(tanh, 1.001)
  COLONNADE_IS_RIGHT_1(exp, 1.0)
  COLONNADE_IS_RIGHT_1(exp2, 1.0)
  COLONNADE_IS_RIGHT_1(expm1, 1.0)
  COLONNADE_IS_RIGHT_1(log, 1.0)
  COLONNADE_IS_RIGHT_1(log2, 1.0)
  COLONNADE_IS_RIGHT_1(log10, 1.0)
  COLONNADE_IS_RIGHT_1(log1p, 1.0)
  COLONNADE_IS_RIGHT_1(cbrt, 1.0)
  COLONNADE_IS_RIGHT_1(erf, 1.5)
  COLONNADE_IS_RIGHT_1(erfc, 1.5)
  COLONNADE_IS_RIGHT_2(atan2, 1.0)
  COLONNADE_IS_RIGHT_2(pow, 1.0)
  COLONNADE_IS_RIGHT_2(hypot, 1.0)
}
#undef COLONNADE_IS_RIGHT_1
#undef COLONNADE_IS_RIGHT_2

} // namespace vector_math_test::COLONNADE_ISA_NAMESPACE

#include <colonnade/simd/end.hpp>
#undef COLONNADE_ISA
#endif
