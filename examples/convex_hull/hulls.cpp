//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hulls.cpp: finds hulls on the CPU, one set after the other.
//
//===----------------------------------------------------------------------===//

#include "hulls.hpp"

int find_hulls(const point_sets &sets, std::vector<uint32_t> &hulls,
               std::vector<uint32_t> &hull_offsets) {
  hulls.resize(sets.size());
  hull_offsets = {0};
  for (size_t set = 0; set < sets.names.size(); ++set) {
    const uint32_t begin = sets.offsets[set], count = sets.offsets[set + 1] - begin;
    const colonnade::interleaved_points<double> points{sets.xy.data() + uint64_t{2} * begin};
    uint32_t *const hull = hulls.data() + hull_offsets.back();
    uint64_t found = 0;
    (void)colonnade::host_convex_hull(points, count, hull, count, found); // finite, and room
    for (uint64_t i = 0; i < found; ++i)
      hull[i] += begin;
    hull_offsets.push_back(hull_offsets.back() + static_cast<uint32_t>(found));
  }
  hulls.resize(hull_offsets.back());
  return 0;
}
