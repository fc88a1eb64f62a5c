//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rank_sort_launch.cuh: launches the blocks of a rank sort: one for every share.
//
// In: the work, and how many items there are. Out: one kernel in the stream.
// Invariant: no block waits for another, so their number is not bounded by what fits the device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/rank_sort/rank_sort.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Arguments>
__global__ void __launch_bounds__(32 * most_rank_warps)
    rank_sort_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char rank_sort_shared[];
  const device_machine machine;
  rank_sort_block<Arguments, device_machine>(machine, a, rank_sort_shared).run();
}

/// The items of so many shares for every SM. The time for a row steps up where an SM has one more.
inline uint64_t items_of_shares(const device_properties &gpu, uint64_t shares_per_sm) {
  return shares_per_sm * share_items * static_cast<uint64_t>(gpu.num_sms);
}

/// As many blocks as there are shares at most; a warp for every line of a usual row.
template <class Arguments>
cudaError_t launch_rank_sort(const device_properties &gpu, const Arguments &a, uint32_t most_shares,
                             uint32_t usual_row, cudaStream_t stream) {
  uint32_t warps = 1;
  while (warps < most_rank_warps && warps * line_items < usual_row)
    warps *= 2;
  using block = rank_sort_block<Arguments, device_machine>;
  return launch(
      rank_sort_kernel<Arguments>,
      {most_shares, 32 * warps, block::shared_bytes(32 * warps), stream, gpu.overlaps_launches()},
      a);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
