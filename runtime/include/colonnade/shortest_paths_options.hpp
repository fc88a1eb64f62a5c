//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths_options.hpp: what shortest paths are asked with, what they are
// tuned by, and what they tell.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/device_status.hpp>
#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

/// A directed graph by rows: the edges of vertex v are d_row_offsets[v] to
/// d_row_offsets[v + 1]. Edges in parallel and self loops are allowed.
template <class Weight> struct csr_graph {
  uint32_t num_vertices = 0;
  uint64_t num_edges = 0;
  const uint64_t *d_row_offsets = nullptr; // num_vertices + 1
  const uint32_t *d_columns = nullptr;     // num_edges, each below num_vertices
  const Weight *d_weights = nullptr;       // num_edges, not negative
};

/// Which vertices wait where until they are expanded.
enum class path_strategy : uint8_t {
  near_far,   // two piles: below the threshold, and all others; whenever the near pile is
              // empty the threshold rises and the far pile is looked through (Davidson et al.)
  multisplit, // one pile for each of several ranges of distance: nothing is looked through
};

/// Distances do not depend on any of these.
template <class Distance> struct shortest_paths_options {
  path_strategy strategy = path_strategy::multisplit;
  Distance delta = 0;        // width of a bucket (the upper half of them: 8 times this), or of
                             // the near pile; 0: from the mean weight
  uint32_t num_buckets = 32; // waiting places in all, the last for all that is further: 3 to 32
  uint32_t open_early = 0;   // the next bucket is opened when at most so many vertices are left
                             // and they are getting fewer; 0: chosen from the machine's size
  uint32_t open_ratio = 0;   // or when so many times as many wait in the next bucket (not for
                             // near and far); 0: 12
  uint32_t merge_up_to = 0;  // buckets are opened together while they hold no more vertices
                             // than this, once fewer and fewer wait in all; 0: chosen from
                             // the machine's size
};

/// The kernel's shape.
struct shortest_paths_tuning {
  uint32_t threads = 512;      // a block: a power of two
  uint32_t blocks_per_sm = 2;  // for the register allocator
  uint32_t rows_at_once = 2;   // a lane looks at so many items at a time, and takes one more
  uint32_t edges_at_once = 2;  // a lane has so many edges in flight
  uint32_t outbox_items = 640; // a warp gathers so many vertices before it splits them
  uint32_t near_far_outbox_items = 512; // the same, of two piles
  uint32_t heavy_degree = 1024;         // vertices with more edges are cut in pieces for all warps
  uint32_t piece_edges = 256;           // of so many edges
};

/// Derive from it to change something.
struct shortest_paths_policy {
  static constexpr shortest_paths_tuning tuning(gpu_architecture architecture) {
    shortest_paths_tuning t;
    if (architecture == gpu_architecture::sm_120)
      t.blocks_per_sm = 1; // two have no room in its shared memory
    return t;
  }
};

namespace detail {
/// A tuning as a type.
template <class Policy, gpu_architecture Architecture = compiled_architecture> struct paths_tuned {
  static constexpr shortest_paths_tuning value = Policy::tuning(Architecture);
};
/// That of each architecture, for kernels' template arguments.
template <class Policy> struct paths_tunings {
  template <gpu_architecture Architecture> using on = paths_tuned<Policy, Architecture>;
};
} // namespace detail

struct shortest_paths_report {
  device_status data;       // what is wrong with the graph, or a distance too long
  uint64_t phases = 0;      // expansions of a set of vertices, the whole GPU at a time
  uint64_t splits = 0;      // times that a far pile was looked through
  uint64_t split_items = 0; // vertices looked at in doing so
  uint64_t vertices = 0;    // taken from a pile, those included that had been expanded already
  uint64_t edges = 0;       // relaxed
};

} // namespace colonnade
