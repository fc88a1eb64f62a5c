//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convex_hull_options.hpp: which part of a convex hull is wanted.
//
// In: what the caller chooses. Out: the options of convex_hull.cuh and of the host's functions.
// Invariant: the defaults ask for the whole hull.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

enum class hull_part : uint8_t {
  whole, // counter-clockwise from the lexicographically smallest point
  lower, // from the lowest leftmost to the lowest rightmost point; no vertical edge
  upper, // from the highest leftmost to the highest rightmost point, left to right too
};

struct hull_options {
  hull_part part = hull_part::whole;
};

} // namespace colonnade
