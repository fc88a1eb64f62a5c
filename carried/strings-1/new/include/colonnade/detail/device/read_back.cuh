//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// read_back.cuh: a few items of device memory, such as a status, to the host.
//
// In: an array in device memory and a stream. Out: the items as the work queued so far leaves them.
// Invariant: the call waits for the stream; where it returns an error, the items mean nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace colonnade::detail {

template <class Item>
[[nodiscard]] cudaError_t read_back(Item *items, const Item *d_items, size_t count,
                                    cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Item>);
  if (const cudaError_t error =
          cudaMemcpyAsync(items, d_items, count * sizeof(Item), cudaMemcpyDeviceToHost, stream))
    return error;
  return cudaStreamSynchronize(stream);
}

} // namespace colonnade::detail
