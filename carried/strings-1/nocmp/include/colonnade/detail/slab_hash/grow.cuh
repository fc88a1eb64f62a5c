//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// grow.cuh: adds super blocks to a pool of slabs that others may be using.
//
// In: a pool, and which of its super blocks are new. Out: their memory; the work that fills and
// then publishes them is queued on the stream. Invariant: a super block is published after all of
// its slabs and its part of the bitmap are filled; if the memory cannot be had nothing is queued.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/slab_hash/fill.cuh>
#include <colonnade/detail/slab_hash/growing_pool.hpp>
#include <colonnade/detail/slab_hash/machine.cuh>

#include <utility>

namespace colonnade::detail {

/// A sixteenth of the first slabs; more, if `most` slabs could not be reached by so many.
inline uint32_t log2_of_super_blocks(uint32_t num_slabs, uint32_t most) {
  uint32_t log2 = 10;
  while (log2 < most_log2_super_block &&
         (num_slabs >> 4 >> log2 > 1 || uint64_t{most_super_blocks} << log2 < most))
    ++log2;
  return log2;
}
inline uint32_t super_blocks_for(uint32_t num_slabs, uint32_t log2_slabs) {
  const uint64_t each = uint64_t{1} << log2_slabs;
  return static_cast<uint32_t>((num_slabs + each - 1) >> log2_slabs);
}

struct publish_arguments {
  growing_pool_view pool;
  new_super_blocks added;
};

inline namespace COLONNADE_ABI {
template <class = void>
__global__ void __launch_bounds__(32)
    publish_super_blocks_kernel(const __grid_constant__ publish_arguments a) {
  publish_super_blocks(device_slab_machine{}, a.pool, a.added);
}
} // namespace COLONNADE_ABI

struct super_block_range {
  uint32_t first, count;
};

/// Super blocks that stand in one piece of memory: their slabs, then their bitmaps.
struct super_block_memory {
  uint32_t log2_slabs, count;

  uint64_t num_slabs() const { return uint64_t{count} << log2_slabs; }
  size_t bytes() const { return layout().first; }
  fill_slabs_arguments fill(void *d_memory, slab_filling filling) const {
    return {temp_storage::at<slab>(d_memory, 0),
            num_slabs(),
            filling,
            temp_storage::at<uint32_t>(d_memory, layout().second),
            num_slabs(),
            static_cast<uint32_t>(num_slabs() / 32)};
  }

private:
  /// Bytes, and the place of the bitmaps.
  std::pair<size_t, size_t> layout() const {
    temp_storage all;
    all.add<slab>(num_slabs());
    const size_t bitmaps_at = all.add<uint32_t>(num_slabs() / 32);
    return {all.bytes(), bitmaps_at};
  }
};

template <class Resource>
cudaError_t add_super_blocks(const growing_pool_view &pool, super_block_range range,
                             slab_filling filling, owned_memory<Resource> &memory,
                             cudaStream_t stream, const Resource &resource) {
  const super_block_memory blocks{pool.log2_slabs, range.count};
  if (const cudaError_t error = memory.allocate(blocks.bytes(), stream, resource))
    return error;
  const fill_slabs_arguments fill = blocks.fill(memory.get(), filling);
  if (const cudaError_t error = fill_slabs(fill, stream))
    return error;
  return launch(publish_super_blocks_kernel<>, {1, 32, 0, stream, false},
                publish_arguments{pool, {fill.slabs, fill.bitmaps, range.first, range.count}});
}

} // namespace colonnade::detail
