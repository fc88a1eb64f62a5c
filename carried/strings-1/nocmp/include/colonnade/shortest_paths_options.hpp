//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths_options.hpp: the graph, options, tuning and report of shortest_paths.
//
// In: what the caller chooses. Out: what shortest_paths.cuh takes, and what it reports. A policy
// is a type with the members of shortest_paths_policy; derive from it to change the tuning.
// Invariant: distances depend on the graph and the source alone, neither on
// options nor on a policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/device_status.hpp>
#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

/// A directed graph in compressed sparse rows: the edges from vertex v have the numbers
/// d_row_offsets[v] to d_row_offsets[v + 1] - 1. Parallel edges and loops are allowed.
template <class Weight> struct csr_graph {
  uint32_t num_vertices = 0;
  uint64_t num_edges = 0;
  const uint64_t *d_row_offsets = nullptr; // num_vertices + 1
  const uint32_t *d_columns = nullptr;     // num_edges, each below num_vertices
  const Weight *d_weights = nullptr;       // num_edges, not negative
};

/// In which piles vertices wait until they are expanded.
enum class path_strategy : uint8_t {
  near_far,   // two piles, by a threshold: whenever the near one is empty the threshold rises
              // and the far one is split again (Davidson et al.)
  multisplit, // one pile for each of num_buckets - 1 ranges of distance, and a far one: it is
              // split again only when all others are empty
};

/// Distances do not depend on any of these.
template <class Distance> struct shortest_paths_options {
  path_strategy strategy = path_strategy::multisplit;
  Distance delta = 0;        // width of a bucket (of those in the upper half 8 times this), or
                             // of the near pile; 0: from the mean weight and the mean degree
  uint32_t num_buckets = 32; // of multisplit: piles in all, 3 to 32; the last is the far one
  // To open a bucket is to expand its vertices together with those of the near pile.
  uint32_t open_early = 0;  // the next one is opened when at most so many vertices are in the
                            // near pile, and they are getting fewer; 0: from the GPU's size
  uint32_t open_ratio = 0;  // or when so many times as many wait in the next one (multisplit
                            // only); 0: 12
  uint32_t merge_up_to = 0; // more than one is opened while they hold no more vertices than
                            // this together, once fewer and fewer vertices wait; 0: from the
                            // GPU's size
};

/// The kernel's shape.
struct shortest_paths_tuning {
  uint32_t threads = 512;      // of a block: a power of two
  uint32_t blocks_per_sm = 2;  // at most; also bounds the registers
  uint32_t rows_at_once = 2;   // items that a lane looks up at once; it takes up to one more
  uint32_t edges_at_once = 2;  // edges that a lane relaxes at once
  uint32_t outbox_items = 640; // vertices that a warp gathers before it splits them into piles
  uint32_t near_far_outbox_items = 512; // the same, for near and far
  uint32_t heavy_degree = 1024;         // vertices of more edges are expanded by all blocks,
  uint32_t piece_edges = 256;           // in pieces of so many edges
};

/// The default policy.
struct shortest_paths_policy {
  static constexpr shortest_paths_tuning tuning(gpu_architecture architecture) {
    shortest_paths_tuning t;
    if (architecture == gpu_architecture::sm_120)
      t.blocks_per_sm = 1; // two do not fit in its shared memory
    return t;
  }
};

namespace detail {
template <class Policy> using paths_tunings = policy_tunings<Policy>;
} // namespace detail

/// What a run has found and done.
struct shortest_paths_report {
  device_status data;       // the first error in the graph, or of a distance that is too long
  uint64_t phases = 0;      // times that a set of vertices was expanded by the whole GPU
  uint64_t splits = 0;      // times that the far pile was split again
  uint64_t split_items = 0; // entries of the far pile that were read for that
  uint64_t vertices = 0;    // entries taken from piles, of vertices expanded already as well
  uint64_t edges = 0;       // relaxations
};

} // namespace colonnade
