//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The example of docs/runtime/convex_hull.md.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

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
  return gpu_result("examples of convex hulls");
}
