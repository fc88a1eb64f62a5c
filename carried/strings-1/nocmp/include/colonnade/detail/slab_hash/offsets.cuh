//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// offsets.cuh: launches the three steps that turn counts into offsets.
//
// In: what offsets.hpp takes. Out: what the launches return. Invariant: three launches, whatever
// the number of counts; nothing is allocated or read on the host.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/slab_hash/machine.cuh>
#include <colonnade/detail/slab_hash/offsets.hpp>

namespace colonnade::detail {

enum class offsets_step { tiles, sums, offsets, one_tile };

inline namespace COLONNADE_ABI {
template <offsets_step Step>
__global__ void __launch_bounds__(offset_threads)
    offsets_kernel(const __grid_constant__ offsets_arguments a) {
  __shared__ uint64_t scratch[offset_threads / 32], total;
  const device_slab_machine machine;
  if constexpr (Step == offsets_step::tiles)
    add_up_tile(machine, a, scratch);
  else if constexpr (Step == offsets_step::sums)
    add_up_tiles(machine, a, scratch, &total);
  else if constexpr (Step == offsets_step::offsets)
    write_offsets(machine, a, scratch);
  else
    write_offsets_of_tile(machine, a, scratch);
}
} // namespace COLONNADE_ABI

/// Fewer than 2^31 tiles.
inline cudaError_t counts_to_offsets(const offsets_arguments &a, cudaStream_t stream) {
  const launch_shape tiles{static_cast<uint32_t>(a.num_tiles), offset_threads, 0, stream, false};
  if (a.num_tiles == 1)
    return launch(offsets_kernel<offsets_step::one_tile>, tiles, a);
  if (a.num_tiles)
    if (const cudaError_t error = launch(offsets_kernel<offsets_step::tiles>, tiles, a))
      return error;
  if (const cudaError_t error =
          launch(offsets_kernel<offsets_step::sums>, {1, offset_threads, 0, stream, false}, a))
    return error;
  return a.num_tiles ? launch(offsets_kernel<offsets_step::offsets>, tiles, a) : cudaSuccess;
}

} // namespace colonnade::detail
