//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fill.cuh: the first contents of slabs and bitmaps.
//
// In: slabs, what their words get, and the bitmaps of those that a pool hands out. Out:
// free slabs that are all open; bits behind the last slab are set, so that it is never handed out.
// Invariant: one launch, whatever their number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/slab_hash/light_pool.hpp>

#include <algorithm>

namespace colonnade::detail {

struct fill_slabs_arguments {
  slab *slabs;
  uint64_t num_slabs;
  slab_filling filling;
  uint32_t *bitmaps;   // null: none of them
  uint64_t num_pooled; // the last ones of the slabs, which the bitmaps are of
  uint32_t num_words;
};

inline namespace COLONNADE_ABI {
template <class = void>
__global__ void __launch_bounds__(256)
    fill_slabs_kernel(const __grid_constant__ fill_slabs_arguments a) {
  const uint64_t first = uint64_t{blockIdx.x} * 256 + threadIdx.x;
  const uint64_t stride = uint64_t{gridDim.x} * 256;
  ulonglong2 *words = reinterpret_cast<ulonglong2 *>(a.slabs);
  for (uint64_t i = first; i < a.num_slabs * slab_words / 2; i += stride)
    words[i] = make_ulonglong2(a.filling.low, a.filling.high);
  for (uint64_t i = first; i < a.num_words; i += stride) {
    const uint64_t left = a.num_pooled > i * 32 ? a.num_pooled - i * 32 : 0;
    a.bitmaps[i] = left >= 32 ? 0 : ~0u << left;
  }
}
} // namespace COLONNADE_ABI

inline cudaError_t fill_slabs(const fill_slabs_arguments &a, cudaStream_t stream) {
  const uint64_t enough = std::max<uint64_t>(a.num_slabs * slab_words / 2, a.num_words) / 256 + 1;
  return launch(
      fill_slabs_kernel<>,
      {static_cast<uint32_t>(std::min<uint64_t>(enough, 1u << 16)), 256, 0, stream, false}, a);
}

} // namespace colonnade::detail
