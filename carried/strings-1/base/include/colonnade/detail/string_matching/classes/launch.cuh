//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of patterns of character classes.
//
// In: a job without its temporary storage. Out: launches. Invariant: a text of one block's segments
// takes one launch; nothing is allocated, and nothing asked of the device but once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/classes/skim.hpp>
#include <colonnade/detail/string_matching/launch.cuh>
#include <colonnade/string_matching_classes_tuning.hpp>

namespace colonnade::detail {

inline namespace COLONNADE_ABI {

template <class Tunings, bool Wide, class Work>
__device__ __forceinline__ void in_class_block(const class_job &job, Work work) {
  using tuning = compiled<Tunings>;
  using skimmer_type = class_skimmer<tuning, Wide, device_machine>;
  __shared__ matching_storage<tuning> shared;
  __shared__ class_table<Wide> table;
  const device_machine machine;
  table.fill(machine, job);
  matching_block<tuning, 4, device_machine, skimmer_type> block(
      machine, class_view<Wide>{job, table}, shared);
  work(block);
}

template <class Tunings, bool Wide, matching_result Result>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    skim_classes_kernel(const __grid_constant__ class_job job) {
  in_class_block<Tunings, Wide>(job, [](auto &block) { block.template search<Result>(); });
}
template <class Tunings, bool Wide>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    write_class_matches_kernel(const __grid_constant__ class_job job) {
  in_class_block<Tunings, Wide>(job, [](auto &block) { block.write(); });
}

} // namespace COLONNADE_ABI

template <class Policy, bool Wide, matching_result Result>
cudaError_t skim_classes(const class_job &job, uint32_t blocks, uint32_t threads,
                         cudaStream_t stream) {
  using tunings = string_matching_tunings<Policy>;
  const launch_shape all_blocks{blocks, threads, 0, stream, false};
  if (const cudaError_t error = launch(skim_classes_kernel<tunings, Wide, Result>, all_blocks, job))
    return error;
  if (Result != matching_result::positions || blocks == 1)
    return cudaSuccess;
  if (const cudaError_t error =
          launch(place_blocks_kernel<tunings>, {1, place_threads, 0, stream, false},
                 place_arguments{job, blocks}))
    return error;
  return launch(write_class_matches_kernel<tunings, Wide>, all_blocks, job);
}

/// Both phases; job: with the text, the pattern, and the caller's arrays.
template <class Policy, matching_result Result>
cudaError_t match_classes(void *d_temp, size_t &temp_bytes, class_job job, uint64_t num_items,
                          cudaStream_t stream) {
  constexpr bool lists = Result == matching_result::positions,
                 first = Result == matching_result::first;
  static_assert(Policy::most_rounds > 0);
  job.num_positions = num_items < job.length ? 0 : num_items - job.length + 1;
  matching_places places;
  places.add<Policy>(job.num_positions, false, lists);
  if (!d_temp || temp_bytes < places.all.bytes())
    return report_bytes(d_temp, temp_bytes, places.all.bytes());
  places.put(d_temp, job, false, lists);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const string_matching_tuning tuning = Policy::tuning(gpu.architecture);
  const auto shape =
      first ? matching_shape::walking(tuning, Policy::most_rounds, job.num_positions, gpu)
            : matching_shape(tuning, Policy::most_rounds, job.num_positions);
  job.rounds = shape.rounds;
  const auto blocks = static_cast<uint32_t>(shape.blocks);
  const bool none = job.num_positions == 0;
  if (none || first || (!lists && blocks > 1))
    if (const cudaError_t error =
            cudaMemsetAsync(job.num_matches, first ? 0xff : 0, sizeof(uint64_t), stream))
      return error;
  if (none)
    return cudaSuccess;
  return job.length > 32 ? skim_classes<Policy, true, Result>(job, blocks, tuning.threads, stream)
                         : skim_classes<Policy, false, Result>(job, blocks, tuning.threads, stream);
}

} // namespace colonnade::detail
