//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_tuning.hpp: what a merge sort is tuned by, field by field, and the
// default choice.
//
// A policy is a type with the members of default_merge_policy; derive from it to
// change some. Stable results are the same, bit for bit, under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct merge_sort_tuning {
  // Sorting tiles.
  uint32_t threads = 256;         // a block; a power of two
  uint32_t items_per_thread = 17; // odd: strides of it use all banks of shared memory alike
  uint32_t min_blocks = 1;        // per SM, for the register allocator

  // Merging.
  uint32_t ways = 4;                    // runs a pass merges into one: 2, 4 or 8
  uint32_t merge_threads = 256;         // a block
  uint32_t merge_items_per_thread = 17; // odd
  uint32_t merge_min_blocks = 1;
  uint32_t sample_stride = 128; // every so many items one is a sample: a power of two that divides
                                // a sorted tile. Merged tiles are cut at samples: each leaves
                                // room for ways - 1 strides, and a smaller stride means more
                                // searches
};

struct default_merge_policy {
  /// Numbers in ascending or descending order are sorted by radix from so many items on;
  /// all ones: never, and that code is not compiled.
  static constexpr uint64_t radix_from(size_t key_bytes, size_t value_bytes) {
    (void)key_bytes, (void)value_bytes;
    return 1u << 20;
  }
  using radix = default_policy; // what the radix sort is tuned by

  static constexpr merge_sort_tuning tuning(size_t key_bytes, size_t value_bytes) {
    merge_sort_tuning t;
    const size_t item_bytes = key_bytes + value_bytes;
    const bool narrow = item_bytes <= 4;
    t.items_per_thread = narrow ? 23 : item_bytes <= 8 ? 15 : item_bytes <= 16 ? 9 : 5;
    t.min_blocks = narrow ? 5 : item_bytes <= 8 ? 4 : 3;
    t.merge_items_per_thread = narrow ? 23 : item_bytes <= 8 ? 15 : item_bytes <= 16 ? 7 : 5;
    t.merge_min_blocks = narrow || item_bytes <= 16 ? 5 : 3;
    t.sample_stride = item_bytes <= 8 ? 256 : item_bytes <= 16 ? 64 : 32;
    return t;
  }
};

/// Merging, whatever is sorted.
struct merging_policy : default_merge_policy {
  static constexpr uint64_t radix_from(size_t, size_t) { return ~uint64_t{0}; }
};

namespace detail {
/// A tuning as a type, for kernels' template arguments.
template <class Policy, size_t KeyBytes, size_t ValueBytes> struct merge_tuned {
  static constexpr merge_sort_tuning value = Policy::tuning(KeyBytes, ValueBytes);
};
} // namespace detail

} // namespace colonnade
