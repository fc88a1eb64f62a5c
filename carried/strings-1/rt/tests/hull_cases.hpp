//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_cases.hpp: points that are hard for a convex hull: grids, lines, steps of one ulp beside a
// line, lattices, diamonds, cocircular integers, subnormal and huge numbers, points in one place.
//
// In: a kind, a number of points, a seed. Out: the points, interleaved. Invariant: all are finite,
// and the same on every machine.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace colonnade::testing {

enum class hull_case : uint32_t {
  small_grid,     // many equal points and points on a line
  anywhere,       // any bits
  near_line,      // a line, and one step beside it
  near_duplicate, // a few points, and one step beside each
  lattice,        // of a skewed grid, far away from 0
  diamond,        // |x| + |y| = constant
  cocircular,     // integers with x^2 + y^2 = 65^2
  tiny,           // subnormal numbers; of integers, small ones
  huge,           // up to the largest
  mixed,          // tiny and huge ones
  all_equal,
  horizontal,
  vertical,
  oblique,
  on_circle,
  in_disc,
  two_arcs, // side by side: many vertices of one hide many of the other
};
constexpr uint32_t num_hull_cases = static_cast<uint32_t>(hull_case::two_arcs) + 1;

/// Whether a short test takes a kind in the i-th of three sizes, so that tools that watch all
/// accesses come to an end: each kind has one size, and another in each type, whose seeds differ.
inline bool in_short_test(uint32_t kind, size_t i, uint64_t seed) { return i == (kind + seed) % 3; }

/// The points, but where more than `most` are on the boundary, others from inside take places
/// there, if there are any. boundary(points): the indices of those on the boundary.
template <class T, class Boundary>
std::vector<T> with_small_boundary(std::vector<T> points, uint64_t most, Boundary boundary) {
  for (uint32_t round = 0; round < 4; ++round) { // what was inside may now be on the boundary
    const auto outer = boundary(points);
    std::vector<bool> is_outer(points.size() / 2);
    for (const auto i : outer)
      is_outer[i] = true;
    std::vector<uint64_t> inner;
    for (uint64_t i = 0; i < is_outer.size(); ++i)
      if (!is_outer[i])
        inner.push_back(i);
    const uint64_t step = outer.size() / most + 1;
    if (step == 1 || inner.empty())
      break;
    for (uint64_t k = 0; k < outer.size(); ++k)
      if (k % step != 0)
        std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(2 * inner[k % inner.size()]), 2,
                    points.begin() + static_cast<std::ptrdiff_t>(2 * outer[k]));
  }
  return points;
}

