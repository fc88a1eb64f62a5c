//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lowest_level.hpp: a batch that fills the lowest level alone is sorted to where it stays.
//
// In: the state of a tree before a change of batch_size elements. Out: whether the lowest level and
// the buffer are empty, so that the change fills that level with its batch and does nothing else;
// and an array that is the level's then, and another one else. Invariant: the sort and the plan say
// the same, since the state stays as it is between them. What is sorted to an empty level is in the
// tree only when the state says so: a change that is refused leaves nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/levels.hpp>

namespace colonnade::detail {

COLONNADE_KERNEL_CODE bool fills_lowest_level(uint64_t batches, uint64_t buffered) {
  return ((batches & 1) | buffered) == 0;
}

/// An output of which the device decides where it is. The state, at a multiple of 16 bytes, was
/// written at least two kernels before: it is read as what does not change.
template <class T> struct lsm_lowest_or {
  const lsm_state *state;
  T *level, *otherwise;

  COLONNADE_KERNEL_CODE T *array() const {
#if defined(__CUDA_ARCH__)
    static_assert(offsetof(lsm_state, batches) == 0 && offsetof(lsm_state, buffered) == 8);
    const ulonglong2 now = __ldg(reinterpret_cast<const ulonglong2 *>(state));
    const bool fills = fills_lowest_level(now.x, now.y);
#else
    const bool fills = fills_lowest_level(state->batches, state->buffered);
#endif
    return fills ? level : otherwise;
  }
  COLONNADE_KERNEL_CODE T &operator[](uint64_t i) const { return array()[i]; }
};

} // namespace colonnade::detail
