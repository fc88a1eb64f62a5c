//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_check.hpp: what a check of a convex hull finds.
//
// In: what the check has met. Out: the first fault in a fixed order, and where it is. Invariant: a
// correct hull has none, and whatever is no hull has one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade {

/// Of several faults the first in this order is told.
enum class hull_fault : uint8_t {
  vertex_is_no_point, // at: the vertex whose index is not below the number of points
  not_convex,         // at: the vertex behind which the hull does not go on as it must
  point_outside,      // at: the index of the point
  none,
};

struct hull_check {
  /// (fault << 56) | at: the smallest of all that are found.
  uint64_t first = ~uint64_t{0};

  constexpr bool ok() const { return first == ~uint64_t{0}; }
  constexpr hull_fault fault() const {
    return ok() ? hull_fault::none : static_cast<hull_fault>(first >> 56);
  }
  constexpr uint64_t at() const { return first & (~uint64_t{0} >> 8); }
  static COLONNADE_HOST_DEVICE constexpr uint64_t word(hull_fault fault, uint64_t at) {
    return static_cast<uint64_t>(fault) << 56 | at;
  }
};

} // namespace colonnade
