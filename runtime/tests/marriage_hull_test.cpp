//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls by marriage before conquest: the GPU's blocks under random schedules against the
// host's function (which is compared with rationals in convex_hull_test.cpp), with planted faults;
// the number of iterations against proposition 3.7.
//
//===----------------------------------------------------------------------===//
#include "host_marriage.hpp"
#include "hull_cases.hpp"
#include "hull_of_points.hpp"
#include "planted.hpp"

#include <colonnade/host_convex_hull.hpp>

namespace colonnade::testing::marriage_hulls {
namespace {

constexpr hull_part parts[] = {hull_part::whole, hull_part::lower, hull_part::upper};

/// Empty if all is right.
template <class Policy, class T>
std::string compare(const std::vector<T> &points, hull_part part, unsigned seed,
                    marriage_faults planted = {}) {
  const uint64_t n = points.size() / 2;
  const auto expected = hull_of(points, part);
  const auto got = host_marriage<Policy>(seed, planted, points_in(points), n, n, part);
  if (got.num_hull != expected.size() || got.hull != expected || !got.status.ok())
    return got.complaints + "not the hull of " + std::to_string(n) + " points";
  return got.complaints;
}

/// One policy with all kinds and sizes; each of the others with a share of them.
template <class T, class... Others> void every_case(unsigned seed) {
  uint32_t turn = seed;
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {0u, 1u, 2u, 4u, 33u, 97u, 350u}) {
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      ASSERT_EQ((compare<small_marriage_policy>(points, parts[(kind + n) % 3], seed)), "")
          << "kind " << kind << " n " << n;
      uint32_t other = ++turn % sizeof...(Others);
      std::string wrong;
      ((wrong += other-- == 0 ? compare<Others>(points, hull_part::whole, seed) : ""), ...);
      ASSERT_EQ(wrong, "") << "kind " << kind << " n " << n;
    }
}
TEST(MarriageHull, Int32) { every_case<int32_t, warps_only_policy, pruned_marriage_policy>(1); }
TEST(MarriageHull, Floats) { every_case<float, warps_only_policy, pruned_warps_policy>(2); }
TEST(MarriageHull, Doubles) { every_case<double, warps_only_policy, pruned_warps_policy>(3); }

/// What is sure roughly is so exactly; words are in the order of numbers, and not above them.
template <class T> void rough_decisions(unsigned seed) {
  using number = detail::rough_number<T>;
  uint64_t sure = 0;
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
    const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), 40);
    const auto at = [&](size_t i) { return points_in(points)[i]; };
    number before = 0;
    for (size_t i = 0; i + 2 < 40; ++i)
      for (size_t k = 0; k < 40; ++k) {
        const auto side = detail::rough_cross(detail::rough_difference(at(i + 1), at(i)),
                                              detail::rough_difference(at(k), at(i)));
        const int exactly = detail::orientation(at(i), at(i + 1), at(k));
        ASSERT_TRUE(!side.is_surely_positive() || exactly > 0) << kind;
        ASSERT_TRUE(!side.is_surely_negative() || exactly < 0) << kind;
        sure += side.is_surely_positive() || side.is_surely_negative();
        const uint32_t word = detail::word_below(side.value), last = detail::word_below(before);
        if (word != 0 && last != 0) { // both are numbers
          ASSERT_LE(detail::number_of_word<number>(word), side.value);
          ASSERT_TRUE(word <= last || side.value >= before);
        }
        before = side.value;
      }
  }
  EXPECT_GT(sure, 1000u);
  EXPECT_EQ(detail::word_below(std::numeric_limits<number>::infinity()), 0u);
  EXPECT_EQ(detail::word_below(std::numeric_limits<number>::quiet_NaN()), 0u);
}
TEST(MarriageHull, RoughDecisions) {
  rough_decisions<int32_t>(1);
  rough_decisions<float>(2);
  rough_decisions<double>(3);
}

