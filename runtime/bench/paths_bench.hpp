//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// paths_bench.hpp: the graphs of the shortest-paths benchmark, by name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/graphs/generate.hpp>

#include <string>

namespace bench {

/// rmat (0.8 M vertices, 12 edges each), rmat22 (scale 22, 12 each), rmat22x32, road
/// (1200 x 1200); weights from 0 to 1000, edges both ways.
inline colonnade::host_graph<uint32_t> path_graph(const std::string &name) {
  using namespace colonnade;
  if (name == "road")
    return graph_by_rows(road_edges<uint32_t>(1200, 1200), true);
  const uint32_t n = name == "rmat" ? 800000 : 1u << 22;
  const uint64_t degree = name == "rmat22x32" ? 32 : 12;
  return graph_by_rows(rmat_edges<uint32_t>(n, n * degree / 2), true);
}

/// In the middle of a grid; in an R-MAT graph the vertex of most edges.
template <class Weight> uint32_t path_source(const colonnade::host_graph<Weight> &graph) {
  uint32_t best = 0;
  for (uint32_t v = 0; v < graph.num_vertices; ++v)
    if (graph.row_offsets[v + 1] - graph.row_offsets[v] >
        graph.row_offsets[best + 1] - graph.row_offsets[best])
      best = v;
  return best;
}

} // namespace bench
