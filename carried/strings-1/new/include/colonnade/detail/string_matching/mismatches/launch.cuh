//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of matching with mismatches, and in which order they run.
//
// In: a job without its temporary storage. Out: launches. Invariant: a text of one block's segments
// takes one launch, and one more where numbers of mismatches are asked for; nothing is allocated,
// and nothing asked of the device but once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/launch.cuh>
#include <colonnade/detail/string_matching/mismatches/counting.hpp>
#include <colonnade/string_matching_mismatches_tuning.hpp>

namespace colonnade::detail {

constexpr uint32_t number_threads = 256, number_blocks_per_sm = 8;

/// Kinds of text, as in text_kinds.cuh: by pieces, or by counting.
struct text_of_pieces {
  using job_type = mismatch_job;
  static constexpr bool may_overlap = false;
  static constexpr uint32_t noted_windows = 0;
  template <class Tuning, class Work>
  __device__ __forceinline__ static void with_skimmer(const device_machine &machine,
                                                      const mismatch_job &job, Work work) {
    __shared__ unit_table table;
    fill_units(machine, job, table);
    work.template operator()<piece_skimmer<Tuning, device_machine>>(
        mismatch_view<unit_table>{job, table});
  }
};
struct text_of_counts {
  using job_type = mismatch_job;
  static constexpr bool may_overlap = false;
  static constexpr uint32_t noted_windows = 0;
  template <class Tuning, class Work>
  __device__ __forceinline__ static void with_skimmer(const device_machine &machine,
                                                      const mismatch_job &job, Work work) {
    __shared__ byte_masks masks;
    masks.fill(machine, job);
    work.template operator()<counting_skimmer<Tuning, device_machine>>(
        mismatch_view<byte_masks>{job, masks});
  }
};

inline namespace COLONNADE_ABI {

struct number_arguments {
  mismatch_job job;
  uint8_t *numbers;
};
template <class = void>
__global__ void __launch_bounds__(number_threads, 4)
    number_mismatches_kernel(const __grid_constant__ number_arguments a) {
  number_mismatches(device_machine{}, a.job, a.numbers);
}

} // namespace COLONNADE_ABI

/// Both phases; job: with the text, the pattern, and the caller's arrays. numbers: of mismatches of
/// each position, or null.
template <class Policy, matching_result Result>
cudaError_t match_mismatches(void *d_temp, size_t &temp_bytes, mismatch_job job, uint8_t *numbers,
                             uint64_t num_items, cudaStream_t stream) {
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
  const bool none = job.num_positions == 0;
  if (none || first || (!lists && shape.blocks > 1))
    if (const cudaError_t error =
            cudaMemsetAsync(job.num_matches, first ? 0xff : 0, sizeof(uint64_t), stream))
      return error;
  if (none)
    return cudaSuccess;
  if (const cudaError_t error =
          job.num_units ? skim<Policy, text_of_pieces, Result>(job, shape, tuning.threads, stream)
                        : skim<Policy, text_of_counts, Result>(job, shape, tuning.threads, stream))
    return error;
  if (!numbers || job.capacity == 0)
    return cudaSuccess;
  const uint64_t most = std::min(job.capacity, job.num_positions),
                 wanted = (most + number_threads - 1) / number_threads;
  const auto blocks = static_cast<uint32_t>(
      std::min<uint64_t>(wanted, static_cast<uint64_t>(gpu.num_sms) * number_blocks_per_sm));
  return launch(number_mismatches_kernel<>, {blocks, number_threads, 0, stream, false},
                number_arguments{job, numbers});
}

} // namespace colonnade::detail
