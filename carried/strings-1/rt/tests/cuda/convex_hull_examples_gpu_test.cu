//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/convex_hull.md.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>
#include <colonnade/single_phase.cuh>

namespace {

/// The hull of n places in the plane, by number, counter-clockwise: the first *d_num_hull of
/// d_hull.
cudaError_t outline(const float2 *d_places, uint64_t n, uint32_t *d_hull, uint64_t *d_num_hull) {
  const colonnade::interleaved_points<float> points{&d_places->x};
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::convex_hull(d_temp, bytes, points, n, d_hull, n, d_num_hull);
      });
}

/// The hull of every group of places, group g from d_begins[g] on: the first d_numbers[g] of
/// d_hulls from there on.
cudaError_t outlines(const float2 *d_places, uint64_t n, const uint32_t *d_begins, uint64_t groups,
                     uint32_t *d_hulls, uint32_t *d_numbers) {
  const colonnade::interleaved_points<float> points{&d_places->x};
  return colonnade::single_phase(
      colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
        return colonnade::bulk_convex_hull(d_temp, bytes, points, n, d_begins, groups, d_hulls,
                                           d_numbers);
      });
}

} // namespace

int main() {
  require_gpu();
  const device_array<float2> places(
      std::vector<float2>{{1, 1}, {0, 0}, {2, 0}, {1, 0}, {0, 2}, {2, 2}, {0, 0}});
  const device_array<uint32_t> hull(7);
  const device_array<uint64_t> num_hull(1);
  CUDA_OK(outline(places.get(), 7, hull.get(), num_hull.get()));
  CUDA_OK(cudaDeviceSynchronize());
  auto found = hull.read();
  found.resize(num_hull.read()[0]);
  EXPECT((found == std::vector<uint32_t>{1, 2, 5, 4}), "the corners");
  const device_array<uint32_t> begins(std::vector<uint32_t>{0, 3, 3, 7}), hulls(7), numbers(3);
  CUDA_OK(outlines(places.get(), 7, begins.get(), 3, hulls.get(), numbers.get()));
  CUDA_OK(cudaDeviceSynchronize());
  EXPECT((numbers.read() == std::vector<uint32_t>{3, 0, 4}), "numbers of corners");
  const auto all = hulls.read();
  EXPECT((std::vector<uint32_t>(all.begin(), all.begin() + 3) == std::vector<uint32_t>{1, 2, 0}),
         "the first group");
  EXPECT((std::vector<uint32_t>(all.begin() + 3, all.end()) == std::vector<uint32_t>{6, 3, 5, 4}),
         "the last group");
  return gpu_result("examples of convex hulls");
}
