//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// single_phase.cuh: calls a two-phase function once, with a stream-ordered memory resource
// instead of temporary storage.
//
//   single_phase(resource, stream, [&](void *d_temp, size_t &bytes) {
//     return multisplit_keys(d_temp, bytes, ...);
//   });
//
// In: a resource, and the call as a function of the storage. Out: what the call returns, or
// cudaErrorMemoryAllocation. A resource has `void *allocate(size_t bytes, cudaStream_t)`, null on
// failure, and `void deallocate(void *, size_t bytes, cudaStream_t)`, both ordered in the stream.
// Invariant: the storage is deallocated in the stream whatever the call returns.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace colonnade {

/// The stream-ordered allocator of the CUDA runtime.
struct async_resource {
  void *allocate(size_t bytes, cudaStream_t stream) const {
    void *d_memory = nullptr;
    return cudaMallocAsync(&d_memory, bytes, stream) == cudaSuccess ? d_memory : nullptr;
  }
  void deallocate(void *d_memory, size_t, cudaStream_t stream) const {
    (void)cudaFreeAsync(d_memory, stream);
  }
};

/// stream: that of the call.
template <class Resource, class TwoPhase>
[[nodiscard]] cudaError_t single_phase(Resource &&resource, cudaStream_t stream,
                                       TwoPhase two_phase) {
  size_t bytes = 0;
  if (const cudaError_t error = two_phase(static_cast<void *>(nullptr), bytes))
    return error;
  void *d_temp_storage = resource.allocate(bytes, stream);
  if (!d_temp_storage)
    return cudaErrorMemoryAllocation;
  const cudaError_t error = two_phase(d_temp_storage, bytes);
  resource.deallocate(d_temp_storage, bytes, stream);
  return error;
}

} // namespace colonnade
