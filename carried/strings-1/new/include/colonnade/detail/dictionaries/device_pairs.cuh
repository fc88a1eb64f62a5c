//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_pairs.cuh: all pairs of a dictionary in arrays of device memory, on their way to or from
// the host.
//
// In: how many, a stream and a resource. Out: arrays, a count and a status beside them; copies.
// Invariant: a set (whose values have no bits) has no array of values.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/host_memory.hpp>
#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/device/read_back.cuh>
#include <colonnade/device_status.hpp>

#include <type_traits>
#include <vector>

namespace colonnade::detail {

/// Of a value in a file or an array; 0: there is none.
template <class Value> constexpr size_t bytes_of_value = std::is_empty_v<Value> ? 0 : sizeof(Value);

template <class Key, class Value, class Resource> struct device_pairs {
  uint64_t n = 0;
  Key *keys = nullptr;
  Value *values = nullptr;
  uint64_t *count = nullptr;
  device_status *status = nullptr;
  owned_memory<Resource> memory;

  cudaError_t allocate(uint64_t num_pairs, cudaStream_t stream, const Resource &resource) {
    temp_storage layout;
    n = num_pairs;
    const size_t keys_at = layout.add<Key>(n),
                 values_at = layout.add<Value>(bytes_of_value<Value> ? n : 0),
                 count_at = layout.add<uint64_t>(1), status_at = layout.add<device_status>(1);
    if (const cudaError_t error = memory.allocate(layout.bytes(), stream, resource))
      return error;
    keys = temp_storage::at<Key>(memory.get(), keys_at);
    values = temp_storage::at<Value>(memory.get(), values_at);
    count = temp_storage::at<uint64_t>(memory.get(), count_at);
    status = temp_storage::at<device_status>(memory.get(), status_at);
    return cudaSuccess;
  }
  /// As many as stand there now: *count, once the work of the stream is done, which this waits for.
  cudaError_t to_host(std::vector<Key> &host_keys, std::vector<Value> &host_values,
                      cudaStream_t stream) const {
    uint64_t there = 0;
    if (const cudaError_t error = read_back(&there, count, 1, stream))
      return error;
    if (!has_host_memory([&] {
          host_keys.resize(there);
          host_values.resize(bytes_of_value<Value> ? there : 0);
        }))
      return cudaErrorMemoryAllocation;
    if (const cudaError_t error = move(host_keys.data(), keys, there * sizeof(Key), stream))
      return error;
    if (const cudaError_t error =
            move(host_values.data(), values, there * bytes_of_value<Value>, stream))
      return error;
    return cudaStreamSynchronize(stream);
  }
  /// All n. Done when it returns.
  cudaError_t from_host(const Key *host_keys, const Value *host_values, cudaStream_t stream) const {
    if (const cudaError_t error = move(keys, host_keys, n * sizeof(Key), stream))
      return error;
    if (const cudaError_t error = move(values, host_values, n * bytes_of_value<Value>, stream))
      return error;
    return cudaStreamSynchronize(stream);
  }

private:
  static cudaError_t move(void *to, const void *from, size_t bytes, cudaStream_t stream) {
    return bytes == 0 ? cudaSuccess : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
  }
};

} // namespace colonnade::detail
