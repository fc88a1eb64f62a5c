//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// query_order.cuh: in which order an array of queries is answered.
//
// In: keys. Out: their places, so that keys near each other follow each other; or none, and they
// are answered as they stand. Invariant: two-phase as all calls; nothing is read back.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/radix_sort.cuh>

namespace colonnade::detail {

/// d_order stays null if queries are answered as they stand. They are sorted so that neighbours
/// find the same nodes in the cache. For that keys of 32 bits need not be told apart by more bits,
/// rounded up to whole passes, than part n queries into 2^16: a pass more costs what the search
/// gains.
template <class Key> struct lsm_query_order {
  temp_storage all;
  size_t order_at = 0, sort_at = 0, sort_bytes = 0;
  uint32_t *d_order = nullptr;

  static radix_order by(uint64_t n) {
    radix_order order;
    if constexpr (sizeof(Key) == 4) {
      uint32_t bits = 8;
      while (bits < 32 && n >> bits > 1u << 16)
        bits += 8;
      order.begin_bit = 32 - bits;
    }
    return order;
  }
  cudaError_t measure(const Key *keys, uint64_t n) {
    if (n >> 32)
      return cudaSuccess;
    order_at = all.add<uint32_t>(n);
    if (const cudaError_t error =
            argsort(nullptr, sort_bytes, keys, static_cast<uint32_t *>(nullptr), n, by(n)))
      return error;
    sort_at = all.add<char>(sort_bytes);
    return cudaSuccess;
  }
  cudaError_t sort(void *d_temp, const Key *keys, uint64_t n, cudaStream_t stream) {
    if (!sort_bytes || n == 0)
      return cudaSuccess;
    d_order = temp_storage::at<uint32_t>(d_temp, order_at);
    return argsort(temp_storage::at<char>(d_temp, sort_at), sort_bytes, keys, d_order, n, by(n),
                   {stream, nullptr});
  }
};

} // namespace colonnade::detail
