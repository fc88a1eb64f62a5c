//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_shapes.cuh: the points of the benchmarks of convex hulls.
//
// In: a shape and a number of points. Out: the points, interleaved, in device memory. Invariant:
// the same on every run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench.hpp"

#include <type_traits>

namespace bench {

enum class shape {
  square,
  disc,
  circle,
  ring,
  gaussian,
  cluster,
  equal,
  disc_by_x,
  circle_by_x,
  circle_by_angle
};
inline constexpr const char *shape_names[] = {"square",      "disc",
                                              "circle",      "ring",
                                              "Gaussian",    "cluster and a far point",
                                              "all equal",   "disc by x",
                                              "circle by x", "circle by angle"};

inline __host__ __device__ double unit(uint64_t i) {
  return static_cast<double>(scramble(i) >> 11) * 0x1p-53;
}

struct place {
  double x, y;
};

/// Of point i of n.
inline __host__ __device__ place place_in(shape kind, uint64_t i, uint64_t n) {
  const double u = unit(2 * i), v = unit(2 * i + 1),
               at = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  double x = u * 2 - 1, y = v * 2 - 1;
  double angle = 2 * M_PI * u, radius = 1;
  bool polar = true;
  switch (kind) {
  case shape::square:
    polar = false;
    break;
  case shape::disc:
    radius = sqrt(v);
    break;
  case shape::circle:
    break;
  case shape::ring:
    radius = 1 - 1e-4 * v;
    break;
  case shape::gaussian:
    radius = sqrt(-2 * log(v + 0x1p-60)) / 10;
    break;
  case shape::cluster:
    radius = i == n / 3 ? 1 : 1e-6 * sqrt(v);
    break;
  case shape::equal:
    x = 0.25, y = 0.75, polar = false;
    break;
  case shape::disc_by_x: // by x up to a grain of n
    x = 2 * at - 1, y = (2 * v - 1) * sqrt(1 - x * x), polar = false;
    break;
  case shape::circle_by_x:
    x = 2 * at - 1, y = (i % 2 ? 1 : -1) * sqrt(1 - x * x), polar = false;
    break;
  case shape::circle_by_angle:
    angle = 2 * M_PI * at;
    break;
  }
  if (polar)
    x = radius * cos(angle), y = radius * sin(angle);
  return {x, y};
}

/// Of int32_t coordinates the unit is 2^30.
template <class T> __global__ void fill_points(T *points, uint64_t n, shape kind) {
  const double scale = std::is_integral_v<T> ? 0x1p30 : 1;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const place at = place_in(kind, i, n);
    points[2 * i] = static_cast<T>(at.x * scale);
    points[2 * i + 1] = static_cast<T>(at.y * scale);
  }
}

} // namespace bench