template <class T> class hull_points_of {
public:
  explicit hull_points_of(uint64_t seed) : random_(seed) {}

  std::vector<T> points(hull_case kind, uint64_t n) {
    std::vector<T> all;
    base_ = {number(), number()};
    step_ = {number(), number()};
    for (uint64_t i = 0; i < n; ++i)
      for (const T coordinate : point(kind))
        all.push_back(coordinate);
    return all;
  }

private:
  using pair = std::array<T, 2>;
  static constexpr bool integral = std::is_integral_v<T>;
  static constexpr T most = std::numeric_limits<T>::max();

  int64_t below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(bound));
  }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  T sign(T x) { return random_() & 1 ? x : static_cast<T>(-x); }
  /// Of middling size.
  T number() { return sign(static_cast<T>(integral ? unit() * 0x1p28 : unit())); }
  T stepped(T x) {
    const int64_t by = below(3) - 1;
    if constexpr (integral)
      return static_cast<T>(x + by);
    else
      return by ? std::nextafter(x, by > 0 ? most : -most) : x;
  }
  static T from(double x) { return static_cast<T>(x); }
  pair on_line(double t) {
    return {from(static_cast<double>(base_[0]) + t * static_cast<double>(step_[0])),
            from(static_cast<double>(base_[1]) + t * static_cast<double>(step_[1]))};
  }
  T tiny() {
    if constexpr (integral)
      return static_cast<T>(below(5) - 2);
    else
      return sign(static_cast<T>(below(8)) * std::numeric_limits<T>::denorm_min());
  }
  T huge() {
    if constexpr (integral)
      return static_cast<T>(random_() & 1 ? most - below(3)
                                          : std::numeric_limits<T>::min() + below(3));
    else
      return sign(most - static_cast<T>(below(4)) * (most * std::numeric_limits<T>::epsilon()));
  }
  T any() {
    if constexpr (integral) {
      return static_cast<T>(random_());
    } else {
      const int exponent = std::numeric_limits<T>::min_exponent +
                           static_cast<int>(below(std::numeric_limits<T>::max_exponent -
                                                  std::numeric_limits<T>::min_exponent));
      return sign(std::ldexp(static_cast<T>(unit()), exponent));
    }
  }
  pair cocircular() {
    static constexpr int corner[][2] = {{65, 0}, {63, 16}, {60, 25}, {56, 33}, {52, 39}};
    const auto &c = corner[below(5)];
    const bool turned = random_() & 1;
    return {sign(static_cast<T>(c[turned])), sign(static_cast<T>(c[!turned]))};
  }
  pair point(hull_case kind) {
    const double radius = integral ? 0x1p30 : 1;
    switch (kind) {
    case hull_case::small_grid:
      return {static_cast<T>(below(6) - 2), static_cast<T>(below(6) - 3)};
    case hull_case::anywhere:
      return {any(), any()};
    case hull_case::near_line: {
      const pair p = on_line(static_cast<double>(below(9)) / 4 - 1);
      return {stepped(p[0]), stepped(p[1])};
    }
    case hull_case::near_duplicate: {
      const int64_t k = below(4);
      return {stepped(k & 1 ? base_[0] : step_[0]), stepped(k & 2 ? base_[1] : step_[1])};
    }
    case hull_case::lattice: {
      const T far = static_cast<T>(integral ? 1 << 29 : 1 << 20);
      const int64_t a = below(5), b = below(5);
      return {static_cast<T>(far + static_cast<T>(3 * a + b)),
              static_cast<T>(far + static_cast<T>(a - 2 * b))};
    }
    case hull_case::diamond: {
      const int64_t x = below(33) - 16;
      return {static_cast<T>(x), sign(static_cast<T>(16 - std::abs(x)))};
    }
    case hull_case::cocircular:
      return cocircular();
    case hull_case::tiny:
      return {tiny(), tiny()};
    case hull_case::huge:
      return {huge(), huge()};
    case hull_case::mixed:
      return {random_() & 1 ? tiny() : huge(), random_() & 1 ? tiny() : huge()};
    case hull_case::all_equal:
      return {random_() & 1 || base_[0] != 0 ? base_[0] : -base_[0], base_[1]};
    case hull_case::horizontal:
      return {number(), base_[1]};
    case hull_case::vertical:
      return {base_[0], number()};
    case hull_case::oblique: {
      const int64_t t = below(9);
      return {static_cast<T>(3 * t), static_cast<T>(7 - 2 * t)};
    }
    case hull_case::on_circle: {
      const double angle = unit() * 6.283185307179586;
      return {from(radius * std::cos(angle)), from(radius * std::sin(angle))};
    }
    case hull_case::in_disc: {
      const double angle = unit() * 6.283185307179586, r = radius * std::sqrt(unit());
      return {from(r * std::cos(angle)), from(r * std::sin(angle))};
    }
    case hull_case::two_arcs: {
      const double u = 2 * unit() - 1, side = random_() & 1 ? 1 : -1;
      return {from(radius / 2 * (u + side)), from(radius / 2 * std::sqrt(1 - u * u))};
    }
    }
    return {};
  }

  std::mt19937_64 random_;
  pair base_{}, step_{};
};

} // namespace colonnade::testing
