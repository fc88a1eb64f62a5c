//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: the kernels of log-structured merge trees, and how they are launched.
//
// In: the arguments of one step. Out: what the launch returns. Invariant: grids depend on sizes
// that the host knows; how much there is to do stands in device memory, and blocks that have
// nothing to do end.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/lsm/batch.hpp>
#include <colonnade/detail/lsm/find_few.hpp>
#include <colonnade/detail/lsm/machine.cuh>
#include <colonnade/detail/lsm/make_plan.hpp>
#include <colonnade/detail/lsm/merge.hpp>
#include <colonnade/detail/lsm/move.hpp>
#include <colonnade/detail/lsm/partition.hpp>
#include <colonnade/detail/lsm/range_few.hpp>
#include <colonnade/detail/team/team_launch.cuh>

#include <algorithm>

namespace colonnade::detail {

template <class Policy, class Table>
using lsm_tunings_of =
    lsm_tunings<Policy, sizeof(typename Table::raw), sizeof(typename Table::value)>;

template <class Table> struct lsm_plan_and_partition {
  lsm_plan_arguments<Table> plan;
  lsm_partition_arguments<Table> partition;
};

constexpr uint32_t lsm_plan_threads = 128; // of a plan alone

inline namespace COLONNADE_ABI {

/// Where its blocks are all there at once, none makes the plan when others have ended.
template <class Tunings, class Table>
__global__ void __launch_bounds__(lsm_partition_threads, lsm_partition_blocks)
    lsm_partition_kernel(const __grid_constant__ lsm_plan_and_partition<Table> a) {
  using arguments = lsm_partition_arguments<Table>;
  __shared__ plan_words<Table> made;
  const lsm_device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  make_plans<compiled<Tunings>>(machine, a.plan, made);
  lsm_partition_thread<arguments, lsm_device_machine>(machine, a.partition, made.plan()).run();
}

template <class Tunings, bool Drops, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    lsm_merge_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char lsm_merge_shared[];
  const lsm_device_machine machine;
  lsm_merge_block<compiled<Tunings>, Drops, Arguments, lsm_device_machine>(machine, a,
                                                                           lsm_merge_shared)
      .run();
}

template <class Table>
__global__ void __launch_bounds__(lsm_scan_threads)
    lsm_place_kernel(const __grid_constant__ lsm_move_arguments<Table> a) {
  __shared__ uint64_t scratch[lsm_scan_threads / 32 + 1];
  __shared__ plan_words<Table> plan;
  const lsm_device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  place_tiles(machine, a, plan.plan(), scratch);
}

template <class Table>
__global__ void __launch_bounds__(lsm_move_threads, 4)
    lsm_move_kernel(const __grid_constant__ lsm_move_arguments<Table> a) {
  move_pieces(lsm_device_machine{}, a);
}

template <class Tunings, lsm_query Query, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.find_threads)
    lsm_find_kernel(const __grid_constant__ Arguments a) {
  answer_queries<compiled<Tunings>::value.search, Query>(lsm_device_machine{}, a);
}
template <class Tunings, lsm_query Query, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.find_threads)
    lsm_few_find_kernel(const __grid_constant__ Arguments a) {
  static_assert(compiled<Tunings>::value.find_threads % 32 == 0);
  answer_few_queries<compiled<Tunings>::value.search, Query>(lsm_device_machine{}, a);
}

template <class Tunings, bool Lists, class Arguments>
__global__ void __launch_bounds__(lsm_range_threads, 6)
    lsm_range_kernel(const __grid_constant__ Arguments a) {
  using table = typename Arguments::table_type;
  constexpr lsm_search search = compiled<Tunings>::value.search;
  constexpr uint32_t warps = lsm_range_threads / 32;
  const lsm_device_machine machine;
  if constexpr (Lists) {
    __shared__ lsm_list_window<typename table::raw> windows[warps];
    list_ranges<search>(machine, a, windows);
  } else {
    __shared__ lsm_range_storage<table, warps> shared;
    count_ranges<search>(machine, a, shared);
  }
}

template <class Tunings, class Arguments>
__global__ void __launch_bounds__(lsm_range_threads, 2)
    lsm_few_ranges_kernel(const __grid_constant__ Arguments a) {
  using ranges = lsm_few_ranges<compiled<Tunings>::value.search, Arguments, lsm_device_machine,
                                lsm_range_threads / 32>;
  __shared__ typename ranges::storage shared;
  ranges(lsm_device_machine{}, a, shared).run();
}

/// The sums of the tiles before each; the number of all; whether there is room for as many.
template <class Arguments>
__global__ void __launch_bounds__(lsm_scan_threads)
    lsm_sums_kernel(const __grid_constant__ Arguments a) {
  __shared__ uint64_t scratch[lsm_scan_threads / 32 + 1];
  const lsm_device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  const uint64_t all = add_up(machine, static_cast<const uint64_t *>(a.tile_sums), a.tile_sums,
                              lsm_num_range_tiles(a.num_queries), scratch);
  if (threadIdx.x != 0)
    return;
  a.offsets[a.num_queries] = all;
  if (a.status && all > a.capacity)
    report_error(machine, a.status, data_error::buffer_too_small, all);
}

