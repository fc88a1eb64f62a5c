//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_alloc.cuh: slabs of 128 bytes, handed out to warps and threads of running kernels.
//
//   light_slab_pool     owns the slabs: one contiguous array, and a bit for each
//   light_slab_claims   in a kernel: a warp's, or a thread's, way to them
//
//   work         taking: one atomic for up to 32 slabs of one word of the bitmap, if the warp's
//                resident block (1024 slabs) has free ones; else up to 4 + blocks / 4 loads of
//                128 to 512 bytes. Giving back: one atomic
//   traffic      a bitmap of 128 bytes for each block that is looked at
//   memory       128 bytes and a bit a slab, allocated when the pool is created
//   progress     lock-free: an atomic that gets no slab has met one that did. A slab is refused
//                only after all bitmaps, read within the call, were full
//   determinism  which slab is handed out depends on timing
//   aliasing     numbers are of this pool; a slab belongs to who took it until it is given back
//   synchronises never; creation queues one kernel on the stream
//   contents     free slabs are filled with the word that the pool was created with; who gives a
//                slab back has filled it again
//   limits       2^32 - 1024 slabs: 512 GB
//   returns      cudaErrorInvalidValue for too many slabs; cudaErrorMemoryAllocation;
//                cudaErrorStreamCaptureUnsupported for creation in a captured stream; else what
//                CUDA calls return
//
// Source: S. Ashkiani, thesis (2017), section 5.5 (SlabAlloc-light); see
// detail/slab_hash/light_pool.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/slab_hash/fill.cuh>
#include <colonnade/detail/slab_hash/machine.cuh>
#include <colonnade/single_phase.cuh>

namespace colonnade {

/// What kernels take: trivially copyable, valid as long as the pool.
using light_slab_ref = detail::light_pool_view;

template <class Resource = async_resource> class light_slab_pool {
public:
  static constexpr uint32_t most_slabs = 0xffffffffu - 1023;

  /// All words of all slabs get `word`. The pool that was there is given back.
  [[nodiscard]] static cudaError_t create(light_slab_pool &pool, uint32_t num_slabs,
                                          cudaStream_t stream = nullptr,
                                          uint64_t word = ~uint64_t{0}, Resource resource = {}) {
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
    fresh.view_ = {detail::temp_storage::at<detail::slab>(d_memory, slabs_at),
                   detail::temp_storage::at<uint32_t>(d_memory, bitmaps_at), blocks};
    if (const cudaError_t error = detail::fill_slabs(
            {fresh.view_.slabs, num_slabs, word, fresh.view_.bitmaps, num_slabs, blocks * 32},
            stream))
      return error;
    pool = std::move(fresh);
    return cudaSuccess;
  }

  light_slab_ref ref() const { return view_; }
  /// Of device memory.
  size_t bytes() const { return memory_.bytes(); }

private:
  detail::owned_memory<Resource> memory_;
  light_slab_ref view_{};
};

/// A slab's number, or this.
constexpr uint32_t no_slab = detail::no_slab;

/// One for each thread, made once in a kernel: it remembers the warp's resident block.
class light_slab_claims {
public:
  __device__ explicit light_slab_claims(const light_slab_ref &pool)
      : pool_(pool), claims_(machine_, pool_) {}
  light_slab_claims(const light_slab_claims &) = delete;
  light_slab_claims &operator=(const light_slab_claims &) = delete;

  /// Called by all lanes of the warp: a slab for each that wants one, or no_slab.
  __device__ uint32_t warp_take(bool wants) { return claims_.take(wants); }
  /// Called by any thread: a slab, or no_slab.
  __device__ uint32_t take() { return claims_.take_alone(); }
  /// Called by any thread, for a slab that it may use no more.
  __device__ void give_back(uint32_t slab) { pool_.give_back(machine_, slab); }
  /// 16 words of 8 bytes.
  __device__ uint64_t *address(uint32_t slab) const { return pool_.address(slab); }

private:
  detail::device_slab_machine machine_;
  light_slab_ref pool_;
  detail::light_pool_claims<detail::device_slab_machine> claims_;
};

} // namespace colonnade
