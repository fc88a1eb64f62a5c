//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// owned_memory.cuh: device memory of a container: from a stream-ordered memory resource
// (single_phase.cuh), given back when the container ends.
//
// In: a resource, a number of bytes and a stream. Out: the memory. Invariant: move-only; the memory
// is given back once, on the stream that it was allocated on, or on another that was named since;
// this must still exist then.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

namespace colonnade::detail {

/// Whether work on the stream is recorded instead of done; an error if that cannot be known.
inline cudaError_t refuse_capture(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  if (const cudaError_t error = cudaStreamIsCapturing(stream, &status))
    return error;
  return status == cudaStreamCaptureStatusNone ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

template <class Resource> class owned_memory {
public:
  owned_memory() = default;
  owned_memory(owned_memory &&other) noexcept { swap(other); }
  owned_memory &operator=(owned_memory &&other) noexcept {
    owned_memory(std::move(other)).swap(*this);
    return *this;
  }
  ~owned_memory() {
    if (d_memory_)
      resource_.deallocate(d_memory_, bytes_, stream_);
  }

  /// Replaces what is owned; without the new memory that stays.
  cudaError_t allocate(size_t bytes, cudaStream_t stream, const Resource &resource) {
    if (const cudaError_t error = refuse_capture(stream))
      return error;
    owned_memory fresh;
    fresh.resource_ = resource;
    fresh.stream_ = stream;
    fresh.bytes_ = bytes;
    fresh.d_memory_ = fresh.resource_.allocate(bytes, stream);
    if (!fresh.d_memory_)
      return cudaErrorMemoryAllocation;
    swap(fresh);
    return cudaSuccess;
  }
  void give_back_on(cudaStream_t stream) { stream_ = stream; }
  void *get() const { return d_memory_; }
  size_t bytes() const { return bytes_; }

private:
  void swap(owned_memory &other) {
    std::swap(d_memory_, other.d_memory_);
    std::swap(bytes_, other.bytes_);
    std::swap(stream_, other.stream_);
    std::swap(resource_, other.resource_);
  }
  void *d_memory_ = nullptr;
  size_t bytes_ = 0;
  cudaStream_t stream_ = nullptr;
  Resource resource_{};
};

} // namespace colonnade::detail
