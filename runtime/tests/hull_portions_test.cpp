//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tests of hulls by portions: the steps of portions.hpp, and hulls of portions by the blocks of the
// GPU, under random schedules, against the host's function, which takes all points at once.
//
//===----------------------------------------------------------------------===//

#include "host_hull.hpp"
#include "hull_cases.hpp"
#include "hull_of_points.hpp"
#include "planted.hpp"

#include <colonnade/detail/convex_hull/portions.hpp>

#include <limits>
#include <tuple>

namespace colonnade::testing::hulls_by_portions {
namespace {

constexpr uint64_t unwritten = 0xabab;

template <class Number> struct portioned_hull {
  std::vector<Number> numbers; // of the vertices
  uint64_t num_hull = 77;
  device_status status;
  std::string complaints;
};

/// The points on the boundary of the points that a hull was found of, the first `most` of them.
template <class Points, class Hull>
Hull boundary_by_blocks(unsigned seed, const Points &points, const item_count &count, uint64_t most,
                        hull_part part, const Hull &whole) {
  if (!whole.status.ok())
    return whole;
  auto all =
      host_boundary(seed, {}, points, count.now(), {whole.hull.begin(), whole.hull.end()}, part);
  all.complaints += whole.complaints;
  all.hull.resize(std::min<uint64_t>(all.hull.size(), most));
  if (all.num_hull > most)
    all.status.first = all.num_hull << 8 | static_cast<uint64_t>(data_error::buffer_too_small);
  return all;
}

/// Boundary: all points on it. dropped: no thread of that step runs. count: see item_count.
template <class Vertices, detail::hull_input Input = detail::hull_input::in_any_order,
          bool Boundary = false, class Points>
portioned_hull<typename Vertices::number>
hull_by_portions(unsigned seed, const Points &points, item_count count, uint64_t portion,
                 uint64_t capacity, hull_part part, const char *dropped = "") {
  using namespace detail;
  using number = typename Vertices::number;
  using blocks = portions_blocks<Points, Vertices, host_machine>;
  const portions_plan<Points, Vertices> plan(count.most, portion, 1);
  std::vector<char> storage(plan.storage.bytes(), '\x77');
  portioned_hull<number> result;
  result.numbers.assign(Vertices::numbers * capacity + 4, static_cast<number>(unwritten));
  host_grid grid(seed, 3);
  number *vertices = temp_storage::at<number>(storage.data(), plan.vertices);
  const auto hull = [&](auto input, const Points &of, const item_count &number_of,
                        hull_part of_part, uint64_t most, uint64_t *num_hull,
                        device_status *status) {
    auto got = host_hull<small_hull_policy>(
        seed, {}, of, number_of, Boundary ? number_of.most : most,
        Boundary ? hull_part::whole : of_part, input == hull_input::by_x);
    if constexpr (Boundary)
      got = boundary_by_blocks(seed, of, number_of, most, of_part, got);
    for (uint64_t i = 0; i < got.hull.size(); ++i)
      if constexpr (gives_indices<Vertices>)
        vertices[i] = got.hull[i];
      else
        std::tie(vertices[2 * i], vertices[2 * i + 1]) =
            std::tuple(of[got.hull[i]].x, of[got.hull[i]].y);
    *num_hull = got.num_hull;
    status->first = std::min(status->first, got.status.first);
    result.complaints += got.complaints;
    return false;
  };
  const auto start = [&]<class Block>(std::type_identity<Block>, uint64_t num_blocks,
                                      const typename Block::arguments &a) {
    const bool is_dropped =
        (std::is_same_v<Block, typename blocks::settle> && dropped == std::string("settle")) ||
        (std::is_same_v<Block, typename blocks::append> && dropped == std::string("append")) ||
        (std::is_same_v<Block, typename blocks::hand_on> && dropped == std::string("hand_on"));
    if (!is_dropped)
      grid.run(static_cast<uint32_t>(std::min<uint64_t>(num_blocks, 3)), Block::threads, 0,
               [&](const host_machine &m, char *) { Block(m, a).run(); });
    return false;
  };
  const hull_output<Vertices> out{
      {result.numbers.data()}, capacity, &result.num_hull, &result.status};
  find_by_portions<host_machine, Input>(start, hull, points, count, part, out, plan,
                                        storage.data());
  const uint64_t written = Vertices::numbers * std::min(capacity, result.num_hull);
  for (uint64_t i = written; i < result.numbers.size(); ++i)
    if (result.numbers[i] != static_cast<number>(unwritten))
      result.complaints += "written beyond the hull";
  result.numbers.resize(written);
  result.complaints += grid.all_complaints();
  return result;
}

constexpr hull_part parts[] = {hull_part::whole, hull_part::lower, hull_part::upper};

/// Empty if there was indeed no room, and nothing was found.
template <class Number>
std::string of_overflow(const portioned_hull<Number> &got, uint64_t portion) {
  return got.num_hull == 0 && got.status.detail() > std::max<uint64_t>(portion / 4, 16)
             ? got.complaints
             : "an overflow that is none";
}

/// Empty if indices and coordinates are those of the hull, or, where it has no room, if that is
/// said.
template <class T>
std::string compare(const std::vector<T> &coordinates, uint64_t portion, hull_part part,
                    unsigned seed, const char *dropped = "") {
  using indices = detail::index_vertices<uint64_t>;
  using places = detail::coordinate_vertices<T>;
  const uint64_t n = coordinates.size() / 2;
  const auto points = points_in(coordinates);
  const auto got = hull_by_portions<indices>(seed, points, n, portion, n, part, dropped);
  if (got.status.error() == data_error::overflow)
    return of_overflow(got, portion);
  const auto expected = hull_of(coordinates, part);
  if (!got.status.ok() || got.num_hull != expected.size() || got.numbers != expected)
    return got.complaints + "not the hull";
  const auto at = hull_by_portions<places>(seed, points, n, portion, n, part, dropped);
  for (uint64_t i = 0; i < expected.size(); ++i)
    if (std::memcmp(&at.numbers[2 * i], &coordinates[2 * expected[i]], 2 * sizeof(T)) != 0)
      return at.complaints + "not its coordinates";
  return got.complaints + at.complaints;
}

template <class T> void every_case(unsigned seed) {
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind)
    for (const uint64_t n : {2, 64, 65, 200}) {
      const auto points = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), n);
      ASSERT_EQ(compare(points, 64, parts[(kind + n) % 3], seed), "")
          << "kind " << kind << " n " << n;
      ASSERT_EQ(compare(points, 97, hull_part::whole, seed), "") << "kind " << kind << " n " << n;
    }
}
TEST(HullPortions, Int32) { every_case<int32_t>(1); }
TEST(HullPortions, Floats) { every_case<float>(2); }
TEST(HullPortions, Doubles) { every_case<double>(3); }

