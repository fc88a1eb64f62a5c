//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_tuning.hpp: what a segmented sort is tuned by, field by field.
//
// A policy is a type with the members of segmented_sort_policy; derive from it to
// change some. Stable forms give the same bits under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/radix_sort_tuning.hpp>

namespace colonnade {

/// Of segments that lie in the registers of a warp or a block.
struct segmented_row_tuning {
  uint32_t warps = 4;                // of a block whose warps sort for themselves
  uint32_t equal_min_blocks = 6;     // such blocks per SM, for the register allocator: segments
                                     // of one length
  uint32_t listed_min_blocks = 5;    // the same: of several lengths
  uint32_t blocks_min_blocks = 3;    // blocks of 256 threads that sort together
  uint32_t listed_blocks_per_sm = 8; // launched for rows of several lengths, of 256 threads; twice
                                     // as many of warps that sort for themselves
};

struct segmented_sort_policy : radix_sort_policy {
  /// Item: what is compared; keys' words, or these with their places.
  static constexpr segmented_row_tuning rows(gpu_architecture architecture, size_t item_bytes) {
    segmented_row_tuning t;
    if (item_bytes > 4) {
      t.equal_min_blocks = 4;
      t.listed_min_blocks = 4;
      t.blocks_min_blocks = 2;
    }
    if (architecture == gpu_architecture::sm_120) { // no more have room in its shared memory
      t.equal_min_blocks = 4;
      t.listed_min_blocks = 4;
      t.blocks_min_blocks = 2;
    }
    return t;
  }

  /// Of segments that a block's registers do not hold: the scatter pass of one digit.
  /// Smaller tiles than one long sequence would have, for segments of a tile or two.
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = radix_sort_policy::tuning(architecture, bits, key_bytes, value_bytes);
    t.items_per_thread = t.items_per_thread < 24 ? t.items_per_thread : 24;
    t.min_blocks = key_bytes + value_bytes <= 4 ? 3 : 2;
    t.values_in_turn = false;
    t.value_rows_ahead = 16;
    t.ticket = false; // tiles are numbered before
    return t;
  }
};

} // namespace colonnade
