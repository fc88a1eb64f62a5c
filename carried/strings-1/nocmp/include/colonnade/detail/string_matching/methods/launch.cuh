//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of the thesis's methods, and in which order they run.
//
// In: a job without its temporary storage. Out: launches. Invariant: nothing is allocated, and
// nothing asked of the device but once. Cooperative methods take the text in portions, which
// overlap by the pattern's length less one; positions of each follow those of the portions before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/launch.cuh>
#include <colonnade/detail/string_matching/methods/skim.hpp>

#include <type_traits>

namespace colonnade::detail {

enum class method_pass : uint8_t { count, first, note, write };

/// More is read from the text itself.
constexpr size_t most_tile_bytes = 96 * 1024;

template <method_pass Pass, class Block> COLONNADE_KERNEL_CODE void run_pass(Block &block) {
  if constexpr (Pass == method_pass::count)
    block.count();
  else if constexpr (Pass == method_pass::first)
    block.find_first();
  else if constexpr (Pass == method_pass::note)
    block.note();
  else
    block.write();
}
/// Hits are looked at once more by the last pass, and not by all by find_first.
template <method_pass Pass> COLONNADE_KERNEL_CODE uint64_t *rejected_by(const method_job &job) {
  return Pass == method_pass::count || Pass == method_pass::note ? job.num_rejected : nullptr;
}

inline namespace COLONNADE_ABI {

template <class = void>
__global__ void __launch_bounds__(method_threads)
    prints_kernel(const __grid_constant__ method_job job) {
  __shared__ prints_storage<method_threads> shared;
  make_prints<method_threads>(device_machine{}, job, shared);
}

template <matching_method Method, method_pass Pass>
__global__ void __launch_bounds__(method_threads)
    divide_kernel(const __grid_constant__ method_job job) {
  extern __shared__ uint32_t tile_words[];
  __shared__ matching_storage<method_tuning<method_threads>> shared;
  const portion_machine<device_machine> machine;
  divide_block<Method>(machine, job,
                       text_tile::bytes_of(method_threads * windows_per_lane, job.part_length) >
                               most_tile_bytes
                           ? nullptr
                           : tile_words,
                       shared, rejected_by<Pass>(job), [](auto &block) { run_pass<Pass>(block); });
}
template <class Portion, method_pass Pass>
__global__ void __launch_bounds__(method_threads)
    cooperative_kernel(const __grid_constant__ method_job job) {
  __shared__ matching_storage<method_tuning<method_threads>> shared;
  const portion_machine<device_machine> machine;
  cooperative_block<Portion>(machine, job, shared, rejected_by<Pass>(job),
                             [](auto &block) { run_pass<Pass>(block); });
}
template <method_pass Pass>
__global__ void __launch_bounds__(hybrid_threads)
    hybrid_kernel(const __grid_constant__ method_job job) {
  extern __shared__ matrix hybrid_memory[];
  __shared__ matching_storage<method_tuning<hybrid_threads>> shared;
  const portion_machine<device_machine> machine;
  hybrid_block(machine, job, *reinterpret_cast<hybrid_storage *>(hybrid_memory), shared,
               rejected_by<Pass>(job), [](auto &block) { run_pass<Pass>(block); });
}

template <class Portion>
__global__ void __launch_bounds__(method_threads)
    combine_tile_kernel(const __grid_constant__ method_job job) {
  __shared__ portion_storage<Portion> shared;
  const device_machine machine;
  portion_tile<Portion, device_machine>(machine, job, shared).combine();
}
template <class Portion>
__global__ void __launch_bounds__(method_threads)
    scan_tiles_kernel(const __grid_constant__ method_job job) {
  using scan = typename Portion::scan;
  __shared__ block_scan_storage<scan, method_threads> shared;
  scan_values<scan, method_threads>(device_machine{}, job.mod,
                                    static_cast<typename scan::value *>(job.tile_values), job.tiles,
                                    shared);
}
template <class Portion>
__global__ void __launch_bounds__(method_threads)
    write_tile_kernel(const __grid_constant__ method_job job) {
  __shared__ portion_storage<Portion> shared;
  const device_machine machine;
  portion_tile<Portion, device_machine>(machine, job, shared).write();
}

struct place_portion_arguments {
  method_job job;
  uint64_t num_blocks;
};
template <class = void>
__global__ void __launch_bounds__(place_threads)
    place_portion_kernel(const __grid_constant__ place_portion_arguments a) {
  __shared__ block_offsets_storage<uint64_t, place_threads> shared;
  place_portion<place_threads>(device_machine{}, a.job, a.num_blocks, shared);
}

} // namespace COLONNADE_ABI

/// Launches of one method. Part: which of its windows are looked at by a kernel, and by how many
/// threads.
template <matching_method Method> struct method_kernels {
  static constexpr bool divides =
      Method == matching_method::divide || Method == matching_method::divide_32 ||
      Method == matching_method::divide_64 || Method == matching_method::two_stage;
  static constexpr bool scans_portions =
      Method == matching_method::cooperative || Method == matching_method::cooperative_affine;
  using portion =
      std::conditional_t<Method == matching_method::cooperative, portion_matrices, portion_numbers>;
  static constexpr uint32_t threads = divides || scans_portions ? method_threads : hybrid_threads;
  /// Of temporary storage for a character of a portion, and its share of the other arrays.
  static constexpr uint64_t bytes_per_character = Method == matching_method::cooperative ? 33 : 5;

  static uint64_t blocks_of(uint64_t positions) { // the first window may be number 15
    return (positions + 15 + threads * windows_per_lane - 1) / (threads * windows_per_lane);
  }

  template <method_pass Pass>
  static cudaError_t run(const method_job &job, int device, cudaStream_t stream) {
    static allowed_devices allowed;
    launch_shape shape{static_cast<uint32_t>(blocks_of(job.portion_positions)), threads, 0, stream,
                       false};
    if constexpr (divides) {
      const uint64_t bytes = text_tile::bytes_of(threads * windows_per_lane, job.part_length);
      shape.shared_bytes = bytes > most_tile_bytes ? 0 : bytes;
      const auto kernel = divide_kernel<Method, Pass>;
      if (const cudaError_t error = allow_shared_memory(kernel, most_tile_bytes, device, allowed))
        return error;
      return launch(kernel, shape, job);
    } else if constexpr (scans_portions) {
      return launch(cooperative_kernel<portion, Pass>, shape, job);
    } else {
      // A block of windows that are all beyond the text would scan nothing.
      shape.blocks = static_cast<uint32_t>((job.portion_positions + hybrid_storage::windows - 1) /
                                           hybrid_storage::windows);
      shape.shared_bytes = hybrid_storage::bytes(job.length);
      const auto kernel = hybrid_kernel<Pass>;
      if (const cudaError_t error = allow_shared_memory(
              kernel, hybrid_storage::bytes(most_hybrid_length), device, allowed))
        return error;
      return launch(kernel, shape, job);
    }
  }
  static cudaError_t scan(const method_job &job, cudaStream_t stream) {
    const launch_shape all{static_cast<uint32_t>(job.tiles), method_threads, 0, stream, false},
        one{1, method_threads, 0, stream, false};
    if (const cudaError_t error = launch(combine_tile_kernel<portion>, all, job))
      return error;
    if (const cudaError_t error = launch(scan_tiles_kernel<portion>, one, job))
      return error;
    return launch(write_tile_kernel<portion>, all, job);
  }
};

/// Places in temporary storage, and how the text is cut into portions.
template <matching_method Method> struct method_places {
  using kernels = method_kernels<Method>;
  temp_storage all;
  uint64_t positions = 0; // of a portion, but the last
  size_t prints_at = 0, chunks_at = 0, scanned_at = 0, backward_at = 0, tiles_at = 0, blocks_at = 0,
         segments_at = 0, slots_at = 0;

  /// positions is 0 if there is too little storage for a portion.
  method_places(const method_job &job, uint64_t most_bytes, bool lists) {
    positions = job.num_positions;
    prints_at = all.add<pattern_prints>(1);
    if (Method == matching_method::two_stage)
      chunks_at = all.add<uint32_t>((job.length + 31) / 32);
    if (kernels::scans_portions) {
      const uint64_t most = most_bytes / kernels::bytes_per_character;
      positions =
          most < job.length + windows_per_warp ? 0 : std::min(positions, most - job.length + 1);
      const uint64_t characters = positions + job.length - 1;
      if (Method == matching_method::cooperative) {
        scanned_at = all.add<matrix>(characters);
        backward_at = all.add<matrix>(characters);
      } else {
        scanned_at = all.add<uint32_t>(characters);
      }
      tiles_at = all.add<typename kernels::portion::scan::value>(tiles_of(job, positions));
    }
    if (!lists)
      return;
    const uint64_t blocks = kernels::blocks_of(positions),
                   segments = blocks * kernels::threads / 32;
    blocks_at = all.add<uint64_t>(blocks);
    segments_at = all.add<uint32_t>(segments);
    slots_at = all.add<uint16_t>(segments * (windows_per_warp / windows_per_slot));
  }
  void put(void *d_temp, method_job &job) const {
    job.prints = temp_storage::at<pattern_prints>(d_temp, prints_at);
    job.chunk_prints = Method == matching_method::two_stage
                           ? temp_storage::at<uint32_t>(d_temp, chunks_at)
                           : nullptr;
    job.forward = temp_storage::at<matrix>(d_temp, scanned_at);
    job.backward = temp_storage::at<matrix>(d_temp, backward_at);
    job.numbers = temp_storage::at<uint32_t>(d_temp, scanned_at);
    job.tile_values = temp_storage::at<void *>(d_temp, tiles_at);
    job.block_counts = temp_storage::at<uint64_t>(d_temp, blocks_at);
    job.segment_counts = temp_storage::at<uint32_t>(d_temp, segments_at);
    job.slots = temp_storage::at<uint16_t>(d_temp, slots_at);
  }
  static uint64_t tiles_of(const method_job &job, uint64_t portion_positions) {
    return (portion_positions + job.length - 1 + characters_per_tile - 1) / characters_per_tile;
  }
};

/// What is done of one portion.
template <matching_method Method, matching_result Result>
cudaError_t match_portion(const method_job &job, int device, cudaStream_t stream) {
  using kernels = method_kernels<Method>;
  if constexpr (kernels::scans_portions)
    if (const cudaError_t error = kernels::scan(job, stream))
      return error;
  if constexpr (Result == matching_result::count) {
    return kernels::template run<method_pass::count>(job, device, stream);
  } else if constexpr (Result == matching_result::first) {
    return kernels::template run<method_pass::first>(job, device, stream);
  } else {
    if (const cudaError_t error = kernels::template run<method_pass::note>(job, device, stream))
      return error;
    const uint64_t windows = kernels::threads * windows_per_lane;
    const uint64_t blocks = kernels::divides ? kernels::blocks_of(job.portion_positions)
                                             : (job.portion_positions + windows - 1) / windows;
    if (const cudaError_t error =
            launch(place_portion_kernel<>, {1, place_threads, 0, stream, false},
                   place_portion_arguments{job, blocks}))
      return error;
    return kernels::template run<method_pass::write>(job, device, stream);
  }
}

/// Both phases.
template <matching_method Method, matching_result Result>
cudaError_t match_by_method(void *d_temp, size_t &temp_bytes, method_job job, uint64_t most_bytes,
                            cudaStream_t stream) {
  const method_places<Method> places(job, most_bytes, Result == matching_result::positions);
  if (job.num_positions > 0 && places.positions == 0)
    return cudaErrorInvalidValue;
  if (!d_temp || temp_bytes < places.all.bytes())
    return report_bytes(d_temp, temp_bytes, places.all.bytes());
  places.put(d_temp, job);
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  if (const cudaError_t error = cudaMemsetAsync(
          job.num_matches, Result == matching_result::first ? 0xff : 0, sizeof(uint64_t), stream))
    return error;
  if (job.num_positions == 0)
    return cudaSuccess;
  if (const cudaError_t error = launch(prints_kernel<>, {1, method_threads, 0, stream, false}, job))
    return error;
  for (job.first = 0; job.first < job.num_positions; job.first += places.positions) {
    job.portion_positions = std::min(places.positions, job.num_positions - job.first);
    job.tiles = method_places<Method>::tiles_of(job, job.portion_positions);
    job.last = job.first + job.portion_positions == job.num_positions;
    if (const cudaError_t error = match_portion<Method, Result>(job, gpu.device, stream))
      return error;
  }
  return cudaSuccess;
}

template <matching_result Result>
cudaError_t match_by_method(void *d_temp, size_t &temp_bytes, const method_job &job,
                            const matching_method_options &options, cudaStream_t stream) {
  const auto by = [&](auto method) {
    return match_by_method<decltype(method)::value, Result>(d_temp, temp_bytes, job,
                                                            options.most_temporary_bytes, stream);
  };
  using m = matching_method;
  switch (options.method) {
  case m::cooperative:
    return by(std::integral_constant<m, m::cooperative>{});
  case m::cooperative_affine:
    return by(std::integral_constant<m, m::cooperative_affine>{});
  case m::divide:
    return by(std::integral_constant<m, m::divide>{});
  case m::divide_32:
    return by(std::integral_constant<m, m::divide_32>{});
  case m::divide_64:
    return by(std::integral_constant<m, m::divide_64>{});
  case m::hybrid:
    return by(std::integral_constant<m, m::hybrid>{});
  case m::two_stage:
    return by(std::integral_constant<m, m::two_stage>{});
  }
  return cudaErrorInvalidValue;
}

} // namespace colonnade::detail
