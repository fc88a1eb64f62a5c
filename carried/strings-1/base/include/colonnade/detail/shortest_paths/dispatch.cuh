//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// dispatch.cuh: checks the arguments of shortest paths, divides the temporary storage, starts
// the one kernel and reads its report.
//
// In: a caller's graph, source and options. Out: the distances and the report, when the kernel
// has ended. Invariant: the kernel's blocks wait for each other, so there are never more of
// them than are resident at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/read_back.cuh>
#include <colonnade/detail/shortest_paths/machine.cuh>
#include <colonnade/detail/shortest_paths/solve.hpp>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {

constexpr uint32_t most_path_vertices = 1u << path_vertex_bits;

inline namespace COLONNADE_ABI {
template <class Weight, class Distance, uint32_t NumPiles, class Tunings>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.blocks_per_sm)
    shortest_paths_kernel(const path_arguments<Weight, Distance> arguments) {
  using solver = path_solver<device_path_machine, Weight, Distance, NumPiles, compiled<Tunings>>;
  extern __shared__ uint4 shared[];
  const device_path_machine machine;
  solver(machine, arguments, *reinterpret_cast<typename solver::shared_type *>(shared)).run();
}
} // namespace COLONNADE_ABI

/// Offsets in the temporary storage.
struct path_storage {
  size_t control, words, queues, pieces, bytes;
  uint64_t num_pieces;
};

/// With room for the pieces of heavy vertices on any architecture: vertices of more than
/// heavy_degree edges have at most edges / piece_edges whole pieces, and each one more.
template <class Policy, class Distance>
path_storage lay_out_paths(uint64_t num_vertices, uint64_t num_edges, uint32_t num_piles) {
  temp_storage layout;
  path_storage s{};
  s.num_pieces = most_on_any([&](gpu_architecture architecture) {
    const shortest_paths_tuning tuning = Policy::tuning(architecture);
    return num_edges / tuning.piece_edges + num_edges / tuning.heavy_degree + 1;
  });
  s.control = layout.add<path_control>(1);
  s.words = layout.add<typename path_word<Distance>::type>(num_vertices);
  s.queues = layout.add<uint32_t>(num_vertices * (num_piles + 2));
  s.pieces = layout.add<path_piece>(s.num_pieces);
  s.bytes = layout.bytes();
  return s;
}

template <class Kernel>
cudaError_t count_resident_blocks(Kernel kernel, uint32_t threads, size_t shared_bytes,
                                  uint32_t &blocks) {
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  int per_sm = 0;
  if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &per_sm, kernel, static_cast<int>(threads), shared_bytes))
    return error;
  blocks = static_cast<uint32_t>(per_sm * gpu.num_sms);
  return blocks ? cudaSuccess : cudaErrorInvalidConfiguration;
}

/// Asks for no more shared memory on an SM than the blocks need: the rest of it is first-level
/// cache, which loads in flight need. By default the driver leaves less of it.
template <class Kernel>
cudaError_t prefer_cache(Kernel kernel, size_t shared_bytes, const device_properties &gpu) {
  int most = 0;
  if (const cudaError_t error =
          cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, gpu.device))
    return error;
  const int percent = static_cast<int>((shared_bytes * 100 + most - 1) / most);
  return cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                              percent < 100 ? percent : 100);
}

template <uint32_t NumPiles, class Policy, class Weight, class Distance>
cudaError_t launch_paths(const path_arguments<Weight, Distance> &arguments, cudaStream_t stream) {
  const auto kernel = shortest_paths_kernel<Weight, Distance, NumPiles, paths_tunings<Policy>>;
  static allowed_devices allowed;
  device_properties gpu;
  uint32_t blocks = 0;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const shortest_paths_tuning tuning = Policy::tuning(gpu.architecture);
  const size_t shared_bytes = ask_tuning<paths_tunings<Policy>>(gpu.architecture, [](auto of) {
    using solver =
        path_solver<device_path_machine, Weight, Distance, NumPiles, typename decltype(of)::type>;
    return sizeof(typename solver::shared_type);
  });
  if (const cudaError_t error = allow_shared_memory(kernel, shared_bytes, gpu.device, allowed))
    return error;
  if (const cudaError_t error =
          prefer_cache(kernel, tuning.blocks_per_sm * (shared_bytes + 1024), gpu))
    return error;
  if (const cudaError_t error = count_resident_blocks(kernel, tuning.threads, shared_bytes, blocks))
    return error;
  if (blocks > tuning.blocks_per_sm * static_cast<uint32_t>(gpu.num_sms))
    blocks = tuning.blocks_per_sm * static_cast<uint32_t>(gpu.num_sms);
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(tuning.threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &together;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments);
}

