//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls: how many points the sample's sieve and the thinning leave, in any order, and that
// the sieve takes nothing but what exact arithmetic says is inside; that words of 32 bits are in
// the order of x; and that of a tile's points by x every vertex of a hood is listed, and few
// others.
//
//===----------------------------------------------------------------------===//
#include "host_hull.hpp"
#include "hull_cases.hpp"
#include "hull_of_points.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace colonnade::testing::hull_sieves {
using detail::frame_of;
using detail::narrow_words;
namespace {

/// The sieve takes most of a disc, nothing of a circle; thinning leaves few.
TEST(ConvexHull, WhatIsLeft) {
  const auto left = [](hull_case kind, uint64_t n) {
    const auto points = hull_points_of<double>(3).points(kind, n);
    return host_hull<small_hull_policy>(1, {}, points_in(points), n, n);
  };
  EXPECT_LT(left(hull_case::in_disc, 3000).kept, 900u);
  EXPECT_GT(left(hull_case::on_circle, 3000).kept, 2900u);
  EXPECT_EQ(left(hull_case::in_disc, 190).kept, 190u);
  const auto thinned = left(hull_case::in_disc, 2000);
  EXPECT_GT(thinned.kept, 96u);
  EXPECT_GT(thinned.thinned[0], 0u);
  EXPECT_LT(thinned.thinned[0], thinned.kept / 2);
  EXPECT_EQ(left(hull_case::on_circle, 900).thinned[0], 0u);
  EXPECT_LE(left(hull_case::all_equal, 3000).kept, 12u); // up to the first of 256 that are sampled
}

/// Orders that repeat: every `period`-th point comes from the right half of a disc, all others from
/// the left one. None hides a half from the sample, whose steps are of 12 points.
TEST(ConvexHull, RepeatingOrdersHideNothing) {
  constexpr uint64_t n = 3072;
  const auto points = hull_points_of<float>(7).points(hull_case::in_disc, n);
  const auto sorted = by_x(points);
  for (const uint64_t period : {2, 3, 4, 6, 12, 24})
    for (uint64_t phase = 0; phase < period; phase += period - 1) {
      std::vector<float> ordered;
      uint64_t left = 0, right = n;
      for (uint64_t i = 0; i < n; ++i) {
        const uint64_t at = i % period == phase ? --right : left++;
        ordered.insert(ordered.end(), {sorted[2 * at], sorted[2 * at + 1]});
      }
      const auto got = host_hull<small_hull_policy>(1, {}, points_in(ordered), n, n);
      EXPECT_LT(got.kept, n / 3) << "period " << period << " phase " << phase;
      EXPECT_EQ(got.hull, hull_of(ordered));
    }
}

/// The sieve against exact arithmetic, of points on the hoods of a sample and one step beside them.
template <class T> void probe_sieve(uint64_t seed) {
  constexpr uint32_t num_columns = 16;
  uint64_t taken = 0;
  for (uint64_t round = 0; round < 60; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      hull_points_of<T> make(seed + round * num_hull_cases + kind);
      const auto of_polygon = make.points(static_cast<hull_case>(kind), 12);
      const auto hull = hull_of(of_polygon);
      const interleaved_points<T> points = points_in(of_polygon);
      const std::vector<uint64_t> hoods[2] = {hull_of(of_polygon, hull_part::lower),
                                              hull_of(of_polygon, hull_part::upper)};
      const auto frame =
          detail::frame_of<T>(points[hoods[0].front()], 0, points[hoods[0].back()].x, num_columns);
      auto tried = make.points(static_cast<hull_case>(kind), 12);
      for (size_t i = 0; i + 2 < of_polygon.size(); ++i) // vertices, and middles of edges
        tried.push_back(round % 2 ? of_polygon[i]
                                  : static_cast<T>(of_polygon[i] / 2 + of_polygon[i + 2] / 2));
      for (size_t i = 0; i + 1 < tried.size(); i += 2) {
        const detail::point_of<T> p = points_in(tried)[i / 2];
        if (!(frame.first_x < frame.last_x && p.x > frame.first_x && p.x < frame.last_x))
          continue;
        const auto offset = frame.offset(p.x);
        detail::sieve_column<detail::sieve_number<T>> column;
        uint32_t bends = 0;
        const auto make_chord = [&](uint32_t half, auto &slope, auto &at) {
          return detail::make_chord(
              frame, frame.column(offset, num_columns), num_columns, half ? -1 : 1,
              static_cast<uint32_t>(hoods[half].size()),
              [&](uint32_t v) { return points[hoods[half][v]]; }, slope, at, bends);
        };
        if (!make_chord(0, column.lower_slope, column.lower_at) ||
            !make_chord(1, column.upper_slope, column.upper_at) ||
            !detail::within(column, offset, static_cast<detail::sieve_number<T>>(p.y)))
          continue;
        ++taken;
        for (size_t v = 0; v < hull.size(); ++v)
          ASSERT_GT(detail::orientation(points[hull[v]], points[hull[(v + 1) % hull.size()]], p), 0)
              << "kind " << kind << " round " << round;
      }
    }
  EXPECT_GT(taken, 500u);
}
TEST(ConvexHull, TheSieveTakesNothingButTheInside) {
  probe_sieve<int32_t>(1);
  probe_sieve<float>(2);
  probe_sieve<double>(3);
}

/// The lists of a tile's points, which come by x.
template <class T> struct tile_lists {
  std::vector<uint64_t> list[2];
  std::string complaints;

  tile_lists(unsigned seed, const std::vector<T> &coordinates) {
    constexpr uint32_t threads = 64, items = 9;
    using sieve = detail::chord_sieve<T, threads, items, host_machine>;
    struct storage {
      typename sieve::storage sieve_storage;
      uint16_t lists[2][threads * items];
      uint32_t listed[2];
    };
    const uint32_t n = static_cast<uint32_t>(coordinates.size() / 2);
    std::vector<detail::point_of<T>> points;
    for (uint32_t i = 0; i < n; ++i)
      points.push_back(points_in(coordinates)[i]);
    host_grid grid(seed);
    grid.run(1, threads, sizeof(storage), [&](const host_machine &m, char *shared) {
      storage &s = *reinterpret_cast<storage *>(shared);
      uint32_t listed[2];
      sieve(m, s.sieve_storage, points.data(), n).run(s.lists[0], s.lists[1], listed);
      m.block_sync();
      if (m.thread() == threads - 1)
        for (uint32_t half = 0; half < 2; ++half)
          list[half].assign(s.lists[half], s.lists[half] + listed[half]);
    });
    complaints = grid.all_complaints();
  }
};
template <class T> void probe_lists(uint64_t seed) {
  for (uint64_t round = 0; round < 8; ++round)
    for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
      const uint64_t number = seed + round * num_hull_cases + kind, n = 1 + number * 7919 % 576;
      const auto points = by_x(hull_points_of<T>(number).points(static_cast<hull_case>(kind), n));
      const tile_lists<T> got(static_cast<unsigned>(number), points);
      ASSERT_EQ(got.complaints, "");
      for (uint32_t half = 0; half < 2; ++half) {
        const auto &list = got.list[half];
        ASSERT_TRUE(std::is_sorted(list.begin(), list.end(), std::less_equal<>{}));
        auto hood = hull_of(points, half ? hull_part::upper : hull_part::lower);
        std::sort(hood.begin(), hood.end());
        ASSERT_TRUE(std::includes(list.begin(), list.end(), hood.begin(), hood.end()))
            << "kind " << kind << " round " << round;
      }
    }
}
TEST(ConvexHull, TilesListTheirVertices) {
  probe_lists<int32_t>(1);
  probe_lists<float>(2);
  probe_lists<double>(3);
}
/// In a narrow strip of a disc, and on a short arc, where rounding decides.
TEST(ConvexHull, TilesListFewOthers) {
  constexpr uint64_t n = 576;
  std::vector<float> strip, arcs;
  const auto inside = hull_points_of<float>(5).points(hull_case::in_disc, n);
  for (uint64_t i = 0; i < n; ++i) {
    strip.insert(strip.end(), {0.5f + inside[2 * i] / 4096, inside[2 * i + 1]});
    const float x = 0.5f + static_cast<float>(i) / 4194304, y = std::sqrt(1 - x * x);
    arcs.insert(arcs.end(), {x, i % 2 ? y : -y});
  }
  for (const auto &points : {by_x(strip), arcs})
    for (const auto &list : tile_lists<float>(3, points).list)
      EXPECT_LT(list.size(), n / 6);
}

