//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Many convex hulls at once: the GPU's blocks under random schedules against the host's function,
// set by set; and the sieve of extreme points against exact arithmetic.
//
//===----------------------------------------------------------------------===//
#include "host_bulk_hull.hpp"
#include "hull_cases.hpp"
#include "planted.hpp"

#include <colonnade/host_convex_hull.hpp>

#include <numeric>

namespace colonnade::testing::bulk_hulls {
namespace {

/// Sets of points, one behind the other.
template <class T> struct ragged {
  std::vector<T> points;
  std::vector<uint32_t> offsets{0};

  void add(const std::vector<T> &set) {
    points.insert(points.end(), set.begin(), set.end());
    offsets.push_back(static_cast<uint32_t>(points.size() / 2));
  }
  uint64_t num_points() const { return points.size() / 2; }
  uint64_t num_sets() const { return offsets.size() - 1; }
  interleaved_points<T> all() const { return {points.data()}; }
  /// Of set s, by the host's function.
  std::vector<uint64_t> hull(uint64_t s, hull_part part) const {
    std::vector<uint64_t> found(offsets[s + 1] - offsets[s]);
    uint64_t num_hull = 0;
    EXPECT_TRUE(host_convex_hull(interleaved_points<T>{points.data() + 2 * offsets[s]},
                                 found.size(), found.data(), found.size(), num_hull, {part})
                    .ok());
    found.resize(num_hull);
    for (uint64_t &i : found)
      i += offsets[s];
    return found;
  }
};

/// Sets of every kind, or of some of them, and of sizes in all classes.
template <class T>
ragged<T> sets_of_kinds(uint64_t seed, bool sorted, uint32_t first = 0, uint32_t step = 1) {
  ragged<T> all;
  for (uint32_t kind = first; kind < num_hull_cases; kind += step)
    for (const uint64_t n : {0, 1, 2, 3, 5, 8, 9, 23, 32, 33, 64, 96, 97, 192, 193, 300, 420}) {
      if (n > 193 && (kind + seed) % 4 != 0)
        continue;
      const auto set = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      all.add(sorted ? by_x(set) : set);
    }
  return all;
}

/// Against the host's function. Empty if all is right.
template <class Policy, class T>
std::string compare(const ragged<T> &sets, bulk_hull_options what, unsigned seed,
                    hull_faults planted = {}, bool in_place = false) {
  const auto got = host_bulk_hull<Policy>(seed, planted, sets.all(), sets.num_points(),
                                          sets.offsets, sets.num_points(), what, in_place);
  std::string wrong = got.complaints;
  if (!got.status.ok())
    wrong += "an error\n";
  uint64_t before = 0;
  for (uint64_t s = 0; s < sets.num_sets(); ++s) {
    const auto expected = sets.hull(s, what.part);
    const auto first = got.at_offsets.begin() + sets.offsets[s];
    if (got.counts[s] != expected.size() || !std::equal(expected.begin(), expected.end(), first)) {
      wrong += "set " + std::to_string(s) + " of " +
               std::to_string(sets.offsets[s + 1] - sets.offsets[s]) + " points\n";
      break;
    }
    const auto packed = got.hulls.begin() + static_cast<std::ptrdiff_t>(before);
    if (got.hull_offsets[s] != before || !std::equal(expected.begin(), expected.end(), packed))
      return wrong + "packed set " + std::to_string(s) + "\n";
    before += expected.size();
  }
  if (wrong.empty() && got.hull_offsets.back() != before)
    return "the number of all vertices";
  return wrong;
}

/// Whole hulls of all kinds; a half each of some.
template <class T> void every_case(unsigned seed) {
  for (const hull_part part : {hull_part::whole, hull_part::lower, hull_part::upper}) {
    const bool all = part == hull_part::whole;
    const uint32_t first = all ? 0 : seed % 2 + (part == hull_part::upper), step = all ? 1 : 3;
    const auto sets = sets_of_kinds<T>(seed, false, first, step),
               sorted = sets_of_kinds<T>(seed, true, first, step);
    EXPECT_EQ((compare<small_bulk_policy>(sets, {part}, seed)), "");
    EXPECT_EQ((compare<wide_lane_policy>(sets, {part}, seed)), "");
    EXPECT_EQ((compare<small_bulk_policy>(sorted, {part, true}, seed)), "");
  }
}
TEST(BulkHull, SetsOfInt32) { every_case<int32_t>(1); }
TEST(BulkHull, SetsOfFloats) { every_case<float>(2); }
TEST(BulkHull, SetsOfDoubles) { every_case<double>(3); }

/// Hulls stand where the indices of large sets' points were.
TEST(BulkHull, WrittenInPlace) {
  const auto floats = sets_of_kinds<float>(2, false, 0, 2);
  const auto doubles = sets_of_kinds<double>(3, false, 1, 2);
  for (const hull_part part : {hull_part::whole, hull_part::lower})
    EXPECT_EQ((compare<small_bulk_policy>(floats, {part}, 4, {}, true)), "");
  for (const hull_part part : {hull_part::whole, hull_part::upper})
    EXPECT_EQ((compare<small_bulk_policy>(doubles, {part}, 5, {}, true)), "");
}

/// Nothing but large sets, of one point more than their tiles hold: a set's hoods stay in its room.
TEST(BulkHull, SetsWithTilesOfOnePoint) {
  ragged<float> all;
  for (uint64_t set = 0; set < 24; ++set)
    all.add(by_x(hull_points_of<float>(set).points(hull_case::on_circle, 257 + 128 * (set % 3))));
  EXPECT_EQ((compare<small_bulk_policy>(all, {hull_part::whole}, 1)), "");
  EXPECT_EQ((compare<small_bulk_policy>(all, {hull_part::whole, true}, 2)), "");
}

/// Sets of more points than a block holds: a sieve leaves few of some, many of others; some are
/// longer than it takes.
template <class T> void sieved_sets(uint64_t seed, bool sorted) {
  ragged<T> all;
  for (const uint64_t n : {400, 30, 193, 600, 601, 250})
    for (const hull_case kind : {hull_case::in_disc, hull_case::on_circle, hull_case::small_grid}) {
      const auto set = hull_points_of<T>(seed + n).points(kind, n);
      all.add(sorted ? by_x(set) : set);
    }
  for (const bool in_place : {false, true}) {
    const hull_part part = in_place ? hull_part::whole : static_cast<hull_part>(seed % 3);
    EXPECT_EQ((compare<small_bulk_policy>(all, {part, sorted}, 6, {}, in_place)), "");
  }
}
TEST(BulkHull, SievedSets) {
  for (const bool sorted : {false, true}) {
    sieved_sets<int32_t>(1, sorted);
    sieved_sets<float>(2, sorted);
    sieved_sets<double>(3, sorted);
  }
}

struct long_sieve_policy : small_bulk_policy {
  static constexpr uint32_t sieve_longest = 65535;
};
/// Of sets of more than 4,096 points the sieve sees one of each two, four, ....
TEST(BulkHull, SampledSets) {
  ragged<float> all;
  for (const uint64_t n : {4096, 4097, 9001})
    all.add(hull_points_of<float>(n).points(hull_case::in_disc, n));
  EXPECT_EQ((compare<long_sieve_policy>(all, {}, 1)), "");
}

/// Many sets of one thread, of all kinds: most of its cases are rare.
template <class T> void small_sets(uint64_t seed) {
  ragged<T> all;
  for (uint64_t round = 0; round < 60; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
      all.add(hull_points_of<T>(seed + 16 * round + kind)
                  .points(static_cast<hull_case>(kind), 2 + (round * 7 + kind) % 31));
  for (const hull_part part : {hull_part::whole, hull_part::lower, hull_part::upper})
    EXPECT_EQ((compare<wide_lane_policy>(all, {part}, 1)), "");
}
TEST(BulkHull, SmallSets) {
  small_sets<int32_t>(1);
  small_sets<float>(2);
  small_sets<double>(3);
}

/// Floats of coordinates of doubles may be 0 or infinite: then no point may be left out.
template <class T> void scaled_sets(uint64_t seed, std::initializer_list<int> exponents) {
  ragged<T> all;
  for (const int exponent : exponents)
    for (uint64_t round = 0; round < 20; ++round)
      for (const hull_case kind :
           {hull_case::in_disc, hull_case::on_circle, hull_case::small_grid}) {
        auto set = hull_points_of<T>(seed + round).points(kind, 24 + round % 9);
        for (T &coordinate : set)
          coordinate = std::ldexp(coordinate, exponent);
        all.add(set);
      }
  EXPECT_EQ((compare<wide_lane_policy>(all, {}, 1)), "");
}
TEST(BulkHull, SmallSetsOfTinyAndHugeCoordinates) {
  scaled_sets<float>(3, {-149, -120, -60, -40, 40, 60, 100});
  scaled_sets<double>(4, {-1060, -500, -200, -130, -60, 60, 200, 900});
}

TEST(BulkHull, NoSets) {
  EXPECT_EQ((compare<small_bulk_policy>(ragged<float>{}, {}, 1)), "");
  ragged<float> empty;
  for (int i = 0; i < 70; ++i)
    empty.add({});
  EXPECT_EQ((compare<small_bulk_policy>(empty, {}, 1)), "");
}

TEST(BulkHull, ACapacityThatIsTooSmall) {
  const auto sets = sets_of_kinds<float>(4, false, 0, 4);
  const auto whole = host_bulk_hull<small_bulk_policy>(1, {}, sets.all(), sets.num_points(),
                                                       sets.offsets, sets.num_points());
  const auto got =
      host_bulk_hull<small_bulk_policy>(1, {}, sets.all(), sets.num_points(), sets.offsets, 100);
  EXPECT_EQ(got.complaints, "");
  EXPECT_EQ(got.hulls.size(), 100u);
  EXPECT_TRUE(std::equal(got.hulls.begin(), got.hulls.end(), whole.hulls.begin()));
  EXPECT_EQ(got.hull_offsets, whole.hull_offsets);
  EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
  EXPECT_EQ(got.status.detail(), whole.hull_offsets.back());
}

/// A set that is refused has no vertices; the others are as they were.
TEST(BulkHull, WhatIsRefused) {
  auto sets = sets_of_kinds<double>(5, true, 3, 8); // of the large ones, too
  const auto before = host_bulk_hull<small_bulk_policy>(
      1, {}, sets.all(), sets.num_points(), sets.offsets, sets.num_points(), {{}, true});
  for (const bool unsorted : {false, true})
    for (const uint64_t size : {5, 64, 192, 300, 420}) {
      uint64_t set = 0; // one whose first and last x differ
      while (sets.offsets[set + 1] - sets.offsets[set] != size ||
             sets.points[2 * sets.offsets[set]] == sets.points[2 * sets.offsets[set + 1] - 2])
        ++set;
      auto changed = sets;
      const uint64_t last = sets.offsets[set + 1] - 1;
      changed.points[2 * last] =
          unsorted ? sets.points[2 * sets.offsets[set]] : std::numeric_limits<double>::quiet_NaN();
      changed.points[2 * last - 2] = sets.points[2 * last]; // the largest x before the last one
      const auto got = host_bulk_hull<small_bulk_policy>(
          1, {}, changed.all(), sets.num_points(), sets.offsets, sets.num_points(), {{}, unsorted});
      EXPECT_EQ(got.complaints, "");
      EXPECT_EQ(got.status.error(),
                unsorted ? data_error::index_out_of_range : data_error::value_out_of_range);
      EXPECT_EQ(got.status.detail(), last) << size;
      for (uint64_t s = 0; s < sets.num_sets(); ++s)
        EXPECT_EQ(got.counts[s], s == set ? 0 : before.counts[s]) << s << " " << set;
    }
}

/// Sets that end before they begin, or beyond the points, or are longer than promised.
TEST(BulkHull, OffsetsThatAreWrong) {
  const auto points = hull_points_of<float>(6).points(hull_case::in_disc, 1000);
  const auto find = [&](const std::vector<uint64_t> &offsets, bulk_hull_options what = {}) {
    const auto got = host_bulk_hull<small_bulk_policy>(
        1, {}, interleaved_points<float>{points.data()}, 1000, offsets, 1000, what);
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.error(), data_error::bucket_out_of_range);
    return got;
  };
  auto got = find({0, 30, 20, 50, 1001});
  EXPECT_EQ(got.status.detail(), 1u);
  EXPECT_EQ(got.counts[1], 0u);
  EXPECT_EQ(got.counts[3], 0u);
  EXPECT_GT(got.counts[2], 5u);
  got = find({0, 700, 0, 700, 0, 700, 0}); // more points in all than there are
  EXPECT_GT(got.counts[0], 5u);
  EXPECT_EQ(got.status.detail(), 1u);
  EXPECT_EQ(got.counts[2], 0u);
  EXPECT_EQ(got.counts[4], 0u);
  bulk_hull_options short_ones;
  short_ones.longest = 40;
  got = find({0, 30, 80, 100}, short_ones);
  EXPECT_EQ(got.status.detail(), 1u);
  EXPECT_EQ(got.counts[1], 0u);
  EXPECT_GT(got.counts[2], 5u);
}

/// What the sieve of extreme points takes is strictly inside.
template <class T, uint32_t Directions> void probe_extremes(uint64_t seed, uint64_t least_taken) {
  using namespace detail;
  using sieve = extreme_sieve<T, 32, Directions, host_machine>;
  uint64_t taken = 0;
  for (uint64_t round = 0; round < 30; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      const uint64_t n = 4 + round * 2;
      auto coordinates =
          hull_points_of<T>(seed + round * 100 + kind).points(static_cast<hull_case>(kind), n);
      for (size_t i = 0; round % 2 && i + 3 < 2 * n; ++i) // middles of edges
        coordinates.push_back(static_cast<T>(coordinates[i] / 2 + coordinates[i + 2] / 2));
      const uint64_t all = coordinates.size() / 2;
      const interleaved_points<T> points{coordinates.data()};
      std::vector<char> inside(all);
      host_grid grid(static_cast<unsigned>(round));
      grid.run(1, 32, sizeof(typename sieve::storage), [&](const host_machine &m, char *shared) {
        sieve sift(m, *reinterpret_cast<typename sieve::storage *>(shared), points[0]);
        for (uint64_t i = m.thread(); i < all; i += 32)
          sift.add(points[i], static_cast<uint32_t>(i));
        const bool takes_any = sift.make([&](uint32_t i) { return points[i]; });
        for (uint64_t i = m.thread(); i < all; i += 32)
          inside[i] = takes_any && sift.template taken<1>({points[i]});
      });
      ASSERT_EQ(grid.all_complaints(), "");
      std::vector<uint64_t> hull(all);
      uint64_t h = 0;
      ASSERT_TRUE(host_convex_hull(points, all, hull.data(), all, h).ok());
      for (uint64_t i = 0; i < all; ++i)
        for (uint64_t v = 0; inside[i] && v < h; ++v) {
          ASSERT_GT(orientation(points[hull[v]], points[hull[(v + 1) % h]], points[i]), 0)
              << "kind " << kind << " round " << round;
          taken += v == 0;
        }
    }
  EXPECT_GT(taken, least_taken);
}
TEST(BulkHull, TheSieveOfExtremesTakesNothingButTheInside) {
  probe_extremes<int32_t, 8>(1, 300);
  probe_extremes<float, 16>(2, 300);
  probe_extremes<double, 8>(3, 300);
}

/// What the octagon of a thread's set takes is strictly inside, also with points beside it that
/// stand for those of a longer set.
template <class T> void probe_octagons(uint64_t seed, uint64_t least_taken) {
  using namespace detail;
  uint64_t taken = 0;
  for (uint64_t round = 0; round < 60; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      const uint64_t n = 1 + round % 32;
      const auto coordinates =
          hull_points_of<T>(seed + round * 100 + kind).points(static_cast<hull_case>(kind), n);
      const interleaved_points<T> points{coordinates.data()};
      lane_extremes found;
      for (uint32_t i = 0; i < 32; ++i)
        found.add(points[i < n ? i : n - 1], i);
      const lane_sieve<T> sieve(found, static_cast<uint32_t>(n - 1),
                                [&](uint32_t i) { return points[i]; });
      std::vector<uint64_t> hull(n);
      uint64_t h = 0;
      ASSERT_TRUE(host_convex_hull(points, n, hull.data(), n, h).ok());
      for (uint64_t i = 0; i < n; ++i)
        for (uint64_t v = 0; sieve.takes(points[i]) && v < h; ++v) {
          ASSERT_GT(orientation(points[hull[v]], points[hull[(v + 1) % h]], points[i]), 0)
              << "kind " << kind << " round " << round;
          taken += v == 0;
        }
    }
  EXPECT_GT(taken, least_taken);
}
TEST(BulkHull, OctagonsTakeNothingButTheInside) {
  probe_octagons<int32_t>(1, 300);
  probe_octagons<float>(2, 300);
  probe_octagons<double>(3, 300);
}

TEST(BulkHull, PlantedFaultsAreSeen) {
  ragged<float> sets;
  for (const uint64_t n : {20, 60, 100, 300, 8, 250})
    sets.add(hull_points_of<float>(7 + n).points(hull_case::on_circle, n));
  const planted_runs runs("bulk_convex_hull", hull_faults{}, [&](unsigned seed, hull_faults f) {
    alarm(5);
    return compare<small_bulk_policy>(sets, {}, seed, f);
  });
  runs.expect("dropped_warp_sync", [](hull_faults &f) { f.drop_warp_sync = true; });
  runs.expect("dropped_block_sync", [](hull_faults &f) { f.drop_block_sync = true; });
  runs.expect("unsorted", [](hull_faults &f) { f.unsorted = true; });
  runs.expect("moved_piece", [](hull_faults &f) { f.moved_piece = true; });
}

} // namespace
} // namespace colonnade::testing::bulk_hulls
