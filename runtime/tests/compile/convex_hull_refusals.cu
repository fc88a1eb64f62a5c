//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What convex_hull.cuh and host_convex_hull.hpp must refuse to compile, each with the message after
// "refused:".
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/convex_hull.cuh>
#include <colonnade/host_convex_hull.hpp>
#include <colonnade/marriage_hull.cuh>

using namespace colonnade;

namespace {

template <class T, class Index> cudaError_t hull_of(const T *d_points, Index *d_hull) {
  size_t bytes = 0;
  return convex_hull(nullptr, bytes, interleaved_points<T>{d_points}, 10, d_hull, 10, nullptr);
}

template <class Policy> cudaError_t by_x_of(const float *d_points, uint32_t *d_hull) {
  size_t bytes = 0;
  return convex_hull_by_x(nullptr, bytes, interleaved_points<float>{d_points}, 10, d_hull, 10,
                          nullptr, {}, {}, Policy{});
}

template <class Index> device_status on_host(const float *points, Index *hull) {
  uint64_t found = 0;
  return host_convex_hull(interleaved_points<float>{points}, 10, hull, 10, found);
}
template <class Index> device_status boundary_on_host(const float *points, Index *hull) {
  uint64_t found = 0;
  return host_convex_hull_boundary(interleaved_points<float>{points}, 10, hull, 10, found);
}

} // namespace

// refused: convex hull: coordinates are float, double or int32_t
cudaError_t wide_integers() { return hull_of<int64_t, uint32_t>(nullptr, nullptr); }
// refused: convex hull: coordinates are float, double or int32_t
cudaError_t unsigned_integers() { return hull_of<uint32_t, uint32_t>(nullptr, nullptr); }
// refused: convex hull: indices are unsigned integers of 32 or 64 bits
cudaError_t short_indices() { return hull_of<float, uint16_t>(nullptr, nullptr); }
// refused: convex hull: indices are unsigned integers of 32 or 64 bits
cudaError_t signed_indices() { return hull_of<float, int32_t>(nullptr, nullptr); }
// refused: convex hull: marriage before conquest takes points in any order
cudaError_t by_x() { return by_x_of<marriage_hull_policy>(nullptr, nullptr); }
// refused: convex hull: indices are unsigned integers of 32 or 64 bits
device_status short_host_indices() { return on_host<uint16_t>(nullptr, nullptr); }
// refused: convex hull: indices are unsigned integers of 32 or 64 bits
device_status signed_host_indices() { return boundary_on_host<int64_t>(nullptr, nullptr); }
