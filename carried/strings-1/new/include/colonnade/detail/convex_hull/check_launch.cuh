//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// check_launch.cuh: checks a hull: its indices, and which vertex is the largest; then every vertex;
// then every point.
//
// In: points, and indices of vertices. Out: the first fault. Invariant: a step runs only if the
// steps before it have found nothing, so it may rely on what they looked at.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/check.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/hull_check.hpp>
#include <colonnade/item_count.hpp>
#include <colonnade/run_options.cuh>

#include <algorithm>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

enum class check_step : uint8_t { begin, indices, top, vertices, points };

template <class Points, class Index> struct check_hull_arguments {
  given_hull<Points, Index> hull; // num_vertices is filled in by the kernel
  item_count num_vertices;
  uint64_t *top;
  hull_check *check;
};

template <check_step Step, class Points, class Index>
__global__ void __launch_bounds__(256)
    check_hull_kernel(const __grid_constant__ check_hull_arguments<Points, Index> a) {
  const device_machine machine;
  const uint64_t thread = uint64_t{machine.block()} * machine.num_threads() + machine.thread();
  const uint64_t threads = uint64_t{machine.num_blocks()} * machine.num_threads();
  if constexpr (Step == check_step::begin) {
    if (thread == 0) {
      *a.check = {};
      *a.top = ~uint64_t{0};
    }
    return;
  }
  if (machine.load_counter(&a.check->first) != ~uint64_t{0} && Step != check_step::points)
    return;
  given_hull<Points, Index> hull = a.hull;
  hull.num_vertices = a.num_vertices.now();
  const auto report = [&](hull_fault fault, uint64_t at) {
    machine.min_global(&a.check->first, hull_check::word(fault, at));
  };
  if constexpr (Step == check_step::points) {
    if (hull.num_vertices == 0 && hull.num_points > 0 && thread == 0)
      report(hull_fault::point_outside, 0);
    // Only this step reports points.
    if (hull.num_vertices == 0 ||
        machine.load_counter(&a.check->first) < hull_check::word(hull_fault::point_outside, 0))
      return;
    for (uint64_t i = thread; i < hull.num_points; i += threads)
      if (hull.has_outside(hull.points[i], *a.top))
        report(hull_fault::point_outside, i);
  } else {
    for (uint64_t i = thread; i < hull.num_vertices; i += threads) {
      if (Step == check_step::indices && !hull.in_range(i))
        report(hull_fault::vertex_is_no_point, i);
      if (Step == check_step::top && hull.is_top(i))
        machine.min_global(a.top, i);
      if (Step == check_step::vertices && !hull.is_right(i, *a.top))
        report(hull_fault::not_convex, i);
    }
  }
}

template <check_step Step, class Points, class Index>
cudaError_t check_step_of(const check_hull_arguments<Points, Index> &a, uint64_t items,
                          const device_properties &gpu, cudaStream_t stream) {
  const uint64_t most = uint64_t{static_cast<uint32_t>(gpu.num_sms)} * 8;
  const uint64_t blocks = std::clamp<uint64_t>((items + 255) / 256, 1, most);
  return launch(check_hull_kernel<Step, Points, Index>,
                {static_cast<uint32_t>(blocks), 256, 0, stream, false}, a);
}

} // namespace COLONNADE_ABI

template <class Points, class Index>
cudaError_t check_hull(void *d_temp, size_t &temp_bytes, const Points &points, uint64_t num_points,
                       const Index *d_hull, const item_count &num_vertices, hull_check *d_check,
                       const run_options &options) {
  temp_storage storage;
  const size_t top = storage.add<uint64_t>(1);
  if (!d_temp || temp_bytes < storage.bytes())
    return report_bytes(d_temp, temp_bytes, storage.bytes());
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const check_hull_arguments<Points, Index> a{{points, num_points, d_hull, 0},
                                              num_vertices,
                                              temp_storage::at<uint64_t>(d_temp, top),
                                              d_check};
  const uint64_t h = num_vertices.most;
  if (const cudaError_t error = check_step_of<check_step::begin>(a, 1, gpu, options.stream))
    return error;
  if (const cudaError_t error = check_step_of<check_step::indices>(a, h, gpu, options.stream))
    return error;
  if (const cudaError_t error = check_step_of<check_step::top>(a, h, gpu, options.stream))
    return error;
  if (const cudaError_t error = check_step_of<check_step::vertices>(a, h, gpu, options.stream))
    return error;
  return check_step_of<check_step::points>(a, num_points, gpu, options.stream);
}

} // namespace colonnade::detail
