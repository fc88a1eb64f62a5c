//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_graph.hpp: a graph in the host's memory, from a list of edges.
//
// Edges of a vertex keep their order in the list, whatever the number of threads.
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

/// By rows: the edges of v are row_offsets[v] to row_offsets[v + 1].
template <class Weight> struct host_graph {
  uint32_t num_vertices = 0;
  std::vector<uint64_t> row_offsets;
  std::vector<uint32_t> columns;
  std::vector<Weight> weights;
};

namespace detail {
/// work(part, number of parts), at once.
inline void in_threads(const std::function<void(unsigned, unsigned)> &work) {
  const unsigned parts = std::min(32u, runtime::detail::number_of_threads(0));
  std::atomic<unsigned> next{0};
  runtime::detail::run_on_threads(parts, parts, [&] {
    for (unsigned part; (part = next++) < parts;)
      work(part, parts);
  });
}
} // namespace detail

/// `both_ways`: every edge leads back as well, with the same weight (a self loop once).
template <class Weight>
host_graph<Weight> graph_by_rows(const edge_list<Weight> &list, bool both_ways) {
  const uint64_t n = list.num_vertices;
  host_graph<Weight> graph;
  graph.num_vertices = list.num_vertices;
  graph.row_offsets.assign(n + 1, 0);
  // Each thread looks at all edges, and keeps those of its own vertices.
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
