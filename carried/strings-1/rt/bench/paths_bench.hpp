//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// paths_bench.hpp: the graphs of the shortest-paths benchmarks, by name or from a file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/graphs/generate.hpp>
#include <colonnade/graphs/matrix_market.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

/// A Matrix Market file's graph; without weights they are random, 0 to 1000.
inline colonnade::host_graph<uint32_t> graph_of_file(const std::string &name) {
  using namespace colonnade;
  edge_list<uint32_t> list;
  bool has_weights = false;
  std::ifstream in(name, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "error: cannot read '%s'\n", name.c_str());
    std::exit(2);
  }
  if (const matrix_market_error error = read_matrix_market(in, list, &has_weights)) {
    std::fprintf(stderr, "%s:%llu: error: %s\n", name.c_str(),
                 static_cast<unsigned long long>(error.line), error.text.c_str());
    std::exit(2);
  }
  if (!has_weights)
    draw_weights(list);
  return graph_by_rows(list, false);
}

/// NAME.mtx, rmat (0.8 M vertices, 12 edges each), rmat22 (scale 22, 12 each), rmat22x32, road
/// (1200 x 1200); weights from 0 to 1000, edges both ways.
inline colonnade::host_graph<uint32_t> path_graph(const std::string &name) {
  using namespace colonnade;
  if (name.size() > 4 && name.substr(name.size() - 4) == ".mtx")
    return graph_of_file(name);
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
