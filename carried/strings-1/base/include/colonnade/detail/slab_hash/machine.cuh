//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// machine.cuh: what slabs need of a GPU beyond device_machine: loads of whole words that others
// change meanwhile, and atomics that return the word before.
//
// In: words of slabs and bitmaps. Out: what was there. Invariant: these words are accessed by these
// calls alone. Each word is read or written by one access of its full width, relaxed, at device
// scope; such loads are served by the second-level cache, never by the first.
// tests/host_slabs.hpp is the same for the host.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/slab_hash/claims.hpp>

namespace colonnade::detail {

struct device_slab_machine : device_machine {
  static constexpr uint32_t most_doublings = 8; // of the nanoseconds of a wait

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
  /// Words of 128 bits, one by one.
  template <uint32_t Count>
  __device__ __forceinline__ void load_words(const wide_word *from, wide_word (&to)[Count]) const {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Count; ++i) {
      uint64_t low, high;
      asm volatile("{\n\t.reg .b128 both;\n\t"
                   "ld.relaxed.gpu.global.b128 both, [%2];\n\t"
                   "mov.b128 {%0, %1}, both;\n\t}"
                   : "=l"(low), "=l"(high)
                   : "l"(from + i));
      to[i] = both_halves(low, high);
    }
  }
  /// Of words that nobody else uses.
  __device__ __forceinline__ void store(uint64_t *word, uint64_t value) const {
    store_place(word, value);
  }
  __device__ __forceinline__ void store(wide_word *word, wide_word value) const {
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};" ::"l"(word), "l"(low_half(value)),
                 "l"(high_half(value))
                 : "memory");
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
  /// GPUs before sm_90 cannot change words of 128 bits by one access: nothing is launched there
  /// (dispatch.cuh), and kernels of users do not compile (slab_hash_ref.cuh).
  __device__ __forceinline__ wide_word compare_exchange(wide_word *word, wide_word expected,
                                                        wide_word desired) const {
#if __CUDA_ARCH__ >= 900
    uint64_t low, high;
    asm volatile("{\n\t.reg .b128 old, new, before;\n\t"
                 "mov.b128 old, {%3, %4};\n\t"
                 "mov.b128 new, {%5, %6};\n\t"
                 "atom.relaxed.gpu.global.cas.b128 before, [%2], old, new;\n\t"
                 "mov.b128 {%0, %1}, before;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "l"(word), "l"(low_half(expected)), "l"(high_half(expected)),
                   "l"(low_half(desired)), "l"(high_half(desired))
                 : "memory");
    return both_halves(low, high);
#else
    __trap();
#endif
  }
  __device__ __forceinline__ wide_word exchange(wide_word *word, wide_word value) const {
#if __CUDA_ARCH__ >= 900
    uint64_t low, high;
    asm volatile("{\n\t.reg .b128 new, before;\n\t"
                 "mov.b128 new, {%3, %4};\n\t"
                 "atom.relaxed.gpu.global.exch.b128 before, [%2], new;\n\t"
                 "mov.b128 {%0, %1}, before;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "l"(word), "l"(low_half(value)), "l"(high_half(value))
                 : "memory");
    return both_halves(low, high);
#else
    __trap();
#endif
  }
  /// Waits, so that those who want the same word do not keep each other from it: longer after more
  /// failures, and not all of them for as long.
  __device__ __forceinline__ void back_off(uint32_t failures) const {
    const uint32_t least = 32u << (failures < most_doublings ? failures : most_doublings);
    __nanosleep(least + spread_bits(thread() + (block() << 8) + failures) % (2 * least));
  }
  __device__ __forceinline__ uint32_t fetch_or(uint32_t *word, uint32_t bits) const {
    return atomicOr(word, bits);
  }
  __device__ __forceinline__ uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    return atomicAnd(word, bits);
  }
};

} // namespace colonnade::detail
