//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What convex_hull refuses before any CUDA call where it is to go by marriage before conquest, and
// how much temporary storage it asks for.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/marriage_hull.cuh>

using namespace colonnade;

namespace {

some_memory<double> coordinates, vertices;
some_memory<uint32_t> hull;
some_memory<uint64_t> number;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};

cudaError_t hull_of(const double *points, uint64_t num_points, uint32_t *d_hull, uint64_t capacity,
                    uint64_t *d_num_hull, size_t bytes = plenty) {
  return convex_hull(temp.get(), bytes, interleaved_points<double>{points}, num_points, d_hull,
                     capacity, d_num_hull, {}, {}, marriage_hull_policy{});
}
cudaError_t points_of(double *out, uint64_t capacity = 50) {
  size_t bytes = plenty;
  return convex_hull_points(temp.get(), bytes, interleaved_points<double>{coordinates.in()}, 50,
                            out, capacity, number.get(), {}, {}, marriage_hull_policy{});
}
/// Whether no more than 2.5 times the input is asked for.
template <class T> bool within_limit(uint64_t n) {
  size_t bytes = 0;
  return convex_hull(nullptr, bytes, interleaved_points<T>{nullptr}, n,
                     static_cast<uint32_t *>(nullptr), 0, nullptr, {}, {},
                     marriage_hull_policy{}) == cudaSuccess &&
         bytes > 4 * n * sizeof(T) && bytes <= 5 * n * sizeof(T);
}

} // namespace

int main() {
  require_no_gpu();
  const double *points = coordinates.in();
  REACHES_CUDA(hull_of(points, 100, hull.get(), 100, number.get()));
  REACHES_CUDA(hull_of(points, 100, nullptr, 0, number.get()));
  REFUSED(hull_of(nullptr, 100, hull.get(), 100, number.get()));
  REFUSED(hull_of(points, negative, hull.get(), 100, number.get()));
  REFUSED(hull_of(points, (uint64_t{1} << 32) + 1, hull.get(), 100, number.get()));
  REFUSED(hull_of(points, 100, hull.at(2), 100, number.get()));
  REFUSED(hull_of(points, 100, hull.get(), 100, nullptr));
  REFUSED(hull_of(points, 100, hull.get(), 100, number.get(), 100));
  REACHES_CUDA(points_of(vertices.get()));
  REFUSED(points_of(coordinates.get()));
  for (const uint64_t n : {uint64_t{10000}, uint64_t{100000}, uint64_t{1000000}, uint64_t{10000000},
                           uint64_t{4000000000}}) {
    EXPECT(within_limit<float>(n), "storage for %llu floats", static_cast<unsigned long long>(n));
    EXPECT(within_limit<int32_t>(n), "storage for %llu int32_t",
           static_cast<unsigned long long>(n));
    EXPECT(within_limit<double>(n), "storage for %llu doubles", static_cast<unsigned long long>(n));
  }
  return gpu_result("arguments of marriage before conquest");
}
