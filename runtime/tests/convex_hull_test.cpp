//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls: the GPU's blocks under random schedules against the host's function, with planted
// faults.
//
//===----------------------------------------------------------------------===//
#include "host_hull.hpp"
#include "hull_cases.hpp"
#include "hull_of_points.hpp"
#include "planted.hpp"

namespace colonnade::testing::hulls {
namespace {

/// Against the host's function. Empty if all is right.
template <class Policy, class T>
std::string compare(const std::vector<T> &points, hull_part part, unsigned seed,
                    hull_faults planted = {}, const hull_limits &limits = {}) {
  const uint64_t n = points.size() / 2;
  const auto expected = hull_of(points, part);
  const auto got = host_hull<Policy>(seed, planted, points_in(points), n, n, part, false, limits);
  if (got.num_hull != expected.size() || got.hull != expected || !got.status.ok())
    return got.complaints + "not the hull of " + std::to_string(n) + " points";
  return got.complaints;
}

/// Of two large sizes each kind has one in each type; the types' seeds differ.
bool is_its_size(uint32_t kind, uint64_t n, uint64_t seed) {
  return n < 500 || (kind + seed + n / 500) % 2 == 0;
}

/// One policy with all kinds and sizes; of two others each has half of them.
template <class T> void every_case(unsigned seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {1, 2, 3, 31, 96, 97, 128, 129, 600, 1100}) {
      if (!is_its_size(kind, n, seed))
        continue;
      hull_points_of<T> make(seed + kind);
      const auto points = make.points(static_cast<hull_case>(kind), n);
      ASSERT_EQ((compare<small_hull_policy>(points, hull_parts[(kind + n) % 3], seed)), "")
          << "kind " << kind << " n " << n;
      if ((kind / 2 + n + seed) % 2)
        ASSERT_EQ((compare<one_tile_policy>(points, hull_part::whole, seed)), "")
            << "kind " << kind << " n " << n;
      else
        ASSERT_EQ((compare<small_hull_policy>(points, hull_part::whole, seed, {}, plain_limits)),
                  "")
            << "kind " << kind << " n " << n;
    }
}
TEST(ConvexHull, BlocksOfInt32) { every_case<int32_t>(1); }
TEST(ConvexHull, BlocksOfFloats) { every_case<float>(2); }
TEST(ConvexHull, BlocksOfDoubles) { every_case<double>(3); }

/// The hull stands where the sorted indices were, whichever kernels find it. Each type has a third
/// of the kinds.
template <class T> void written_in_place(unsigned seed) {
  for (uint32_t kind = seed % 3; kind < num_hull_cases; kind += 3)
    for (const uint64_t n : {1, 96, 97, 129, 600, 1100}) {
      if (!is_its_size(kind / 3, n, seed))
        continue;
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      for (hull_limits limits : {hull_limits{}, plain_limits}) {
        limits.in_place = true;
        ASSERT_EQ((compare<small_hull_policy>(points, hull_part::whole, seed, {}, limits)), "")
            << "kind " << kind << " n " << n;
      }
    }
}
TEST(ConvexHull, WrittenInPlace) {
  written_in_place<int32_t>(4);
  written_in_place<float>(5);
  written_in_place<double>(6);
}

/// The same of all points on the boundary.
template <class T>
std::string compare_boundary(const std::vector<T> &points, hull_part part, unsigned seed,
                             hull_faults planted = {}) {
  const uint64_t n = points.size() / 2;
  const auto whole = hull_of(points);
  std::vector<uint64_t> expected(n);
  uint64_t number = 0;
  const device_status status =
      host_convex_hull_boundary(points_in(points), n, expected.data(), n, number, {part});
  expected.resize(number);
  const auto got =
      host_boundary(seed, planted, points_in(points), n, {whole.begin(), whole.end()}, part);
  if (!status.ok() || got.num_hull != number || got.hull != expected)
    return got.complaints + "not the boundary of " + std::to_string(n) + " points";
  return got.complaints;
}

template <class T> void boundary_blocks(unsigned seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {0, 1, 2, 40, 500}) {
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      for (const hull_part part : hull_parts)
        ASSERT_EQ(compare_boundary(points, part, seed), "") << "kind " << kind << " n " << n;
    }
}
TEST(ConvexHull, BlocksOfBoundaries) {
  boundary_blocks<int32_t>(1);
  boundary_blocks<float>(2);
  boundary_blocks<double>(3);
}

