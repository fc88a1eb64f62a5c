//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mapped_slab_pool.cuh: slabs of 128 bytes in one array that grows while kernels use it.
//
// As slab_pool in slab_alloc.cuh, but the address of a slab costs no load: addresses are reserved
// once, and memory is mapped behind them (CUDA virtual memory management).
//
// In: how many slabs. Out: a pool of them, of which kernels take slabs and to which they give them
// back. Invariant: the address of a slab never changes while the pool lives.
//
//   memory       from the driver, at least 2 MB at a time, for as many slabs as the device has
//                memory for; and a bit a slab. No resource is asked
//   synchronises reserve and creation do not wait for the device, but for the driver to map memory;
//                when the pool ends it waits for the device, as cudaFree does
//   returns      cudaErrorInvalidValue for too many slabs, or a pool that was not created;
//                cudaErrorMemoryAllocation; cudaErrorStreamCaptureUnsupported for creation and
//                reserve in a captured stream; else what CUDA calls return. The pool is then as
//                before
//
// All else is as slab_alloc.cuh says. As the pool of a dictionary:
// slab_map<Key, Value, Hash, Equal, async_resource, mapped_slab_pool>.
//
// Source: S. Ashkiani, thesis (2017), section 5.5 (SlabAlloc-light), which does not grow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/mapped_pool.hpp>
#include <colonnade/detail/slab_hash/mapped_range.cuh>
#include <colonnade/slab_alloc.cuh>

namespace colonnade {

namespace detail {

struct publish_blocks_arguments {
  mapped_pool_view pool;
  uint32_t num_blocks;
};

inline namespace COLONNADE_ABI {
template <class = void>
__global__ void publish_blocks_kernel(const __grid_constant__ publish_blocks_arguments a) {
  publish_blocks(device_slab_machine{}, a.pool, a.num_blocks);
}
} // namespace COLONNADE_ABI

} // namespace detail

using mapped_slab_ref = detail::mapped_pool_view;

/// No resource: it is there so that the three pools have the same arguments.
template <class Resource = async_resource> class mapped_slab_pool {
public:
  using ref_type = mapped_slab_ref;
  static constexpr uint32_t most_slabs = light_slab_pool<Resource>::most_slabs;

  /// At least num_slabs slabs, filled; so are those that are reserved later. The pool that was
  /// there is given back.
  [[nodiscard]] static cudaError_t create(mapped_slab_pool &pool, uint32_t num_slabs,
                                          cudaStream_t stream = nullptr, slab_filling filling = {},
                                          Resource = {}, uint32_t /*most*/ = 0) {
    if (num_slabs > most_slabs)
      return cudaErrorInvalidValue;
    if (const cudaError_t error = detail::refuse_capture(stream))
      return error;
    size_t free_bytes = 0, all_bytes = 0;
    if (const cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes))
      return error;
    const uint64_t most = std::min<uint64_t>(all_bytes / sizeof(detail::slab), most_slabs);
    mapped_slab_pool fresh;
    if (const cudaError_t error = fresh.slabs_.reserve(most * sizeof(detail::slab)))
      return error;
    if (const cudaError_t error = fresh.bitmaps_.reserve(bitmaps_at + most / 8 + 4096))
      return error;
    if (const cudaError_t error = fresh.bitmaps_.map(bitmaps_at))
      return error;
    char *words = static_cast<char *>(fresh.bitmaps_.get());
    fresh.view_ = {{static_cast<detail::slab *>(fresh.slabs_.get()),
                    reinterpret_cast<uint32_t *>(words + bitmaps_at)},
                   reinterpret_cast<uint32_t *>(words)};
    fresh.filling_ = filling;
    if (const cudaError_t error = cudaMemsetAsync(words, 0, sizeof(uint32_t), stream))
      return error;
    if (const cudaError_t error = fresh.reserve(num_slabs, stream))
      return error;
    pool = std::move(fresh);
    return cudaSuccess;
  }

  /// At least num_slabs slabs in all, taken or not. Kernels may use the pool meanwhile.
  [[nodiscard]] cudaError_t reserve(uint32_t num_slabs, cudaStream_t stream = nullptr) {
    using namespace detail;
    if (!bitmaps_.get() || num_slabs > most_slabs)
      return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_capture(stream))
      return error;
    if (num_slabs <= num_slabs_)
      return cudaSuccess;
    if (const cudaError_t error = slabs_.map(uint64_t{num_slabs} * sizeof(slab)))
      return error;
    // What was mapped beyond is used, in whole blocks.
    const uint32_t now =
        static_cast<uint32_t>(std::min<uint64_t>(slabs_.bytes() / sizeof(slab), most_slabs) /
                              slabs_per_block * slabs_per_block);
    if (const cudaError_t error = bitmaps_.map(bitmaps_at + now / 8))
      return error;
    if (const cudaError_t error = fill(num_slabs_, now, stream))
      return error;
    if (const cudaError_t error = launch(publish_blocks_kernel<>, {1, 1, 0, stream, false},
                                         publish_blocks_arguments{view_, now / slabs_per_block}))
      return error;
    num_slabs_ = now;
    return cudaSuccess;
  }

  /// By `more` slabs, or by half if that is more, as far as the limit lets it.
  [[nodiscard]] cudaError_t grow(uint64_t more, cudaStream_t stream = nullptr) {
    const uint64_t wanted = num_slabs_ + std::max<uint64_t>(more, num_slabs_ / 2);
    if (bitmaps_.get() && wanted > limit() && num_slabs_ + uint64_t{slabs_per_block} > limit())
      return cudaErrorMemoryAllocation;
    return reserve(static_cast<uint32_t>(std::min<uint64_t>(wanted, limit())), stream);
  }

  /// All slabs are free, and filled. Nobody uses the pool meanwhile.
  [[nodiscard]] cudaError_t clear(cudaStream_t stream = nullptr) {
    return fill(0, num_slabs_, stream);
  }

  mapped_slab_ref ref() const { return view_; }
  /// Taken or not.
  uint32_t num_slabs() const { return num_slabs_; }
  /// That it can ever have.
  uint32_t limit() const {
    return static_cast<uint32_t>(
        std::min<uint64_t>(slabs_.most_bytes() / sizeof(detail::slab), most_slabs));
  }
  /// Of device memory.
  size_t bytes() const { return slabs_.bytes() + bitmaps_.bytes(); }

private:
  static constexpr uint32_t slabs_per_block = detail::slabs_per_block;
  static constexpr size_t bitmaps_at = 256; // behind the number of blocks

  /// Slabs first to end - 1, of whole blocks.
  cudaError_t fill(uint32_t first, uint32_t end, cudaStream_t stream) {
    return detail::fill_slabs({view_.slabs + first, end - first, filling_,
                               view_.bitmaps + first / 32, end - first, (end - first) / 32},
                              stream);
  }

  detail::mapped_range slabs_, bitmaps_;
  mapped_slab_ref view_{};
  uint32_t num_slabs_ = 0;
  slab_filling filling_;
};

} // namespace colonnade
