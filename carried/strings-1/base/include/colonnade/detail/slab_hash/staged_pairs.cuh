//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// staged_pairs.cuh: launches what moves staged values to their places.
//
// In: what staged_pairs.hpp takes. Out: what the launch returns. Invariant: the grid depends on how
// many there is room for; how many there are stands in device memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/slab_hash/machine.cuh>
#include <colonnade/detail/slab_hash/staged_pairs.hpp>

#include <algorithm>

namespace colonnade::detail {

inline namespace COLONNADE_ABI {
template <class Value>
__global__ void __launch_bounds__(256)
    slab_place_values_kernel(const __grid_constant__ placed_pairs_arguments<Value> a) {
  place_values(device_slab_machine{}, a);
}
} // namespace COLONNADE_ABI

template <class Value>
cudaError_t launch_place_values(const placed_pairs_arguments<Value> &a, cudaStream_t stream) {
  if (a.staged.capacity == 0)
    return cudaSuccess;
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const uint64_t enough = (a.staged.capacity - 1) / 256 + 1,
                 most = 32 * static_cast<uint64_t>(gpu.num_sms);
  return launch(slab_place_values_kernel<Value>,
                {static_cast<uint32_t>(std::min(enough, most)), 256, 0, stream, false}, a);
}

} // namespace colonnade::detail
