//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_tuning.hpp: what a radix sort is tuned by: the scatter pass of one digit.
//
// A policy is a type with the members of radix_sort_policy; derive from it to change
// some. Results are the same, bit for bit, under every policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>

namespace colonnade {

struct radix_sort_policy {
  /// Calls with more items are refused, and their kernels are not compiled: fewer than
  /// 2^32 items need no 64-bit offsets.
  static constexpr uint64_t max_items = ~uint64_t{0};

  /// Inputs of up to so many items, if one block or a team of blocks pays for them, are sorted
  /// in one launch (segments: in two at most). 0: none are, and these kernels are not compiled.
  static constexpr uint64_t most_team_items = ~uint64_t{0};

  /// Of the scatter pass of a digit of `bits` bits; its fields are multisplit_tuning.hpp's.
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    return multisplit_policy::tuning(architecture, bits, key_bytes, value_bytes);
  }
};

} // namespace colonnade
