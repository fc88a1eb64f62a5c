//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dijkstra.hpp: shortest paths on the host, by Dijkstra's algorithm: what the GPU's
// distances are compared with.
//
// In: a graph whose weights are not negative, and a source vertex of it. Out: the distance
// of every vertex; of vertices that cannot be reached the same value as on the GPU
// (shortest_paths.cuh). Invariant: exact, as long as every sum of weights fits Distance.
// Work O((n + m) log m) for n vertices and m edges, on the calling thread.
//
// Source: E. W. Dijkstra, A note on two problems in connexion with graphs (1959).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/words.hpp>
#include <colonnade/graphs/host_graph.hpp>

#include <queue>
#include <utility>

namespace colonnade {

template <class Distance, class Weight>
std::vector<Distance> dijkstra(const host_graph<Weight> &graph, uint32_t source) {
  using entry = std::pair<Distance, uint32_t>;
  const Distance unreachable = detail::path_word<Distance>::unreachable();
  std::vector<Distance> distances(graph.num_vertices, unreachable);
  std::priority_queue<entry, std::vector<entry>, std::greater<entry>> queue;
  distances[source] = 0;
  queue.push({Distance{0}, source});
  while (!queue.empty()) {
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance > distances[v])
      continue;
    for (uint64_t e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; ++e) {
      const Distance sum = distance + graph.weights[e];
      if (sum < distances[graph.columns[e]]) {
        distances[graph.columns[e]] = sum;
        queue.push({sum, graph.columns[e]});
      }
    }
  }
  return distances;
}

} // namespace colonnade
