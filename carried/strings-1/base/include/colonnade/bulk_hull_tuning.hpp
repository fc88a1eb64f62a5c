//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_hull_tuning.hpp: how the kernels of bulk_convex_hull.cuh are shaped.
//
// In: nothing. Out: a bulk_hull_policy. A policy is a type with its members; calls take it as their
// last argument. Invariant: all values give the same hulls.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>
#include <colonnade/radix_sort_tuning.hpp>

namespace colonnade {

/// Of sets by their sizes: even a million sets are few items, so tiles and chunks are small.
struct set_split_policy : multisplit_policy {
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = multisplit_policy::tuning(architecture, bits, key_bytes, value_bytes);
    t.items_per_thread = 8;
    t.histogram_loads = 2;
    return t;
  }
};

struct bulk_hull_policy {
  using sort = radix_sort_policy;
  using split = set_split_policy; // of sets into classes

  /// Sets of at most so many points are one thread's; at most 32.
  static constexpr uint32_t lane_threads = 64, lane_points = 32;
  /// Sets of at most threads * items points (of wide blocks and doubles three quarters of that) are
  /// one block's, which leaves out what is inside a polygon of extreme points in so many
  /// directions, 8 or 16.
  static constexpr uint32_t narrow_threads = 64, narrow_items = 8, narrow_directions = 8;
  static constexpr uint32_t wide_threads = 256, wide_items = 16, wide_directions = 8;
  /// Of narrow sets first those are found of which at most so many points, 64 at most, are left
  /// outside of a polygon in so many directions: a lane of a warp takes what is left of one.
  static constexpr bool sift_narrow = true;
  static constexpr uint32_t sift_threads = 128, sift_resident = 768;
  static constexpr uint32_t sifted_points = 64, sifted_directions = 16;
  /// Wide sets of which more points than that for each thread are left have a launch of their own:
  /// blocks that need not have room for all points are many more at once.
  static constexpr uint32_t wide_most_items = 4;
  /// Where so many points for each thread are left, or fewer.
  static constexpr uint32_t narrow_few_items = 1, wide_few_items = 1;
  /// Larger ones of at most so many points (65,535 at most) are a block's, too, if after a sieve in
  /// so many directions (8 or 16) at most so many points are left for each thread.
  static constexpr uint32_t sieve_longest = 65535;
  static constexpr uint32_t sieve_threads = 256, sieve_items = 8, sieve_most_items = 12,
                            sieve_few_items = 2, sieve_directions = 16;
  /// How many threads of each a multiprocessor has registers for (of doubles two thirds of that);
  /// 0: the compiler chooses.
  static constexpr uint32_t narrow_resident = 896, wide_resident = 1024, sieve_resident = 768;
  /// Of those that are not found so, as in convex_hull_tuning.hpp.
  static constexpr uint32_t tile_threads = 256, tile_items = 7, tile_turns = 12, tile_least_run = 9;
  static constexpr uint32_t join_threads = 128, join_siblings = 16, join_vertices = 2048;
  static constexpr uint32_t place_threads = 1024, load_threads = 256, offset_threads = 256,
                            write_threads = 256;
  /// Of blocks that pack hulls: a thread for each set.
  static constexpr uint32_t pack_threads = 256;
};

} // namespace colonnade