TEST(ConvexHull, ManySchedules) {
  for (unsigned seed = 0; seed < rounds(20); ++seed)
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

/// Points in a small part of the sieve's frame: a tight cluster and one point far away, or none, in
/// any place of the input. Nearly all points of it are inside, and are left out.
template <class T>
void check_clusters(uint64_t seed, T radius, T far, std::initializer_list<double> turns) {
  constexpr uint64_t n = 6000;
  constexpr hull_limits limits{.hollow_from = ~uint64_t{0}};
  for (const double turn : turns)
    for (const uint64_t at : {uint64_t{0}, n / 3, n - 1, n}) {
      std::mt19937_64 random(seed);
      std::uniform_real_distribution<double> unit(0, 1);
      std::vector<T> points;
      for (uint64_t i = 0; i < n; ++i) {
        const double angle = 2 * M_PI * (i == at ? turn : unit(random));
        const double r = i == at ? far : radius * std::sqrt(unit(random));
        points.push_back(static_cast<T>(r * std::cos(angle)));
        points.push_back(static_cast<T>(r * std::sin(angle)));
      }
      const auto got = host_hull<clusters_policy>(1, {}, points_in(points), n, n, hull_part::whole,
                                                  false, limits);
      ASSERT_EQ(got.hull, hull_of(points, hull_part::whole)) << turn << " at " << at;
      ASSERT_EQ(got.complaints, "");
      EXPECT_LT(got.kept, n / 4) << "a point far away at " << at << ", turned by " << turn;
    }
}
TEST(ConvexHull, Clusters) {
  check_clusters<float>(1, 1e-6f, 1, {0.0, 0.3, 0.25, 0.7});
  check_clusters<int32_t>(3, 2000, 2000000000, {0.3});
}

/// What is refused of unsorted points, and of points that are not finite.
template <class Policy, class T> void refuse_by_x(uint64_t seed) {
  auto points = by_x(hull_points_of<T>(seed).points(hull_case::in_disc, 600), false);
  std::swap(points[2 * 300], points[2 * 310]);
  const auto find = [&] {
    return host_hull<Policy>(1, {}, points_in(points), 600, 600, hull_part::whole, true);
  };
  const auto unsorted = find();
  EXPECT_EQ(unsorted.num_hull, 0u);
  EXPECT_TRUE(unsorted.hull.empty());
  EXPECT_EQ(unsorted.complaints, "");
  EXPECT_EQ(unsorted.status.error(), data_error::index_out_of_range);
  EXPECT_EQ(unsorted.status.detail(), 301u);
  if (!std::is_floating_point_v<T>)
    return;
  points[2 * 200 + 1] = std::numeric_limits<T>::infinity();
  const auto infinite = find();
  EXPECT_EQ(infinite.num_hull, 0u);
  EXPECT_EQ(infinite.status.error(), data_error::value_out_of_range);
  EXPECT_EQ(infinite.status.detail(), 200u);
}
template <class Policy, class T> void check_by_x(uint64_t seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {0, 1, 2, 60, 96, 97, 127, 128, 129, 700, 1300}) {
      if (!is_its_size(kind, n, seed))
        continue;
      const auto points =
          by_x(hull_points_of<T>(seed).points(static_cast<hull_case>(kind), n), false);
      const hull_part part = hull_parts[(kind + n) % 3];
      const auto got = host_hull<Policy>(1, {}, points_in(points), n, n, part, true);
      ASSERT_EQ(got.hull, hull_of(points, part)) << "kind " << kind << " n " << n;
      ASSERT_EQ(got.num_hull, got.hull.size());
      ASSERT_EQ(got.complaints, "");
      ASSERT_TRUE(got.status.ok());
    }
  refuse_by_x<Policy, T>(seed);
}
TEST(ConvexHull, PointsByX) {
  check_by_x<small_hull_policy, int32_t>(1);
  check_by_x<small_hull_policy, float>(2);
  check_by_x<small_hull_policy, double>(3);
  check_by_x<one_tile_policy, float>(4); // most of them by one block
}
TEST(ConvexHull, ChainsOfPointsByX) { check_by_x<chains_policy, double>(5); }

/// Doubles that words of 32 bits do not tell apart are put in order by blocks, or sorted anew.
TEST(ConvexHull, NarrowWords) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    hull_points_of<double> make(seed);
    auto points = make.points(hull_case::on_circle, 900);
    for (int round = 0; round < 2; ++round) {
      for (const uint64_t n : {uint64_t{600}, points.size() / 2}) {
        const auto got = host_hull<small_hull_policy>(seed, {}, points_in(points), n, n,
                                                      hull_part::whole, false, plain_limits);
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
           compare<small_hull_policy>(inside, hull_part::whole, seed, f, plain_limits) +
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

TEST(ConvexHull, PlantedFaultsOfBoundariesAreSeen) {
  auto points = hull_points_of<int32_t>(4).points(hull_case::diamond, 300);
  points.insert(points.end(), {0, 0}); // the last one is inside
  const planted_runs runs("hull_boundary", hull_faults{}, [&](unsigned seed, hull_faults f) {
    return compare_boundary(points, hull_part::whole, seed, f);
  });
  runs.expect("off_by_one_tail", [](hull_faults &f) { f.lost_point = true; });
  runs.expect("unsorted", [](hull_faults &f) { f.unsorted = true; });
  runs.expect("moved_top", [](hull_faults &f) { f.moved_top = true; });
  hull_faults none;
  none.drop_warp_sync = none.drop_block_sync = none.torn_words = true;
  for (const char *fault : {"dropped_warp_sync", "dropped_block_sync", "flag_before_value"})
    has_none("hull_boundary", fault, runs.with(none));
  has_none("hull_boundary", "unreset_ticket");
}

} // namespace
} // namespace colonnade::testing::hulls