/// As many points as a warp finishes at once, and some more; 34 and more are divided.
template <class T> void small_inputs(unsigned seed) {
  for (uint32_t round = 0; round < rounds(6); ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      const uint64_t n = 5 + (7 * round + kind) % 60;
      const auto points = hull_points_of<T>(seed + round * num_hull_cases + kind)
                              .points(static_cast<hull_case>(kind), n);
      ASSERT_EQ((compare<warps_only_policy>(points, parts[round % 3], round)), "")
          << "kind " << kind << " n " << n << " round " << round;
    }
}
TEST(MarriageHull, SmallInputs) {
  small_inputs<int32_t>(1);
  small_inputs<float>(2);
  small_inputs<double>(3);
}

/// The blocks as they are on a GPU.
TEST(MarriageHull, TheUsualPolicy) {
  const auto circle = hull_points_of<float>(7).points(hull_case::on_circle, 12000);
  EXPECT_EQ((compare<marriage_hull_policy>(circle, hull_part::whole, 1)), "");
  const auto disc = hull_points_of<int32_t>(7).points(hull_case::in_disc, 12000);
  EXPECT_EQ((compare<marriage_hull_policy>(disc, hull_part::upper, 2)), "");
}

TEST(MarriageHull, ManySchedules) {
  for (unsigned seed = 0; seed < rounds(6); ++seed)
    for (const hull_case kind : {hull_case::on_circle, hull_case::in_disc, hull_case::small_grid}) {
      const auto points = hull_points_of<float>(seed).points(kind, 700);
      ASSERT_EQ((compare<small_marriage_policy>(points, hull_part::whole, seed)), "") << seed;
    }
}

/// In the order of the hull, and so that pairs of neighbours drop nothing: the stack stays small,
/// the hull is the same.
template <class T> void in_hard_orders(uint64_t n) {
  const auto points = hull_points_of<T>(3).points(hull_case::on_circle, n);
  std::vector<double> angles;
  for (size_t i = 0; i < n; ++i)
    angles.push_back(
        std::atan2(static_cast<double>(points[2 * i + 1]), static_cast<double>(points[2 * i])));
  const auto order = places_by_number(angles, true);
  std::vector<T> by_angle, opposite;
  for (size_t i = 0; i < n; ++i) {
    const size_t other = order[i % 2 ? n - 1 - i / 2 : i / 2];
    by_angle.insert(by_angle.end(), {points[2 * order[i]], points[2 * order[i] + 1]});
    opposite.insert(opposite.end(), {points[2 * other], points[2 * other + 1]});
  }
  for (const auto &ordered : {by_angle, opposite}) {
    EXPECT_EQ((compare<small_marriage_policy>(ordered, hull_part::whole, 1)), "");
    EXPECT_EQ((compare<warps_only_policy>(ordered, hull_part::whole, 1)), "");
    EXPECT_EQ((compare<pruned_warps_policy>(ordered, hull_part::whole, 1)), "");
  }
}
TEST(MarriageHull, HardOrders) {
  in_hard_orders<float>(1000);
  in_hard_orders<double>(1000);
}

TEST(MarriageHull, SeparateArraysAndCountsOfTheDevice) {
  const auto both = hull_points_of<float>(5).points(hull_case::in_disc, 500);
  std::vector<float> x, y;
  for (size_t i = 0; i < both.size(); i += 2) {
    x.push_back(both[i]);
    y.push_back(both[i + 1]);
  }
  const separate_points<float> apart{x.data(), y.data()};
  for (uint64_t number : {0u, 1u, 90u, 400u, 500u, 600u}) {
    const uint64_t n = std::min<uint64_t>(number, 500);
    const auto expected = hull_of(
        std::vector<float>(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(2 * n)));
    const auto got = host_marriage<small_marriage_policy>(1, {}, apart, {&number, 500}, 500);
    EXPECT_EQ(got.hull, expected) << number;
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.ok(), number <= 500);
    if (number > 500) {
      EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
      EXPECT_EQ(got.status.detail(), number);
    }
  }
}

TEST(MarriageHull, ACapacityThatIsTooSmall) {
  const auto points = hull_points_of<float>(6).points(hull_case::on_circle, 500);
  const auto expected = hull_of(points);
  const uint64_t capacity = expected.size() / 2;
  const auto got = host_marriage<small_marriage_policy>(1, {}, points_in(points), 500, capacity);
  EXPECT_EQ(got.num_hull, expected.size());
  EXPECT_TRUE(std::equal(got.hull.begin(), got.hull.end(), expected.begin()));
  EXPECT_EQ(got.hull.size(), capacity);
  EXPECT_EQ(got.complaints, "");
  EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
  EXPECT_EQ(got.status.detail(), expected.size());
}

