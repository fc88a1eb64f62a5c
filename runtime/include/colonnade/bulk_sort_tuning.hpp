//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_sort_tuning.hpp: what a bulk sort is tuned by.
//
// A policy is a type with the members of bulk_sort_policy; derive from it to change
// some. Stable results do not depend on it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstdint>

namespace colonnade {

/// Lengths that share one kernel: registers and comparators for the longest. Where the
/// order is not one of order.hpp, or keys are no numbers, comparators that reach beyond
/// `from` ask whether the array is so long.
struct bulk_sort_lengths {
  uint32_t from, to;
};

/// Arrays of up to 2^log2_rows items that one block sorts, 2^log2_columns of them.
struct bulk_sort_block_shape {
  uint32_t log2_columns; // 0: they are sorted in several passes
  uint32_t log2_items;   // of a thread
};

struct bulk_sort_policy {
  static constexpr uint32_t threads = 128; // a block

  /// Each entry that fits is a kernel to compile. Up to max_words: a thread an array; up to
  /// twice as much: two threads, if keys are numbers in an order of order.hpp; then `to` is
  /// a multiple of 4, and `from` more than its half.
  static constexpr bulk_sort_lengths lengths[] = {
      {1, 4},     {5, 8},     {9, 12},    {13, 16},   {17, 24},   {25, 32},   {33, 40},
      {41, 48},   {49, 56},   {57, 63},   {64, 64},   {65, 80},   {81, 96},   {97, 112},
      {113, 127}, {128, 128}, {129, 160}, {161, 192}, {193, 224}, {225, 256},
  };
  /// Longer arrays than this many 4-byte registers hold are sorted by blocks: at 32-bit
  /// keys those above 128, with values or row numbers above 64.
  static constexpr uint32_t max_words = 128;

  /// Arrays of more than 2^this items are sorted in several passes. Each power of two
  /// above what registers hold is a kernel to compile.
  static constexpr uint32_t max_block_log2_rows = 12;

  /// A part of 2^13 words, 2^14 for long arrays; neighbours in memory are 2^log2_columns
  /// items. 64 KB of shared memory, which every GPU has.
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

  /// Per multiprocessor, for the register allocator.
  static constexpr uint32_t pass_min_blocks(gpu_architecture) { return 3; }

  /// Steps a pass over longer arrays: a thread holds 2^bits items.
  static constexpr uint32_t window_bits(gpu_architecture, uint32_t item_words) {
    return item_words == 1 ? 6 : item_words <= 3 ? 5 : item_words <= 5 ? 4 : 3;
  }
};

} // namespace colonnade
