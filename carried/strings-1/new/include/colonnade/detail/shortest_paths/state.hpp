//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// state.hpp: the arguments of the kernel, and what its blocks share in global memory and
// its warps in shared memory.
//
// In: a caller's graph, source and outputs. Out: structs of plain words, which kernels and the host
// set up. Invariant: counters come in three sets. A step adds to one; after the barrier, the next
// step reads that one, adds to the second and clears the third. So every block reads the
// same numbers, however far the others have got, and plans the next step for itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/window.hpp>
#include <colonnade/detail/shortest_paths/words.hpp>
#include <colonnade/shortest_paths_options.hpp>

namespace colonnade::detail {

constexpr uint32_t max_piles = 32;           // a lane each
constexpr uint32_t path_vertex_bits = 27;    // a vertex and its pile share a word
constexpr uint32_t heavy_pieces = max_piles; // the counter after those of the piles

/// In a sector of its own.
struct alignas(32) path_counter {
  uint32_t value;
};

/// In global memory; zero before the kernel.
struct path_control {
  alignas(128) uint32_t arrived;                      // arrivals of blocks at all barriers
  alignas(128) path_counter counts[3][max_piles + 1]; // by set: new items of each pile
  alignas(128) uint64_t nearest_far[3];               // by set: ~(least word put far), or 0
  uint64_t status;                                    // ~device_status::first
  uint64_t weight_sum, weight_samples;                // in units of 1 / weight_scale
  uint32_t overflowed;                                // some sum was too long for a distance
  uint64_t phases, splits, split_items, vertices, edges;
};

inline void fill_report(const path_control &control, shortest_paths_report &report) {
  report.data.first = ~control.status;
  report.phases = control.phases;
  report.splits = control.splits;
  report.split_items = control.split_items;
  report.vertices = control.vertices;
  report.edges = control.edges;
}

/// Edges piece * piece_edges and following of a heavy vertex.
struct path_piece {
  uint32_t vertex, piece;
};

template <class Weight, class Distance> struct path_arguments {
  using word_type = typename path_word<Distance>::type;
  csr_graph<Weight> graph;
  uint32_t source;
  shortest_paths_options<Distance> options;
  Distance *d_distances;
  path_control *control;
  word_type *words; // a vertex each
  uint32_t *queues; // two near, two far, then the buckets from 1 on: num_vertices each
  path_piece *pieces;
  uint64_t num_pieces; // that there is room for
};

enum class path_step : uint32_t {
  expand,        // the vertices of the near pile and of opened buckets
  expand_pieces, // of heavy vertices
  split_far,     // put the far pile's vertices into the piles of a new window
  done
};

/// The next step. Every block has its own copy, in shared memory, and all are equal.
template <class Distance> struct path_plan {
  path_step step;
  uint32_t set; // of counters to add to
  uint32_t num_items;
  uint32_t near_in, near_out, far_in, far_out; // which of the pile's two queues: 0 or 1
  uint32_t first_opened;                       // the first bucket that is expanded; 0: none
  path_window<Distance> window, window_before; // after the step's move, and before it
  uint32_t ends[max_piles];   // prefix sums of the piles' items, numbered as they are expanded
  uint32_t totals[max_piles]; // items that are in each pile before the step
};

/// The options, with all zeros replaced.
template <class Distance> struct path_limits {
  Distance delta;
  uint32_t open_early, open_ratio, merge_up_to;
};

/// What the schedule keeps from step to step, besides the totals of the piles.
template <class Distance> struct path_progress {
  path_limits<Distance> limits;
  path_window<Distance> window;
  typename path_word<Distance>::type nearest_far;
  uint32_t last;      // items of the last expansion
  uint32_t waiting;   // vertices that waited when a bucket was last opened
  uint32_t set;       // of counters, that the last planned step adds to
  uint32_t near, far; // which of the two queues is being filled
  bool has_split;     // the far pile, since the last expansion
  uint64_t phases, splits, split_items, vertices;
};

/// For each pile, how many vertices a block sends at the end of a step, and its first place.
struct path_block_counts {
  uint32_t count[max_piles], first[max_piles];
};

/// The vertices, of those that have edges, that a block expands at once, and their edges as one
/// sequence: edge e starts from the first vertex whose `end` is greater than e.
template <class Word, uint32_t Vertices> struct path_tile {
  union {
    uint64_t start[Vertices];    // edge e is the graph's edge start + e
    uint32_t gathered[Vertices]; // before the tile is filled: the items to take, by warp
  };
  uint32_t end[Vertices];
  Word distance[Vertices];
  uint32_t num_vertices, num_edges;
  bool last; // of the step
};

/// Shared memory of a block while it expands; each thread takes up to Each vertices at a time.
template <class Word, uint32_t Threads, uint32_t Each> struct path_work {
  using tile_type = path_tile<Word, Threads * Each>;
  tile_type tile;
  uint32_t warp_sums[Threads / 32];
  uint32_t warps_left; // warps that have rows of items left
  uint64_t edges;      // relaxed by the block, in all steps
  COLONNADE_HOST_DEVICE uint32_t *gathered(uint32_t warp) {
    return tile.gathered + warp * 32 * Each;
  }
};

/// All shared memory of a block.
template <class Distance, class Work, uint32_t Threads, uint32_t OutboxItems> struct path_shared {
  path_plan<Distance> plan;
  path_progress<Distance> progress;
  path_block_counts block;
  Work work;
  uint32_t outboxes[Threads / 32][OutboxItems];
};

/// The queue of a pile. near, far: which of the two queues, for these piles.
template <class Weight, class Distance>
COLONNADE_HOST_DEVICE uint32_t *pile_items(const path_arguments<Weight, Distance> &arguments,
                                           uint32_t pile, uint32_t near, uint32_t far,
                                           uint32_t far_pile) {
  const uint32_t queue = pile == near_pile ? near : pile == far_pile ? 2 + far : 3 + pile;
  return arguments.queues + uint64_t{queue} * arguments.graph.num_vertices;
}

} // namespace colonnade::detail
