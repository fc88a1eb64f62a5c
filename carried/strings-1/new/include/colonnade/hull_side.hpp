//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_side.hpp: where a point lies.
//
// In: a point and a convex hull. Out: one of three. Invariant: decided exactly.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

enum class hull_side : int8_t {
  outside = -1,
  boundary = 0, // a vertex, or within an edge
  inside = 1,
};

} // namespace colonnade
