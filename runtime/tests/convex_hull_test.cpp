//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls: the host's function against gift wrapping in rational numbers (GMP), then the GPU's
// blocks under random schedules against the host's function, with planted faults.
//
//===----------------------------------------------------------------------===//
#include "host_hull.hpp"
#include "hull_cases.hpp"
#include "hull_of_points.hpp"
#include "planted.hpp"

#include <gmpxx.h>

using namespace colonnade;
using namespace colonnade::testing;

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
  }
  std::vector<uint64_t> whole() const {
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
  /// From the lowest leftmost to the lowest rightmost vertex, or the same of the highest.
  std::vector<uint64_t> part(hull_part part) const {
    std::vector<uint64_t> all = whole(), hood;
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
    const std::vector<uint64_t> all = whole();
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
};

constexpr hull_part parts[] = {hull_part::whole, hull_part::lower, hull_part::upper};

template <class T> void compare_with_rationals(uint64_t seed, uint64_t rounds) {
  uint64_t with_edges = 0;
  for (uint64_t round = 0; round < rounds; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      hull_points_of<T> make(seed + round * num_hull_cases + kind);
      const uint64_t n = round % 14;
      const auto points = make.points(static_cast<hull_case>(kind), n);
      const RationalHull expected(points);
      for (const hull_part part : parts)
        ASSERT_EQ(hull_of(points, part), expected.part(part)) << "kind " << kind << " n " << n;
      const auto hull = expected.whole();
      with_edges += hull.size() > 2;
      ASSERT_TRUE(host_check_convex_hull(points_in(points), n, hull.data(), hull.size()).ok())
          << "kind " << kind << " n " << n;
    }
  EXPECT_GT(with_edges, rounds * num_hull_cases / 3);
}

/// Every point on the boundary, and where other points lie.
template <class T> void compare_boundaries(uint64_t seed, uint64_t rounds) {
  for (uint64_t round = 0; round < rounds; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      hull_points_of<T> make(seed + round * num_hull_cases + kind);
      const uint64_t n = round % 17, more = n ? 8 : 0;
      auto points = make.points(static_cast<hull_case>(kind), n);
      const RationalHull expected(points);
      for (const hull_part part : parts) {
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
  compare_boundaries<int32_t>(1, 60);
  compare_boundaries<float>(2, 60);
  compare_boundaries<double>(3, 60);
}

TEST(ConvexHull, Int32AgainstRationals) { compare_with_rationals<int32_t>(1, 280); }
TEST(ConvexHull, FloatAgainstRationals) { compare_with_rationals<float>(2, 280); }
TEST(ConvexHull, DoubleAgainstRationals) { compare_with_rationals<double>(3, 280); }

/// Every hull that differs from the right one is refused.
template <class T> void change_hulls(uint64_t seed) {
  for (uint64_t round = 0; round < 40; ++round)
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

/// Against the host's function. Empty if all is right.
template <class Policy, class T>
std::string compare(const std::vector<T> &points, hull_part part, unsigned seed,
                    hull_faults planted = {}) {
  const uint64_t n = points.size() / 2;
  const auto expected = hull_of(points, part);
  const auto got = host_hull<Policy>(seed, planted, points_in(points), n, n, part);
  if (got.num_hull != expected.size() || got.hull != expected || !got.status.ok())
    return got.complaints + "not the hull of " + std::to_string(n) + " points";
  return got.complaints;
}

template <class T> void every_case(unsigned seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {1, 2, 3, 31, 96, 97, 128, 129, 600, 1100}) {
      hull_points_of<T> make(seed + kind);
      const auto points = make.points(static_cast<hull_case>(kind), n);
      ASSERT_EQ((compare<small_hull_policy>(points, parts[(kind + n) % 3], seed)), "")
          << "kind " << kind << " n " << n;
      ASSERT_EQ((compare<one_tile_policy>(points, hull_part::whole, seed)), "")
          << "kind " << kind << " n " << n;
      ASSERT_EQ((compare<plain_policy>(points, hull_part::whole, seed)), "")
          << "kind " << kind << " n " << n;
    }
}
TEST(ConvexHull, BlocksOfInt32) { every_case<int32_t>(1); }
TEST(ConvexHull, BlocksOfFloats) { every_case<float>(2); }
TEST(ConvexHull, BlocksOfDoubles) { every_case<double>(3); }

template <class T> void boundary_blocks(unsigned seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {0, 1, 2, 40, 500}) {
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      const auto whole = hull_of(points);
      const std::vector<uint32_t> hull(whole.begin(), whole.end());
      for (const hull_part part : parts) {
        std::vector<uint64_t> expected(n);
        uint64_t number = 0;
        ASSERT_TRUE(
            host_convex_hull_boundary(points_in(points), n, expected.data(), n, number, {part})
                .ok());
        expected.resize(number);
        const auto got = host_boundary(seed, points_in(points), n, hull, part);
        ASSERT_EQ(got.hull, expected) << "kind " << kind << " n " << n;
        ASSERT_EQ(got.num_hull, number);
        ASSERT_EQ(got.complaints, "");
      }
    }
}
TEST(ConvexHull, BlocksOfBoundaries) {
  boundary_blocks<int32_t>(1);
  boundary_blocks<float>(2);
  boundary_blocks<double>(3);
}

TEST(ConvexHull, ManySchedules) {
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const hull_case kind : {hull_case::on_circle, hull_case::small_grid}) {
      const auto points = hull_points_of<float>(seed).points(kind, 700);
      ASSERT_EQ((compare<small_hull_policy>(points, hull_part::whole, seed)), "") << seed;
    }
}

TEST(ConvexHull, SeparateArraysAndCountsOfTheDevice) {
  const auto both = hull_points_of<float>(5).points(hull_case::in_disc, 500);
  std::vector<float> x, y;
  for (size_t i = 0; i < both.size(); i += 2) {
    x.push_back(both[i]);
    y.push_back(both[i + 1]);
  }
  const separate_points<float> apart{x.data(), y.data()};
  for (uint64_t number :
       {uint64_t{0}, uint64_t{1}, uint64_t{90}, uint64_t{400}, uint64_t{500}, uint64_t{600}}) {
    const uint64_t n = std::min<uint64_t>(number, 500);
    const auto expected = hull_of(
        std::vector<float>(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(2 * n)));
    const auto got = host_hull<small_hull_policy>(1, {}, apart, item_count{&number, 500}, 500);
    EXPECT_EQ(got.hull, expected) << number;
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.ok(), number <= 500);
    if (number > 500) {
      EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
      EXPECT_EQ(got.status.detail(), number);
    }
  }
}

