//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// generate.hpp: graphs from a seed: R-MAT, and grids that look like roads; weights
// for graphs that have none.
//
// An edge depends on the seed and its own number alone, so the graph is the same
// for every number of threads. Weights are whole numbers, uniform from
// least_weight to most_weight.
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
/// Well mixed bits (the finalizer of SplitMix64).
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

/// New weights for all edges: the same both ways, and for edges in parallel.
template <class Weight>
void draw_weights(edge_list<Weight> &list, const generator_options &options = {}) {
  for (weighted_edge<Weight> &e : list.edges) {
    const uint64_t ends = uint64_t{std::min(e.from, e.to)} << 32 | std::max(e.from, e.to);
    e.weight = detail::weight_from<Weight>(detail::mixed_bits(options.seed ^ ends), options);
  }
}

/// Of every 65,536 edges at each level: in the quarters (0, 0), (0, 1), (1, 0), the rest in (1, 1).
struct rmat_quarters {
  uint32_t a = 32768, b = 6554, c = 6554; // 0.5, 0.1, 0.1, 0.3
};

/// Edges beyond num_vertices are drawn again.
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

/// A grid whose edges to the right and down are each there with probability
/// kept / 65,536: sparse, of large diameter. Vertex 0 may be cut off.
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
