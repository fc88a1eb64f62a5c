//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// machine.cuh: the machine interface of log-structured merge trees, on the GPU.
//
// In: calls of kernel code. Out: the GPU's instructions. Invariant: as in device_machine.cuh.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>

namespace colonnade::detail {

struct lsm_device_machine : device_machine {
  /// Changes the bits of a global word under `mask` to those of `bits`, and no others.
  __device__ __forceinline__ void set_bits(uint32_t *word, uint32_t mask, uint32_t bits) const {
    if (mask & ~bits)
      atomicAnd(word, ~mask | bits);
    if (bits)
      atomicOr(word, bits);
  }
  /// What is not read again, or not soon: it leaves the second-level cache before anything else.
  template <class T> __device__ __forceinline__ T load_once(const T *from) const {
    return __ldcs(from);
  }
  template <class T> __device__ __forceinline__ void store_past(T *to, T value) const {
    __stcs(to, value);
  }
  /// Sets bits of a shared word; what it was before.
  __device__ __forceinline__ uint32_t or_shared(uint32_t *word, uint32_t bits) const {
    return atomicOr(word, bits);
  }
};

} // namespace colonnade::detail