TEST(ConvexHull, ACapacityThatIsTooSmall) {
  for (const uint64_t n : {80, 500}) {
    const auto points = hull_points_of<float>(6).points(hull_case::on_circle, n);
    const auto expected = hull_of(points);
    const uint64_t capacity = expected.size() / 2;
    const auto got = host_hull<small_hull_policy>(1, {}, points_in(points), n, capacity);
    EXPECT_EQ(got.num_hull, expected.size());
    EXPECT_TRUE(std::equal(got.hull.begin(), got.hull.end(), expected.begin()));
    EXPECT_EQ(got.hull.size(), capacity);
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
    EXPECT_EQ(got.status.detail(), expected.size());
    uint64_t num_hull = 0;
    std::vector<uint32_t> hull(capacity);
    const auto status = host_convex_hull(points_in(points), n, hull.data(), capacity, num_hull);
    EXPECT_EQ(status.first, got.status.first);
    EXPECT_TRUE(std::equal(hull.begin(), hull.end(), expected.begin()));
  }
}

template <class T> void refuse_not_finite(T number) {
  for (const uint64_t n : {90, 500}) {
    auto points = hull_points_of<T>(6).points(hull_case::in_disc, n);
    for (const size_t at : {2 * n - 1, n - 3, n + 4})
      points[at] = number;
    const auto got = host_hull<small_hull_policy>(1, {}, points_in(points), n, n);
    EXPECT_EQ(got.num_hull, 0u);
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.error(), data_error::value_out_of_range);
    EXPECT_EQ(got.status.detail(), (n - 3) / 2);
    uint64_t num_hull = 7;
    const auto status =
        host_convex_hull(points_in(points), n, static_cast<uint32_t *>(nullptr), 0, num_hull);
    EXPECT_EQ(status.first, got.status.first);
    EXPECT_EQ(num_hull, 0u);
  }
}
TEST(ConvexHull, WhatIsNotFiniteIsRefused) {
  refuse_not_finite(std::numeric_limits<float>::infinity());
  refuse_not_finite(-std::numeric_limits<double>::infinity());
  refuse_not_finite(std::numeric_limits<float>::quiet_NaN());
  refuse_not_finite(-std::numeric_limits<double>::quiet_NaN());
}

