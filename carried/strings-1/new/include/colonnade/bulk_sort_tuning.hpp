//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_sort_tuning.hpp: the tuning of bulk sorts.
//
// In: the architecture, the length of the arrays, the size of an item. Out: which kernel sorts
// them, and its shape. A policy is a type with the members of bulk_sort_policy; derive from it to
// change some. Invariant: results of stable sorts do not depend on the policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

/// Lengths that share one kernel, which has registers and comparators for the longest. If keys are
/// not numbers in an order of order.hpp, comparators that reach beyond `from` check whether the
/// array is so long.
struct bulk_sort_lengths {
  uint32_t from, to;
};

/// How a block sorts arrays of up to 2^log2_rows items in shared memory.
struct bulk_sort_block_shape {
  uint32_t log2_columns; // of the arrays of a block; 0: they are sorted in several passes instead
  uint32_t log2_items;   // of the items of a thread
};

struct bulk_sort_policy {
  static constexpr uint32_t threads = 128; // of a block

  /// Each entry that fits in registers is a kernel to compile. If `to` items have up to max_words
  /// words, one thread sorts an array. If they have up to twice as many, two threads do: only if
  /// keys are numbers in an order of order.hpp, `to` is a multiple of 4 and `from` more than
  /// half of it.
  static constexpr bulk_sort_lengths lengths[] = {
      {1, 4},     {5, 8},     {9, 12},    {13, 16},   {17, 24},   {25, 32},   {33, 40},
      {41, 48},   {49, 56},   {57, 63},   {64, 64},   {65, 80},   {81, 96},   {97, 112},
      {113, 127}, {128, 128}, {129, 160}, {161, 192}, {193, 224}, {225, 256},
  };
  /// The most 4-byte words of an array that one thread holds in registers: 128 keys of 32 bits, or
  /// 64 with values or row numbers of 32 bits.
  static constexpr uint32_t max_words = 128;

  /// Arrays of more than 2^this items are sorted in several passes. Each power of two up to it,
  /// from what registers hold on, is a kernel to compile.
  static constexpr uint32_t max_block_log2_rows = 12;

  /// A block has 2^13 items of one word, 2^14 of arrays of more than 2^10 items, and half as many
  /// wherever item_words doubles: at most 64 KB of shared memory, which every GPU has. It
  /// accesses 2^log2_columns neighbouring items in memory, at most 32.
  static constexpr bulk_sort_block_shape block_shape(gpu_architecture, uint32_t log2_rows,
                                                     uint32_t item_words) {
    uint32_t log2_part = log2_rows <= 10 ? 13 : 14, log2_items = 5;
    for (; item_words > 1; item_words = (item_words + 1) / 2) {
      --log2_part;
      --log2_items;
    }
    if (log2_rows >= log2_part)
      return {0, 0};
    return {log2_part - log2_rows < 5 ? log2_part - log2_rows : 5, log2_items};
  }

  /// Blocks per SM of the kernel for several passes: bounds its registers.
  static constexpr uint32_t pass_min_blocks(gpu_architecture) { return 3; }

  /// Network steps in one pass over longer arrays: a thread holds 2^bits items.
  static constexpr uint32_t window_bits(gpu_architecture, uint32_t item_words) {
    return item_words == 1 ? 6 : item_words <= 3 ? 5 : item_words <= 5 ? 4 : 3;
  }
};

} // namespace colonnade
