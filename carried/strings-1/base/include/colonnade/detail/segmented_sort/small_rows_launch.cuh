//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// small_rows_launch.cuh: launches the sort of the listed segments of a small input.
//
// In: segments as the caller gave them. Out: launch_short_rows sorts those that a block holds;
// launch_long_rows those that are longer, which takes a GPU with clusters of most_teammates blocks.
// Invariant: the number of blocks depends on counts that the host knows alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/sort_work.hpp>
#include <colonnade/detail/segmented_sort/long_rows.hpp>
#include <colonnade/detail/segmented_sort/short_rows.hpp>
#include <colonnade/detail/team/team_launch.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Output, class Segments>
__global__ void __launch_bounds__(1024)
    short_rows_kernel(const __grid_constant__ short_rows_arguments<Output, Segments> a) {
  extern __shared__ __align__(16) char short_rows_shared[];
  const device_machine machine;
  short_rows_block<Output, Segments, device_machine>(machine, a, short_rows_shared).run();
}
template <class Arguments>
__global__ void __launch_bounds__(32 * most_team_warps)
    long_rows_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char long_rows_shared[];
  __shared__ typename long_rows_block<Arguments, device_machine>::table found;
  const device_machine machine;
  sort_long_row<Arguments>(machine, a, found, long_rows_shared);
}

template <class Output, class Segments>
cudaError_t launch_short_rows(const device_properties &gpu,
                              const short_rows_arguments<Output, Segments> &whole,
                              cudaStream_t stream) {
  using block = short_rows_block<Output, Segments, device_machine>;
  static allowed_devices allowed;
  const auto kernel = short_rows_kernel<Output, Segments>;
  if (const cudaError_t error =
          allow_shared_memory(kernel, block::shared_bytes(1024), gpu.device, allowed))
    return error;
  short_rows_arguments<Output, Segments> a = whole;
  const uint64_t longest = std::min(a.segments.num_items, block::most_in_block);
  const uint32_t threads = order_threads(longest, block::items_per_thread);
  a.row_a_warp = a.segments.count > 4u * static_cast<uint32_t>(gpu.num_sms);
  const uint32_t rows = a.row_a_warp ? threads / 32 : 1;
  return launch(
      kernel,
      {(a.segments.count + rows - 1) / rows, threads, block::shared_bytes(threads), stream, false},
      a);
}

/// Arguments: long_rows_arguments.
template <class Arguments>
cudaError_t launch_long_rows(const device_properties &gpu, Arguments a, cudaStream_t stream) {
  using work = typename Arguments::work_type;
  using block = team_split_block<work, device_machine>;
  static allowed_devices allowed;
  const auto kernel = long_rows_kernel<Arguments>;
  const uint64_t by_few = uint64_t{usual_teammates} * 512 * work::items_per_thread;
  const uint32_t threads = a.segments.num_items <= by_few ? 512 : 1024;
  const uint32_t teams = a.segments.num_items / (a.longer_than + 1);
  a.work.stretch = (a.segments.num_items + usual_teammates - 1) / usual_teammates;
  if (const cudaError_t error = allow_shared_memory(
          kernel, block::shared_bytes(32 * most_team_warps * work::items_per_thread), gpu.device,
          allowed))
    return error;
  return launch(kernel,
                {teams * usual_teammates, threads, block::shared_bytes(a.work.stretch), stream,
                 false, usual_teammates},
                a);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
