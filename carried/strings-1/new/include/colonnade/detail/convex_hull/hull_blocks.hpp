//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_blocks.hpp: the blocks of a convex hull's kernels.
//
// In: a policy, the points, how vertices are written, and a machine: the GPU, or the host's in
// tests. Out: the types of the blocks. Invariant: tests run the blocks that dispatch.cuh launches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/few_points.hpp>
#include <colonnade/detail/convex_hull/many_points.hpp>
#include <colonnade/detail/convex_hull/sample.hpp>
#include <colonnade/detail/convex_hull/thin.hpp>

namespace colonnade::detail {

/// The blocks of hulls of many points. Sets: see tile_sets.hpp; Output: hull_output, or that of
/// several hulls.
template <class Policy, class Points, class Sets, class Output, class Machine>
struct many_points_blocks {
  template <bool ByX>
  using tile_of = tile_hoods_block<Points, Sets, Policy::tile_threads, Policy::tile_items,
                                   Policy::tile_turns, Policy::tile_least_run, ByX, Machine>;
  using tile = tile_of<false>;
  using join = join_hoods_block<typename Points::coordinate, Sets, Policy::join_threads,
                                Policy::join_siblings, Policy::join_vertices, Machine>;
  using offsets = hood_offsets_block<typename Points::coordinate, Sets, Output,
                                     Policy::offset_threads, Machine>;
  using write = write_hull_block<Points, Sets, Output, Policy::write_threads, Machine>;
};

template <class Policy, class Points, class Vertices, class Machine>
struct hull_blocks
    : many_points_blocks<Policy, Points, one_tile_set, hull_output<Vertices>, Machine> {
  using sample = hull_sample_block<Points, Policy::sample_threads, Policy::sample_items,
                                   Policy::sample_blocks, Policy::sample_slopes,
                                   Policy::hollow_slopes, Policy::sieve_columns, Machine>;
  using filter = hull_filter_block<Points, Policy::filter_threads, Policy::filter_items,
                                   Policy::sieve_columns, typename sample::chains_type, Machine>;
  using settle = settle_runs_block<Points, Policy::settle_threads, Machine>;
  using x_halves = x_halves_block<Points, Policy::settle_threads, Machine>;
  using thin = thin_block<Points, Policy::thin_threads, Policy::thin_items, Machine>;
  using few = few_points_block<Points, Vertices, Policy::few_threads, Policy::few_items, Machine>;
};

} // namespace colonnade::detail
