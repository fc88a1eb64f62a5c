//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls: the host's function against gift wrapping in rational numbers (GMP), and that hulls
// which are changed are refused.
//
//===----------------------------------------------------------------------===//
#include "host_hull.hpp"
#include "hull_cases.hpp"
#include "hull_of_points.hpp"

#include <gmpxx.h>

namespace colonnade::testing::hull_rationals {
namespace {

/// Gift wrapping: from the smallest point always on to the one with all others to its left.
class RationalHull {
public:
  /// of: the hull is that of so many of the points; 0: of all.
  template <class T>
  explicit RationalHull(const std::vector<T> &coordinates, size_t of = 0)
      : of_(of ? of : coordinates.size() / 2) {
    for (size_t i = 0; i < coordinates.size(); i += 2)
      points_.push_back({mpq_class(static_cast<double>(coordinates[i])),
                         mpq_class(static_cast<double>(coordinates[i + 1]))});
    whole_ = wrap();
  }
  const std::vector<uint64_t> &whole() const { return whole_; }
  /// From the lowest leftmost to the lowest rightmost vertex, or the same of the highest.
  std::vector<uint64_t> part(hull_part part) const {
    const std::vector<uint64_t> &all = whole();
    std::vector<uint64_t> hood;
    if (part == hull_part::whole || all.empty())
      return all;
    const bool upper = part == hull_part::upper;
    mpq_class left = points_[all[0]].first, right = left;
    for (const uint64_t i : all)
      right = std::max(right, points_[i].first);
    const auto end_at = [&](const mpq_class &x) { // of the vertices with this x
      size_t best = all.size();
      for (size_t k = 0; k < all.size(); ++k)
        if (points_[all[k]].first == x &&
            (best == all.size() || (points_[all[k]].second > points_[all[best]].second) == upper))
          best = k;
      return best;
    };
    const size_t from = end_at(left), to = end_at(right), step = upper ? all.size() - 1 : 1;
    for (size_t k = from;; k = (k + step) % all.size()) {
      hood.push_back(all[k]);
      if (k == to)
        return hood;
    }
  }

