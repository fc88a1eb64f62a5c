//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_tuning.hpp: what a segmented sort is tuned by.
//
// A policy is a type with the members of segmented_sort_policy; derive from it to
// change some.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/multisplit_tuning.hpp>

namespace colonnade {

struct segmented_sort_policy : default_policy {
  /// Of segments that a block's registers do not hold: the scatter pass of one digit.
  /// Smaller tiles than one long sequence would have, for segments of a tile or two.
  static constexpr multisplit_tuning tuning(uint32_t bits, size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = default_policy::tuning(bits, key_bytes, value_bytes);
    t.items_per_thread = t.items_per_thread < 24 ? t.items_per_thread : 24;
    t.min_blocks = key_bytes + value_bytes <= 4 ? 3 : 2;
    t.values_in_turn = false;
    t.value_rows_ahead = 16;
    t.ticket = false; // tiles are numbered before
    return t;
  }
};

} // namespace colonnade