template <class T> void refuse_not_finite(T number) {
  for (const uint64_t n : {20u, 500u}) {
    auto points = hull_points_of<T>(6).points(hull_case::in_disc, n);
    for (const size_t at : {2 * n - 1, n - 3, n + 4})
      points[at] = number;
    const auto got = host_marriage<small_marriage_policy>(1, {}, points_in(points), n, n);
    EXPECT_EQ(got.num_hull, 0u);
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.error(), data_error::value_out_of_range);
    EXPECT_EQ(got.status.detail(), (n - 3) / 2);
  }
}
TEST(MarriageHull, WhatIsNotFiniteIsRefused) {
  refuse_not_finite(std::numeric_limits<float>::infinity());
  refuse_not_finite(-std::numeric_limits<double>::infinity());
  refuse_not_finite(std::numeric_limits<float>::quiet_NaN());
  refuse_not_finite(-std::numeric_limits<double>::quiet_NaN());
}

/// Proposition 3.7, for P = n / split_least; and that there is something to count.
TEST(MarriageHull, Iterations) {
  for (const hull_case kind : {hull_case::on_circle, hull_case::in_disc, hull_case::cocircular})
    for (unsigned seed = 0; seed < rounds(3); ++seed) {
      const uint64_t n = 3000;
      const auto points = hull_points_of<float>(seed).points(kind, n);
      const marriage_counts counts =
          host_marriage<small_marriage_policy>(seed, {}, points_in(points), n, n).counts;
      const double processors = static_cast<double>(n) / small_marriage_policy::split_least;
      EXPECT_GE(counts.splitting_iterations, 1u);
      EXPECT_LE(static_cast<double>(counts.splitting_iterations),
                7 * std::log(processors) / std::log(1.2));
      if (kind != hull_case::on_circle)
        continue;
      EXPECT_LT(counts.splitting_iterations, detail::split_iterations<small_marriage_policy>(n))
          << "large subproblems were left to warps";
      EXPECT_GE(counts.independent_problems, n / small_marriage_policy::split_least);
      EXPECT_GT(counts.independent_iterations, counts.independent_problems);
      EXPECT_GT(counts.longest_independent, 1u);
      EXPECT_LE(counts.longest_independent, small_marriage_policy::split_least);
    }
}

TEST(MarriageHull, PlantedFaultsAreSeen) {
  const auto circle = hull_points_of<float>(4).points(hull_case::on_circle, 900),
             disc = hull_points_of<float>(4).points(hull_case::in_disc, 900);
  const planted_runs runs(
      "marriage_hull", marriage_faults{}, [&](unsigned seed, marriage_faults f) {
        alarm(5);
        return compare<small_marriage_policy>(circle, hull_part::whole, seed, f) +
               compare<small_marriage_policy>(disc, hull_part::whole, seed, f);
      });
  runs.expect("dropped_block_sync", [](marriage_faults &f) { f.drop_block_sync = true; });
  runs.expect("dropped_warp_sync", [](marriage_faults &f) { f.drop_warp_sync = true; });
  runs.expect("off_by_one_tail", [](marriage_faults &f) { f.lost_problem = true; });
  runs.expect("false_vertex", [](marriage_faults &f) { f.false_vertex = true; });
  runs.expect("lost_mark", [](marriage_faults &f) { f.lost_mark = true; });
  runs.expect("moved_end", [](marriage_faults &f) { f.moved_end = true; });
  runs.expect("empty_bitmap", [](marriage_faults &f) { f.empty_bitmap = true; });
  runs.expect("wrong_corner", [](marriage_faults &f) { f.wrong_corner = true; });
  marriage_faults torn;
  torn.torn_words = true;
  has_none("marriage_hull", "flag_before_value", runs.with(torn));
  has_none("marriage_hull", "unreset_ticket");
}

} // namespace
} // namespace colonnade::testing::marriage_hulls
