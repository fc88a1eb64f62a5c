//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of string matching, and in which order they run.
//
// In: a job without its temporary storage. Out: launches. Invariant: a text of one block's
// segments takes one launch; nothing is allocated, and nothing asked of the device but once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/string_matching/apart/launch.cuh>
#include <colonnade/detail/string_matching/results.hpp>
#include <colonnade/detail/string_matching/sample.hpp>
#include <colonnade/detail/string_matching/text_kinds.cuh>
#include <colonnade/run_options.cuh>
#include <colonnade/string_matching_tuning.hpp>

#include <algorithm>

namespace colonnade::detail {

constexpr uint32_t sample_threads = 1024, place_threads = 1024, walking_rounds = 2;
constexpr uint64_t long_pattern = 8192;

inline namespace COLONNADE_ABI {

/// Text: see text_kinds.cuh.
template <class Tunings, class Text, matching_result Result>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    skim_kernel(const __grid_constant__ typename Text::job_type job) {
  using tuning = compiled<Tunings>;
  __shared__ matching_storage<tuning> shared;
  const device_machine machine;
  if constexpr (requires { Text::leaves_out(job); })
    if (Text::leaves_out(job))
      return;
  Text::template with_skimmer<tuning>(machine, job, [&]<class Skimmer>(const auto &view) {
    matching_block<tuning, 4, device_machine, Skimmer>(machine, view, shared)
        .template search<Result>();
  });
}

/// Of texts that are read again where there are too few slots.
template <class Tunings, class Text>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    write_matches_kernel(const __grid_constant__ typename Text::job_type job) {
  using tuning = compiled<Tunings>;
  __shared__ matching_storage<tuning> shared;
  const device_machine machine;
  Text::template with_skimmer<tuning>(machine, job, [&]<class Skimmer>(const auto &view) {
    matching_block<tuning, 4, device_machine, Skimmer>(machine, view, shared).write();
  });
}
/// Of texts of which all matches are noted: nothing is skimmed, so more warps can run at once.
template <class Tunings, class Text>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks + 1)
    write_notes_kernel(const __grid_constant__ typename Text::job_type job) {
  using tuning = compiled<Tunings>;
  __shared__ matching_storage<tuning> shared;
  __shared__ position_stage stages[tuning::value.threads / 32];
  const device_machine machine;
  Text::template with_skimmer<tuning>(machine, job, [&]<class Skimmer>(const auto &view) {
    matching_block<tuning, 4, device_machine, Skimmer>(machine, view, shared, stages).write();
  });
}

struct place_arguments {
  matching_job job;
  uint64_t num_blocks;
};
template <class Tunings>
__global__ void __launch_bounds__(place_threads)
    place_blocks_kernel(const __grid_constant__ place_arguments a) {
  __shared__ block_offsets_storage<uint64_t, place_threads> shared;
  place_blocks<place_threads, compiled<Tunings>>(device_machine{}, a.job, a.num_blocks, shared);
}

template <class Character>
__global__ void __launch_bounds__(sample_threads)
    sample_kernel(const __grid_constant__ matching_job job) {
  __shared__ sample_storage<sample_threads> shared;
  choose_rarest<sample_threads, Character>(device_machine{}, job, shared);
}

} // namespace COLONNADE_ABI

/// How a text is divided under one tuning.
struct matching_shape {
  uint64_t blocks = 0, segments = 0, rows = 0, slots = 0;
  uint32_t rounds = 1;

  matching_shape(const string_matching_tuning &tuning, uint32_t most_rounds, uint64_t num_positions,
                 uint32_t least_rounds = 1) {
    const uint64_t step = uint64_t{row_bytes} * tuning.loads, warps = tuning.threads / 32;
    const uint64_t offsets = num_positions + 15; // the first is of any alignment
    // Enough blocks for all SMs several times, if there is work for them.
    const uint64_t wanted = num_positions / (4096 * step * warps) + 1;
    rounds = static_cast<uint32_t>(
        std::min<uint64_t>(std::max<uint64_t>(wanted, least_rounds), most_rounds));
    const uint64_t block_bytes = rounds * step * warps;
    blocks = (offsets + block_bytes - 1) / block_bytes;
    segments = blocks * warps;
    rows = segments * rounds * tuning.loads;
    slots = rows * (row_bytes / windows_per_slot);
  }