template <class Raw>
__global__ void __launch_bounds__(256)
    lsm_check_kernel(const __grid_constant__ lsm_check_arguments<Raw> a) {
  refuse_nan(lsm_device_machine{}, a);
}
template <class Table>
__global__ void __launch_bounds__(256)
    lsm_gather_kernel(const __grid_constant__ lsm_gather_arguments<Table> a) {
  gather_batch(lsm_device_machine{}, a);
}

} // namespace COLONNADE_ABI

/// Blocks for so many pieces of work, but no more than so many an SM.
inline uint32_t lsm_blocks(const device_properties &gpu, uint64_t pieces, uint32_t per_sm) {
  const uint64_t most = uint64_t{static_cast<uint32_t>(gpu.num_sms)} * per_sm;
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min(pieces, most)));
}

/// How many lanes search for samples, and tiles, a merge of so many items in so many runs, or
/// fewer, may have.
struct lsm_merge_sizes {
  uint64_t lanes, tiles;
};
inline lsm_merge_sizes most_merged(const lsm_tuning &t, uint64_t num_items, uint32_t num_runs) {
  uint64_t whole_tiles = 0;
  for (uint32_t runs = 1; runs <= num_runs; ++runs)
    whole_tiles = std::max(whole_tiles, num_items / lsm_most_tile_items(t, runs));
  // Where blocks have more than one tile, these are half as large as they may be at least; samples
  // are half a tile apart at least, where there are more than lanes for them.
  const uint64_t samples = 4 * (whole_tiles + most_lsm_blocks) + num_runs;
  return {std::max<uint64_t>(t.partition_lanes, samples << lsm_log2_group(num_runs)),
          std::min(whole_tiles + most_lsm_blocks, num_items / 32) + 1};
}
/// That a merge is divided for: as many as there are at once.
template <class Tunings> uint32_t lsm_merge_blocks(const device_properties &gpu) {
  const lsm_tuning tuning =
      ask_tuning<Tunings>(gpu.architecture, [](auto of) { return decltype(of)::type::value; });
  return lsm_blocks(gpu, most_lsm_blocks, tuning.min_blocks);
}

template <class Tunings, class Table>
cudaError_t launch_partition(const device_properties &gpu, lsm_plan_arguments<Table> plan,
                             const lsm_partition_arguments<Table> &a, uint64_t most_lanes,
                             cudaStream_t stream) {
  plan.blocks = lsm_merge_blocks<Tunings>(gpu);
  return launch(lsm_partition_kernel<Tunings, Table>,
                {lsm_blocks(gpu, most_lanes / lsm_partition_threads + 1, lsm_partition_blocks),
                 lsm_partition_threads, 0, stream, gpu.overlaps_launches()},
                lsm_plan_and_partition<Table>{plan, a});
}

/// The plan and the partition, unless it is null, since the plan has been made, and of one run; and
/// the merge.
template <class Tunings, bool Drops, class Table>
cudaError_t launch_merge(const device_properties &gpu, const lsm_plan_arguments<Table> *plan,
                         const lsm_merge_arguments<Table> &a, uint64_t *splits, uint64_t most_items,
                         uint32_t most_runs, cudaStream_t stream) {
  using arguments = lsm_merge_arguments<Table>;
  static allowed_devices allowed;
  const lsm_tuning tuning =
      ask_tuning<Tunings>(gpu.architecture, [](auto of) { return decltype(of)::type::value; });
  const size_t shared_bytes = ask_tuning<Tunings>(gpu.architecture, [](auto of) {
    return sizeof(typename lsm_merge_block<typename decltype(of)::type, Drops, arguments,
                                           lsm_device_machine>::storage);
  });
  const lsm_merge_sizes most = most_merged(tuning, most_items, most_runs);
  if (plan)
    if (const cudaError_t error = launch_partition<Tunings>(
            gpu, *plan, {splits, a.format, a.staging.tombstones}, most.lanes, stream))
      return error;
  const auto kernel = lsm_merge_kernel<Tunings, Drops, arguments>;
  if (const cudaError_t error = allow_shared_memory(kernel, shared_bytes, gpu.device, allowed))
    return error;
  return launch(kernel,
                {lsm_blocks(gpu, most.tiles, tuning.min_blocks), tuning.threads, shared_bytes,
                 stream, gpu.overlaps_launches()},
                a);
}
template <class Table>
cudaError_t launch_place(const device_properties &gpu, const lsm_move_arguments<Table> &a,
                         cudaStream_t stream) {
  return launch(lsm_place_kernel<Table>, {1, lsm_scan_threads, 0, stream, gpu.overlaps_launches()},
                a);
}

