//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Predicates on points against rational arithmetic (GMP): random points, and points made to be as
// near to collinear as their type allows, from subnormal to the largest coordinates.
//
//===----------------------------------------------------------------------===//
#include <colonnade/detail/exact/cross.hpp>

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace colonnade::testing::predicates {
using namespace detail;
namespace {

template <class Number> mpq_class rational(Number x) { return mpq_class(static_cast<double>(x)); }

template <class Number>
int cross_by_rationals(point_of<Number> a, point_of<Number> b, point_of<Number> c,
                       point_of<Number> d) {
  const mpq_class cross = (rational(b.x) - rational(a.x)) * (rational(d.y) - rational(c.y)) -
                          (rational(b.y) - rational(a.y)) * (rational(d.x) - rational(c.x));
  return sgn(cross);
}

/// Coordinates of every kind that a type has.
template <class Number> class Coordinates {
public:
  explicit Coordinates(uint64_t seed) : random_(seed) {}

  Number any() {
    if constexpr (std::is_integral_v<Number>) {
      const int bits = static_cast<int>(random_() % 32);
      return static_cast<Number>(static_cast<int64_t>(random_() << 32) >> 32 >> bits);
    } else {
      const Number fraction = static_cast<Number>(static_cast<double>(random_() >> 11) * 0x1p-53);
      const Number sign = random_() & 1 ? 1 : -1;
      switch (random_() % 6) {
      case 0: // small integers
        return sign * static_cast<Number>(random_() % 16);
      case 1: // subnormal numbers, and zeros of both signs
        return sign * std::numeric_limits<Number>::denorm_min() *
               static_cast<Number>(random_() % 64);
      case 2: // the largest
        return sign * std::numeric_limits<Number>::max() * (1 - fraction / 4);
      case 3: { // any exponent
        const int lowest = std::numeric_limits<Number>::min_exponent,
                  highest = std::numeric_limits<Number>::max_exponent;
        const int exponent =
            lowest + static_cast<int>(random_() % static_cast<unsigned>(highest - lowest));
        return sign * std::ldexp((1 + fraction) / 2, exponent);
      }
      default:
        return sign * fraction;
      }
    }
  }
  point_of<Number> point() { return {any(), any()}; }
  /// On the line from a to b, as exactly as can be written, and a step or two beside it.
  point_of<Number> near(point_of<Number> a, point_of<Number> b) {
    const double t = static_cast<double>(random_() % 9) / 4 - 0.5;
    return {stepped(static_cast<double>(a.x), static_cast<double>(b.x), t),
            stepped(static_cast<double>(a.y), static_cast<double>(b.y), t)};
  }
  uint64_t number() { return random_(); }

private:
  Number stepped(double a, double b, double t) {
    double at = a * (1 - t) + b * t;
    const double most = static_cast<double>(std::numeric_limits<Number>::max()),
                 least = static_cast<double>(std::numeric_limits<Number>::lowest());
    at = std::isfinite(at) ? std::clamp(at, least, most) : 0.0;
    Number result = static_cast<Number>(at);
    for (uint64_t steps = random_() % 3; steps; --steps) {
      const bool up = random_() & 1;
      if constexpr (std::is_integral_v<Number>)
        result += up && result < std::numeric_limits<Number>::max() ? 1 : 0;
      else {
        const Number next = std::nextafter(result, up ? std::numeric_limits<Number>::infinity()
                                                      : -std::numeric_limits<Number>::infinity());
        result = std::isfinite(next) ? next : result;
      }
    }
    return result;
  }
  std::mt19937_64 random_;
};

template <class Number> void compare_with_rationals(uint64_t seed, int cases) {
  Coordinates<Number> coordinates(seed);
  std::array<int, 3> seen{};
  int in_integers = 0;
  const auto tally = [&in_integers] { ++in_integers; };
  for (int i = 0; i < cases; ++i) {
    const auto a = coordinates.point();
    const auto b = i % 8 == 7 ? a : coordinates.point();
    const auto c = i % 2 ? coordinates.point() : coordinates.near(a, b);
    const auto d = i % 4 < 2 ? a : i % 4 == 2 ? coordinates.near(a, b) : coordinates.point();
    const int expected = cross_by_rationals(a, b, c, d);
    ASSERT_EQ(cross_sign(a, b, c, d, tally), expected)
        << "case " << i << " of seed " << seed << ": " << a.x << ' ' << a.y << ", " << b.x << ' '
        << b.y << ", " << c.x << ' ' << c.y << ", " << d.x << ' ' << d.y;
    if constexpr (!std::is_integral_v<Number>) {
      ASSERT_EQ(cross_sign_in_integers(a, b, c, d), expected) << "case " << i;
    }
    ++seen[static_cast<size_t>(expected + 1)];

    const bool minus = coordinates.number() & 1;
    const int sign = minus ? -1 : 1;
    ASSERT_EQ(compare_diagonal(a, c, minus), sgn(mpq_class(rational(a.x) + sign * rational(a.y) -
                                                           rational(c.x) - sign * rational(c.y))))
        << "case " << i;
  }
  for (int count : seen)
    EXPECT_GT(count, cases / 50);
  if (!std::is_integral_v<Number>) {
    EXPECT_GT(in_integers, cases / 50); // the inputs are hard,
    EXPECT_LT(in_integers, cases);      // and yet not all of them
  }
}

TEST(ExactPredicates, Int32) { compare_with_rationals<int32_t>(1, 10'000); }
TEST(ExactPredicates, Float) { compare_with_rationals<float>(1, 20'000); }
TEST(ExactPredicates, Double) { compare_with_rationals<double>(1, 20'000); }

/// The sign of a sum whose terms cancel but for the last bit of all.
TEST(ExactPredicates, FarBelow) {
  const double high = std::numeric_limits<double>::max(),
               low = std::numeric_limits<double>::denorm_min();
  const exact_term<double> left[3] = {exact_product(high, high), exact_product(high, high, true),
                                      exact_product(low, low)};
  EXPECT_EQ(sign_of_sum(left), 1);
  const exact_term<double> right[3] = {exact_product(high, high), exact_product(high, high, true),
                                       exact_product(-low, low)};
  EXPECT_EQ(sign_of_sum(right), -1);
  const exact_term<double> none[3] = {exact_product(high, low), exact_product(-high, low),
                                      exact_product(0.0, high)};
  EXPECT_EQ(sign_of_sum(none), 0);
}

/// Orders and sides are named as the header names them.
TEST(ExactPredicates, Names) {
  using point = point_of<float>;
  const point a{0, 0}, b{2, 0};
  EXPECT_EQ(orientation(a, b, point{1, 1}), 1);
  EXPECT_EQ(orientation(a, b, point{1, -1}), -1);
  EXPECT_EQ(orientation(a, b, point{5, -0.0f}), 0);
  EXPECT_EQ(compare_distance(a, b, point{7, 3}, point{0, 2}), 1);
  EXPECT_EQ(compare_distance(a, b, point{7, 2}, point{0, 3}), -1);
  EXPECT_EQ(compare_distance(a, b, point{7, 2}, point{0, 2}), 0);
}

#if defined(__SSE2__)
/// Subnormal numbers flushed, as -ffast-math of another file does for the whole programme.
TEST(ExactPredicates, FlushedSubnormals) {
  const unsigned before = __builtin_ia32_stmxcsr();
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x40;
  volatile double small = 0x1p-1030; // so that nothing is computed before it runs
  const std::array<point_of<double>, 4> p = {
      {{0, 0}, {small, 0x1p-31}, {0, 0}, {0x1p-31, 0x1p1000}}};
  const int expected = cross_by_rationals(p[0], p[1], p[2], p[3]);
  __builtin_ia32_ldmxcsr(before | flush_to_zero | denormals_are_zero);
  const int flushed = cross_sign(p[0], p[1], p[2], p[3]);
  const float tiny = std::numeric_limits<float>::denorm_min();
  const int of_floats = orientation(point_of<float>{0, 0}, point_of<float>{tiny, 2 * tiny},
                                    point_of<float>{1.0f, 1.0f});
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(flushed, expected);
  EXPECT_EQ(of_floats, -1);
}
#endif

/// What rounding cannot decide of a hull's orientations (Andrew's chain, both hoods).
struct decision_shares {
  uint64_t all = 0, beyond_floats = 0, beyond_doubles = 0;
};
template <class Number> decision_shares decisions_of(std::vector<point_of<Number>> points) {
  std::sort(points.begin(), points.end(),
            [](const auto &a, const auto &b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  decision_shares shares;
  for (const int side : {1, -1}) {
    std::vector<point_of<Number>> hood;
    for (const point_of<Number> &p : points) {
      while (hood.size() > 1) {
        const auto a = hood[hood.size() - 2], b = hood.back();
        ++shares.all;
        if constexpr (std::is_same_v<Number, float>)
          shares.beyond_floats += cross_sign_in_floats(a, b, a, p) == 0;
        if (side * orientation(a, b, p, [&] { ++shares.beyond_doubles; }) > 0)
          break;
        hood.pop_back();
      }
      hood.push_back(p);
    }
  }
  return shares;
}
template <class Number> decision_shares decisions_of(const char *type, const char *shape) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<point_of<Number>> points;
  for (int i = 0; i < 100000; ++i) {
    const double angle = 2 * M_PI * unit(random), u = unit(random);
    const double radius = shape[0] == 'd' ? std::sqrt(u) : shape[0] == 'c' ? 1 : 1 - u * 1e-4;
    const bool is_grid = shape[0] == 'g';
    points.push_back({static_cast<Number>(is_grid ? random() % 64 : radius * std::cos(angle)),
                      static_cast<Number>(is_grid ? random() % 64 : radius * std::sin(angle))});
  }
  const decision_shares found = decisions_of(points);
  const double percent = 100.0 / static_cast<double>(found.all);
  std::printf("%s, %s: of %llu decisions %.3f %% beyond floats, %.3f %% beyond doubles\n", type,
              shape, static_cast<unsigned long long>(found.all),
              percent * static_cast<double>(found.beyond_floats),
              percent * static_cast<double>(found.beyond_doubles));
  return found;
}
/// Printed, as what hulls cost depends on it.
TEST(ExactPredicates, HowManyDecisionsRoundingLeaves) {
  for (const char *shape : {"disc", "circle", "ring of width 10^-4"}) {
    const decision_shares floats = decisions_of<float>("float", shape);
    EXPECT_LT(100 * floats.beyond_floats, floats.all) << shape;
    EXPECT_EQ(floats.beyond_doubles, 0u) << shape;
    EXPECT_EQ(decisions_of<double>("double", shape).beyond_doubles, 0u) << shape;
  }
  const decision_shares grid = decisions_of<double>("double", "grid of 64 x 64");
  EXPECT_GT(3 * grid.beyond_doubles, grid.all); // points that repeat, or lie on a line
}

} // namespace
} // namespace colonnade::testing::predicates