  /// To find the first match: blocks that run at once and walk through the text by short segments,
  /// so that little of it is read behind the match.
  static matching_shape walking(const string_matching_tuning &tuning, uint32_t most_rounds,
                                uint64_t num_positions, const device_properties &gpu) {
    matching_shape shape(tuning, std::min(most_rounds, walking_rounds), num_positions);
    shape.blocks =
        std::min<uint64_t>(shape.blocks, static_cast<uint64_t>(gpu.num_sms) * tuning.min_blocks);
    return shape;
  }

  /// How many noted segments a warp writes: of a large text several, so that little is waited for
  /// where they have few matches, but so that all SMs have blocks several times.
  uint32_t segments_to_write(const string_matching_tuning &tuning,
                             const device_properties &gpu) const {
    uint32_t writes = tuning.threads / 32;
    while (writes > 1 && blocks / writes < uint64_t{16} * static_cast<uint32_t>(gpu.num_sms))
      writes = writes % 2 ? 1 : writes / 2;
    return writes;
  }
};

/// Places in temporary storage; as large as any architecture needs.
struct matching_places {
  temp_storage all;
  size_t choice_at = 0, blocks_at = 0, segments_at = 0, slots_at = 0;
  apart_places apart;

  /// num_positions: of a byte each. row_units: of the notes of a row, if all matches are noted.
  /// For segments of one step and more, and of `least_rounds` and more.
  template <class Policy>
  void add(uint64_t num_positions, bool sampled, bool lists, bool must_be_apart = false,
           uint32_t row_units = 0, uint32_t least_rounds = 1) {
    const auto most = [&](uint64_t matching_shape::*member) {
      return most_on_any([&](gpu_architecture architecture) {
        const auto shape = [&](uint32_t rounds) {
          return matching_shape(Policy::tuning(architecture), Policy::most_rounds, num_positions,
                                rounds);
        };
        return std::max(shape(1).*member, shape(least_rounds).*member);
      });
    };
    if (sampled)
      choice_at = all.add<skim_choice>(1);
    if (must_be_apart)
      apart.add(all, most(&matching_shape::blocks), most(&matching_shape::segments), lists);
    if (!lists)
      return;
    blocks_at = all.add<uint64_t>(most(&matching_shape::blocks));
    segments_at = all.add<uint32_t>(most(&matching_shape::segments));
    slots_at = all.add<uint16_t>(row_units ? row_units * most(&matching_shape::rows)
                                           : most(&matching_shape::slots));
  }
  void put(void *d_temp, matching_job &job, bool sampled, bool lists,
           bool must_be_apart = false) const {
    if (sampled)
      job.chosen = temp_storage::at<skim_choice>(d_temp, choice_at);
    if (must_be_apart)
      apart.put(d_temp, job);
    if (!lists)
      return;
    job.block_counts = temp_storage::at<uint64_t>(d_temp, blocks_at);
    job.segment_counts = temp_storage::at<uint32_t>(d_temp, segments_at);
    job.slots = temp_storage::at<uint16_t>(d_temp, slots_at);
  }
};

