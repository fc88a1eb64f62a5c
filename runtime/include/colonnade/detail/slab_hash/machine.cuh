//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// machine.cuh: what slabs need of a GPU beyond device_machine: loads of whole words that others
// change meanwhile, and atomics that return the word before.
//
// tests/host_slabs.hpp is the same for the host. Invariant: words of slabs and bitmaps are accessed
// by these calls alone. Each word is read or written by one access of its full width, relaxed, at
// device scope; such loads are served by the second-level cache, never by the first.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>

namespace colonnade::detail {

struct device_slab_machine : device_machine {
  /// Count (1, 2, 4 or 16) words from `from` on, which is aligned to the words that are read; two
  /// of them by one instruction, in which each is an access of its own.
  template <uint32_t Count>
  __device__ __forceinline__ void load_words(const uint64_t *from, uint64_t (&to)[Count]) const {
    if constexpr (Count == 1) {
      asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(to[0]) : "l"(from));
    } else {
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < Count; i += 2)
        asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                     : "=l"(to[i]), "=l"(to[i + 1])
                     : "l"(from + i));
    }
  }
  /// The word before; `desired` is there if that was `expected`.
  __device__ __forceinline__ uint64_t compare_exchange(uint64_t *word, uint64_t expected,
                                                       uint64_t desired) const {
    return atomicCAS(reinterpret_cast<unsigned long long *>(word), expected, desired);
  }
  __device__ __forceinline__ uint64_t load_status(const uint64_t *word) const {
    uint64_t one[1];
    load_words(word, one);
    return one[0];
  }
  /// A word of the table of a pool that grows.
  __device__ __forceinline__ uint64_t load_place(const uint64_t *word) const {
    return load_status(word);
  }
  __device__ __forceinline__ void store_place(uint64_t *word, uint64_t value) const {
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
  }
  __device__ __forceinline__ uint64_t exchange(uint64_t *word, uint64_t value) const {
    return atomicExch(reinterpret_cast<unsigned long long *>(word), value);
  }
  __device__ __forceinline__ uint32_t fetch_or(uint32_t *word, uint32_t bits) const {
    return atomicOr(word, bits);
  }
  __device__ __forceinline__ uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    return atomicAnd(word, bits);
  }
};

} // namespace colonnade::detail
