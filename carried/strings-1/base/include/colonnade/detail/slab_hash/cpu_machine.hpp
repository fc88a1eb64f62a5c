//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cpu_machine.hpp: what slabs need of a thread of the CPU: device_slab_machine for threads alone.
//
// In: calls of the thread form of operations (tiles of one lane). Out: atomic accesses of memory
// that all threads share. Invariant: as in machine.cuh: a word is read or written by one access of
// its full width, relaxed (of 128 bits on x86-64 alone: there it is one instruction, which
// compilers leave to a library that may lock); compiled by host compilers alone, since kernel code
// is device code under nvcc.
//
//===----------------------------------------------------------------------===//
#pragma once

#ifdef __CUDACC__
#error "slab hash: the host implementation is for host compilers; under nvcc use slab_hash.cuh"
#endif

#include <colonnade/detail/slab_hash/slab.hpp>

#include <atomic>

namespace colonnade::detail {

struct cpu_slab_machine {
  /// Which thread this is, so that threads begin to look for slabs at different places.
  uint32_t thread_number = 0;

  uint32_t lane() const { return thread_number % 32; }
  uint32_t warp() const { return 0; }
  uint32_t block() const { return thread_number / 32; }
  uint32_t num_threads() const { return 32; }
  // There is nobody else.
  uint32_t ballot(bool says) const { return says; }
  uint32_t match(uint32_t) const { return 1; }
  template <class T> T shuffle(T value, uint32_t) const { return value; }

  static uint32_t count_ones(uint32_t x) { return static_cast<uint32_t>(__builtin_popcount(x)); }
  static uint32_t first_one(uint32_t x) { return x ? static_cast<uint32_t>(__builtin_ctz(x)) : 32; }

  template <uint32_t Count> void load_words(const uint64_t *from, uint64_t (&to)[Count]) const {
    for (uint32_t i = 0; i < Count; ++i)
      to[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
  }
#ifdef __x86_64__
  template <uint32_t Count> void load_words(const wide_word *from, wide_word (&to)[Count]) const {
    for (uint32_t i = 0; i < Count; ++i)
      to[i] = load_wide(from + i);
  }
  wide_word compare_exchange(wide_word *word, wide_word expected, wide_word desired) const {
    uint64_t low = low_half(expected), high = high_half(expected);
    asm volatile("lock cmpxchg16b %0"
                 : "+m"(*word), "+a"(low), "+d"(high)
                 : "b"(low_half(desired)), "c"(high_half(desired))
                 : "cc", "memory");
    return both_halves(low, high);
  }
  wide_word exchange(wide_word *word, wide_word value) const {
    wide_word known = load_wide(word);
    for (;;) {
      const wide_word before = compare_exchange(word, known, value);
      if (before == known)
        return before;
      known = before;
    }
  }
#endif
  uint64_t load_place(const uint64_t *word) const {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
  }
  void store_place(uint64_t *word, uint64_t value) const {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
  }
  uint32_t load_word(const uint32_t *word) const { return __atomic_load_n(word, __ATOMIC_RELAXED); }
  void store_word(uint32_t *word, uint32_t value) const {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
  }
  uint64_t compare_exchange(uint64_t *word, uint64_t expected, uint64_t desired) const {
    __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return expected;
  }
  uint64_t exchange(uint64_t *word, uint64_t value) const {
    return __atomic_exchange_n(word, value, __ATOMIC_RELAXED);
  }
  /// Of words that nobody else uses.
  void store(uint64_t *word, uint64_t value) const { store_place(word, value); }
  void store(wide_word *word, wide_word value) const { *word = value; }
  void back_off(uint32_t) const {}
  uint32_t fetch_or(uint32_t *word, uint32_t bits) const {
    return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
  }
  uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    return __atomic_fetch_and(word, bits, __ATOMIC_RELAXED);
  }
  void device_fence() const { std::atomic_thread_fence(std::memory_order_seq_cst); }

private:
#ifdef __x86_64__
  /// Aligned loads of 16 bytes are atomic on all processors that have AVX; elsewhere an exchange of
  /// the word with itself is.
  wide_word load_wide(const wide_word *word) const {
    static const bool has_avx = __builtin_cpu_supports("avx");
    if (!has_avx)
      return compare_exchange(const_cast<wide_word *>(word), 0, 0);
    typedef uint64_t halves __attribute__((vector_size(16)));
    halves both;
    asm volatile("vmovdqa %1, %0" : "=x"(both) : "m"(*word));
    return both_halves(both[0], both[1]);
  }
#endif
};

} // namespace colonnade::detail
