//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of sets of patterns, and in which order they run.
//
// In: a job without its temporary storage. Out: launches. Invariant: nothing is allocated, and
// nothing asked of the device but once. As many blocks as run at once walk through the text, since
// each fills its filters first.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/string_matching/sets/anchored_results.hpp>
#include <colonnade/detail/string_matching/sets/frequency.hpp>
#include <colonnade/detail/string_matching/sets/resident_results.hpp>
#include <colonnade/detail/string_matching/sets/results.hpp>
#include <colonnade/detail/string_matching/sets/sums.hpp>
#include <colonnade/run_options.cuh>
#include <colonnade/string_matching_sets_tuning.hpp>

#include <algorithm>

namespace colonnade::detail {

constexpr uint32_t group_threads = 1024, share_threads = 256, frequency_threads = 1024;

inline namespace COLONNADE_ABI {

template <class Tuning>
constexpr uint32_t most_resident_threads =
    Tuning::value.resident_threads ? Tuning::value.resident_threads : 32;
template <class Tuning>
constexpr uint32_t most_anchor_threads =
    Tuning::value.resident_threads ? Tuning::value.anchor_threads : 32;

template <class Tunings, class Filters, class Work>
__device__ __forceinline__ void with_filters(const set_job &job, Work work) {
  extern __shared__ __align__(16) unsigned char block_memory[];
  auto &memory = *reinterpret_cast<set_memory<compiled<Tunings>, Filters> *>(block_memory);
  const device_machine machine;
  fill_filters<compiled<Tunings>::value.halvings>(machine, job.set, memory.filters);
  const set_warps<compiled<Tunings>, Filters, device_machine> warps(machine, job, memory);
  work(warps);
}

template <class Tunings, class Filters, set_result Result>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    search_set_kernel(const __grid_constant__ set_job job) {
  if (!takes_resident_walk(job))
    with_filters<Tunings, Filters>(job, [](auto &warps) { warps.template search<Result>(); });
}
template <class = void>
__global__ void __launch_bounds__(frequency_threads)
    sample_frequency_kernel(const __grid_constant__ set_job job) {
  __shared__ uint32_t hits;
  sample_frequency(device_machine{}, job, hits);
}
template <class Tunings, set_result Result>
__global__ void __launch_bounds__(most_resident_threads<compiled<Tunings>>,
                                  compiled<Tunings>::value.min_blocks)
    search_resident_kernel(const __grid_constant__ set_job job) {
  if constexpr (compiled<Tunings>::value.resident_threads) {
    if (!takes_resident_walk(job))
      return;
    extern __shared__ __align__(16) unsigned char block_memory[];
    auto &memory = *reinterpret_cast<resident_memory<compiled<Tunings>> *>(block_memory);
    const device_machine machine;
    fill_resident(machine, job.set.resident, Result == set_result::each, memory.block);
    const resident_warps<compiled<Tunings>, device_machine> warps(machine, job, memory);
    warps.template search<Result>();
  }
}
template <class Tunings, anchor_kind Kind, class Keys>
__global__ void __launch_bounds__(most_anchor_threads<compiled<Tunings>>,
                                  compiled<Tunings>::value.min_blocks)
    count_anchored_kernel(const __grid_constant__ set_job job) {
  if constexpr (compiled<Tunings>::value.resident_threads) {
    if (!takes_resident_walk(job))
      return;
    extern __shared__ __align__(16) unsigned char block_memory[];
    auto &memory =
        *reinterpret_cast<anchored_memory<compiled<Tunings>, Kind, Keys> *>(block_memory);
    const device_machine machine;
    fill_anchored(machine, job.set, memory.block);
    anchored_warps<compiled<Tunings>, Kind, Keys, device_machine>(machine, job, memory).count();
  }
}
template <class Tunings>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    write_set_kernel(const __grid_constant__ set_job job) {
  using tuning = compiled<Tunings>;
  __shared__ set_stages<tuning> shared;
  const device_machine machine;
  set_write_warps<tuning, device_machine>(machine, job, shared).write();
}
template <class = void>
__global__ void __launch_bounds__(group_threads)
    place_groups_kernel(const __grid_constant__ set_job job) {
  __shared__ block_offsets_storage<uint64_t, group_threads> shared;
  place_groups<group_threads>(device_machine{}, job, shared);
}
template <class = void>
__global__ void __launch_bounds__(share_threads)
    share_tally_kernel(const __grid_constant__ set_job job) {
  share_tally(device_machine{}, job);
}

} // namespace COLONNADE_ABI

/// How a text is divided under one tuning.
struct set_shape {
  uint64_t segments = 0, groups = 0, notes = 0;
  uint32_t rounds = 1;