/// The same points by x, those of one x in any order.
template <class T> std::vector<T> by_x(const std::vector<T> &points) {
  std::vector<size_t> order(points.size() / 2);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return points[2 * a] < points[2 * b]; });
  std::vector<T> sorted;
  for (const size_t i : order)
    sorted.insert(sorted.end(), {points[2 * i], points[2 * i + 1]});
  return sorted;
}
template <class T> void check_by_x(uint64_t seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {0, 1, 2, 127, 128, 129, 700, 1300}) {
      const auto points = by_x(hull_points_of<T>(seed).points(static_cast<hull_case>(kind), n));
      const hull_part part = parts[(kind + n) % 3];
      const auto got = host_hull<small_hull_policy>(1, {}, points_in(points), n, n, part, true);
      ASSERT_EQ(got.hull, hull_of(points, part)) << "kind " << kind << " n " << n;
      ASSERT_EQ(got.num_hull, got.hull.size());
      ASSERT_EQ(got.complaints, "");
      ASSERT_TRUE(got.status.ok());
    }
  auto points = by_x(hull_points_of<T>(seed).points(hull_case::in_disc, 900));
  std::swap(points[2 * 300], points[2 * 310]);
  const auto unsorted =
      host_hull<small_hull_policy>(1, {}, points_in(points), 900, 900, hull_part::whole, true);
  EXPECT_EQ(unsorted.num_hull, 0u);
  EXPECT_TRUE(unsorted.hull.empty());
  EXPECT_EQ(unsorted.complaints, "");
  EXPECT_EQ(unsorted.status.error(), data_error::index_out_of_range);
  EXPECT_EQ(unsorted.status.detail(), 301u);
  if (std::is_floating_point_v<T>) {
    points[2 * 200 + 1] = std::numeric_limits<T>::infinity();
    const auto infinite =
        host_hull<small_hull_policy>(1, {}, points_in(points), 900, 900, hull_part::whole, true);
    EXPECT_EQ(infinite.num_hull, 0u);
    EXPECT_EQ(infinite.status.error(), data_error::value_out_of_range);
    EXPECT_EQ(infinite.status.detail(), 200u);
  }
}
TEST(ConvexHull, PointsByX) {
  check_by_x<int32_t>(1);
  check_by_x<float>(2);
  check_by_x<double>(3);
}

/// Doubles that words of 32 bits do not tell apart are put in order by blocks, or sorted anew.
TEST(ConvexHull, NarrowWords) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    hull_points_of<double> make(seed);
    auto points = make.points(hull_case::on_circle, 900);
    for (int round = 0; round < 2; ++round) {
      for (const uint64_t n : {uint64_t{600}, points.size() / 2}) {
        const auto got = host_hull<plain_policy>(seed, {}, points_in(points), n, n);
        EXPECT_EQ(got.complaints, "");
        EXPECT_EQ(got.unsettled, got.kept); // there is no frame
        const auto sampled = host_hull<small_hull_policy>(seed, {}, points_in(points), n, n);
        EXPECT_EQ(sampled.complaints, "");
        EXPECT_EQ(sampled.unsettled, 0u);
        EXPECT_EQ(sampled.hull, got.hull);
        EXPECT_EQ(got.hull, hull_of(std::vector<double>(points.begin(), points.begin() + 2 * n)));
      }
      points[0] = 1e9; // most are of one word, but what fits a block
    }
  }
}

TEST(ConvexHull, PlantedFaultsAreSeen) {
  const auto points = hull_points_of<float>(4).points(hull_case::on_circle, 900),
             inside = hull_points_of<float>(4).points(hull_case::in_disc, 900),
             arcs = hull_points_of<float>(4).points(hull_case::two_arcs, 600);
  const planted_runs runs("convex_hull", hull_faults{}, [&](unsigned seed, hull_faults f) {
    alarm(5);
    return compare<small_hull_policy>(points, hull_part::whole, seed, f) +
           compare<plain_policy>(inside, hull_part::whole, seed, f) +
           compare<one_tile_policy>(arcs, hull_part::whole, seed, f);
  });
  runs.expect("dropped_warp_sync", [](hull_faults &f) { f.drop_warp_sync = true; });
  runs.expect("dropped_block_sync", [](hull_faults &f) { f.drop_block_sync = true; });
  runs.expect("off_by_one_tail", [](hull_faults &f) { f.lost_point = true; });
  runs.expect("unsorted", [](hull_faults &f) { f.unsorted = true; });
  runs.expect("moved_piece", [](hull_faults &f) { f.moved_piece = true; });
  runs.expect("wide_sieve", [](hull_faults &f) { f.wide_sieve = true; });
  runs.expect("stale_lengths", [](hull_faults &f) { f.stale_lengths = true; });
  hull_faults torn;
  torn.torn_words = true;
  has_none("convex_hull", "flag_before_value", runs.with(torn));
  has_none("convex_hull", "unreset_ticket");
}

} // namespace
