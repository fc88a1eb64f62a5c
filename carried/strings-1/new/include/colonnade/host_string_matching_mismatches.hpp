//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_string_matching_mismatches.hpp: where a pattern is in a text with up to k mismatches, on the
// host: the reference of string_matching_mismatches.cuh.
//
//   host_find_mismatches  all positions, ascending, each with its number of mismatches
//
// In: a text, a pattern, k. Out: places. Invariant: none.
//
// Complexity: work O(n m) at most, on one thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace colonnade {

struct mismatch_match {
  uint64_t position;
  uint8_t mismatches;

  friend bool operator==(const mismatch_match &, const mismatch_match &) = default;
};

inline std::vector<mismatch_match> host_find_mismatches(const uint8_t *text, uint64_t num_items,
                                                        const uint8_t *pattern, uint64_t length,
                                                        uint32_t most_mismatches,
                                                        bool fold_case = false) {
  const auto lower = [&](uint8_t c) {
    return fold_case && c >= 'A' && c <= 'Z' ? static_cast<uint8_t>(c + 32) : c;
  };
  std::vector<mismatch_match> all;
  for (uint64_t at = 0; length > 0 && at + length <= num_items; ++at) {
    uint32_t mismatches = 0;
    for (uint64_t i = 0; i < length && mismatches <= most_mismatches; ++i)
      mismatches += lower(text[at + i]) != lower(pattern[i]);
    if (mismatches <= most_mismatches)
      all.push_back({at, static_cast<uint8_t>(mismatches)});
  }
  return all;
}

} // namespace colonnade