  set_shape(const string_set_tuning &tuning, uint32_t most_rounds, uint64_t num_items) {
    const uint64_t step = uint64_t{row_bytes} * tuning.loads;
    // Enough segments for all warps of a GPU several times, if there is work for them.
    const uint64_t wanted = num_items / (32768 * step) + 1;
    rounds = static_cast<uint32_t>(std::min<uint64_t>(wanted, most_rounds));
    // The first position is of any alignment.
    const uint64_t offsets = num_items + 15 + resident_before;
    segments = (offsets + rounds * step - 1) / (rounds * step);
    groups = (segments + group_segments - 1) / group_segments;
    notes = segments * rounds * tuning.loads * row_notes<set_windows>::stored;
  }
};

/// Places in temporary storage; as large as any architecture needs.
struct set_places {
  temp_storage all;
  size_t next_at = 0, frequent_at = 0, members_at = 0, matches_at = 0, positions_at = 0,
         slots_at = 0, groups_at = 0;

  template <class Policy, set_result Result> void add(uint64_t num_items, uint32_t num_members) {
    const auto most = [&](uint64_t set_shape::*member) {
      return most_on_any([&](gpu_architecture architecture) {
        return set_shape(Policy::tuning(architecture), Policy::most_rounds, num_items).*member;
      });
    };
    next_at = all.add<uint64_t>(1);
    frequent_at = all.add<uint32_t>(1);
    if constexpr (Result == set_result::each)
      members_at = all.add<uint64_t>(uint64_t{tally_copies} * num_members);
    if constexpr (Result == set_result::matches) {
      matches_at = all.add<uint32_t>(most(&set_shape::segments));
      positions_at = all.add<uint32_t>(most(&set_shape::segments));
      slots_at = all.add<uint16_t>(most(&set_shape::notes));
      groups_at = all.add<uint64_t>(most(&set_shape::groups));
    }
  }
  template <set_result Result> void put(void *d_temp, set_job &job) const {
    job.next_segment = temp_storage::at<uint64_t>(d_temp, next_at);
    job.is_frequent = temp_storage::at<uint32_t>(d_temp, frequent_at);
    if constexpr (Result == set_result::each)
      job.member_counts = temp_storage::at<uint64_t>(d_temp, members_at);
    if constexpr (Result == set_result::matches) {
      job.segment_matches = temp_storage::at<uint32_t>(d_temp, matches_at);
      job.segment_positions = temp_storage::at<uint32_t>(d_temp, positions_at);
      job.slots = temp_storage::at<uint16_t>(d_temp, slots_at);
      job.groups = temp_storage::at<uint64_t>(d_temp, groups_at);
    }
  }
};

/// The shared memory of a block.
template <class Policy, class Filters>
constexpr size_t set_memory_bytes(gpu_architecture architecture) {
  return ask_tuning<string_set_tunings<Policy>>(architecture, [](auto tuning) {
    return sizeof(set_memory<typename decltype(tuning)::type, Filters>);
  });
}

template <class Policy> constexpr size_t resident_memory_bytes(gpu_architecture architecture) {
  return ask_tuning<string_set_tunings<Policy>>(architecture, [](auto tuning) -> size_t {
    using type = typename decltype(tuning)::type;
    if constexpr (type::value.resident_threads)
      return sizeof(resident_memory<type>);
    return 0;
  });
}

template <class Policy, anchor_kind Kind, class Keys>
constexpr size_t anchored_memory_bytes(gpu_architecture architecture) {
  return ask_tuning<string_set_tunings<Policy>>(architecture, [](auto tuning) -> size_t {
    using type = typename decltype(tuning)::type;
    if constexpr (type::value.resident_threads)
      return sizeof(anchored_memory<type, Kind, Keys>);
    return 0;
  });
}

/// The sample, and the walk for texts in which keys are frequent; it ends at once in others.
template <auto Kernel>
cudaError_t sample_and_search(const set_job &job, launch_shape shape, uint32_t threads,
                              size_t shared_bytes, const device_properties &gpu) {
  static allowed_devices allowed;
  if (const cudaError_t error =
          launch(sample_frequency_kernel<>, {1, frequency_threads, 0, shape.stream, false}, job))
    return error;
  shape.threads = threads;
  shape.shared_bytes = shared_bytes;
  if (const cudaError_t error = allow_shared_memory(Kernel, shared_bytes, gpu.device, allowed))
    return error;
  return launch(Kernel, shape, job);
}
template <class Policy, set_result Result>
cudaError_t search_resident(const set_job &job, const launch_shape &shape,
                            const device_properties &gpu) {
  return sample_and_search<search_resident_kernel<string_set_tunings<Policy>, Result>>(
      job, shape, Policy::tuning(gpu.architecture).resident_threads,
      resident_memory_bytes<Policy>(gpu.architecture), gpu);
}
template <class Policy, anchor_kind Kind, class Keys>
cudaError_t count_anchored_of(const set_job &job, const launch_shape &shape,
                              const device_properties &gpu) {
  return sample_and_search<count_anchored_kernel<string_set_tunings<Policy>, Kind, Keys>>(
      job, shape, Policy::tuning(gpu.architecture).anchor_threads,
      anchored_memory_bytes<Policy, Kind, Keys>(gpu.architecture), gpu);
}
template <class Policy>
cudaError_t count_anchored(const set_job &job, const launch_shape &shape,
                           const device_properties &gpu) {
  using enum anchor_kind;
  const bool few = job.set.anchored.are_few;
  switch (job.set.anchored.kind) {
  case eights:
    return count_anchored_of<Policy, eights, resident_keys>(job, shape, gpu);
  case longer:
    return few ? count_anchored_of<Policy, longer, few_keys>(job, shape, gpu)
               : count_anchored_of<Policy, longer, resident_keys>(job, shape, gpu);
  case mixed:
    return few ? count_anchored_of<Policy, mixed, few_keys>(job, shape, gpu)
               : count_anchored_of<Policy, mixed, resident_keys>(job, shape, gpu);
  }
  return cudaErrorInvalidValue;
}
/// Whether there is such a walk: then job.is_frequent says at its time whether it was taken.
template <class Policy, set_result Result>
cudaError_t search_if_frequent(set_job &job, const launch_shape &shape,
                               const device_properties &gpu) {
  if (Policy::tuning(gpu.architecture).resident_threads && job.num_items >= Policy::least_sampled) {
    if (Result == set_result::count && job.set.anchored.anchors) {
      // The filter of short patterns takes longer than anchors, however rare they are.
      const bool has_short = job.set.anchored.kind == anchor_kind::mixed;
      job.least_frequent = has_short ? 0 : Policy::least_passing_words;
      job.samples_words = true;
      return count_anchored<Policy>(job, shape, gpu);
    }
    if (job.set.resident.displacements) {
      job.least_frequent = Policy::least_frequent;
      return search_resident<Policy, Result>(job, shape, gpu);
    }
  }
  job.is_frequent = nullptr;
  return cudaSuccess;
}

template <class Policy, set_result Result, class Filters>
cudaError_t search_set(const set_job &job, const launch_shape &shape,
                       const device_properties &gpu) {
  using tunings = string_set_tunings<Policy>;
  static allowed_devices allowed;
  launch_shape searching = shape;
  searching.shared_bytes = set_memory_bytes<Policy, Filters>(gpu.architecture);
  const auto kernel = search_set_kernel<tunings, Filters, Result>;
  if (const cudaError_t error =
          allow_shared_memory(kernel, searching.shared_bytes, gpu.device, allowed))
    return error;
  if (const cudaError_t error = launch(kernel, searching, job))
    return error;
  if constexpr (Result == set_result::each) {
    const uint32_t per_block = share_threads / 32;
    return launch(
        share_tally_kernel<>,
        {(job.set.num_members + per_block - 1) / per_block, share_threads, 0, shape.stream, false},
        job);
  }
  if constexpr (Result == set_result::matches) {
    if (const cudaError_t error =
            launch(place_groups_kernel<>, {1, group_threads, 0, shape.stream, false}, job))
      return error;
    return launch(write_set_kernel<tunings>, shape, job);
  }
  return cudaSuccess;
}

/// Both phases; job: with the text, the set, and the caller's arrays.
template <class Policy, set_result Result>
cudaError_t match_set(void *d_temp, size_t &temp_bytes, set_job job, bool has_long, bool has_short,
                      cudaStream_t stream) {
  static_assert(Policy::most_rounds > 0);
  set_places places;
  places.add<Policy, Result>(job.num_items, job.set.num_members);
  if (!d_temp || temp_bytes < places.all.bytes())
    return report_bytes(d_temp, temp_bytes, places.all.bytes());
  places.put<Result>(d_temp, job);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const uint64_t results = Result == set_result::each ? job.set.num_patterns : 1;
  if (Result != set_result::matches || job.num_items == 0)
    if (const cudaError_t error =
            cudaMemsetAsync(job.num_matches, 0, results * sizeof(uint64_t), stream))
      return error;
  if (job.num_items == 0)
    return cudaSuccess;
  if (Result == set_result::each)
    if (const cudaError_t error = cudaMemsetAsync(
            job.member_counts, 0, tally_copies * sizeof(uint64_t) * job.set.num_members, stream))
      return error;
  const string_set_tuning tuning = Policy::tuning(gpu.architecture);
  const set_shape divided(tuning, Policy::most_rounds, job.num_items);
  job.rounds = divided.rounds;
  job.num_segments = divided.segments;
  const uint64_t at_once = static_cast<uint64_t>(gpu.num_sms) * tuning.min_blocks;
  const auto blocks = static_cast<uint32_t>(std::min(divided.segments, at_once));
  const launch_shape shape{blocks, tuning.threads, 0, stream, false};
  uint32_t fewest_threads = tuning.threads; // of a block that takes segments
  if (tuning.resident_threads)
    fewest_threads = std::min({fewest_threads, tuning.resident_threads, tuning.anchor_threads});
  if (divided.segments > uint64_t{blocks} * (fewest_threads / 32))
    if (const cudaError_t error = cudaMemsetAsync(job.next_segment, 0, sizeof(uint64_t), stream))
      return error;
  if (const cudaError_t error = search_if_frequent<Policy, Result>(job, shape, gpu))
    return error;
  if (!has_short)
    return search_set<Policy, Result, long_filters>(job, shape, gpu);
  if (has_long)
    return search_set<Policy, Result, mixed_filters>(job, shape, gpu);
  return search_set<Policy, Result, short_filters>(job, shape, gpu);
}

} // namespace colonnade::detail
