//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chunk_launch.cuh: the three kernels over chunks, and their launches.
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

template <class Tuning, uint32_t Bits, class Arguments>
__global__ void __launch_bounds__(Tuning::value.threads, Tuning::value.min_blocks)
    chunk_move_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char chunk_shared[];
  const device_machine machine;
  chunk_move_block<Tuning, Bits, Arguments, device_machine>(machine, a, chunk_shared).run();
}

/// `most_work`: no more blocks than that are started.
template <class KeysIn, class Ids, class Source>
cudaError_t launch_chunk_counts(const device_facts &facts,
                                const chunk_counts_arguments<KeysIn, Ids, Source> &a,
                                uint64_t most_work, cudaStream_t stream) {
  const uint64_t blocks = std::min<uint64_t>(most_work, uint64_t{4} * facts.num_sms);
  return blocks ? launch(chunk_counts_kernel<KeysIn, Ids, Source>,
                         {static_cast<uint32_t>(blocks), chunk_counts_threads, 0, stream, false}, a)
                : cudaSuccess;
}

template <class Source>
cudaError_t launch_row_scan(const device_facts &facts, const row_scan_arguments<Source> &a,
                            uint64_t most_work, cudaStream_t stream) {
  const uint64_t blocks = std::min<uint64_t>(most_work, uint64_t{2} * facts.num_sms);
  return blocks ? launch(row_scan_kernel<Source>,
                         {static_cast<uint32_t>(blocks), row_scan_threads, 0, stream, false}, a)
                : cudaSuccess;
}

template <class Tuning, uint32_t Bits, class Arguments>
cudaError_t launch_chunk_move(const device_facts &facts, const Arguments &a, uint64_t most_work,
                              cudaStream_t stream) {
  using storage = chunk_storage<Tuning, Bits, typename Arguments::key, typename Arguments::value>;
  static std::atomic<uint64_t> allowed{0};
  const auto kernel = chunk_move_kernel<Tuning, Bits, Arguments>;
  if (const cudaError_t error = allow_shared_memory(kernel, storage::bytes, facts.device, allowed))
    return error;
  const uint64_t blocks =
      std::min<uint64_t>(most_work, uint64_t{Tuning::value.min_blocks} * facts.num_sms);
  return blocks ? launch(kernel,
                         {static_cast<uint32_t>(blocks), Tuning::value.threads, storage::bytes,
                          stream, false},
                         a)
                : cudaSuccess;
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
