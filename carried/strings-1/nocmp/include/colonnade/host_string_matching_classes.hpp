//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_string_matching_classes.hpp: where a pattern of character classes is in a text, on the host:
// the reference of string_matching_classes.cuh.
//
//   host_find_matches  as find_matches of string_matching_classes.cuh: all positions, ascending
//
// In: a text, an expression. Out: positions; none where the expression is wrong. Invariant: none.
//
// Complexity: work O(n m) at most, on one thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/classes/expression.hpp>

namespace colonnade {

inline std::vector<uint64_t> host_find_matches(const uint8_t *text, uint64_t num_items,
                                               const void *expression, uint64_t length,
                                               class_options options) {
  const auto classes = detail::read_classes(expression, length, options);
  std::vector<uint64_t> positions;
  for (uint64_t at = 0; !classes.empty() && at + classes.size() <= num_items; ++at) {
    size_t same = 0;
    while (same < classes.size() && classes[same][text[at + same]])
      ++same;
    if (same == classes.size())
      positions.push_back(at);
  }
  return positions;
}

} // namespace colonnade
