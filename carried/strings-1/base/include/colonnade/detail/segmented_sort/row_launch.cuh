//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// row_launch.cuh: launches the kernels that sort rows in the registers of a warp or a block.
//
// In: rows of one length, or rows listed by class in device memory. Out: the rows of all classes
// sorted, but of the large one. Invariant: for rows of one length the kernel is the one whose
// threads have the fewest places beyond the length (row_shape.hpp).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/segmented_sort/row_blocks.hpp>
#include <colonnade/detail/segmented_sort/row_shape.hpp>
#include <colonnade/segmented_sort_tuning.hpp>

#include <algorithm>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

/// Inside a kernel: the tuning for the architecture that it is compiled for.
template <class Policy, class Output>
constexpr segmented_row_tuning row_tuning =
    Policy::rows(compiled_architecture, sizeof(typename Output::items::item));
template <class Policy, class Output>
segmented_row_tuning row_tuning_on(gpu_architecture architecture) {
  return Policy::rows(architecture, sizeof(typename Output::items::item));
}

template <class Policy, class Output, uint32_t E>
__global__ void __launch_bounds__(32 * row_tuning<Policy, Output>.warps,
                                  row_tuning<Policy, Output>.equal_min_blocks)
    equal_rows_warps_kernel(const __grid_constant__ equal_rows_arguments<Output> a) {
  extern __shared__ __align__(16) char row_shared[];
  equal_rows_warps<Output, E>(device_machine{}, a, row_shared);
}
template <class Policy, class Output, uint32_t E>
__global__ void __launch_bounds__(row_classes<E>::block_threads,
                                  row_tuning<Policy, Output>.blocks_min_blocks)
    equal_rows_block_kernel(const __grid_constant__ equal_rows_arguments<Output> a) {
  extern __shared__ __align__(16) char row_shared[];
  equal_rows_block<Output, E>(device_machine{}, a, row_shared);
}
template <class Policy, class Output, uint32_t E, class Rows>
__global__ void __launch_bounds__(32 * row_tuning<Policy, Output>.warps,
                                  row_tuning<Policy, Output>.listed_min_blocks)
    listed_rows_warps_kernel(const __grid_constant__ listed_rows_arguments<Output, Rows> a) {
  extern __shared__ __align__(16) char row_shared[];
  listed_rows_warps<Output, E>(device_machine{}, a, row_shared);
}
template <class Policy, class Output, uint32_t E, class Rows>
__global__ void __launch_bounds__(row_classes<E>::block_threads,
                                  row_tuning<Policy, Output>.blocks_min_blocks)
    listed_rows_blocks_kernel(const __grid_constant__ listed_rows_arguments<Output, Rows> a) {
  extern __shared__ __align__(16) char row_shared[];
  listed_rows_blocks<Output, E>(device_machine{}, a, row_shared);
}

/// Launches a kernel with shared_bytes of shared memory; no launch of it needs more than
/// most_shared_bytes.
template <auto Kernel, class Arguments>
cudaError_t launch_rows(const device_properties &gpu, uint64_t blocks, uint32_t threads,
                        size_t shared_bytes, size_t most_shared_bytes, cudaStream_t stream,
                        const Arguments &a) {
  static allowed_devices allowed;
  if (const cudaError_t error = allow_shared_memory(Kernel, most_shared_bytes, gpu.device, allowed))
    return error;
  return launch(Kernel, {static_cast<uint32_t>(blocks), threads, shared_bytes, stream, false}, a);
}

