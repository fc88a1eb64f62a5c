//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// points_in_hull_launch.cuh: finds where points lie: a thread for each, after one has found the
// hull's largest vertex by a search.
//
// In: a hull and queries. Out: their sides. Invariant: as check.hpp says.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/check.hpp>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/item_count.hpp>
#include <colonnade/run_options.cuh>

#include <algorithm>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Sides> struct points_in_hull_arguments {
  Sides sides; // num_vertices is filled in by the kernel
  item_count num_vertices;
  uint64_t num_queries;
  hull_side *found;
};

template <class Sides>
__global__ void __launch_bounds__(256)
    points_in_hull_kernel(const __grid_constant__ points_in_hull_arguments<Sides> a) {
  __shared__ uint64_t top;
  const device_machine machine;
  Sides sides = a.sides;
  sides.hull.num_vertices = a.num_vertices.now();
  if (machine.thread() == 0)
    top = sides.hull.num_vertices ? sides.hull.find_top() : 0;
  machine.block_sync();
  const uint64_t step = uint64_t{machine.num_blocks()} * machine.num_threads();
  for (uint64_t i = uint64_t{machine.block()} * machine.num_threads() + machine.thread();
       i < a.num_queries; i += step)
    a.found[i] = sides.side(i, top);
}

} // namespace COLONNADE_ABI

template <class Sides>
cudaError_t find_sides(void *d_temp, size_t &temp_bytes, const Sides &sides,
                       const item_count &num_vertices, uint64_t num_queries, hull_side *d_sides,
                       const run_options &options) {
  if (!d_temp || temp_bytes < 1)
    return report_bytes(d_temp, temp_bytes, 1);
  if (num_queries == 0)
    return cudaSuccess;
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const uint64_t most = uint64_t{static_cast<uint32_t>(gpu.num_sms)} * 8;
  const uint64_t blocks = std::clamp<uint64_t>((num_queries + 255) / 256, 1, most);
  return launch(points_in_hull_kernel<Sides>,
                {static_cast<uint32_t>(blocks), 256, 0, options.stream, false},
                points_in_hull_arguments<Sides>{sides, num_vertices, num_queries, d_sides});
}

} // namespace colonnade::detail
