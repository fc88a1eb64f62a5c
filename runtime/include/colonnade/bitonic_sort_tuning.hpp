//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort_tuning.hpp: what a bitonic sort is tuned by.
//
// A policy is a type with the members of bitonic_sort_policy; derive from it to change some.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct bitonic_tuning {
  uint32_t log2_part = 13;      // items of a block: sigma of the K-model
  uint32_t log2_items = 4;      // of a thread, in registers; log2_part - 5 at most
  uint32_t min_blocks = 1;      // per SM, for the register allocator
  bool overlap_launches = true; // a pass's blocks start while the one before ends (from sm_90)
};

struct bitonic_sort_policy {
  /// From this number of items on, large_tuning: more items a thread, where there are
  /// blocks enough to keep all multiprocessors busy.
  static constexpr uint64_t large = uint64_t{1} << 21;

  /// item_words: of 4 bytes, a key with its value, each rounded up. A part has item_words
  /// times 2^log2_part words of shared memory.
  static constexpr bitonic_tuning tuning(gpu_architecture, uint32_t item_words) {
    return narrowed({}, item_words);
  }
  static constexpr bitonic_tuning large_tuning(gpu_architecture, uint32_t item_words) {
    bitonic_tuning t;
    t.log2_items = 5;
    t.min_blocks = 2;
    return narrowed(t, item_words);
  }

  /// Half the items for items twice as wide.
  static constexpr bitonic_tuning narrowed(bitonic_tuning t, uint32_t item_words) {
    for (; item_words > 1; item_words = (item_words + 1) / 2) {
      --t.log2_part;
      --t.log2_items;
    }
    return t;
  }
};

} // namespace colonnade