/// Sorts rows of one length of at most 256 * E items, with E items in a thread.
template <class Policy, class Output, uint32_t E>
cudaError_t sort_equal_rows_by(const device_properties &gpu, const equal_rows_arguments<Output> &a,
                               cudaStream_t stream) {
  if (a.log2_threads <= 5) {
    const uint32_t row_warps = row_tuning_on<Policy, Output>(gpu.architecture).warps;
    using sorter = row_sorter<Output, E, false, device_machine>;
    const size_t bytes = row_warps * sorter::shared_bytes(32);
    const uint64_t rows_a_block = uint64_t{row_warps} << (5 - a.log2_threads);
    return launch_rows<equal_rows_warps_kernel<Policy, Output, E>>(
        gpu, (a.rows.num_rows + rows_a_block - 1) / rows_a_block, 32 * row_warps, bytes, bytes,
        stream, a);
  }
  if constexpr (sorts_in_blocks(E)) {
    using sorter = row_sorter<Output, E, true, device_machine>;
    const uint32_t threads = 1u << a.log2_threads;
    return launch_rows<equal_rows_block_kernel<Policy, Output, E>>(
        gpu, a.rows.num_rows, threads, sorter::shared_bytes(threads),
        sorter::shared_bytes(row_classes<E>::block_threads), stream, a);
  }
  return cudaErrorInvalidValue;
}

template <class Policy, uint32_t Most, class Output>
cudaError_t sort_equal_rows(const device_properties &gpu, const typename Output::raw *keys_in,
                            const Output &output, equal_rows rows, cudaStream_t stream) {
  const row_shape shape = shape_of<Most>(rows.length);
  using raw = typename Output::raw;
  constexpr uint32_t pack = pack_of<raw>::count;
  const auto aligned = [](const void *p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; };
  const bool in_packs = rows.length % pack == 0 && aligned(keys_in) && aligned(output.keys_out);
  const equal_rows_arguments<Output> a{keys_in,
                                       output,
                                       rows,
                                       shape.log2_threads,
                                       in_packs,
                                       small_divisor(rows.length),
                                       small_divisor(in_packs ? rows.length / pack : 1)};
  switch (shape.items) {
  case 4:
    return sort_equal_rows_by<Policy, Output, 4>(gpu, a, stream);
  case 8:
    return sort_equal_rows_by<Policy, Output, 8>(gpu, a, stream);
  case Most:
    return sort_equal_rows_by<Policy, Output, Most>(gpu, a, stream);
  }
  if constexpr (Most == 32)
    switch (shape.items) {
    case 16:
      return sort_equal_rows_by<Policy, Output, 16>(gpu, a, stream);
    case 24:
      return sort_equal_rows_by<Policy, Output, 24>(gpu, a, stream);
    case 28:
      return sort_equal_rows_by<Policy, Output, 28>(gpu, a, stream);
    }
  if constexpr (Most == 16)
    return sort_equal_rows_by<Policy, Output, 12>(gpu, a, stream);
  return cudaErrorInvalidValue;
}

/// Sorts listed rows of all classes but the large one.
template <class Policy, uint32_t Most, class Output, class Rows>
cudaError_t sort_listed_rows(const device_properties &gpu, const typename Output::raw *keys_in,
                             const Output &output, const Rows &rows, uint64_t most_items,
                             cudaStream_t stream) {
  using classes = row_classes<Most>;
  const segmented_row_tuning tuning = row_tuning_on<Policy, Output>(gpu.architecture);
  const listed_rows_arguments<Output, Rows> a{keys_in, output, rows};
  const size_t bytes =
      tuning.warps * row_sorter<Output, Most, false, device_machine>::shared_bytes(32);
  const uint64_t most_blocks =
      uint64_t{tuning.listed_blocks_per_sm} * static_cast<uint32_t>(gpu.num_sms);
  const uint64_t tiles = most_items / (32 * tuning.warps) + 1;
  if (const cudaError_t error = launch_rows<listed_rows_warps_kernel<Policy, Output, Most, Rows>>(
          gpu, std::min(tiles, 2 * most_blocks), 32 * tuning.warps, bytes, bytes, stream, a))
    return error;
  if (most_items <= classes::row_items(classes::in_warp - 1))
    return cudaSuccess;
  const size_t block_bytes =
      row_sorter<Output, Most, true, device_machine>::shared_bytes(classes::block_threads);
  return launch_rows<listed_rows_blocks_kernel<Policy, Output, Most, Rows>>(
      gpu, std::min(most_items / classes::row_items(classes::in_warp - 1), most_blocks),
      classes::block_threads, block_bytes, block_bytes, stream, a);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
