//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_orders.cuh: points in orders that could be hard for a convex hull.
//
// In: interleaved points in device memory, in any order. Out: the same points, by x, from the
// right, by angle around the origin, or each beside the one that is half of all points further by
// angle: two neighbours are in no subproblem of marriage before conquest together, so that pairs
// of neighbours drop nothing. Or sets of one size that stand one behind the other, each by x.
// Invariant: a permutation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "timed_call.hpp"

#include <colonnade/radix_sort.cuh>

namespace bench {

enum class order { by_x, from_the_right, by_angle, paired };
inline constexpr const char *order_names[] = {"by x", "from the right", "by angle",
                                              "paired with the opposite"};

template <class T>
__global__ void find_sort_keys(const T *points, uint64_t n, bool angle, float *keys) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const double x = points[2 * i], y = points[2 * i + 1];
    keys[i] = static_cast<float>(angle ? atan2(y, x) : x);
  }
}

/// Words in the order of sets of `size` points, and of x in each.
template <class T>
__global__ void find_set_keys(const T *points, uint64_t n, uint32_t size, uint64_t *keys) {
  static_assert(sizeof(T) == 4 && std::is_floating_point_v<T>);
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint32_t bits = __float_as_uint(points[2 * i]);
    keys[i] = i / size << 32 | (bits ^ (bits >> 31 ? ~0u : 0x80000000u));
  }
}

/// Place i takes the point that is rank_at(i)-th by the key.
inline __host__ __device__ uint64_t rank_at(order how, uint64_t i, uint64_t n) {
  if (how == order::paired)
    return i / 2 + (i % 2 ? (n + 1) / 2 : 0);
  return how == order::from_the_right ? n - 1 - i : i;
}

template <class T>
__global__ void move_points(const T *from, const uint32_t *by_key, uint64_t n, order how, T *to) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t at = by_key[rank_at(how, i, n)];
    to[2 * i] = from[2 * at];
    to[2 * i + 1] = from[2 * at + 1];
  }
}

/// Frees the keys. n < 2^32.
template <class T, class Key>
void move_by_keys(const T *from, Key *keys, uint64_t n, order how, T *to) {
  uint32_t *by_key = nullptr;
  CUDA_OK(cudaMalloc(&by_key, n * sizeof(uint32_t)));
  timed_call sort([&](void *d_temp, size_t &bytes) {
    return colonnade::argsort(d_temp, bytes, static_cast<const Key *>(keys), by_key, n);
  });
  sort.queue();
  move_points<<<4096, 256>>>(from, by_key, n, how, to);
  CUDA_OK(cudaFree(keys));
  CUDA_OK(cudaFree(by_key));
}

template <class T> void put_in_order(const T *from, uint64_t n, order how, T *to) {
  float *keys = nullptr;
  CUDA_OK(cudaMalloc(&keys, n * sizeof(float)));
  const bool angle = how == order::by_angle || how == order::paired;
  find_sort_keys<<<4096, 256>>>(from, n, angle, keys);
  move_by_keys(from, keys, n, how, to);
}

template <class T> void put_sets_by_x(const T *from, uint64_t n, uint32_t size, T *to) {
  uint64_t *keys = nullptr;
  CUDA_OK(cudaMalloc(&keys, n * sizeof(uint64_t)));
  find_set_keys<<<4096, 256>>>(from, n, size, keys);
  move_by_keys(from, keys, n, order::by_x, to);
}

} // namespace bench