  /// 1: inside; 0: on the boundary; -1: outside. By every edge.
  int side(uint64_t i) const {
    const std::vector<uint64_t> &all = whole();
    if (all.size() == 1)
      return points_[i] == points_[all[0]] ? 0 : -1;
    int least = 1;
    for (size_t k = 0; k < all.size(); ++k)
      least = std::min(least, turn(all[k], all[(k + 1) % all.size()], i));
    const auto ends = std::minmax(points_[all[0]], points_[all[1]]);
    if (all.size() == 2 && least == 0 && (points_[i] < ends.first || ends.second < points_[i]))
      return -1;
    return least;
  }
  /// All points on the boundary: edge by edge, by the distance from its begin, then by index.
  std::vector<uint64_t> boundary(hull_part wanted) const {
    std::vector<uint64_t> edges = part(wanted), found;
    if (wanted == hull_part::whole && edges.size() > 2)
      edges.push_back(edges[0]);
    for (size_t k = 0; k < edges.size(); ++k) {
      std::vector<std::pair<mpq_class, uint64_t>> on_edge;
      const bool is_last = k + 1 == edges.size();
      if (is_last && wanted == hull_part::whole && edges.size() > 2)
        break;
      for (uint64_t i = 0; i < points_.size(); ++i) {
        if (is_last ? points_[i] == points_[edges[k]]
                    : points_[i] != points_[edges[k + 1]] && is_between(edges[k], edges[k + 1], i))
          on_edge.push_back({distance(edges[k], i), i});
      }
      std::sort(on_edge.begin(), on_edge.end());
      for (const auto &[at, i] : on_edge)
        found.push_back(i);
    }
    return found;
  }

private:
  using Point = std::pair<mpq_class, mpq_class>;
  std::vector<uint64_t> wrap() const {
    std::vector<uint64_t> hull;
    if (points_.empty())
      return hull;
    uint64_t at = 0; // the first of several in one place
    for (uint64_t i = 1; i < of_; ++i)
      if (points_[i] < points_[at])
        at = i;
    const uint64_t start = at;
    do {
      hull.push_back(at);
      uint64_t next = at;
      for (uint64_t i = 0; i < of_; ++i)
        if (points_[i] != points_[at] && (next == at || is_better(at, next, i)))
          next = i;
      at = next;
    } while (points_[at] != points_[start]);
    return hull;
  }
  int turn(uint64_t a, uint64_t b, uint64_t c) const {
    const Point &p = points_[a], &q = points_[b], &r = points_[c];
    return sgn(mpq_class((q.first - p.first) * (r.second - p.second) -
                         (q.second - p.second) * (r.first - p.first)));
  }
  mpq_class distance(uint64_t a, uint64_t b) const {
    return abs(points_[a].first - points_[b].first) + abs(points_[a].second - points_[b].second);
  }
  bool is_between(uint64_t a, uint64_t b, uint64_t i) const {
    return turn(a, b, i) == 0 && distance(a, i) + distance(i, b) == distance(a, b);
  }
  /// Whether c lies to the right of the line from a to b, or behind b on it.
  bool is_better(uint64_t a, uint64_t b, uint64_t c) const {
    const int side = turn(a, b, c);
    return side < 0 || (side == 0 && distance(a, c) > distance(a, b));
  }
  size_t of_;
  std::vector<Point> points_;
  std::vector<uint64_t> whole_;
};

template <class T> void compare_with_rationals(uint64_t seed, uint64_t number) {
  uint64_t with_edges = 0;
  for (uint64_t round = 0; round < rounds(number); ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      hull_points_of<T> make(seed + round * num_hull_cases + kind);
      const uint64_t n = round % 14;
      const auto points = make.points(static_cast<hull_case>(kind), n);
      const RationalHull expected(points);
      for (const hull_part part : hull_parts)
        ASSERT_EQ(hull_of(points, part), expected.part(part)) << "kind " << kind << " n " << n;
      const auto hull = expected.whole();
      with_edges += hull.size() > 2;
      ASSERT_TRUE(host_check_convex_hull(points_in(points), n, hull.data(), hull.size()).ok())
          << "kind " << kind << " n " << n;
    }
  EXPECT_GT(with_edges, rounds(number) * num_hull_cases / 3);
}

/// Every point on the boundary, and where other points lie.
template <class T> void compare_boundaries(uint64_t seed, uint64_t number) {
  for (uint64_t round = 0; round < rounds(number); ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      hull_points_of<T> make(seed + round * num_hull_cases + kind);
      const uint64_t n = round % 17, more = n ? 8 : 0;
      auto points = make.points(static_cast<hull_case>(kind), n);
      const RationalHull expected(points);
      for (const hull_part part : hull_parts) {
        std::vector<uint64_t> got(n);
        uint64_t number = 0;
        ASSERT_TRUE(
            host_convex_hull_boundary(points_in(points), n, got.data(), n, number, {part}).ok());
        got.resize(number);
        ASSERT_EQ(got, expected.boundary(part))
            << "kind " << kind << " n " << n << " part " << static_cast<int>(part);
      }
      const auto hull = expected.whole();
      const auto tried = make.points(static_cast<hull_case>(kind), more);
      points.insert(points.end(), tried.begin(), tried.end());
      std::vector<hull_side> sides(n + more);
      host_points_in_hull(points_in(points), n, hull.data(), hull.size(), points_in(points),
                          n + more, sides.data());
      const RationalHull all(points, n);
      for (uint64_t i = 0; i < n + more; ++i)
        ASSERT_EQ(static_cast<int>(sides[i]), all.side(i)) << "kind " << kind << " n " << n;
    }
}
TEST(ConvexHull, BoundariesAndSidesAgainstRationals) {
  compare_boundaries<int32_t>(1, 34);
  compare_boundaries<float>(2, 34);
  compare_boundaries<double>(3, 34);
}

TEST(ConvexHull, Int32AgainstRationals) { compare_with_rationals<int32_t>(1, 140); }
TEST(ConvexHull, FloatAgainstRationals) { compare_with_rationals<float>(2, 140); }
TEST(ConvexHull, DoubleAgainstRationals) { compare_with_rationals<double>(3, 140); }

/// Every hull that differs from the right one is refused.
template <class T> void change_hulls(uint64_t seed) {
  for (uint64_t round = 0; round < rounds(40); ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      hull_points_of<T> make(seed + round * num_hull_cases + kind);
      const uint64_t n = 3 + round % 12;
      const auto points = make.points(static_cast<hull_case>(kind), n);
      const auto hull = hull_of(points);
      const auto refused = [&](std::vector<uint64_t> changed, const char *what) {
        EXPECT_FALSE(
            host_check_convex_hull(points_in(points), n, changed.data(), changed.size()).ok())
            << what << ", kind " << kind << " n " << n;
      };
      for (size_t k = 0; k < hull.size(); ++k) {
        auto changed = hull;
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
        refused(changed, "without a vertex");
        changed = hull;
        changed[k] = n;
        refused(changed, "no point");
        changed = hull;
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k), hull[k]);
        refused(changed, "a vertex twice");
      }
      if (hull.size() > 1) {
        refused({hull.rbegin(), hull.rend()}, "clockwise");
        auto changed = hull;
        changed.insert(changed.end(), hull.begin(), hull.end());
        refused(changed, "round twice");
      }
    }
}
TEST(ConvexHull, ChecksRefuse) {
  change_hulls<int32_t>(1);
  change_hulls<float>(2);
  change_hulls<double>(3);
}

} // namespace
} // namespace colonnade::testing::hull_rationals
