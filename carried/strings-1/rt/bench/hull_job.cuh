//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_job.cuh: the points of a benchmark of convex hulls, in memory, with room for what is found.
//
// In: a shape and a number of points, or a number of points alone, which whoever made this fills
// in. Out: calls by any policy, and whether the last hull is right. Invariant: all memory is there
// before anything is timed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "hull_shapes.cuh"
#include "timed_call.hpp"

#include <colonnade/check_convex_hull.cuh>
#include <colonnade/marriage_hull.cuh>

namespace bench {

using namespace colonnade;

/// "10^7"
inline std::string power_of_ten(uint64_t n) {
  int power = 0;
  while (n > 0 && n % 10 == 0)
    n /= 10, ++power;
  return (n == 1 ? "10^" : std::to_string(n) + " * 10^") + std::to_string(power);
}

/// What a hull is found in and from.
template <class T> struct hull_job {
  uint64_t n;
  T *points = nullptr;
  uint32_t *hull = nullptr;
  uint64_t *num_hull = nullptr;
  hull_check *result = nullptr;

  explicit hull_job(uint64_t number) : n(number) {
    CUDA_OK(cudaMalloc(&points, 2 * n * sizeof(T)));
    CUDA_OK(cudaMalloc(&hull, n * sizeof(uint32_t)));
    CUDA_OK(cudaMalloc(&num_hull, sizeof(uint64_t)));
    CUDA_OK(cudaMalloc(&result, sizeof(hull_check)));
  }
  hull_job(shape kind, uint64_t number) : hull_job(number) {
    fill_points<<<4096, 256>>>(points, n, kind);
  }
  ~hull_job() {
    for (void *d_memory : {static_cast<void *>(points), static_cast<void *>(hull),
                           static_cast<void *>(num_hull), static_cast<void *>(result)})
      CUDA_OK(cudaFree(d_memory));
  }
  hull_job(const hull_job &) = delete;

  template <class Policy> cudaError_t find(void *d_temp, size_t &bytes) const {
    return convex_hull(d_temp, bytes, interleaved_points<T>{points}, n, hull, n, num_hull, {}, {},
                       Policy{});
  }
  uint64_t num_vertices() const {
    uint64_t h = 0;
    CUDA_OK(cudaMemcpy(&h, num_hull, sizeof h, cudaMemcpyDeviceToHost));
    return h;
  }
  /// Exactly.
  bool is_right() const {
    timed_call check([&](void *d_temp, size_t &bytes) {
      return check_convex_hull(d_temp, bytes, interleaved_points<T>{points}, n,
                               static_cast<const uint32_t *>(hull), item_count(num_hull, n),
                               result);
    });
    check.queue();
    hull_check found;
    CUDA_OK(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
    return found.ok();
  }
};

} // namespace bench
