//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_hull_options.hpp: what is wanted of many convex hulls, and what is known of the sets.
//
// In: what the caller chooses. Out: the options of bulk_convex_hull.cuh. Invariant: the defaults
// ask for whole hulls, of sets of any size.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull_options.hpp>

namespace colonnade {

struct bulk_hull_options {
  hull_part part = hull_part::whole;
  /// The points of each set come by x.
  bool by_x = false;
  /// No set has more points. Where that is at most 4,096 (3,072 of doubles), fewer kernels are
  /// started, and there is less temporary storage.
  uint64_t longest = ~uint64_t{0};
};

} // namespace colonnade