/// The hoods of a tile's points, which come by x: after so many turns of rounds by chains.
template <uint32_t MostTurns, class T> void probe_hoods(uint64_t seed) {
  constexpr uint32_t threads = 128, items = 8;
  using hoods =
      detail::block_hoods<T, threads, items, false, host_machine, detail::kept_indices, MostTurns>;
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
    const uint64_t number = seed + kind, n = 1 + number * 7919 % (threads * items);
    const auto points = by_x(hull_points_of<T>(number).points(static_cast<hull_case>(kind), n));
    std::vector<uint64_t> found[2];
    host_grid grid(static_cast<unsigned>(number));
    grid.run(1, threads, sizeof(typename hoods::storage), [&](const host_machine &m, char *shared) {
      hoods h(m, *reinterpret_cast<typename hoods::storage *>(shared));
      h.run(points_in(points), static_cast<uint32_t>(n), [](uint32_t i) { return i; }, true);
      if (m.thread() == 0)
        for (uint32_t half = 0; half < 2; ++half)
          for (uint32_t i = 0; i < h.count(half); ++i)
            found[half].push_back(h.index(half, i));
    });
    ASSERT_EQ(grid.all_complaints(), "");
    ASSERT_EQ(found[0], hull_of(points, hull_part::lower)) << "kind " << kind;
    ASSERT_EQ(found[1], hull_of(points, hull_part::upper)) << "kind " << kind;
  }
}
TEST(ConvexHull, HoodsOfTiles) {
  for (uint64_t seed = 0; seed < 30; seed += 10) {
    probe_hoods<12, float>(seed);
    probe_hoods<0, float>(seed + 1); // chains alone
    probe_hoods<1, float>(seed + 2);
    probe_hoods<1, int32_t>(seed + 3);
    probe_hoods<12, double>(seed + 4);
  }
}

