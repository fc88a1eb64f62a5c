//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of matches that do not overlap, and in which order they run.
//
// In: a job whose text is divided, and temporary storage. Out: launches. Invariant: a text of one
// block's segments takes one launch; else the blocks' pieces are put together by one block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/string_matching/apart/results.hpp>

namespace colonnade::detail {

constexpr uint32_t apart_threads = 1024; // of the block that puts pieces together

inline namespace COLONNADE_ABI {

enum class apart_pass : uint8_t { count, note, write };

/// Text: has the job's type, and a skimmer for a tuning.
template <class Tunings, class Text, apart_pass Pass>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    apart_kernel(const __grid_constant__ typename Text::job_type job) {
  using tuning = compiled<Tunings>;
  __shared__ apart_storage<tuning> shared;
  const device_machine machine;
  Text::template with_skimmer<tuning>(machine, job, [&]<class Skimmer>(const auto &view) {
    apart_block<tuning, device_machine, Skimmer> block(machine, view, shared);
    if constexpr (Pass == apart_pass::count)
      block.count();
    else if constexpr (Pass == apart_pass::note)
      block.note();
    else
      block.write();
  });
}

struct apart_arguments {
  matching_job job;
  uint64_t num_blocks;
};
template <class = void>
__global__ void __launch_bounds__(apart_threads)
    place_apart_kernel(const __grid_constant__ apart_arguments a) {
  __shared__ apart_place_storage<apart_threads> shared;
  place_apart_blocks<apart_threads>(device_machine{}, a.job, a.num_blocks, shared);
}

} // namespace COLONNADE_ABI

/// Places in temporary storage besides those of ../launch.cuh.
struct apart_places {
  size_t blocks_at = 0, cursors_at = 0, segments_at = 0;

  void add(temp_storage &all, uint64_t blocks, uint64_t segments, bool lists) {
    blocks_at = all.add<match_piece>(blocks);
    cursors_at = all.add<match_cursor>(blocks);
    segments_at = all.add<match_piece>(lists ? segments : 0);
  }
  void put(void *d_temp, matching_job &job) const {
    job.block_pieces = temp_storage::at<match_piece>(d_temp, blocks_at);
    job.block_cursors = temp_storage::at<match_cursor>(d_temp, cursors_at);
    job.segment_pieces = temp_storage::at<match_piece>(d_temp, segments_at);
  }
};

/// job: with all places in temporary storage.
template <class Tunings, class Text, bool Lists>
cudaError_t skim_apart(const typename Text::job_type &job, uint32_t blocks, uint32_t threads,
                       cudaStream_t stream) {
  const launch_shape all_blocks{blocks, threads, 0, stream, false};
  if (const cudaError_t error =
          launch(apart_kernel < Tunings, Text, Lists ? apart_pass::note : apart_pass::count >,
                 all_blocks, job))
    return error;
  if (blocks == 1)
    return cudaSuccess;
  if (const cudaError_t error = launch(place_apart_kernel<>, {1, apart_threads, 0, stream, false},
                                       apart_arguments{job, blocks}))
    return error;
  if constexpr (Lists)
    return launch(apart_kernel<Tunings, Text, apart_pass::write>, all_blocks, job);
  return cudaSuccess;
}

} // namespace colonnade::detail
