//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// machine.cuh: what shortest paths need of a GPU beyond device_machine: atomics that
// return the word before, and loads that say how long their data is needed.
//
// In: words in global memory. Out: what was there. Invariant: as device_machine.cuh's: words
// that blocks exchange are accessed by these calls alone, each of which is one access.
// tests/host_paths.hpp is the same for the host.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>

namespace colonnade::detail {

struct device_path_machine : device_machine {
  __device__ __forceinline__ uint32_t fetch_add(uint32_t *word, uint32_t value) const {
    return atomicAdd(word, value);
  }
  __device__ __forceinline__ uint32_t fetch_min(uint32_t *word, uint32_t value) const {
    return atomicMin(word, value);
  }
  __device__ __forceinline__ uint64_t fetch_min(uint64_t *word, uint64_t value) const {
    return atomicMin(reinterpret_cast<unsigned long long *>(word), value);
  }
  __device__ __forceinline__ uint32_t fetch_or(uint32_t *word, uint32_t value) const {
    return atomicOr(word, value);
  }
  __device__ __forceinline__ uint64_t fetch_or(uint64_t *word, uint64_t value) const {
    return atomicOr(reinterpret_cast<unsigned long long *>(word), value);
  }
  __device__ __forceinline__ void fetch_max(uint64_t *word, uint64_t value) const {
    atomicMax(reinterpret_cast<unsigned long long *>(word), value);
  }
  __device__ __forceinline__ uint32_t load_atomic(const uint32_t *word) const {
    return load_word(word);
  }
  __device__ __forceinline__ uint64_t load_atomic(const uint64_t *word) const {
    uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word));
    return value;
  }

  /// The bitwise or over the lanes of the warp.
  __device__ __forceinline__ uint32_t any_of(uint32_t bits) const {
    return __reduce_or_sync(~0u, bits);
  }

  /// Of memory that is not written while the kernel runs.
  template <class T> __device__ __forceinline__ T read(const T *place) const {
    if constexpr (sizeof(T) == 8)
      return static_cast<T>(__ldg(reinterpret_cast<const unsigned long long *>(place)));
    else
      return __ldg(place);
  }
  /// The same, for data that is read once: it should not evict words from the cache.
  template <class T> __device__ __forceinline__ T read_once(const T *place) const {
    return __ldcs(place);
  }
  __device__ __forceinline__ void wait_a_little() const {}
};

} // namespace colonnade::detail
