//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_alloc.cuh: slabs of 128 bytes, handed out to warps and threads of running kernels.
//
//   light_slab_pool   owns the slabs: one contiguous array, and a bit for each
//   slab_pool         owns slabs in several arrays, and grows: `reserve` adds to them while kernels
//                     on other streams take some
//   mapped_slab_pool  (mapped_slab_pool.cuh) grows as well, and is one array
//   slab_claims       in a kernel: a warp's, or a thread's, way to the slabs of either
//
//   work         taking: one atomic for up to 32 slabs of one word of the bitmap, if the warp's
//                resident block (1024 slabs) has free ones; else up to 4 + blocks / 4 loads of
//                128 to 512 bytes. Giving back: one atomic. The address of a slab of a
//                slab_pool: one load
//   traffic      a bitmap of 128 bytes for each block that is looked at
//   memory       128 bytes and a bit a slab, allocated when the pool is created or grows; a
//                slab_pool has 256 KB besides. It grows by super blocks of a sixteenth of its first
//                slabs, rounded down to a power of two from 2^10 to 2^18, of which there are at
//                most 2^14 - 1: so it can become about 500 times as large, and 2^24 - 2^10 slabs in
//                any case. One that is to become larger is created for it (`most`), and has larger
//                super blocks
//   progress     lock-free: an atomic that gets no slab has met one that did. A slab is refused
//                only after all bitmaps, read within the call, were full, and the pool had
//                not grown meanwhile
//   determinism  which slab is handed out depends on timing
//   aliasing     numbers are of this pool; a slab belongs to who took it until it is given back
//   synchronises never; creation queues one or two kernels on the stream, reserve two. What is
//                reserved is there when they have run; reserve is called by one host thread at a
//                time, on streams of which each waits for the one before
//   contents     free slabs are filled with 16 bytes, again and again, that the pool was created
//                with; who gives a slab back has filled it again
//   limits       2^32 - 1024 slabs: 512 GB; of a slab_pool 2^32 - 2^18, if it was created for so
//                many. limit() tells
//   returns      cudaErrorInvalidValue for more slabs than the limit, or a slab_pool that was not
//                created; cudaErrorMemoryAllocation, also where memory of the host ends;
//                cudaErrorStreamCaptureUnsupported for creation and reserve in a captured stream;
//                else what CUDA calls return. The pool is then as before
//
// Source: S. Ashkiani, thesis (2017), section 5.5 (SlabAlloc, SlabAlloc-light); see
// detail/slab_hash/claims.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/host_memory.hpp>
#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/slab_hash/fill.cuh>
#include <colonnade/detail/slab_hash/grow.cuh>
#include <colonnade/detail/slab_hash/light_pool.hpp>
#include <colonnade/single_phase.cuh>

#include <algorithm>
#include <vector>

