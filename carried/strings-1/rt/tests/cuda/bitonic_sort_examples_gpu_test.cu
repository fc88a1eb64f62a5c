//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/bitonic_sort.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/bitonic_sort.cuh>
#include <colonnade/bulk_sort.cuh>

namespace {

struct by_distance {
  float x, y;
  __host__ __device__ bool operator()(const float2 &a, const float2 &b) const {
    return squared(a) < squared(b);
  }
  __host__ __device__ float squared(const float2 &p) const {
    return (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
  }
};

cudaError_t nearest_first(float2 *d_points, uint64_t n, float x, float y, cudaStream_t stream) {
  return colonnade::bitonic_sort_keys(d_points, n, by_distance{x, y}, {stream});
}

/// 25 frames, one after the other; the 25 values of every pixel are sorted.
cudaError_t sort_pixels(float *d_frames, uint64_t pixels, void *d_temp, size_t &bytes) {
  return colonnade::bulk_sort_keys(d_temp, bytes, static_cast<const float *>(d_frames), d_frames,
                                   pixels, 25);
}

} // namespace

int main() {
  require_gpu();
  std::vector<float2> points(1000);
  for (size_t i = 0; i < points.size(); ++i)
    points[i] = {static_cast<float>(scramble(i) % 1000), static_cast<float>(scramble(~i) % 1000)};
  const device_array<float2> d_points(points);
  CUDA_OK(nearest_first(d_points.get(), points.size(), 500, 400, nullptr));
  const by_distance less{500, 400};
  const auto sorted = d_points.read();
  EXPECT(std::is_sorted(sorted.begin(), sorted.end(), less), "nearest first");

  const uint64_t pixels = 77;
  std::vector<float> frames(25 * pixels);
  for (size_t i = 0; i < frames.size(); ++i)
    frames[i] = static_cast<float>(scramble(i) % 256);
  const device_array<float> d_frames(frames);
  call_twice([&](void *d_temp, size_t &bytes) {
    return sort_pixels(d_frames.get(), pixels, d_temp, bytes);
  });
  const auto by_time = d_frames.read();
  for (uint64_t p = 0; p < pixels; ++p)
    for (uint64_t t = 1; t < 25; ++t)
      EXPECT(by_time[(t - 1) * pixels + p] <= by_time[t * pixels + p], "pixel %d",
             static_cast<int>(p));
  return gpu_result("examples of bitonic sort");
}
