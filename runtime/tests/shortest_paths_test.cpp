//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths_test.cpp: the kernel on the host machine against Dijkstra, under
// random schedules, both strategies; planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "host_paths.hpp"
#include "planted.hpp"

#include <colonnade/graphs/generate.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

template <class Distance>
shortest_paths_options<Distance> options_of(path_strategy strategy, Distance delta,
                                            uint32_t buckets = 8) {
  shortest_paths_options<Distance> o;
  o.strategy = strategy;
  o.delta = delta;
  o.num_buckets = buckets;
  return o;
}

constexpr path_strategy both[] = {path_strategy::near_far, path_strategy::multisplit};

template <class Distance, class Weight>
void expect_dijkstra(const host_graph<Weight> &graph, uint32_t source,
                     const shortest_paths_options<Distance> &options, unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", strategy " +
               std::to_string(static_cast<int>(options.strategy)) + ", delta " +
               std::to_string(options.delta));
  const auto result = paths_on_host(graph, source, options, seed);
  EXPECT_TRUE(result.told.complaints.empty()) << result.told.complaints[0];
  EXPECT_TRUE(result.told.report.data.ok());
  EXPECT_EQ(result.distances, dijkstra<Distance>(graph, source));
}

template <class Weight>
edge_list<Weight> listed(uint32_t n, std::vector<weighted_edge<Weight>> edges) {
  edge_list<Weight> list;
  list.num_vertices = n;
  list.edges = std::move(edges);
  return list;
}

TEST(ShortestPaths, RmatUnderRandomSchedules) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    generator_options g;
    g.seed = seed;
    const auto graph = graph_by_rows(rmat_edges<uint32_t>(100 + 40 * seed, 900, g), true);
    for (const path_strategy s : both)
      for (const uint32_t delta : {0u, 40u, 300u})
        expect_dijkstra<uint32_t>(graph, seed, options_of<uint32_t>(s, delta), seed);
  }
}

TEST(ShortestPaths, RoadsHaveManyWindows) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    generator_options g;
    g.seed = seed;
    const auto graph = graph_by_rows(road_edges<uint32_t>(17, 13, g), true);
    for (const path_strategy s : both)
      for (const uint32_t delta : {30u, 1000u})
        expect_dijkstra<uint32_t>(graph, 100, options_of<uint32_t>(s, delta, 4), seed);
  }
}

TEST(ShortestPaths, EveryNumberOfBuckets) {
  const auto graph = graph_by_rows(rmat_edges<uint32_t>(200, 800), true);
  for (uint32_t buckets = 3; buckets <= 32; ++buckets)
    expect_dijkstra<uint32_t>(
        graph, 1, options_of<uint32_t>(path_strategy::multisplit, 35, buckets), buckets);
}

TEST(ShortestPaths, OpeningEarlyAndTogether) {
  const auto graph = graph_by_rows(rmat_edges<uint32_t>(300, 1500), true);
  for (const path_strategy s : both)
    for (const uint32_t early : {1u, 20u, 100000u})
      for (const uint32_t merge : {1u, 100000u})
        for (const uint32_t ratio : {1u, ~0u}) {
          auto options = options_of<uint32_t>(s, 50);
          options.open_early = early;
          options.open_ratio = ratio;
          options.merge_up_to = merge;
          expect_dijkstra<uint32_t>(graph, 3, options, early + merge + ratio);
        }
}

TEST(ShortestPaths, OddGraphs) {
  // One vertex; a loop; nothing but loops; parallel edges; zero weights; cut-off parts.
  const std::vector<edge_list<uint32_t>> lists = {
      listed<uint32_t>(1, {}),
      listed<uint32_t>(1, {{0, 0, 5}}),
      listed<uint32_t>(5, {}),
      listed<uint32_t>(
          4, {{0, 0, 0}, {0, 1, 7}, {0, 1, 3}, {0, 1, 9}, {1, 2, 0}, {2, 1, 0}, {2, 0, 0}}),
      listed<uint32_t>(6, {{1, 0, 1}, {2, 3, 1}, {3, 2, 1}, {4, 5, 1}}),
  };
  for (const auto &list : lists)
    for (uint32_t source = 0; source < list.num_vertices; ++source)
      for (const path_strategy s : both)
        for (const uint32_t delta : {0u, 1u, 4u})
          expect_dijkstra<uint32_t>(graph_by_rows(list, false), source, options_of(s, delta),
                                    source);
}