/// Frames of any size and place; x within, at both ends, in the middle and far outside.
TEST(ConvexHull, NarrowWordsAreInTheOrderOfX) {
  constexpr uint32_t columns = 1024;
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 100; ++round) {
    const double size = std::exp2(std::floor(1900 * unit(random)) - 950),
                 place = round % 3 == 0 ? 0 : size * std::exp2(60 * unit(random) - 30);
    const auto frame =
        frame_of<double>({place - size * unit(random), 0}, 0, place + size * unit(random), columns);
    if (!(frame.first_x < frame.last_x)) // so far away that they are one number
      continue;
    const narrow_words<columns> word(frame);
    const double width = frame.last_x - frame.first_x;
    std::vector<double> x{-0.0, 0.0, frame.first_x, frame.last_x};
    for (int i = 0; i < 2000; ++i) {
      const double small = width * std::exp2(-60 * unit(random)), u = unit(random);
      for (const double at : {frame.first_x + width * u, frame.first_x + small,
                              frame.first_x - small, frame.last_x + small, frame.last_x - small,
                              frame.first_x + width / 2 + small, frame.last_x + width * (u * 9)})
        x.insert(x.end(), {at, std::nextafter(at, HUGE_VAL)});
    }
    std::sort(x.begin(), x.end());
    for (size_t i = 1; i < x.size(); ++i)
      ASSERT_LE(word(x[i - 1]), word(x[i])) << x[i - 1] << " " << x[i] << " round " << round;
    EXPECT_EQ(word(-0.0), word(0.0));
  }
  const narrow_words<columns> word(frame_of<double>({-1, 0}, 0, 1.0, columns));
  for (const double x : {-1 + 0x1p-20, 1 - 0x1p-20, -0.5, 0.5})
    EXPECT_LT(word(x), word(x + (std::fabs(x) < 0.9 ? 0x1p-26 : 0x1p-40)));
}

} // namespace
} // namespace colonnade::testing::hull_sieves
