//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// last_place.hpp: a binary search.
//
// In: places, of which the first ones have a property. Out: the last one that has it. Invariant:
// the first place is taken to have it, and is not asked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hood.hpp>

namespace colonnade::detail {

/// The last i in [begin, end) for which `holds`.
COLONNADE_NO_EXECUTION_CHECK
template <class Place, class Holds>
COLONNADE_HOST_DEVICE Place last_place(Place begin, Place end, Holds holds) {
  while (end - begin > 1) {
    const Place middle = begin + (end - begin) / 2;
    if (holds(middle))
      begin = middle;
    else
      end = middle;
  }
  return begin;
}

} // namespace colonnade::detail
