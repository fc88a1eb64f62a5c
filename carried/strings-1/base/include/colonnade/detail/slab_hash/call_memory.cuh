//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// call_memory.cuh: what a synchronous call on a slab hash has in device memory: two statuses, and
// the list of operations that were not done.
//
// In: a stream and a resource. Out: the statuses, set before and read after the work of a launch.
// Invariant: the list that a launch reads and the one that it writes are different; `read` returns
// when all work of the stream so far is done.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/device/read_back.cuh>
#include <colonnade/detail/slab_hash/bulk.hpp>

namespace colonnade::detail {

template <class Resource> class slab_call_memory {
public:
  /// listed: room for so many operations in the list; 0: no list.
  cudaError_t create(uint64_t listed, cudaStream_t stream, const Resource &resource) {
    stream_ = stream;
    resource_ = resource;
    temp_storage layout;
    const size_t words_at = layout.add<device_status>(2);
    if (const cudaError_t error = statuses_.allocate(layout.bytes(), stream, resource))
      return error;
    reports_.status = temp_storage::at<device_status>(statuses_.get(), words_at);
    reports_.full = reports_.status + 1;
    if (const cudaError_t error = new_list(listed))
      return error;
    return cudaMemsetAsync(reports_.status, 0xff, 2 * sizeof(device_status), stream);
  }

  const slab_reports &reports() const { return reports_; }

  cudaError_t read(device_status &status, device_status &full) const {
    device_status both[2];
    if (const cudaError_t error = read_back(both, reports_.status, 2, stream_))
      return error;
    status = both[0];
    full = both[1];
    return cudaSuccess;
  }

  /// The list of the last launch, to where the caller wants it; done when it returns.
  cudaError_t copy_list(uint64_t *to, uint64_t count) const {
    if (const cudaError_t error = cudaMemcpyAsync(to, reports_.undone, count * sizeof(uint64_t),
                                                  cudaMemcpyDeviceToDevice, stream_))
      return error;
    return cudaStreamSynchronize(stream_);
  }

  /// Of the `undone` operations, which are now to be done; the list is a new one.
  cudaError_t go_on(uint64_t undone, listed_items &items) {
    items.indices = reports_.undone;
    former_list_ = std::move(list_);
    if (const cudaError_t error = new_list(undone))
      return error;
    return cudaMemsetAsync(reports_.full, 0xff, sizeof(device_status), stream_);
  }

private:
  cudaError_t new_list(uint64_t listed) {
    if (!listed)
      return cudaSuccess;
    temp_storage layout;
    const size_t list_at = layout.add<uint64_t>(listed);
    if (const cudaError_t error = list_.allocate(layout.bytes(), stream_, resource_))
      return error;
    reports_.undone = temp_storage::at<uint64_t>(list_.get(), list_at);
    return cudaSuccess;
  }

  cudaStream_t stream_ = nullptr;
  Resource resource_{};
  owned_memory<Resource> statuses_, list_, former_list_;
  slab_reports reports_{};
};

} // namespace colonnade::detail
