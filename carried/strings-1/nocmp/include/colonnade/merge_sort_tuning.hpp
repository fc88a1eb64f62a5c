//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_tuning.hpp: the tuning of merge sorts.
//
// In: the architecture, and the bytes of a key and of a value. Out: a merge_sort_tuning, and
// whether a radix sort is used instead. A policy is a type with the members of
// merge_sort_policy; derive from it to change some. Invariant: stable results have the same
// bits under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/radix_sort_tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

enum class merge_method : uint8_t {
  tiles,     // blocks sort and merge tiles in registers and shared memory, by merge paths
  registers, // warps sort two-dimensionally by shuffles, and merge k streams in registers
};

struct merge_sort_tuning {
  merge_method method = merge_method::tiles;
  uint32_t ways = 4;            // runs that a pass merges into one: 2, 4 or 8; in registers to 32
  uint32_t sample_stride = 128; // one item of so many is a sample: a power of two that divides a
                                // sorted tile. Merged tiles begin at samples: each needs room
                                // for ways - 1 strides more, and a smaller stride means more
                                // searches

  // Sorting tiles (method tiles).
  uint32_t threads = 256;         // of a block; a power of two
  uint32_t items_per_thread = 17; // odd: accesses with this stride have no bank conflicts
  uint32_t min_blocks = 1;        // per SM: bounds the registers

  // Merging (method tiles).
  uint32_t merge_threads = 256;         // of a block
  uint32_t merge_items_per_thread = 17; // odd
  uint32_t merge_min_blocks = 1;        // per SM

  // Both (method registers).
  uint32_t rows = 16;              // of 32 items in a warp: at least `ways`
  uint32_t warp_tile_samples = 16; // strides of a merged tile, without the room for ways - 1 more
};

struct merge_sort_policy {
  /// From so many items on, numbers in ascending or descending order are sorted by a radix sort;
  /// all ones: never, and that code is not compiled. Powers of two, measured on an H200
  /// for values of 0, 4 and 8 bytes (decision 0016). The same on every architecture, because
  /// the size of the temporary storage depends on it and is asked for without any CUDA call.
  static constexpr uint64_t radix_from(size_t key_bytes, size_t value_bytes) {
    switch (key_bytes) {
    case 1:
      return 1u << 14;
    case 2:
      return 1u << 16;
    case 4:
      return value_bytes <= 4 ? 1u << 17 : 1u << 18;
    default:
      return value_bytes == 0 ? 1u << 24 : value_bytes <= 4 ? 1u << 20 : 1u << 22;
    }
  }
  using radix = radix_sort_policy; // of that radix sort

  /// Few items are sorted in one launch, by one block or by the radix sort's kernels for small
  /// inputs, where that is faster. These sorts are always stable.
  static constexpr bool one_block = true;

  static constexpr merge_sort_tuning tuning(gpu_architecture, size_t key_bytes,
                                            size_t value_bytes) {
    merge_sort_tuning t;
    const size_t item_bytes = key_bytes + value_bytes;
    if (item_bytes <= 4) {
      t.items_per_thread = 23, t.min_blocks = 5;
      t.merge_items_per_thread = 27, t.merge_min_blocks = 4;
    } else if (item_bytes <= 8) {
      t.items_per_thread = 17, t.min_blocks = 4;
      t.merge_items_per_thread = 19, t.merge_min_blocks = 4;
    } else if (item_bytes <= 16) {
      t.items_per_thread = 9, t.min_blocks = 4;
      t.merge_items_per_thread = 11, t.merge_min_blocks = 3;
    } else {
      t.items_per_thread = 5, t.min_blocks = 3;
      t.merge_items_per_thread = 5, t.merge_min_blocks = 3;
    }
    t.sample_stride = item_bytes <= 8 ? 256 : item_bytes <= 16 ? 128 : 64;
    return t;
  }
};

/// Merges always; no radix sort.
struct merging_policy : merge_sort_policy {
  static constexpr uint64_t radix_from(size_t, size_t) { return ~uint64_t{0}; }
};

/// The k-way merging in registers of the thesis (block_merge_sort.cuh; algorithm 9), for runs that
/// are sorted by shuffles. For comparison: many times slower than the method `tiles`.
struct in_registers_policy : merging_policy {
  static constexpr bool one_block = false;

  static constexpr merge_sort_tuning tuning(gpu_architecture, size_t key_bytes,
                                            size_t value_bytes) {
    merge_sort_tuning t;
    const bool narrow = key_bytes + value_bytes <= 4;
    t.method = merge_method::registers;
    t.ways = narrow ? 8 : 4;
    t.rows = narrow ? 16 : 8;
    t.sample_stride = 64;
    return t;
  }
};

namespace detail {
template <class Policy, size_t KeyBytes, size_t ValueBytes>
using merge_tunings = policy_tunings<Policy, KeyBytes, ValueBytes>;
} // namespace detail

} // namespace colonnade
