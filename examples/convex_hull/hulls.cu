//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hulls.cu: finds the hulls of all sets on the GPU by one call.
//
//===----------------------------------------------------------------------===//

#include "../common/gpu_example.cuh"
#include "hulls.hpp"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/single_phase.cuh>

int find_hulls(const point_sets &sets, std::vector<uint32_t> &hulls,
               std::vector<uint32_t> &hull_offsets) {
  if (const int none = no_gpu())
    return none;
  const gpu_array<double> d_xy(sets.xy);
  const gpu_array<uint32_t> d_offsets(sets.offsets), d_hulls(sets.size());
  const gpu_array<uint64_t> d_hull_offsets(sets.offsets.size());
  const colonnade::interleaved_points<double> points{d_xy.get()};
  std::vector<uint64_t> offsets;
  const bool found =
      done(colonnade::single_phase(colonnade::async_resource{}, nullptr,
                                   [&](void *d_temp, size_t &bytes) {
                                     return colonnade::bulk_convex_hull_packed(
                                         d_temp, bytes, points, sets.size(), d_offsets.get(),
                                         sets.names.size(), d_hulls.get(), sets.size(),
                                         d_hull_offsets.get());
                                   })) &&
      d_hull_offsets.read(offsets, sets.offsets.size()) && d_hulls.read(hulls, offsets.back());
  hull_offsets.assign(offsets.begin(), offsets.end());
  return found ? 0 : 1;
}
