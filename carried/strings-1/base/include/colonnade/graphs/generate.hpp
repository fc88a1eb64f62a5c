//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// generate.hpp: random graphs for tests and benchmarks: R-MAT, grids that look like road
// networks, and weights for graphs that have none.
//
// In: a seed and sizes. Out: a list of edges. Weights are integers, uniform from
// least_weight to most_weight. Invariant: an edge depends on the seed and on its number
// alone, so the graph is the same for every number of threads.
//
// Source: D. Chakrabarti, Y. Zhan and C. Faloutsos, R-MAT (2004).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/graphs/host_graph.hpp>

namespace colonnade {

struct generator_options {
  uint64_t seed = 1;
  uint32_t least_weight = 0, most_weight = 1000;
};

namespace detail {
/// A hash of x: one step of SplitMix64 (Steele, Lea and Flood 2014).
constexpr uint64_t mixed_bits(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

template <class Weight> Weight weight_from(uint64_t bits, const generator_options &options) {
  const uint64_t span = uint64_t{options.most_weight} - options.least_weight + 1;
  return static_cast<Weight>(options.least_weight + (bits >> 32) * span / (uint64_t{1} << 32));
}
} // namespace detail

/// Draws new weights for all edges. Edges between the same two vertices, in either direction, get
/// the same weight.
template <class Weight>
void draw_weights(edge_list<Weight> &list, const generator_options &options = {}) {
  for (weighted_edge<Weight> &e : list.edges) {
    const uint64_t ends = uint64_t{std::min(e.from, e.to)} << 32 | std::max(e.from, e.to);
    e.weight = detail::weight_from<Weight>(detail::mixed_bits(options.seed ^ ends), options);
  }
}

/// R-MAT halves the adjacency matrix both ways at each level. Of 65,536 edges so many are expected
/// in the quarters (0, 0), (0, 1) and (1, 0); the rest in (1, 1).
struct rmat_quarters {
  uint32_t a = 32768, b = 6554, c = 6554; // 0.5, 0.1, 0.1, 0.3
};

/// num_edges edges, with loops and parallel edges. An edge with an end that is not below
/// num_vertices is drawn again. No vertices: no edges.
template <class Weight>
edge_list<Weight> rmat_edges(uint32_t num_vertices, uint64_t num_edges,
                             const generator_options &options = {}, rmat_quarters quarters = {}) {
  edge_list<Weight> list;
  list.num_vertices = num_vertices;
  list.edges.resize(num_vertices ? num_edges : 0);
  uint32_t levels = 0;
  while (uint64_t{1} << levels < num_vertices)
    ++levels;
  const auto draw = [=](uint64_t stream) {
    weighted_edge<Weight> e{};
    uint64_t bits = 0;
    for (uint32_t level = 0; level < levels; ++level, bits >>= 16) {
      if (level % 4 == 0)
        bits = detail::mixed_bits(stream + level);
      const uint32_t x = bits & 0xffff;
      const uint32_t quarter = x < quarters.a                             ? 0
                               : x < quarters.a + quarters.b              ? 1
                               : x < quarters.a + quarters.b + quarters.c ? 2
                                                                          : 3;
      e.from = 2 * e.from + quarter / 2;
      e.to = 2 * e.to + quarter % 2;
    }
    e.weight = detail::weight_from<Weight>(detail::mixed_bits(~stream), options);
    return e;
  };
  detail::in_threads([&](unsigned part, unsigned parts) {
    const uint64_t last = list.edges.size() * (part + 1) / parts;
    for (uint64_t i = list.edges.size() * part / parts; i < last; ++i) {
      uint64_t stream = detail::mixed_bits(options.seed * 0x10001 + i);
      do
        list.edges[i] = draw(stream = detail::mixed_bits(stream));
      while (list.edges[i].from >= num_vertices || list.edges[i].to >= num_vertices);
    }
  });
  return list;
}

/// A grid in which each edge to the right and each down is kept with probability kept / 65,536:
/// sparse, of large diameter. Vertex 0 may have no edge. width * height must be below 2^32.
template <class Weight>
edge_list<Weight> road_edges(uint32_t width, uint32_t height, const generator_options &options = {},
                             uint32_t kept = 49152) {
  edge_list<Weight> list;
  list.num_vertices = width * height;
  for (uint32_t v = 0; v < list.num_vertices; ++v)
    for (uint32_t down = 0; down < 2; ++down) {
      const uint64_t bits = detail::mixed_bits(options.seed * 0x10001 + 2 * uint64_t{v} + down);
      const bool inside = down ? v / width + 1 < height : v % width + 1 < width;
      if (inside && (bits & 0xffff) < kept)
        list.edges.push_back(
            {v, v + (down ? width : 1), detail::weight_from<Weight>(bits, options)});
    }
  return list;
}

} // namespace colonnade
