//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_launch.cuh: starts a block of a convex hull as a kernel.
//
// In: a block's type, how many are wanted, and its arguments. Out: the launch. Invariant: blocks
// with shared memory name it as their storage; as many are started as the GPU holds at most, and
// each takes several shares of the work if more were wanted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>

#include <algorithm>
#include <type_traits>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Block>
__global__ void __launch_bounds__(Block::threads)
    hull_kernel(const __grid_constant__ typename Block::arguments a) {
  const device_machine machine;
  machine.wait_for_previous_kernel();
  Block(machine, a).run();
}
/// How many blocks a multiprocessor must have room for; the compiler spares registers for them. 0:
/// it chooses.
template <class Block> constexpr uint32_t resident_blocks() {
  if constexpr (requires { Block::resident; })
    return Block::resident;
  else
    return 0;
}
/// Blocks with shared memory.
template <class Block>
__global__ void __launch_bounds__(Block::threads, resident_blocks<Block>())
    hull_tile_kernel(const __grid_constant__ typename Block::arguments a) {
  extern __shared__ __align__(16) char hull_shared[];
  const device_machine machine;
  machine.wait_for_previous_kernel();
  Block(machine, a, hull_shared).run();
}

struct hull_launcher {
  const device_properties &gpu;
  cudaStream_t stream;

  template <class Block>
  cudaError_t operator()(std::type_identity<Block>, uint64_t num_blocks,
                         const typename Block::arguments &a) const {
    const uint64_t most = uint64_t{static_cast<uint32_t>(gpu.num_sms)} * (2048 / Block::threads);
    const uint32_t blocks = static_cast<uint32_t>(std::min(num_blocks, most));
    if constexpr (requires { typename Block::storage; }) {
      static allowed_devices allowed;
      constexpr size_t shared = sizeof(typename Block::storage);
      if (const cudaError_t error =
              allow_shared_memory(hull_tile_kernel<Block>, shared, gpu.device, allowed))
        return error;
      return launch(hull_tile_kernel<Block>,
                    {blocks, Block::threads, shared, stream, gpu.overlaps_launches()}, a);
    } else {
      return launch(hull_kernel<Block>,
                    {blocks, Block::threads, 0, stream, gpu.overlaps_launches()}, a);
    }
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
