//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// team_launch.cuh: launches one team of blocks that does a call's whole work.
//
// A team of one block runs everywhere; one of several is a cluster, and asks for code
// compiled for sm_90 or later: that of a GPU before, or compiled for one, has none.
//
// Of few items, starting a kernel takes longer than its work. So it starts while the one before
// it ends, waits for that before it reads or writes memory, and lets the next one start likewise.
// In: the work, how many items there are at most, the team's shape. Out: one kernel in the stream.
// Invariant: nothing is written before the kernel before it has ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/team/team_split.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Work>
__global__ void __launch_bounds__(32 * most_team_warps)
    team_split_kernel(const __grid_constant__ Work work) {
  extern __shared__ __align__(16) char team_split_shared[];
  const device_machine machine;
  machine.let_next_kernel_start();
  team_split_block<Work, device_machine>(machine, work, team_split_shared).run();
}

/// How many blocks a team may have: as the code loaded on the device knows of clusters.
inline uint32_t most_blocks_of_team(const device_properties &gpu) {
  return gpu.architecture < gpu_architecture::sm_90 ? 1
         : gpu.wide_clusters                        ? most_teammates
                                                    : usual_teammates;
}

/// The team for at most so many items; no blocks: the input is not small.
template <class Work> team_shape choose_team(const device_properties &gpu, uint64_t most) {
  team_shape shape = shape_of_team(most, Work::items_per_thread, most_blocks_of_team(gpu));
  shape.overlaps_previous = gpu.overlaps_launches();
  return shape;
}

/// work.stretch is set here.
template <class Work>
cudaError_t launch_team(Work work, uint64_t most, team_shape shape, int device,
                        cudaStream_t stream) {
  using block = team_split_block<Work, device_machine>;
  static allowed_devices allowed, wide;
  work.stretch = static_cast<uint32_t>((most + shape.blocks - 1) / shape.blocks + 31) / 32 * 32;
  const auto kernel = team_split_kernel<Work>;
  if (const cudaError_t error = allow_shared_memory(
          kernel, block::shared_bytes(32 * most_team_warps * Work::items_per_thread), device,
          allowed))
    return error;
  if (shape.blocks > usual_teammates)
    if (const cudaError_t error = allow_wide_clusters(kernel, device, wide))
      return error;
  return launch(kernel,
                {shape.blocks, shape.threads, block::shared_bytes(work.stretch), stream,
                 shape.overlaps_previous, shape.blocks},
                work);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
