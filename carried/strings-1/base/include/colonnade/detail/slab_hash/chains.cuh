//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chains.cuh: launches the walk over the chains of a slab hash.
//
// In: a table, a range of its chains, a job of chains.hpp. Out: what the launch returns. Invariant:
// one launch, whatever the number of chains.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/slab_hash/chains.hpp>
#include <colonnade/detail/slab_hash/machine.cuh>

#include <algorithm>

namespace colonnade::detail {

template <class Table, class Job> struct chains_arguments {
  Table table;
  uint32_t first, end; // chains
  Job job;
};

inline namespace COLONNADE_ABI {
template <class Arguments>
__global__ void __launch_bounds__(256) slab_chains_kernel(const __grid_constant__ Arguments a) {
  const device_slab_machine machine;
  auto job = a.job;
  chain_walk<device_slab_machine, std::decay_t<decltype(a.table)>>{machine, a.table}.run(
      a.first, a.end, job);
}
template <class = void>
__global__ void report_total_kernel(const __grid_constant__ total_arguments a) {
  report_total(device_slab_machine{}, a);
}
} // namespace COLONNADE_ABI

template <class Table, class Job>
cudaError_t launch_chains(const Table &table, uint32_t first, uint32_t end, const Job &job,
                          cudaStream_t stream) {
  if (first >= end)
    return cudaSuccess;
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const uint32_t enough = (end - first - 1) / 16 + 1,
                 most = 32 * static_cast<uint32_t>(gpu.num_sms);
  return launch(slab_chains_kernel<chains_arguments<Table, Job>>,
                {std::min(enough, most), 256, 0, stream, false},
                chains_arguments<Table, Job>{table, first, end, job});
}

} // namespace colonnade::detail
