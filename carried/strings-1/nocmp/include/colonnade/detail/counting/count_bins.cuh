//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// count_bins.cuh: chooses whether bins are counted in registers, shared or global memory, and
// launches the kernels.
//
// In: samples, bins of some kind (bins.hpp), their number. Out: 64-bit counts, overwritten. Few
// samples are counted by one block or one cluster; else one kernel zeroes counts and ticket, and
// another counts.
//
// Invariant: every kernel may start while the one before it ends. The one that zeroes lets the one
// that counts start once all before it has ended, so that may read samples at once; it waits for
// the zeroes before it adds to a count.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/counting/bin_counts.hpp>
#include <colonnade/detail/counting/block_counts.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/run_options.cuh>

#include <algorithm>

namespace colonnade::detail {

struct zero_counts_arguments {
  uint64_t *counts;
  uint64_t num_bins;
  uint64_t *ticket;
};

inline namespace COLONNADE_ABI {

template <class Tunings, count_in Where, class SamplesIn, class Bins, class Count = uint64_t>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.blocks_per_sm)
    bin_counts_kernel(const __grid_constant__ bin_counts_arguments<SamplesIn, Bins, Count> a) {
  extern __shared__ __align__(16) char bin_counts_shared[];
  const device_machine machine;
  machine.let_next_kernel_start();
  bin_counts_block<compiled<Tunings>, Where, SamplesIn, Bins, device_machine, Count>(
      machine, a, bin_counts_shared)
      .run();
}

constexpr uint32_t most_block_counts_threads = 512;

template <class SamplesIn, class Bins>
__global__ void __launch_bounds__(most_block_counts_threads)
    block_counts_kernel(const __grid_constant__ block_counts_arguments<SamplesIn, Bins> a) {
  extern __shared__ __align__(16) char block_counts_shared[];
  const device_machine machine;
  machine.let_next_kernel_start();
  block_counts<SamplesIn, Bins, device_machine>(machine, a, block_counts_shared).run();
}

/// Zeroes counts and ticket. The kernel that counts may start meanwhile.
template <uint32_t Threads>
__global__ void __launch_bounds__(Threads)
    zero_counts_kernel(const __grid_constant__ zero_counts_arguments a) {
  const device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start(); // not before: it reads samples without waiting for them
  if (machine.block() == 0 && machine.thread() == 0)
    *a.ticket = 0;
  for (uint64_t b = uint64_t{machine.block()} * Threads + machine.thread(); b < a.num_bins;
       b += uint64_t{machine.num_blocks()} * Threads)
    a.counts[b] = 0;
}

/// Launches the kernel that counts, after the one that zeroes counts and ticket.
template <class Tunings, class SamplesIn, class Bins, class Count> struct counting {
  static constexpr size_t everywhere = 98 * 1024; // shared memory that every GPU gives a block
  using arguments = bin_counts_arguments<SamplesIn, Bins, Count>;
  arguments a;
  size_t behind; // bytes of shared memory after the counters
  histogram_tuning tuning;
  device_properties gpu;
  cudaStream_t stream;

  size_t shared_bytes(size_t counter_bytes) const {
    return bin_counts_head_bytes + a.table_bytes + counter_bytes + behind;
  }
  /// Chooses as many copies of the counters as the tuning has room for, at least one; their bytes.
  size_t counter_bytes(uint32_t max_log2_copies) {
    a.log2_copies = max_log2_copies;
    while (a.log2_copies > 0 && (size_t{a.num_bins} * 4 << a.log2_copies) > tuning.counter_bytes)
      --a.log2_copies;
    return size_t{a.num_bins} * 4 << a.log2_copies;
  }
  cudaError_t fits(size_t bytes, bool &result) const {
    int most = everywhere;
    if (bytes > everywhere)
      if (const cudaError_t error =
              cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu.device))
        return error;
    result = bytes <= static_cast<size_t>(most);
    return cudaSuccess;
  }
  template <count_in Where> cudaError_t start(size_t counter_bytes) const {
    const auto kernel = bin_counts_kernel<Tunings, Where, SamplesIn, Bins, Count>;
    const size_t bytes = shared_bytes(counter_bytes);
    if (bytes > 48 * 1024)
      if (const cudaError_t error = cudaFuncSetAttribute(
              reinterpret_cast<const void *>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
              static_cast<int>(bytes)))
        return error;
    const uint64_t enough = most_items(a.num_samples) / tuning.threads + 1;
    const uint64_t by_memory = std::max<uint64_t>(1, 200 * 1024 / (bytes + 1024));
    const uint64_t blocks = std::min<uint64_t>(tuning.blocks_per_sm, by_memory) * gpu.num_sms;
    return launch(kernel,
                  {static_cast<uint32_t>(std::min(enough, blocks)), tuning.threads, bytes, stream,
                   gpu.overlaps_launches()},
                  a);
  }
};

