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

#include <cstdint>

namespace colonnade {

/// Lengths that share one kernel: registers for the longest, and comparators that reach
/// beyond `from` ask whether the array is so long.
struct bulk_sort_lengths {
  uint32_t from, to;
};

struct bulk_sort_policy {
  static constexpr uint32_t threads = 128; // a block

  /// Each length is a kernel to compile. Lengths in none are sorted in several passes.
  static constexpr bulk_sort_lengths lengths[] = {
      {1, 4},   {5, 8},   {9, 12},  {13, 16}, {17, 24},  {25, 31},   {32, 32},
      {33, 48}, {49, 63}, {64, 64}, {65, 96}, {97, 127}, {128, 128},
  };
  /// Longer arrays than this many 4-byte registers hold are sorted in several passes:
  /// at 32-bit keys those above 128, with values or row numbers above 64.
  static constexpr uint32_t max_words = 128;

  /// Per multiprocessor, for the register allocator.
  static constexpr uint32_t pass_min_blocks = 3;

  /// Steps a pass over longer arrays: a thread holds 2^bits items.
  static constexpr uint32_t window_bits(uint32_t item_words) {
    return item_words == 1 ? 6 : item_words <= 3 ? 5 : item_words <= 5 ? 4 : 3;
  }
};

} // namespace colonnade