TEST(ShortestPaths, AllWeightsZero) {
  generator_options g;
  g.most_weight = 0;
  const auto graph = graph_by_rows(rmat_edges<uint32_t>(100, 300, g), true);
  for (const path_strategy s : both)
    expect_dijkstra<uint32_t>(graph, 0, options_of(s, 0u), 1);
}

TEST(ShortestPaths, HeavyVerticesAreCutInPieces) {
  std::vector<weighted_edge<uint32_t>> star; // degrees 150, 21 and 20: two are cut
  for (uint32_t v = 1; v <= 150; ++v)
    star.push_back({0, v, (v * 37) % 101});
  for (uint32_t v = 2; v <= 22; ++v)
    star.push_back({1, v, v % 3});
  for (uint32_t v = 10; v < 30; ++v)
    star.push_back({2, v, v % 5});
  const auto graph = graph_by_rows(listed<uint32_t>(151, star), false);
  for (unsigned seed = 0; seed < 6; ++seed)
    for (const path_strategy s : both)
      expect_dijkstra<uint32_t>(graph, 0, options_of(s, 10u), seed);
}

TEST(ShortestPaths, FloatsAndWideDistances) {
  const auto graph = graph_by_rows(rmat_edges<uint32_t>(250, 1200), true);
  host_graph<float> floats;
  floats.num_vertices = graph.num_vertices;
  floats.row_offsets = graph.row_offsets;
  floats.columns = graph.columns;
  for (const uint32_t w : graph.weights)
    floats.weights.push_back(static_cast<float>(w) / 7);
  for (unsigned seed = 0; seed < 4; ++seed)
    for (const path_strategy s : both) {
      expect_dijkstra<float>(floats, 2, options_of(s, seed % 2 ? 9.5f : 0.f), seed);
      expect_dijkstra<uint64_t>(graph, 2, options_of<uint64_t>(s, seed % 2 ? 60 : 0), seed);
    }
}

TEST(ShortestPaths, DistancesThatAreTooLong) {
  const uint32_t half = 0x3fffffff;
  const auto line =
      graph_by_rows(listed<uint32_t>(4, {{0, 1, half}, {1, 2, half}, {2, 3, half}}), false);
  const auto detour = graph_by_rows(
      listed<uint32_t>(4, {{0, 1, half}, {1, 2, half}, {2, 3, half}, {0, 3, 5}}), false);
  for (const path_strategy s : both) {
    const auto result = paths_on_host(line, 0, options_of(s, 100000000u), 1);
    EXPECT_EQ(result.told.report.data.error(), data_error::overflow);
    EXPECT_EQ(result.told.report.data.detail(), 3u);
    EXPECT_EQ(result.distances[2], 2 * half);
    expect_dijkstra<uint32_t>(detour, 0, options_of(s, 100000000u), 1);
    expect_dijkstra<uint64_t>(line, 0, options_of<uint64_t>(s, 100000000u), 1);
  }
}

TEST(ShortestPaths, BadGraphsAreReported) {
  const auto good = graph_by_rows(rmat_edges<float>(50, 200), true);
  for (const path_strategy s : both) {
    const auto options = options_of(s, 100.f);
    auto graph = good;
    graph.columns[7] = 50;
    auto result = paths_on_host(graph, 0, options, 1);
    EXPECT_EQ(result.told.report.data.error(), data_error::index_out_of_range);
    EXPECT_EQ(result.told.report.data.detail(), 7u);
    for (const float weight : {-1.f, std::numeric_limits<float>::quiet_NaN()}) {
      graph = good;
      graph.weights[9] = weight;
      result = paths_on_host(graph, 0, options, 1);
      EXPECT_EQ(result.told.report.data.error(), data_error::value_out_of_range);
      EXPECT_EQ(result.told.report.data.detail(), 9u);
    }
    graph = good;
    graph.row_offsets[3] = 100000;
    result = paths_on_host(graph, 0, options, 1);
    EXPECT_EQ(result.told.report.data.error(), data_error::index_out_of_range);
    EXPECT_LE(result.told.report.data.detail(), 3u);
  }
}

