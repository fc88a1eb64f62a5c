//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convex_hull_tuning.hpp: how the kernels of convex_hull.cuh are shaped.
//
// In: nothing. Out: a convex_hull_policy. A policy is a type with its members; calls take it as
// their last argument. Invariant: all values give the same hull.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>
#include <colonnade/radix_sort_tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

/// Tiles of at most so many items a thread: of few points more blocks have one each.
template <uint32_t Items> struct small_tile_sort_policy : radix_sort_policy {
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = radix_sort_policy::tuning(architecture, bits, key_bytes, value_bytes);
    t.items_per_thread = t.items_per_thread < Items ? t.items_per_thread : Items;
    return t;
  }
};

struct convex_hull_policy {
  using sort = radix_sort_policy;
  /// In calls of at most so many points; of more, doubles are sorted by words of 32 bits, and
  /// blocks put those of one word in order.
  using few_sort = small_tile_sort_policy<16>;
  static constexpr uint64_t few_sorted = 1 << 21;
  static constexpr uint32_t settle_threads = 256;
  using split = multisplit_policy; // of points on the boundary

  /// Of more points than that, or where their hull would take more bytes of temporary storage, or
  /// as few more as can be, portions are hulled one after the other and joined.
  static constexpr uint64_t most_at_once = 0xffffffff;
  static constexpr size_t most_temporary = ~size_t{0};

  /// From so many points on, blocks of sample_threads * sample_items sample that many points each,
  /// and find the farthest in so many directions in each eighth of a turn (hollow_slopes, if there
  /// are hollow_from and none is in the middle); in so many columns a sieve takes points that are
  /// surely inside.
  static constexpr uint64_t sample_from = 32768, hollow_from = 1 << 22;
  static constexpr uint32_t sample_threads = 512, sample_items = 2, sample_blocks = 128,
                            sample_slopes = 16, hollow_slopes = 64, sieve_columns = 1024;
  /// So many points are first reduced to those on hoods of tiles, twice, and sorted only if that
  /// does not leave few enough.
  static constexpr uint64_t thin_most = 65536;
  static constexpr uint32_t thin_threads = 512, thin_items = 4;
  /// A thread's points while all are read.
  static constexpr uint32_t filter_threads = 256, filter_items = 8;
  /// Of one block that finds the whole hull of few points.
  static constexpr uint32_t few_threads = 512, few_items = 7;
  /// Of the blocks that find the hoods of tiles, in rounds of at most so many turns; else threads
  /// find those of runs of so many points or more, which are joined. 0 turns: nothing but that,
  /// which is Wagener's algorithm, of all points; with O(n) work where runs have log n points.
  static constexpr uint32_t tile_threads = 256, tile_items = 14, tile_turns = 12,
                            tile_least_run = 9;
  /// Of a block that joins so many hoods at once, in shared memory if they have few vertices.
  static constexpr uint32_t join_threads = 512, join_siblings = 64, join_vertices = 4096;
  /// Of the block that says where each piece goes, and of those that write the pieces.
  static constexpr uint32_t offset_threads = 1024, write_threads = 256;
};

} // namespace colonnade