template <class Policy, class Text, matching_result Result>
cudaError_t skim(const typename Text::job_type &job, const matching_shape &shape, uint32_t threads,
                 cudaStream_t stream) {
  constexpr bool lists = Result == matching_result::positions;
  using tunings = string_matching_tunings<Policy>;
  const uint32_t blocks = static_cast<uint32_t>(shape.blocks);
  if constexpr (Text::may_overlap && Result != matching_result::first)
    if (job.every > 1)
      return skim_apart<tunings, Text, lists>(job, blocks, threads, stream);
  if (const cudaError_t error =
          launch(skim_kernel<tunings, Text, Result>, {blocks, threads, 0, stream, false}, job))
    return error;
  if constexpr (std::is_same_v<Text, character_text<uint8_t, 4>> &&
                Result != matching_result::first)
    if (job.chosen && job.sketch.cared != 0)
      if (const cudaError_t error = launch(skim_kernel<tunings, dense_text, Result>,
                                           {blocks, threads, 0, stream, false}, job))
        return error;
  if (!lists || blocks == 1)
    return cudaSuccess;
  if (const cudaError_t error =
          launch(place_blocks_kernel<tunings>, {1, place_threads, 0, stream, false},
                 place_arguments{job, shape.blocks}))
    return error;
  if constexpr (Text::noted_windows != 0)
    return launch(write_notes_kernel<tunings, typename Text::noted_as>,
                  {(blocks + job.writes - 1) / job.writes, threads, 0, stream, false}, job);
  else
    return launch(write_matches_kernel<tunings, Text>, {blocks, threads, 0, stream, false}, job);
}

/// Both phases; job: with the text, the pattern, and the caller's arrays.
template <class Policy, matching_result Result, class Character>
cudaError_t match(void *d_temp, size_t &temp_bytes, matching_job job, uint64_t num_items,
                  cudaStream_t stream) {
  constexpr bool lists = Result == matching_result::positions,
                 first = Result == matching_result::first;
  static_assert(Policy::most_rounds > 0);
  const bool sampled =
                 job.length > 4 && num_items * sizeof(Character) >= Policy::least_sampled_bytes,
             apart = !first && job.every > 1;
  if (first || apart)
    job.sketch = {}; // one kernel does all texts
  job.num_positions = num_items < job.length ? 0 : num_items - job.length + 1;
  const uint64_t text_bytes = job.num_positions * sizeof(Character);
  matching_places places;
  constexpr uint32_t row_units = row_notes<character_text<Character, 4>::noted_windows>::stored;
  // A segment follows a period by the pattern's length beyond its end: short ones would do little
  // else.
  const uint32_t least_rounds = job.length > long_pattern ? Policy::most_rounds : 1;
  places.add<Policy>(text_bytes, sampled, lists, apart, apart ? 0 : row_units, least_rounds);
  if (!d_temp || temp_bytes < places.all.bytes())
    return report_bytes(d_temp, temp_bytes, places.all.bytes());
  places.put(d_temp, job, sampled, lists, apart);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const string_matching_tuning tuning = Policy::tuning(gpu.architecture);
  const auto shape = first ? matching_shape::walking(tuning, Policy::most_rounds, text_bytes, gpu)
                           : matching_shape(tuning, Policy::most_rounds, text_bytes,
                                            job.period != 0 ? least_rounds : 1);
  job.rounds = shape.rounds;
  job.noting_blocks = static_cast<uint32_t>(shape.blocks);
  job.writes = shape.segments_to_write(tuning, gpu);
  if (apart && !lists)
    job.capacity = ~uint64_t{0}; // none is missing
  const bool none = job.num_positions == 0;
  if (none || first || (!lists && !apart && shape.blocks > 1))
    if (const cudaError_t error =
            cudaMemsetAsync(job.num_matches, first ? 0xff : 0, sizeof(uint64_t), stream))
      return error;
  if (none)
    return cudaSuccess;
  if (sampled)
    if (const cudaError_t error =
            launch(sample_kernel<Character>, {1, sample_threads, 0, stream, false}, job))
      return error;
  return with_width(job.length, [&]<uint32_t Width>() {
    return skim<Policy, character_text<Character, Width>, Result>(job, shape, tuning.threads,
                                                                  stream);
  });
}

} // namespace colonnade::detail
