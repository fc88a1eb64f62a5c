//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_tuning.hpp: the tuning of radix sorts: that of the scatter pass of one digit.
//
// In: the architecture, the bits of a digit, the bytes of a key and of a value. Out: a
// multisplit_tuning. A policy is a type with the members of radix_sort_policy; derive from it to
// change some. Invariant: results have the same bits under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>

#include <array>

namespace colonnade {

/// Inputs of up to so many items have tiles of so many items a thread, or fewer.
struct radix_tiles {
  uint64_t most_items = 0;
  uint32_t items_per_thread = 0;
};

struct radix_sort_policy {
  /// Calls with more items are refused.
  static constexpr uint64_t max_items = ~uint64_t{0};

  /// Inputs of up to so many items are sorted in one launch (segments: in two at most), where
  /// counting places, one block or a team of blocks is faster. 0: none are, and these kernels are
  /// not compiled.
  static constexpr uint64_t most_team_items = ~uint64_t{0};

  /// Smaller tiles, for inputs of which those of `tuning` would leave SMs without one; the fewest
  /// items first. One more scatter kernel for each of the ranges (in an argsort: two), but for
  /// those of 0 items. Measured on an H200.
  static constexpr std::array<radix_tiles, 2> smaller_tiles(size_t key_bytes, size_t value_bytes) {
    if (key_bytes == 4 && value_bytes == 4)
      return {{{uint64_t{1} << 18, 10}, {uint64_t{7} << 20, 21}}};
    if (key_bytes == 4 && value_bytes == 0)
      return {{{uint64_t{1} << 17, 10}, {uint64_t{1} << 19, 21}}};
    return {};
  }

  /// For a digit of `bits` bits; see multisplit_tuning.hpp.
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    return multisplit_policy::tuning(architecture, bits, key_bytes, value_bytes);
  }
};

} // namespace colonnade
