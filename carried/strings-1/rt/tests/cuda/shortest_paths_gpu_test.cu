//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths_gpu_test.cu: both strategies on the GPU against Dijkstra.
//
// --small: graphs that compute-sanitizer gets through.
//
//===----------------------------------------------------------------------===//
#include "paths_case.cuh"

#include <cstring>
#include <limits>

using namespace colonnade;

/// Vertices of degree 17 are cut in pieces already, and blocks are small.
struct cutting_policy : shortest_paths_policy {
  static constexpr shortest_paths_tuning tuning(gpu_architecture) {
    shortest_paths_tuning t;
    t.threads = 256;
    t.blocks_per_sm = 2;
    t.heavy_degree = 16;
    t.piece_edges = 8;
    t.outbox_items = 128;
    t.near_far_outbox_items = 64;
    return t;
  }
};

template <class Policy, class Distance, class Weight>
void check(const char *what, const host_graph<Weight> &graph, uint32_t source, Distance delta,
           uint32_t buckets = 32) {
  const std::vector<Distance> expected = dijkstra<Distance>(graph, source);
  const device_graph<Weight> on_device(graph);
  for (const path_strategy strategy : {path_strategy::near_far, path_strategy::multisplit}) {
    shortest_paths_options<Distance> options;
    options.strategy = strategy;
    options.delta = delta;
    options.num_buckets = buckets;
    path_run<Weight, Distance, Policy> paths(on_device.view(), options);
    for (int again = 0; again < 2; ++again) {
      CUDA_OK(paths.run(source));
      const std::vector<Distance> got = paths.distances();
      size_t wrong = 0, first = 0;
      for (size_t v = got.size(); v-- > 0;)
        if (got[v] != expected[v])
          first = v, ++wrong;
      EXPECT(wrong == 0, "%s: strategy %d, delta %g, %zu of %zu distances, the first of vertex %zu",
             what, static_cast<int>(strategy), static_cast<double>(delta), wrong, got.size(),
             first);
    }
    EXPECT(paths.intact(), "%s: written beyond the end", what);
  }
}

template <class Weight>
host_graph<Weight> from_edges(uint32_t n, std::vector<weighted_edge<Weight>> edges) {
  edge_list<Weight> list;
  list.num_vertices = n;
  list.edges = std::move(edges);
  return graph_by_rows(list, false);
}

void odd_graphs() {
  const host_graph<uint32_t> graphs[] = {
      from_edges<uint32_t>(1, {}),
      from_edges<uint32_t>(1, {{0, 0, 5}}),
      from_edges<uint32_t>(5, {}),
      from_edges<uint32_t>(
          4, {{0, 0, 0}, {0, 1, 7}, {0, 1, 3}, {0, 1, 9}, {1, 2, 0}, {2, 1, 0}, {2, 0, 0}}),
      from_edges<uint32_t>(6, {{1, 0, 1}, {2, 3, 1}, {3, 2, 1}, {4, 5, 1}}),
  };
  for (const auto &graph : graphs)
    for (uint32_t source = 0; source < graph.num_vertices; ++source)
      for (const uint32_t delta : {0u, 1u, 4u})
        check<shortest_paths_policy, uint32_t>("odd graph", graph, source, delta);
}

void star(uint32_t n) {
  std::vector<weighted_edge<uint32_t>> edges;
  for (uint32_t v = 1; v < n; ++v) {
    edges.push_back({0, v, v % 1009});
    edges.push_back({v, (v * 7) % n, v % 13});
  }
  const auto graph = from_edges(n, std::move(edges));
  check<shortest_paths_policy, uint32_t>("star", graph, 0, 100u);
  check<cutting_policy, uint32_t>("star in small pieces", graph, 0, 100u);
}

/// Few phases each: under racecheck a phase takes long.
void small_graphs() {
  const auto rmat = graph_by_rows(rmat_edges<uint32_t>(200, 800), true);
  check<shortest_paths_policy, uint32_t>("small R-MAT", rmat, 0, 500u);
  check<cutting_policy, uint32_t>("small R-MAT in pieces", rmat, 0, 500u, 5);
  const auto floats = graph_by_rows(rmat_edges<float>(200, 800), true);
  check<shortest_paths_policy, float>("small floats", floats, 0, 500.f);
  const auto road = graph_by_rows(road_edges<uint32_t>(5, 5), true);
  check<shortest_paths_policy, uint32_t>("small roads", road, 12, 0u);
}

void generated(uint32_t n, uint32_t width, uint64_t seed) {
  generator_options g;
  g.seed = seed;
  const auto rmat = graph_by_rows(rmat_edges<uint32_t>(n, 6 * uint64_t{n}, g), true);
  for (const uint32_t delta : {0u, 20u, 150u, 100000u})
    check<shortest_paths_policy, uint32_t>("R-MAT", rmat, static_cast<uint32_t>(seed), delta);
  check<cutting_policy, uint32_t>("R-MAT in pieces", rmat, 5, 100u, 5);
  const auto road = graph_by_rows(road_edges<uint32_t>(width, width, g), true);
  check<shortest_paths_policy, uint32_t>("roads", road, width * width / 2, 0u);
  check<shortest_paths_policy, uint32_t>("roads", road, width * width / 2, 3000u, 3);
  const auto wide = graph_by_rows(rmat_edges<uint32_t>(n, 6 * uint64_t{n}, g), true);
  check<shortest_paths_policy, uint64_t>("64-bit distances", wide, 1, uint64_t{200});
  auto floats = graph_by_rows(rmat_edges<float>(n, 6 * uint64_t{n}, g), true);
  for (float &w : floats.weights)
    w /= 7;
  check<shortest_paths_policy, float>("floats", floats, 1, 0.f);
  check<shortest_paths_policy, float>("floats", floats, 1, 25.f);
}

void bad_data() {
  const auto good = graph_by_rows(rmat_edges<float>(1000, 5000), true);
  const auto expect = [](const host_graph<float> &graph, data_error error, uint64_t detail) {
    const device_graph<float> on_device(graph);
    path_run<float, float> paths(on_device.view(), {});
    EXPECT(paths.run(0) == cudaErrorInvalidValue, "bad data is an error");
    EXPECT(paths.report.data.error() == error && paths.report.data.detail() == detail,
           "error %d, detail %llu instead of %d, %llu", static_cast<int>(paths.report.data.error()),
           static_cast<unsigned long long>(paths.report.data.detail()), static_cast<int>(error),
           static_cast<unsigned long long>(detail));
    EXPECT(cudaGetLastError() == cudaSuccess, "no CUDA error");
  };
  auto graph = good;
  graph.columns[77] = 1000;
  expect(graph, data_error::index_out_of_range, 77);
  graph = good;
  graph.weights[99] = -1;
  expect(graph, data_error::value_out_of_range, 99);
  graph = good;
  graph.weights[99] = std::numeric_limits<float>::quiet_NaN();
  expect(graph, data_error::value_out_of_range, 99);
  graph = good;
  graph.row_offsets[1] = ~uint64_t{0};
  expect(graph, data_error::index_out_of_range, 0);
}

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  bad_data();
  if (!small)
    odd_graphs();
  star(small ? 1500 : 300000);
  if (small)
    return small_graphs(), gpu_result("shortest paths, small");
  for (const uint32_t n : {31u, 33u, 1000u, 70000u})
    generated(n, n < 100 ? n : 200, n % 7);
  const auto large = graph_by_rows(rmat_edges<uint32_t>((1u << 20) + 1, 8u << 20), true);
  check<shortest_paths_policy, uint32_t>("large R-MAT", large, 0, 0u);
  return gpu_result("shortest paths");
}