namespace colonnade {

/// What free slabs are filled with: low in words 0, 2, ..., high in words 1, 3, ...
using slab_filling = detail::slab_filling;

/// What kernels take: trivially copyable, valid as long as the pool.
using light_slab_ref = detail::light_pool_view;

template <class Resource = async_resource> class light_slab_pool {
public:
  using ref_type = light_slab_ref;
  static constexpr uint32_t most_slabs = 0xffffffffu - 1023;

  /// All slabs are filled. The pool that was there is given back.
  [[nodiscard]] static cudaError_t create(light_slab_pool &pool, uint32_t num_slabs,
                                          cudaStream_t stream = nullptr, slab_filling filling = {},
                                          Resource resource = {}, uint32_t /*most*/ = 0) {
    if (num_slabs > most_slabs)
      return cudaErrorInvalidValue;
    const uint32_t blocks = static_cast<uint32_t>((uint64_t{num_slabs} + 1023) / 1024);
    detail::temp_storage layout;
    const size_t slabs_at = layout.add<detail::slab>(num_slabs),
                 bitmaps_at = layout.add<uint32_t>(uint64_t{blocks} * 32);
    light_slab_pool fresh;
    if (const cudaError_t error = fresh.memory_.allocate(layout.bytes(), stream, resource))
      return error;
    void *d_memory = fresh.memory_.get();
    fresh.view_ = {{detail::temp_storage::at<detail::slab>(d_memory, slabs_at),
                    detail::temp_storage::at<uint32_t>(d_memory, bitmaps_at)},
                   blocks};
    fresh.num_slabs_ = num_slabs;
    fresh.filling_ = filling;
    if (const cudaError_t error = fresh.clear(stream))
      return error;
    pool = std::move(fresh);
    return cudaSuccess;
  }

  /// All slabs are free, and filled. Nobody uses the pool meanwhile.
  [[nodiscard]] cudaError_t clear(cudaStream_t stream = nullptr) {
    return detail::fill_slabs(
        {view_.slabs, num_slabs_, filling_, view_.bitmaps, num_slabs_, view_.num_blocks * 32},
        stream);
  }

  light_slab_ref ref() const { return view_; }
  /// Taken or not.
  uint32_t num_slabs() const { return num_slabs_; }
  /// That it can ever have.
  uint32_t limit() const { return num_slabs_; }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  detail::owned_memory<Resource> memory_;
  light_slab_ref view_{};
  uint32_t num_slabs_ = 0;
  slab_filling filling_;
};

/// What kernels take: trivially copyable, valid as long as the pool, however it grows.
using slab_pool_ref = detail::growing_pool_view;

template <class Resource = async_resource> class slab_pool {
public:
  using ref_type = slab_pool_ref;
  static constexpr uint32_t most_slabs = detail::most_super_blocks << detail::most_log2_super_block;

  /// At least num_slabs slabs, filled; so are those that are reserved later. The pool that was
  /// there is given back. most: slabs that it must be able to grow to.
  [[nodiscard]] static cudaError_t create(slab_pool &pool, uint32_t num_slabs,
                                          cudaStream_t stream = nullptr, slab_filling filling = {},
                                          Resource resource = {}, uint32_t most = 0) {
    using namespace detail;
    if (num_slabs > most_slabs || most > most_slabs)
      return cudaErrorInvalidValue;
    slab_pool fresh;
    temp_storage layout;
    const size_t places_at = layout.add<uint64_t>(most_super_blocks * uint64_t{2}),
                 blocks_at = layout.add<uint32_t>(1);
    if (const cudaError_t error = fresh.table_.allocate(layout.bytes(), stream, resource))
      return error;
    uint32_t *num_blocks = temp_storage::at<uint32_t>(fresh.table_.get(), blocks_at);
    if (const cudaError_t error = cudaMemsetAsync(num_blocks, 0, sizeof *num_blocks, stream))
      return error;
    fresh.view_ = {temp_storage::at<uint64_t>(fresh.table_.get(), places_at), num_blocks,
                   log2_of_super_blocks(num_slabs, most)};
    fresh.filling_ = filling;
    fresh.stream_ = stream;
    fresh.resource_ = resource;
    if (const cudaError_t error = fresh.reserve(num_slabs, stream))
      return error;
    pool = std::move(fresh);
    return cudaSuccess;
  }

  /// At least num_slabs slabs in all, taken or not. Kernels may use the pool meanwhile.
  [[nodiscard]] cudaError_t reserve(uint32_t num_slabs, cudaStream_t stream = nullptr) {
    using namespace detail;
    if (!table_.get())
      return cudaErrorInvalidValue;
    const uint32_t wanted = super_blocks_for(num_slabs, view_.log2_slabs);
    if (wanted > most_super_blocks)
      return cudaErrorInvalidValue;
    if (wanted <= num_super_blocks_)
      return refuse_capture(stream);
    // Once kernels know the new slabs, nothing may fail that would give them back.
    if (!has_host_memory([&] { memory_.reserve(memory_.size() + 1); }))
      return cudaErrorMemoryAllocation;
    owned_memory<Resource> memory;
    const uint32_t count = wanted - num_super_blocks_;
    if (const cudaError_t error = add_super_blocks(view_, {num_super_blocks_, count}, filling_,
                                                   memory, stream, resource_))
      return error;
    memory.give_back_on(stream_); // the caller's stream may have ended by then
    memory_.push_back({std::move(memory), {view_.log2_slabs, count}});
    num_super_blocks_ = wanted;
    return cudaSuccess;
  }

  /// By `more` slabs, or by half if that is more, as far as the limit lets it.
  [[nodiscard]] cudaError_t grow(uint64_t more, cudaStream_t stream = nullptr) {
    const uint64_t wanted = num_slabs() + std::max<uint64_t>(more, num_slabs() / 2);
    if (table_.get() && num_slabs() == limit())
      return cudaErrorMemoryAllocation;
    return reserve(static_cast<uint32_t>(std::min<uint64_t>(wanted, limit())), stream);
  }

  /// All slabs are free, and filled. Nobody uses the pool meanwhile.
  [[nodiscard]] cudaError_t clear(cudaStream_t stream = nullptr) {
    for (const reserved_together &part : memory_)
      if (const cudaError_t error =
              detail::fill_slabs(part.blocks.fill(part.memory.get(), filling_), stream))
        return error;
    return cudaSuccess;
  }

  slab_pool_ref ref() const { return view_; }
  /// Taken or not.
  uint32_t num_slabs() const { return num_super_blocks_ << view_.log2_slabs; }
  /// That it can ever have.
  uint32_t limit() const { return detail::most_super_blocks << view_.log2_slabs; }
  /// Of device memory.
  size_t bytes() const {
    size_t sum = table_.bytes();
    for (const reserved_together &part : memory_)
      sum += part.memory.bytes();
    return sum;
  }

private:
  detail::owned_memory<Resource> table_;
  struct reserved_together {
    detail::owned_memory<Resource> memory;
    detail::super_block_memory blocks;
  };
  std::vector<reserved_together> memory_;
  slab_pool_ref view_{};
  uint32_t num_super_blocks_ = 0;
  slab_filling filling_;
  cudaStream_t stream_ = nullptr; // of creation
  Resource resource_{};
};

/// A slab's number, or this.
constexpr uint32_t no_slab = detail::no_slab;

/// One for each thread, made once in a kernel: it remembers the warp's resident block. Ref:
/// light_slab_ref, slab_pool_ref or mapped_slab_ref.
template <class Ref> class slab_claims {
public:
  __device__ explicit slab_claims(const Ref &pool) : pool_(pool), claims_(machine_, pool_) {}
  slab_claims(const slab_claims &) = delete;
  slab_claims &operator=(const slab_claims &) = delete;

  /// Called by all lanes of the warp: a slab for each that wants one, or no_slab.
  __device__ uint32_t warp_take(bool wants) { return claims_.take(wants); }
  /// Called by any thread: a slab, or no_slab.
  __device__ uint32_t take() { return claims_.take_alone(); }
  /// Called by any thread, for a slab that it may use no more.
  __device__ void give_back(uint32_t slab) { pool_.give_back(machine_, slab); }
  /// 16 words of 8 bytes.
  __device__ uint64_t *address(uint32_t slab) const { return pool_.address(machine_, slab); }

private:
  detail::device_slab_machine machine_;
  Ref pool_;
  detail::pool_claims<detail::device_slab_machine, Ref> claims_;
};
using light_slab_claims = slab_claims<light_slab_ref>;

} // namespace colonnade
