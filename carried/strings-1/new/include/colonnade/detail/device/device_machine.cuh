//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_machine.cuh: the machine interface that kernels are written against, on the GPU.
// tests/host_machine.hpp has the same calls on the host, under random schedules.
//
// In: calls of kernel code. Out: the GPU's instructions. Invariant: collectives are called by
// all 32 lanes of a warp (all threads of a block). Words of global memory that blocks exchange
// are accessed by load_word and store_word alone: each call is one access, never torn, visible
// to the whole device, and not ordered with other memory; a flag and its value therefore share
// a word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace colonnade::detail {

struct device_machine {
  __device__ __forceinline__ uint32_t thread() const { return threadIdx.x; }
  __device__ __forceinline__ uint32_t lane() const { return threadIdx.x % 32; }
  __device__ __forceinline__ uint32_t warp() const { return threadIdx.x / 32; }
  __device__ __forceinline__ uint32_t num_threads() const { return blockDim.x; }
  __device__ __forceinline__ uint32_t block() const { return blockIdx.x; }
  __device__ __forceinline__ uint32_t num_blocks() const { return gridDim.x; }

  __device__ __forceinline__ void block_sync() const { __syncthreads(); }
  __device__ __forceinline__ void warp_sync() const { __syncwarp(); }
  __device__ __forceinline__ uint32_t ballot(bool predicate) const {
    return __ballot_sync(~0u, predicate);
  }
  /// The lanes whose bit under `mask` is this lane's: three instructions, which
  /// compilers do not find.
  __device__ __forceinline__ uint32_t same_bit(uint32_t value, uint32_t mask) const {
    uint32_t same;
    asm volatile("{\n\t.reg .pred one;\n\t.reg .b32 bit;\n\t"
                 "and.b32 bit, %1, %2;\n\t"
                 "setp.ne.u32 one, bit, 0;\n\t"
                 "vote.sync.ballot.b32 %0, one, 0xffffffff;\n\t"
                 "@!one not.b32 %0, %0;\n\t}"
                 : "=r"(same)
                 : "r"(value), "r"(mask));
    return same;
  }
  __device__ __forceinline__ uint32_t match(uint32_t value) const {
    return __match_any_sync(~0u, value);
  }
  template <class T> __device__ __forceinline__ T shuffle(T value, uint32_t from) const {
    return __shfl_sync(~0u, value, static_cast<int>(from));
  }
  /// The lanes below `distance` get their own value back.
  template <class T> __device__ __forceinline__ T shuffle_up(T value, uint32_t distance) const {
    return __shfl_up_sync(~0u, value, distance);
  }
  template <class T> __device__ __forceinline__ T shuffle_xor(T value, uint32_t mask) const {
    return __shfl_xor_sync(~0u, value, static_cast<int>(mask));
  }
  /// The largest of all lanes.
  __device__ __forceinline__ uint32_t largest(uint32_t value) const {
    return __reduce_max_sync(~0u, value);
  }

  static __device__ __forceinline__ uint32_t count_ones(uint32_t x) {
    return static_cast<uint32_t>(__popc(static_cast<int>(x)));
  }
  /// 32 if there is none.
  static __device__ __forceinline__ uint32_t first_one(uint32_t x) {
    return x ? static_cast<uint32_t>(__ffs(static_cast<int>(x))) - 1 : 32;
  }

  __device__ __forceinline__ void add_shared(uint32_t *counter, uint32_t value) const {
    atomicAdd(counter, value);
  }
  /// The counter's value before; one more is in it.
  __device__ __forceinline__ uint32_t take_shared(uint32_t *counter) const {
    return atomicAdd(counter, 1u);
  }
  __device__ __forceinline__ void add_global(uint32_t *counter, uint32_t value) const {
    atomicAdd(counter, value);
  }
  __device__ __forceinline__ void add_global(uint64_t *counter, uint64_t value) const {
    atomicAdd(reinterpret_cast<unsigned long long *>(counter), value);
  }
  /// The counter's value before.
  __device__ __forceinline__ uint64_t take_global(uint64_t *counter, uint64_t value) const {
    return atomicAdd(reinterpret_cast<unsigned long long *>(counter), value);
  }
  __device__ __forceinline__ void min_global(uint64_t *word, uint64_t value) const {
    atomicMin(reinterpret_cast<unsigned long long *>(word), value);
  }
  __device__ __forceinline__ uint32_t take_ticket(uint32_t *counter) const {
    return atomicAdd(counter, 1u);
  }
  __device__ __forceinline__ uint32_t load_word(const uint32_t *word) const {
    uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word));
    return value;
  }
  __device__ __forceinline__ void store_word(uint32_t *word, uint32_t value) const {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value));
  }
  /// A global word that other blocks have changed by atomics.
  __device__ __forceinline__ uint64_t load_counter(const uint64_t *counter) const {
    return *static_cast<const volatile uint64_t *>(counter);
  }
  __device__ __forceinline__ void device_fence() const { __threadfence(); }

  /// A team: the blocks of a thread block cluster, which run at once; one block where there
  /// are no clusters (before sm_90) or none was asked for.
  __device__ __forceinline__ uint32_t team_rank() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return __clusterRelativeBlockRank();
#else
    return 0;
#endif
  }
  __device__ __forceinline__ uint32_t team_size() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return __clusterSizeInBlocks();
#else
    return 1;
#endif
  }
  /// All threads of the team arrive, then wait: what any of them wrote before it arrived,
  /// to global memory or to its block's shared memory, all see after they waited.
  __device__ __forceinline__ void team_arrive() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __cluster_barrier_arrive();
#endif
  }
  __device__ __forceinline__ void team_wait() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __cluster_barrier_wait();
#endif
  }
  /// The same place in the shared memory of another block of the team, which is there until
  /// that block ends.
  template <class T> __device__ __forceinline__ T *of_teammate(T *shared, uint32_t rank) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return static_cast<T *>(__cluster_map_shared_rank(shared, rank));
#else
    (void)rank;
    return shared;
#endif
  }

  /// Copies Bytes (4, 8 or 16; both addresses are multiples) from global to shared memory,
  /// not through registers. The thread's own copies are there after wait_for_copies, other
  /// threads' after a barrier besides.
  template <uint32_t Bytes>
  __device__ __forceinline__ void copy_async(void *shared, const void *global) const {
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(Bytes)
                 : "memory");
  }
  __device__ __forceinline__ void wait_for_copies() const {
    asm volatile("cp.async.wait_all;" ::: "memory");
  }

  /// The kernel before this one in the stream has ended, and its writes are seen.
  __device__ __forceinline__ void wait_for_previous_kernel() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
  }
  /// The next kernel's blocks may start where there is room.
  __device__ __forceinline__ void let_next_kernel_start() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
  }
};

} // namespace colonnade::detail
