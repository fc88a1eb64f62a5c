//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_launch.cuh: starts a block of a convex hull as a kernel.
//
// In: a block's type, how many are wanted, and its arguments. Out: the launch. Invariant: blocks
// with shared memory name it as their storage; as many are started as the GPU holds at most, and
// each takes several shares of the work if more were wanted. Blocks may say how many times as many
// as run at once with their registers and shared memory these are (waves): where shares cost the
// same, one, since of more the last ones would run while multiprocessors are idle.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>

#include <algorithm>
#include <atomic>
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

/// How many blocks of a kernel a multiprocessor runs at once; asked once for each of the first 64
/// devices. Threads, shared: of a block.
template <class Argument>
cudaError_t ask_blocks_at_once(void (*kernel)(Argument), uint32_t threads, size_t shared,
                               int device, std::atomic<uint8_t> (&known)[64], uint32_t &blocks) {
  blocks = device < 64 ? known[device].load() : 0;
  if (blocks != 0)
    return cudaSuccess;
  int found = 0;
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &found, kernel, static_cast<int>(threads), shared);
  blocks = found > 0 ? static_cast<uint32_t>(found) : 1;
  if (error == cudaSuccess && device < 64)
    known[device].store(static_cast<uint8_t>(blocks));
  return error;
}

struct hull_launcher {
  const device_properties &gpu;
  cudaStream_t stream;
  uint32_t waves = 0; // of blocks that do not say; 0: as many as there is room for threads

  template <class Block>
  cudaError_t operator()(std::type_identity<Block>, uint64_t num_blocks,
                         const typename Block::arguments &a) const {
    if constexpr (requires { typename Block::storage; }) {
      static allowed_devices allowed;
      constexpr size_t shared = sizeof(typename Block::storage);
      if (const cudaError_t error =
              allow_shared_memory(hull_tile_kernel<Block>, shared, gpu.device, allowed))
        return error;
      return start<Block>(hull_tile_kernel<Block>, num_blocks, shared, a);
    } else {
      return start<Block>(hull_kernel<Block>, num_blocks, 0, a);
    }
  }

private:
  template <class Block>
  cudaError_t start(void (*kernel)(typename Block::arguments), uint64_t num_blocks, size_t shared,
                    const typename Block::arguments &a) const {
    uint32_t at_once = 2048 / Block::threads;
    if (waves_of<Block>() > 0) {
      static std::atomic<uint8_t> known[64];
      if (const cudaError_t error =
              ask_blocks_at_once(kernel, Block::threads, shared, gpu.device, known, at_once))
        return error;
      at_once *= waves_of<Block>();
    }
    const uint64_t most = uint64_t{static_cast<uint32_t>(gpu.num_sms)} * at_once;
    return launch(kernel,
                  {static_cast<uint32_t>(std::min(num_blocks, most)), Block::threads, shared,
                   stream, gpu.overlaps_launches()},
                  a);
  }
  template <class Block> uint32_t waves_of() const {
    if constexpr (requires { Block::waves; })
      return Block::waves;
    else
      return waves;
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