template <class T> bool aligned(const T *data) {
  return reinterpret_cast<uintptr_t>(data) % alignof(T) == 0;
}

/// Whether the arrays are there, aligned, and distinct from what is written.
template <class Weight, class Distance>
bool good_arrays(const csr_graph<Weight> &graph, const Distance *d_distances, const void *d_temp,
                 size_t temp_bytes) {
  if (!graph.d_row_offsets || !d_distances ||
      (graph.num_edges && (!graph.d_columns || !graph.d_weights)))
    return false;
  if (!aligned(graph.d_row_offsets) || !aligned(graph.d_columns) || !aligned(graph.d_weights) ||
      !aligned(d_distances))
    return false;
  const uint64_t distances_bytes = uint64_t{graph.num_vertices} * sizeof(Distance);
  const auto apart = [&](const auto *data, uint64_t count) {
    const uint64_t bytes = count * sizeof(*data);
    return !ranges_overlap(data, bytes, d_distances, distances_bytes) &&
           !ranges_overlap(data, bytes, d_temp, temp_bytes);
  };
  return apart(graph.d_row_offsets, uint64_t{graph.num_vertices} + 1) &&
         apart(graph.d_columns, graph.num_edges) && apart(graph.d_weights, graph.num_edges) &&
         !ranges_overlap(d_temp, temp_bytes, d_distances, distances_bytes);
}

template <class Policy, class Weight, class Distance>
cudaError_t shortest_paths(void *d_temp_storage, size_t &temp_storage_bytes,
                           const csr_graph<Weight> &graph, uint32_t source, Distance *d_distances,
                           shortest_paths_options<Distance> options, shortest_paths_report *report,
                           cudaStream_t stream) {
  if (options.strategy == path_strategy::near_far)
    options.num_buckets = 2;
  else if (options.num_buckets < 3 || options.num_buckets > max_piles)
    return cudaErrorInvalidValue;
  if (graph.num_vertices > most_path_vertices || !path_word<Distance>::valid_width(options.delta))
    return cudaErrorInvalidValue;
  const path_storage place =
      lay_out_paths<Policy, Distance>(graph.num_vertices, graph.num_edges, options.num_buckets);
  if (!d_temp_storage) {
    temp_storage_bytes = place.bytes;
    return cudaSuccess;
  }
  if (temp_storage_bytes < place.bytes || source >= graph.num_vertices ||
      !good_arrays(graph, d_distances, d_temp_storage, place.bytes))
    return cudaErrorInvalidValue;
  path_arguments<Weight, Distance> arguments{graph, source, options, d_distances};
  arguments.control = temp_storage::at<path_control>(d_temp_storage, place.control);
  arguments.words =
      temp_storage::at<typename path_word<Distance>::type>(d_temp_storage, place.words);
  arguments.queues = temp_storage::at<uint32_t>(d_temp_storage, place.queues);
  arguments.pieces = temp_storage::at<path_piece>(d_temp_storage, place.pieces);
  arguments.num_pieces = place.num_pieces;
  if (const cudaError_t error = cudaMemsetAsync(arguments.control, 0, sizeof(path_control), stream))
    return error;
  const cudaError_t error = options.num_buckets == 2
                                ? launch_paths<2, Policy>(arguments, stream)
                                : launch_paths<max_piles, Policy>(arguments, stream);
  if (error)
    return error;
  path_control control;
  if (const cudaError_t copied = read_back(&control, arguments.control, 1, stream))
    return copied;
  shortest_paths_report result;
  fill_report(control, result);
  if (report)
    *report = result;
  return result.data.ok() ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace colonnade::detail