/// Empty if the points on the boundary are found, or, where they have no room, if that is said.
/// found: only in the first case.
template <class T>
std::string compare_boundary(const std::vector<T> &coordinates, uint64_t portion, hull_part part,
                             unsigned seed, bool found = false) {
  const uint64_t n = coordinates.size() / 2;
  const auto got =
      hull_by_portions<detail::index_vertices<uint64_t>, detail::hull_input::in_any_order, true>(
          seed, points_in(coordinates), n, portion, n, part);
  if (!found && got.status.error() == data_error::overflow)
    return of_overflow(got, portion);
  const auto expected = boundary_of(coordinates, part);
  if (!got.status.ok() || got.num_hull != expected.size() || got.numbers != expected)
    return got.complaints + "not the boundary";
  return got.complaints;
}
/// One part of each kind.
template <class T> void every_boundary(unsigned seed) {
  const auto whole = [](const auto &points) { return boundary_of(points, hull_part::whole); };
  uint32_t num_found = 0;
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
    const hull_part part = parts[(kind + seed) % 3];
    const auto all = hull_points_of<T>(seed + kind).points(static_cast<hull_case>(kind), 300);
    const auto some = with_small_boundary(all, 24, whole);
    ASSERT_EQ(compare_boundary(all, 128, part, seed), "") << "kind " << kind;
    ASSERT_EQ(compare_boundary(some, 128, part, seed), "") << "kind " << kind;
    num_found += compare_boundary(some, 128, part, seed, true).empty();
  }
  EXPECT_GT(num_found, 5u);
}
TEST(HullPortions, Boundaries) {
  every_boundary<int32_t>(11);
  every_boundary<float>(12);
}

/// Points that come by x, and those that do not: within a portion, and from one to the next.
TEST(HullPortions, PointsByX) {
  using indices = detail::index_vertices<uint64_t>;
  for (uint32_t kind = 0; kind < num_hull_cases; ++kind) {
    auto points = hull_points_of<float>(kind).points(static_cast<hull_case>(kind), 230);
    std::vector<std::pair<float, float>> sorted;
    for (size_t i = 0; i < points.size(); i += 2)
      sorted.push_back({points[i], points[i + 1]});
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < sorted.size(); ++i)
      std::tie(points[2 * i], points[2 * i + 1]) = sorted[i];
    const auto find = [&] {
      return hull_by_portions<indices, detail::hull_input::by_x>(kind, points_in(points), 230, 100,
                                                                 230, hull_part::whole);
    };
    const auto got = find();
    EXPECT_EQ(got.complaints, "");
    if (got.status.error() == data_error::overflow)
      continue;
    EXPECT_TRUE(got.status.ok());
    EXPECT_EQ(got.numbers, hull_of(points, hull_part::whole)) << kind;
    for (const size_t at : {size_t{150}, size_t{100}}) { // 100: the first of a portion
      const float largest = sorted.back().first;
      if (!(points[2 * at] < largest))
        continue;
      points[2 * at - 2] = largest;
      const auto unsorted = find();
      EXPECT_EQ(unsorted.num_hull, 0u);
      EXPECT_EQ(unsorted.status.error(), data_error::index_out_of_range) << kind;
      EXPECT_EQ(unsorted.status.detail(), at) << kind;
    }
  }
}

