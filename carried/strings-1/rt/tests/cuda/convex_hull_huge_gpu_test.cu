//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The convex hull of more than 2^32 points, the vertices among them known, and all points on its
// boundary: they go by portions. What is found is checked against all points, too.
//
//   --small   a few thousand points, at once
//
//===----------------------------------------------------------------------===//

#include "host_hull.cuh"
#include "huge_case.cuh"

#include <colonnade/check_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>
#include <colonnade/convex_hull_boundary.cuh>
#include <colonnade/single_phase.cuh>

using namespace colonnade;

namespace {

constexpr uint64_t num_outer = 1009;

/// Every stride-th point is one of num_outer on a circle of radius 1, all others are within 1/4.
__global__ void fill(float *points, uint64_t n, uint64_t stride) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t bits = scramble(i), outer = i / stride;
    float x = static_cast<float>(bits & 0xffffff) * 0x1p-26f,
          y = static_cast<float>(bits >> 24 & 0xffffff) * 0x1p-26f;
    if (i % stride == 0 && outer < num_outer) {
      const double angle = 6.283185307179586 * static_cast<double>(outer) / num_outer;
      x = static_cast<float>(cos(angle));
      y = static_cast<float>(sin(angle));
    }
    points[2 * i] = x;
    points[2 * i + 1] = y;
  }
}

/// By x: every stride-th point is on a circle of radius 1, all others are within half of it.
__global__ void fill_by_x(float *points, uint64_t n, uint64_t stride) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const double x = 2 * static_cast<double>(i) / static_cast<double>(n - 1) - 1;
    const double most = sqrt(1 - x * x), bits = static_cast<double>(scramble(i) >> 11) * 0x1p-53;
    points[2 * i] = static_cast<float>(x);
    points[2 * i + 1] =
        static_cast<float>(i % stride == 0 ? (i / stride % 2 ? most : -most) : most * (bits - 0.5));
  }
}

void expect_checked(const float *points, uint64_t n, const device_array<uint64_t> &hull,
                    const device_array<uint64_t> &num_hull, uint64_t room) {
  const device_array<hull_check> check(1);
  CUDA_OK(single_phase(async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
    return check_convex_hull(d_temp, bytes, interleaved_points<float>{points}, n,
                             static_cast<const uint64_t *>(hull.get()),
                             item_count(num_hull.get(), room), check.get());
  }));
  EXPECT(check.read()[0].ok(), "%llu points: fault %d at %llu", static_cast<unsigned long long>(n),
         static_cast<int>(check.read()[0].fault()),
         static_cast<unsigned long long>(check.read()[0].at()));
}

/// As many vertices as there are points on the circle, or nearly: floats are not on it.
void check_huge_by_x(uint64_t n) {
  const uint64_t stride = n / num_outer, room = 4 * num_outer;
  float *points = nullptr;
  CUDA_OK(cudaMalloc(&points, 2 * n * sizeof(float)));
  fill_by_x<<<4096, 256>>>(points, n, stride);
  const device_array<uint64_t> hull(room), num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  CUDA_OK(single_phase(async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
    return convex_hull_by_x(d_temp, bytes, interleaved_points<float>{points}, n, hull.get(), room,
                            num_hull.get(), {}, {nullptr, status.get()});
  }));
  const uint64_t h = num_hull.read()[0];
  EXPECT(status.read()[0].ok() && h > num_outer / 2 && h < room, "%llu points by x: %llu vertices",
         static_cast<unsigned long long>(n), static_cast<unsigned long long>(h));
  expect_checked(points, n, hull, num_hull, room);
  CUDA_OK(cudaFree(points));
}

/// Of outer points, every stride-th of all.
std::vector<uint64_t> outer_indices(const std::vector<uint32_t> &found, uint64_t stride) {
  std::vector<uint64_t> indices(found.begin(), found.end());
  for (uint64_t &i : indices)
    i *= stride;
  return indices;
}

/// All points on it are among the outer ones, which are every stride-th.
void expect_boundary(const float *points, uint64_t n, const std::vector<float> &outer,
                     uint64_t stride) {
  const auto expected = outer_indices(testing::host_boundary(outer, hull_part::whole), stride);
  const device_array<uint64_t> found(expected.size()), number(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  CUDA_OK(single_phase(async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
    return convex_hull_boundary(d_temp, bytes, interleaved_points<float>{points}, n, found.get(),
                                expected.size(), number.get(), {}, {nullptr, status.get()});
  }));
  EXPECT(status.read()[0].ok() && found.read() == expected && number.read()[0] == expected.size(),
         "%llu points, %llu on the boundary, not %zu", static_cast<unsigned long long>(n),
         static_cast<unsigned long long>(number.read()[0]), expected.size());
}

void check_huge(uint64_t n) {
  const uint64_t stride = n / num_outer, room = 2 * num_outer;
  float *points = nullptr;
  CUDA_OK(cudaMalloc(&points, 2 * n * sizeof(float)));
  fill<<<4096, 256>>>(points, n, stride);
  std::vector<float> outer(2 * num_outer);
  for (uint64_t k = 0; k < num_outer; ++k)
    CUDA_OK(cudaMemcpy(&outer[2 * k], points + 2 * k * stride, 8, cudaMemcpyDeviceToHost));
  const std::vector<uint64_t> expected = outer_indices(testing::host_hull(outer), stride);
  const device_array<uint64_t> hull(room), num_hull(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  CUDA_OK(single_phase(async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, interleaved_points<float>{points}, n, hull.get(), room,
                       num_hull.get(), {}, {nullptr, status.get()});
  }));
  std::vector<uint64_t> found = hull.read();
  found.resize(std::min(room, num_hull.read()[0]));
  EXPECT(status.read()[0].ok() && found == expected, "%llu points: %zu vertices of %zu",
         static_cast<unsigned long long>(n), found.size(), expected.size());
  expect_checked(points, n, hull, num_hull, room);
  expect_boundary(points, n, outer, stride);
  CUDA_OK(cudaFree(points));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 26);
  check_huge(n);
  check_huge_by_x(n);
  return gpu_result("hulls of huge inputs");
}
