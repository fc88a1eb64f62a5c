//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_tuning.hpp: the tuning of segmented sorts.
//
// In: the architecture, and the bytes of an item. Out: the shapes of the kernels. A policy is a
// type with the members of segmented_sort_policy; derive from it to change some. Invariant: stable
// forms give the same bits under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/radix_sort_tuning.hpp>

namespace colonnade {

/// For segments that the registers of a warp or a block hold.
struct segmented_row_tuning {
  uint32_t warps = 4;                // of a block each of whose warps sorts by itself
  uint32_t equal_min_blocks = 6;     // such blocks per SM (bounds the registers), for segments of
                                     // one length
  uint32_t listed_min_blocks = 5;    // the same, for segments of several lengths
  uint32_t blocks_min_blocks = 3;    // blocks of 256 threads, which sort one segment, per SM
  uint32_t listed_blocks_per_sm = 8; // of those, launched for segments of several lengths; of
                                     // blocks whose warps sort by themselves twice as many
};

struct segmented_sort_policy : radix_sort_policy {
  /// item_bytes: of what is compared: the word of a key, in stable forms with its place.
  static constexpr segmented_row_tuning rows(gpu_architecture architecture, size_t item_bytes) {
    segmented_row_tuning t;
    if (item_bytes > 4) {
      t.equal_min_blocks = 4;
      t.listed_min_blocks = 4;
      t.blocks_min_blocks = 2;
    }
    if (architecture == gpu_architecture::sm_120) { // more do not fit in its shared memory
      t.equal_min_blocks = 4;
      t.listed_min_blocks = 4;
      t.blocks_min_blocks = 2;
    }
    return t;
  }

  /// For segments that the registers of a block do not hold: the scatter pass of one digit. Tiles
  /// are smaller than for one long array, because segments may have only a tile or two.
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = radix_sort_policy::tuning(architecture, bits, key_bytes, value_bytes);
    t.items_per_thread = t.items_per_thread < 24 ? t.items_per_thread : 24;
    t.min_blocks = key_bytes + value_bytes <= 4 ? 3 : 2;
    t.values_in_turn = false;
    t.value_rows_ahead = 16;
    t.ticket = false; // the kernel takes tiles by its own tickets
    return t;
  }
};

} // namespace colonnade
