//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_sets_options.hpp: what sets of patterns are made of, and how large they may be.
//
// In: nothing. Out: a pattern of a set, and where one of them is. Invariant: a pattern's number is
// its place among those that the set was created from.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_options.hpp>

#include <cstdint>

namespace colonnade {

/// In host memory.
struct set_pattern {
  const void *bytes;
  uint64_t length; // 1 to most_set_pattern
};

constexpr uint32_t most_set_patterns = 10000;
constexpr uint64_t most_set_pattern = 1u << 16, most_set_bytes = 1u << 26;

struct set_match {
  uint64_t position;
  uint32_t pattern; // its number

  friend bool operator==(const set_match &, const set_match &) = default;
  friend auto operator<=>(const set_match &, const set_match &) = default;
};

namespace detail {

/// Whether a set may have these patterns.
inline bool valid_set(const set_pattern *patterns, uint32_t num_patterns) {
  if (!patterns || num_patterns == 0 || num_patterns > most_set_patterns)
    return false;
  uint64_t all = 0;
  for (uint32_t i = 0; i < num_patterns; ++i) {
    if (!patterns[i].bytes || patterns[i].length == 0 || patterns[i].length > most_set_pattern)
      return false;
    all += patterns[i].length;
  }
  return all <= most_set_bytes;
}

} // namespace detail

} // namespace colonnade
