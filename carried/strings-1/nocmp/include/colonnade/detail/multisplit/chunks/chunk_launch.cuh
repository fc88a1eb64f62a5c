//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// chunk_launch.cuh: the three kernels over chunks (counts, scan of the counts, moves), and
// their launches.
//
// In: arguments whose tickets are zero, and how much work there is at most. Out: what
// chunk_counts.hpp and chunk_move.hpp say. No kernel is launched that can have no work.
// Invariant: every chunk is taken by one block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/multisplit/chunks/chunk_move.hpp>

#include <algorithm>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

constexpr uint32_t chunk_counts_threads = 512, row_scan_threads = 512;

template <class KeysIn, class Ids, class Source>
__global__ void __launch_bounds__(chunk_counts_threads)
    chunk_counts_kernel(const __grid_constant__ chunk_counts_arguments<KeysIn, Ids, Source> a) {
  __shared__ __align__(16) char shared[(256 + 4) * 4];
  const device_machine machine;
  chunk_counts_block<chunk_counts_threads, KeysIn, Ids, Source, device_machine>(machine, a, shared)
      .run();
}

template <class Source>
__global__ void __launch_bounds__(row_scan_threads)
    row_scan_kernel(const __grid_constant__ row_scan_arguments<Source> a) {
  __shared__ __align__(16) char shared[row_scan_threads / 32 * 8 + 16];
  const device_machine machine;
  scan_rows<row_scan_threads>(machine, a, shared);
}

template <class Tunings, uint32_t Bits, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    chunk_move_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char chunk_shared[];
  const device_machine machine;
  chunk_move_block<compiled<Tunings>, Bits, Arguments, device_machine>(machine, a, chunk_shared)
      .run();
}

/// What the host has to know of the tuning of a kernel that moves chunks.
struct chunk_shape {
  uint32_t threads, blocks_per_sm;
  size_t shared_bytes;
};
template <class Tunings, uint32_t Bits, class Key, class Value>
chunk_shape chunk_shape_on(gpu_architecture architecture) {
  return ask_tuning<Tunings>(architecture, [](auto of) {
    using tuning = typename decltype(of)::type;
    return chunk_shape{tuning::value.threads, tuning::value.min_blocks,
                       chunk_storage<tuning, Bits, Key, Value>::bytes};
  });
}

/// `most_work`: no more blocks than that are started.
template <class KeysIn, class Ids, class Source>
cudaError_t launch_chunk_counts(const device_properties &gpu,
                                const chunk_counts_arguments<KeysIn, Ids, Source> &a,
                                uint64_t most_work, cudaStream_t stream) {
  const uint64_t blocks = std::min<uint64_t>(most_work, uint64_t{4} * gpu.num_sms);
  return blocks ? launch(chunk_counts_kernel<KeysIn, Ids, Source>,
                         {static_cast<uint32_t>(blocks), chunk_counts_threads, 0, stream, false}, a)
                : cudaSuccess;
}

template <class Source>
cudaError_t launch_row_scan(const device_properties &gpu, const row_scan_arguments<Source> &a,
                            uint64_t most_work, cudaStream_t stream) {
  const uint64_t blocks = std::min<uint64_t>(most_work, uint64_t{2} * gpu.num_sms);
  return blocks ? launch(row_scan_kernel<Source>,
                         {static_cast<uint32_t>(blocks), row_scan_threads, 0, stream, false}, a)
                : cudaSuccess;
}

template <class Tunings, uint32_t Bits, class Arguments>
cudaError_t launch_chunk_move(const device_properties &gpu, const Arguments &a, uint64_t most_work,
                              cudaStream_t stream) {
  const chunk_shape shape =
      chunk_shape_on<Tunings, Bits, typename Arguments::key, typename Arguments::value>(
          gpu.architecture);
  static allowed_devices allowed;
  const auto kernel = chunk_move_kernel<Tunings, Bits, Arguments>;
  if (const cudaError_t error =
          allow_shared_memory(kernel, shape.shared_bytes, gpu.device, allowed))
    return error;
  const uint64_t blocks =
      std::min<uint64_t>(most_work, uint64_t{shape.blocks_per_sm} * gpu.num_sms);
  return blocks ? launch(kernel,
                         {static_cast<uint32_t>(blocks), shape.threads, shape.shared_bytes, stream,
                          false},
                         a)
                : cudaSuccess;
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
