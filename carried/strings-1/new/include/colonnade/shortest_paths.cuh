//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shortest_paths.cuh: shortest paths from one vertex to all, on the GPU, by
// delta-stepping: vertices wait in piles by distance (buckets), and the vertices of the
// nearest pile are expanded all at once: their edges are relaxed.
//
//   in           a directed graph in compressed sparse rows (csr_graph), and a source
//   out          d_distances: the distance of each vertex from the source
//   work         at least one relaxation of every edge of the vertices that are reached;
//                more where a vertex is expanded again because a shorter path was found
//                later. Narrower buckets: fewer of those, but more phases
//   depth        the number of phases (see the report), each of a few dependent accesses
//                to memory and a barrier of the whole GPU
//   traffic      for each relaxation an edge's column and weight, and the word of its end
//   temporary    4 (num_buckets + 3) bytes a vertex (near and far: 20), 4 more for 64-bit
//                distances, and about 8 bytes for every 200 edges
//   distances    of weights uint32_t: uint32_t (below 2^31 - 1) or uint64_t (below
//                2^63 - 1); of float: float. They equal Dijkstra's: the least of the sums of
//                weights from the source on, in floats rounded after each addition.
//                Unreachable vertices: all bits one, or infinity
//   determinism  distances are the same bits on every run, GPU and strategy; the report's
//                counts are not
//   aliasing     the graph, the distances and the storage are distinct
//   synchronises yes: returns when the distances are there. One kernel, whose blocks are
//                all resident at once; a call cannot be captured into a graph
//   bad data     a row or column out of range (index_out_of_range: the vertex, or the edge),
//                a weight that is negative or NaN (value_out_of_range: the edge), a distance
//                that is too long (overflow: a vertex): cudaErrorInvalidValue, and the first
//                of them in report->data; nothing out of range is accessed
//   limits       2^27 vertices; any number of edges
//   returns      cudaErrorInvalidValue, before any CUDA call, for arrays that are null, misaligned
//                or overlap, a source out of range (a graph of no vertices has none), num_buckets
//                out of range, a negative delta, too little storage
//
// Source: U. Meyer and P. Sanders, Delta-stepping (2003); A. Davidson, S. Baxter,
// M. Garland and J. Owens, Work-efficient parallel GPU methods for single-source
// shortest paths (2014), for near and far; S. Ashkiani, thesis (2017), section 3.7.2,
// for buckets by multisplit.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/shortest_paths/dispatch.cuh>

namespace colonnade {

/// The first call, with d_temp_storage null, computes the bytes. Weight, Distance:
/// uint32_t, uint32_t; uint32_t, uint64_t; float, float.
template <class Weight, class Distance, class Policy = shortest_paths_policy>
[[nodiscard]] cudaError_t shortest_paths(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const csr_graph<Weight> &graph, uint32_t source,
                                         Distance *d_distances,
                                         shortest_paths_options<Distance> options = {},
                                         shortest_paths_report *report = nullptr,
                                         cudaStream_t stream = nullptr, Policy = {}) {
  return detail::shortest_paths<Policy>(d_temp_storage, temp_storage_bytes, graph, source,
                                        d_distances, options, report, stream);
}

} // namespace colonnade