/// How many blocks count so few samples in one launch: none, if there are more of them, or of
/// bins, than a team takes. Measured on an H200.
template <class Policy, class Bins>
uint32_t blocks_that_count(const device_properties &gpu, uint64_t num_samples, uint32_t num_bins,
                           const Bins &bins) {
  const bool alone = num_samples <= 4096;
  const uint32_t most_bins = alone ? 8192 : 4096; // with all a block has in shared memory: 48 KB
  if (num_samples > Policy::most_team_samples || num_bins > most_bins ||
      bins.shared_bytes() > 8 * 1024)
    return 0;
  const bool has_clusters = gpu.architecture >= gpu_architecture::sm_90;
  return alone ? 1 : has_clusters ? 4 : 0;
}
template <class SamplesIn, class Bins>
cudaError_t count_by_team(const device_properties &gpu, uint32_t blocks, SamplesIn samples,
                          const Bins &bins, uint64_t num_samples, uint32_t num_bins,
                          uint64_t *counts, cudaStream_t stream) {
  block_counts_arguments<SamplesIn, Bins> a{
      samples,  bins, static_cast<uint32_t>(num_samples),
      num_bins, 5,    static_cast<uint32_t>((bins.shared_bytes() + 15) / 16 * 16),
      counts};
  while ((size_t{num_bins} * 4 << a.log2_copies) > 32 * 1024)
    --a.log2_copies;
  const uint32_t threads = num_samples <= 1024 ? 256 : most_block_counts_threads;
  const size_t bytes = block_counts<SamplesIn, Bins, device_machine>::shared_bytes(a, blocks);
  return launch(block_counts_kernel<SamplesIn, Bins>,
                {blocks, threads, bytes, stream, gpu.overlaps_launches(), blocks}, a);
}

/// The whole call. counts and ticket need not be zero.
template <class Policy, class SamplesIn, class Bins, class Count>
cudaError_t count_bins(SamplesIn samples, const Bins &bins, Count num_samples, uint32_t num_bins,
                       uint64_t *counts, uint64_t *ticket, const run_options &options) {
  using sample = typename std::iterator_traits<SamplesIn>::value_type;
  using tunings = histogram_tunings<Policy, sizeof(sample)>;
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  if constexpr (std::is_same_v<Count, uint64_t> && std::is_base_of_v<bins_without_errors, Bins>)
    if (const uint32_t blocks = blocks_that_count<Policy>(gpu, num_samples, num_bins, bins))
      return count_by_team(gpu, blocks, samples, bins, num_samples, num_bins, counts,
                           options.stream);
  const histogram_tuning tuning = Policy::tuning(gpu.architecture, sizeof(sample));
  const uint32_t zero_blocks =
      std::min(num_bins / 1024 + 1, 4 * static_cast<uint32_t>(gpu.num_sms));
  if (const cudaError_t error = launch(
          zero_counts_kernel<256>, {zero_blocks, 256, 0, options.stream, gpu.overlaps_launches()},
          zero_counts_arguments{counts, num_bins, ticket}))
    return error;
  const uint32_t table_bytes = static_cast<uint32_t>((bins.shared_bytes() + 15) / 16 * 16);
  if constexpr (sizeof(sample) == 1 && std::is_base_of_v<bins_without_errors, Bins>)
    if (num_bins <= 256) {
      using by_value = byte_bins<sample, Bins>;
      counting<tunings, SamplesIn, by_value, Count> run{{samples,
                                                         {bins, num_bins},
                                                         num_samples,
                                                         by_value::num_values,
                                                         0,
                                                         table_bytes,
                                                         counts,
                                                         ticket,
                                                         options.d_status},
                                                        num_bins * sizeof(uint32_t),
                                                        tuning,
                                                        gpu,
                                                        options.stream};
      return run.template start<count_in::shared>(run.counter_bytes(5));
    }
  counting<tunings, SamplesIn, Bins, Count> run{
      {samples, bins, num_samples, num_bins, 0, table_bytes, counts, ticket, options.d_status},
      0,
      tuning,
      gpu,
      options.stream};
  if (tuning.few_in_registers && num_bins <= max_register_bins)
    return run.template start<count_in::registers>(num_bins * sizeof(uint32_t));
  const size_t counter_bytes = run.counter_bytes(tuning.max_log2_copies);
  bool fits = false;
  if (const cudaError_t error = run.fits(run.shared_bytes(counter_bytes), fits))
    return error;
  if (fits)
    return run.template start<count_in::shared>(counter_bytes);
  return run.template start<count_in::global>(0);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
