//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// prefix_sums.cuh: prefix sums of n floats, written as the generator writes them,
// for tests and benchmarks that run where no generator is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/device_cuda.cuh>
#include <colonnade/bulk/kernel.cuh>

namespace prefix_sums {
using namespace colonnade::bulk;

template <class Layout>
__global__ void __launch_bounds__(256)
    bulk_kernel(float *__restrict__ const b_memory, const uint64_t b_cells, const int32_t n,
                const uint64_t count, device_status *const d_status) {
  require_exact_floats();
  const uint64_t instance = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (instance >= count)
    return;
  const failure_guard guard(d_status, instance);
  const instance_cells<Layout, float> b(b_memory, instance, b_cells, count);
  guard.check(!(b[0] < 0), 0);
#pragma unroll 8
  for (int32_t i = 1; i < n; ++i) {
    const int64_t k = static_cast<int64_t>(i);
    b[k] = __fadd_rn(b[k], b[k - 1]);
  }
}

template <class Layout>
status launch(const raw_arguments &arguments, cudaStream_t stream, device_status *d_status) {
  if (arguments.count == 0)
    return status::success();
  const unsigned blocks = static_cast<unsigned>(blocks_for(arguments.count, 256));
  bulk_kernel<Layout><<<blocks, 256, 0, stream>>>(
      static_cast<float *>(arguments.arrays[0]), arguments.cells[0],
      from_bits<int32_t>(arguments.scalars[0]), arguments.count, d_status);
  return cuda_status(cudaPeekAtLastError(), "launching prefix_sums");
}

inline status launch_cuda(const raw_arguments &arguments, layout l, void *stream, void *d_status) {
  const auto on = static_cast<cudaStream_t>(stream);
  const auto failures = static_cast<device_status *>(d_status);
  if (l == layout::row_wise)
    return launch<row_wise_layout>(arguments, on, failures);
  if (l == layout::column_wise)
    return launch<column_wise_layout>(arguments, on, failures);
  return launch<tiled_layout<32>>(arguments, on, failures);
}

inline int64_t extent(uint32_t, const scalar_bits *scalars) {
  return from_bits<int32_t>(scalars[0]);
}
inline const char *failure(uint32_t) { return "a negative input"; }
inline device *open_device(status &result) { return cuda_device<4>::open(result); }
inline void sequential(void *const *arrays, const scalar_bits *scalars) {
  float *b = static_cast<float *>(arrays[0]);
  for (int32_t i = 1; i < from_bits<int32_t>(scalars[0]); ++i)
    b[i] += b[i - 1];
}

inline const function_info &info() {
  static const array_info arrays[] = {
      {"b", "b", cell_type::f32, direction::inout, false, 1, extent, false}};
  static const scalar_info scalars[] = {{"n", cell_type::s32}};
  static const function_info info = {"prefix_sums", arrays,     1, scalars,     1,
                                     nullptr,       nullptr,    1, launch_cuda, sequential,
                                     failure,       open_device};
  return info;
}

} // namespace prefix_sums