template <class Table>
cudaError_t launch_move(const device_properties &gpu, const lsm_move_arguments<Table> &move,
                        uint64_t pieces, cudaStream_t stream) {
  return launch(lsm_move_kernel<Table>,
                {lsm_blocks(gpu, pieces, 64), lsm_move_threads, 0, stream, gpu.overlaps_launches()},
                move);
}

/// Whether so few queries, more than none, have a tile of lanes each.
inline bool lsm_are_few(const lsm_tuning &tuning, uint32_t num_levels, uint64_t num_queries) {
  return num_queries <= tuning.few_query_lanes >> lsm_log2_query_lanes(num_levels);
}
/// Blocks are small where there would else be none for some of the SMs: what bounds a warp's search
/// beside its waits is how many nodes an SM can ask for.
template <class Tunings, lsm_query Query, class Arguments>
cudaError_t launch_few_finds(const device_properties &gpu, const lsm_tuning &tuning,
                             const Arguments &a, cudaStream_t stream) {
  const uint32_t lanes = static_cast<uint32_t>(a.num_queries)
                         << lsm_log2_query_lanes(a.table.num_levels);
  uint32_t threads = tuning.find_threads;
  while (threads % 64 == 0 && lanes / threads < static_cast<uint32_t>(gpu.num_sms))
    threads /= 2;
  return launch(lsm_few_find_kernel<Tunings, Query, Arguments>,
                {(lanes - 1) / threads + 1, threads, 0, stream, gpu.overlaps_launches()}, a);
}
template <class Tunings, lsm_query Query, class Arguments>
cudaError_t launch_find(const Arguments &a, cudaStream_t stream) {
  device_properties gpu;
  if (a.num_queries == 0)
    return cudaSuccess;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const lsm_tuning tuning =
      ask_tuning<Tunings>(gpu.architecture, [](auto of) { return decltype(of)::type::value; });
  if constexpr (!Arguments::ordered)
    if (lsm_are_few(tuning, a.table.num_levels, a.num_queries))
      return launch_few_finds<Tunings, Query>(gpu, tuning, a, stream);
  const uint64_t pieces = (a.num_queries + tuning.find_threads - 1) / tuning.find_threads;
  return launch(lsm_find_kernel<Tunings, Query, Arguments>,
                {lsm_blocks(gpu, pieces, 64), tuning.find_threads, 0, stream, false}, a);
}

/// Whether so few queries have a team that answers them all at once: how many blocks; 0: they do
/// not.
inline uint32_t lsm_few_ranges_team(const device_properties &gpu, const lsm_tuning &tuning,
                                    uint64_t num_queries) {
  uint32_t blocks = 1;
  while (blocks < most_blocks_of_team(gpu) && blocks * (lsm_range_threads / 32) < num_queries)
    blocks *= 2;
  return num_queries <= uint64_t{blocks} * tuning.few_ranges ? blocks : 0;
}
template <class Tunings, class Table>
cudaError_t launch_few_ranges(const device_properties &gpu, uint32_t blocks,
                              const lsm_range_arguments<Table> &a, cudaStream_t stream) {
  static allowed_devices wide;
  const auto kernel = lsm_few_ranges_kernel<Tunings, lsm_range_arguments<Table>>;
  if (blocks > usual_teammates)
    if (const cudaError_t error = allow_wide_clusters(kernel, gpu.device, wide))
      return error;
  return launch(kernel, {blocks, lsm_range_threads, 0, stream, gpu.overlaps_launches(), blocks}, a);
}

/// Counts and offsets, then the elements, if they are wanted: of few queries in one launch, of
/// others in three.
template <class Tunings, class Table>
cudaError_t launch_ranges(const lsm_range_arguments<Table> &a, cudaStream_t stream) {
  using arguments = lsm_range_arguments<Table>;
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  const lsm_tuning tuning =
      ask_tuning<Tunings>(gpu.architecture, [](auto of) { return decltype(of)::type::value; });
  if (const uint32_t team = lsm_few_ranges_team(gpu, tuning, a.num_queries))
    return launch_few_ranges<Tunings>(gpu, team, a, stream);
  const bool overlaps = gpu.overlaps_launches();
  const uint64_t tiles = lsm_num_range_tiles(a.num_queries);
  const launch_shape shape{lsm_blocks(gpu, tiles, 32), lsm_range_threads, 0, stream, overlaps};
  if (tiles)
    if (const cudaError_t error = launch(lsm_range_kernel<Tunings, false, arguments>, shape, a))
      return error;
  if (const cudaError_t error =
          launch(lsm_sums_kernel<arguments>, {1, lsm_scan_threads, 0, stream, overlaps}, a))
    return error;
  return tiles ? launch(lsm_range_kernel<Tunings, true, arguments>, shape, a) : cudaSuccess;
}

} // namespace colonnade::detail
