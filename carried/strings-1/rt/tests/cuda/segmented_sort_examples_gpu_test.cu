//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The example of docs/runtime/segmented_sort.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/segmented_sort.cuh>
#include <colonnade/single_phase.cuh>

namespace {

cudaError_t sort_rows(const float *d_in, float *d_out, uint64_t rows, uint64_t columns,
                      cudaStream_t stream) {
  return colonnade::single_phase(
      colonnade::async_resource{}, stream, [&](void *d_temp, size_t &bytes) {
        return colonnade::segmented_sort_keys(
            d_temp, bytes, d_in, d_out, colonnade::equal_segments{rows, columns}, {}, {stream});
      });
}

} // namespace

int main() {
  require_gpu();
  const device_array<float> in(std::vector<float>{3, 1, 2, -5, -4, 10}), sorted(6);
  CUDA_OK(sort_rows(in.get(), sorted.get(), 2, 3, nullptr));
  EXPECT(sorted.read() == (std::vector<float>{1, 2, 3, -5, -4, 10}), "rows");
  return gpu_result("example of segmented sort");
}
