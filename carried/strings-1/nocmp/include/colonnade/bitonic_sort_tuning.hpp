//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort_tuning.hpp: the tuning of bitonic sorts.
//
// In: the architecture, and the size of an item. Out: a bitonic_tuning. A policy is a type with
// the members of bitonic_sort_policy; derive from it to change some. Invariant: a policy changes
// no result, but for the order of equal keys.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade {

struct bitonic_tuning {
  uint32_t log2_part = 13;      // items of a block: sigma of the K-model; at most 16
  uint32_t log2_items = 4;      // items of a thread, in registers; at most log2_part - 5
  uint32_t min_blocks = 1;      // per SM: bounds the registers
  bool overlap_launches = true; // a pass may start while the one before it ends (from sm_90)
};

struct bitonic_sort_policy {
  /// From this number of items on large_tuning is used: then there are blocks enough to keep all
  /// SMs busy with more items in a thread.
  static constexpr uint64_t large = uint64_t{1} << 21;

  /// item_words: 4-byte words of a key and its value, each rounded up. A part takes item_words
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

  /// Half as many items wherever item_words doubles.
  static constexpr bitonic_tuning narrowed(bitonic_tuning t, uint32_t item_words) {
    for (; item_words > 1; item_words = (item_words + 1) / 2) {
      --t.log2_part;
      --t.log2_items;
    }
    return t;
  }
};

} // namespace colonnade