TEST(HullPortions, SeparateArraysAndCountsOfTheDevice) {
  const auto both = hull_points_of<float>(5).points(hull_case::in_disc, 500);
  std::vector<float> x, y;
  for (size_t i = 0; i < both.size(); i += 2) {
    x.push_back(both[i]);
    y.push_back(both[i + 1]);
  }
  const separate_points<float> apart{x.data(), y.data()};
  for (const uint64_t number : {0, 1, 90, 200, 201, 500, 600}) {
    const uint64_t n = std::min<uint64_t>(number, 500);
    const auto expected =
        hull_of(std::vector<float>(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(2 * n)),
                hull_part::whole);
    const auto got = hull_by_portions<detail::index_vertices<uint64_t>>(
        number, apart, item_count{&number, 500}, 100, 500, hull_part::whole);
    EXPECT_EQ(got.numbers, expected) << number;
    EXPECT_EQ(got.complaints, "");
    EXPECT_EQ(got.status.ok(), number <= 500);
    if (number > 500) {
      EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
      EXPECT_EQ(got.status.detail(), number);
    }
  }
}

TEST(HullPortions, TheCallersRoom) {
  const auto points = hull_points_of<double>(7).points(hull_case::in_disc, 400);
  const auto expected = hull_of(points, hull_part::whole);
  for (const uint64_t capacity : {uint64_t{0}, uint64_t{3}, expected.size() - 1}) {
    const auto got = hull_by_portions<detail::index_vertices<uint64_t>>(
        1, points_in(points), 400, 128, capacity, hull_part::whole);
    EXPECT_EQ(got.num_hull, expected.size());
    EXPECT_TRUE(std::equal(got.numbers.begin(), got.numbers.end(), expected.begin()));
    EXPECT_EQ(got.status.error(), data_error::buffer_too_small);
    EXPECT_EQ(got.status.detail(), expected.size());
    EXPECT_EQ(got.complaints, "");
  }
}

/// The smallest index of a point that is refused, whichever portion it is in.
TEST(HullPortions, Refusals) {
  auto points = hull_points_of<float>(8).points(hull_case::in_disc, 400);
  for (const uint64_t bad : {399, 200, 131, 3}) { // more and more of them
    points[2 * bad] = std::numeric_limits<float>::infinity();
    const auto got = hull_by_portions<detail::index_vertices<uint64_t>>(2, points_in(points), 400,
                                                                        200, 400, hull_part::whole);
    EXPECT_EQ(got.num_hull, 0u);
    EXPECT_EQ(got.status.error(), data_error::value_out_of_range);
    EXPECT_EQ(got.status.detail(), bad);
    EXPECT_EQ(got.complaints, "");
  }
}

/// A hull that has no room between two portions is none, and says how many vertices it has.
TEST(HullPortions, HullsOfTooManyVertices) {
  const auto points = hull_points_of<double>(9).points(hull_case::on_circle, 300);
  const auto got = hull_by_portions<detail::index_vertices<uint64_t>>(3, points_in(points), 300,
                                                                      100, 300, hull_part::whole);
  EXPECT_EQ(got.num_hull, 0u);
  EXPECT_EQ(got.status.error(), data_error::overflow);
  EXPECT_GT(got.status.detail(), 25u);
  EXPECT_LE(got.status.detail(), 100u);
  EXPECT_EQ(got.complaints, "");
}

TEST(HullPortions, DroppedStepsAreSeen) {
  const auto points = hull_points_of<float>(4).points(hull_case::in_disc, 400);
  EXPECT_EQ(compare(points, 128, hull_part::whole, 1), "");
  for (const char *step : {"append", "settle", "hand_on"})
    expect_caught(
        "convex_hull", (std::string("dropped_") + step).c_str(),
        [&](unsigned seed) { return compare(points, 128, hull_part::whole, seed, step); },
        [&](unsigned seed) { return compare(points, 128, hull_part::whole, seed); });
}

} // namespace
} // namespace colonnade::testing::hulls_by_portions
