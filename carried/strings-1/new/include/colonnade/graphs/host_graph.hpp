//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_graph.hpp: a graph in host memory: a list of edges, or compressed sparse rows (CSR).
//
// In: a list of edges. Out: the same graph in CSR, as shortest_paths.cuh takes it.
// Invariant: the edges of a vertex keep their order in the list, for any number of threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/worker_threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace colonnade {

template <class Weight> struct weighted_edge {
  uint32_t from, to;
  Weight weight;
};

template <class Weight> struct edge_list {
  uint32_t num_vertices = 0;
  std::vector<weighted_edge<Weight>> edges;
};

/// Compressed sparse rows: the edges from v have the numbers row_offsets[v] to
/// row_offsets[v + 1] - 1; edge e leads to columns[e].
template <class Weight> struct host_graph {
  uint32_t num_vertices = 0;
  std::vector<uint64_t> row_offsets;
  std::vector<uint32_t> columns;
  std::vector<Weight> weights;
};

namespace detail {
/// Calls work(part, number of parts) for every part, on several threads.
inline void in_threads(const std::function<void(unsigned, unsigned)> &work) {
  const unsigned parts = std::min(32u, runtime::detail::number_of_threads(0));
  std::atomic<unsigned> next{0};
  runtime::detail::run_on_threads(parts, parts, [&] {
    for (unsigned part; (part = next++) < parts;)
      work(part, parts);
  });
}
} // namespace detail

/// The list as CSR. both_ways: every edge is also there in the other direction, with the same
/// weight (a loop once). Vertices of edges are below num_vertices.
template <class Weight>
host_graph<Weight> graph_by_rows(const edge_list<Weight> &list, bool both_ways) {
  const uint64_t n = list.num_vertices;
  host_graph<Weight> graph;
  graph.num_vertices = list.num_vertices;
  graph.row_offsets.assign(n + 1, 0);
  // Each thread reads all edges, and keeps those of its own range of vertices.
  const auto each_edge = [&](unsigned part, unsigned parts, auto keep) {
    const uint64_t first = n * part / parts, last = n * (part + 1) / parts;
    for (const weighted_edge<Weight> &e : list.edges) {
      if (e.from >= first && e.from < last)
        keep(e.from, e.to, e.weight);
      if (both_ways && e.from != e.to && e.to >= first && e.to < last)
        keep(e.to, e.from, e.weight);
    }
  };
  detail::in_threads([&](unsigned part, unsigned parts) {
    each_edge(part, parts, [&](uint32_t v, uint32_t, Weight) { ++graph.row_offsets[v + 1]; });
  });
  for (uint64_t v = 0; v < n; ++v)
    graph.row_offsets[v + 1] += graph.row_offsets[v];
  graph.columns.resize(graph.row_offsets[n]);
  graph.weights.resize(graph.row_offsets[n]);
  std::vector<uint64_t> next(graph.row_offsets.begin(), graph.row_offsets.end() - 1);
  detail::in_threads([&](unsigned part, unsigned parts) {
    each_edge(part, parts, [&](uint32_t v, uint32_t to, Weight weight) {
      graph.columns[next[v]] = to;
      graph.weights[next[v]++] = weight;
    });
  });
  return graph;
}

} // namespace colonnade