/// What a small graph shows under one schedule, both strategies, with a fault or none.
std::string wrong_under(unsigned seed, const path_faults &planted, const faults &machine_faults) {
  static const auto graph = graph_by_rows(rmat_edges<uint32_t>(120, 900), true);
  static const auto expected = dijkstra<uint32_t>(graph, 0);
  for (const path_strategy s : both) {
    const auto result = paths_on_host(graph, 0, options_of(s, seed % 2 ? 60u : 1000u), seed,
                                      2 + seed % 3, planted, machine_faults);
    if (!result.told.complaints.empty())
      return result.told.complaints[0];
    if (result.distances != expected)
      return "not Dijkstra's distances";
  }
  return "";
}

TEST(ShortestPaths, PlantedFaultsAreSeen) {
  const auto with = [](const path_faults &planted, const faults &machine_faults) {
    return [=](unsigned seed) { return wrong_under(seed, planted, machine_faults); };
  };
  const auto expect_machine = [&](const char *fault, bool faults::*planted) {
    faults f;
    f.*planted = true;
    expect_caught("shortest_paths", fault, with({}, f), with({}, {}));
  };
  expect_machine("dropped_warp_sync", &faults::drop_warp_sync);
  expect_machine("dropped_block_sync", &faults::drop_block_sync);
  const auto expect = [&](const char *fault, bool path_faults::*planted) {
    path_faults f;
    f.*planted = true;
    expect_caught("shortest_paths", fault, with(f, {}), with({}, {}));
  };
  expect("flag_before_value", &path_faults::early_barrier);
  expect("unreset_ticket", &path_faults::dirty_counters);
  expect("off_by_one_tail", &path_faults::short_piles);
  expect("relaxation_not_atomic", &path_faults::split_minimum);
  expect("places_not_atomic", &path_faults::split_places);
  expect("taken_not_marked", &path_faults::forget_or);
  expect("waiting_bit_lost", &path_faults::lose_waiting);
  expect("not_queued_again", &path_faults::says_waiting);
}

TEST(ShortestPaths, BucketsSaveWhatNearAndFarLookThrough) {
  const auto graph = graph_by_rows(rmat_edges<uint32_t>(400, 2400), true);
  const auto near_far = paths_on_host(graph, 0, options_of(path_strategy::near_far, 50u), 1);
  const auto buckets = paths_on_host(graph, 0, options_of(path_strategy::multisplit, 50u, 32), 1);
  EXPECT_GT(near_far.told.report.split_items, 10 * buckets.told.report.split_items);
  EXPECT_GE(near_far.told.report.edges, dijkstra<uint32_t>(graph, 0).size());
}

TEST(PathWindow, PilesNeverDecreaseWithDistance) {
  for (const uint32_t delta : {1u, 3u, 7u, 1000u, 123456789u})
    for (const uint32_t open : {0u, 1u, 5u}) {
      const detail::path_window<uint32_t> w{17, 1 / static_cast<float>(delta), 9, open};
      uint32_t last = 0;
      for (uint64_t d = 0; d < 0x7ffffffe; d += d < 100000 ? 1 : 99991) {
        const uint32_t pile = w.pile(static_cast<uint32_t>(d));
        ASSERT_GE(pile, last);
        ASSERT_LE(pile, w.far_pile());
        ASSERT_TRUE(pile == 0 || pile > open);
        last = pile;
      }
    }
}

} // namespace
