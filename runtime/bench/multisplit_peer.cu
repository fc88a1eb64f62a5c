//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_peer.cu: CUB's radix sorts, compiled once.
//
//===----------------------------------------------------------------------===//

#include "multisplit_bench.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace bench {
namespace {

template <class Count>
cudaError_t sort(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  const Count count = static_cast<Count>(a.num_items);
  const int first = 32 - static_cast<int>(bits);
  if (a.values_in)
    return cub::DeviceRadixSort::SortPairs(d_temp, temp_bytes, a.keys_in, a.keys_out, a.values_in,
                                           a.values_out, count, first, 32);
  return cub::DeviceRadixSort::SortKeys(d_temp, temp_bytes, a.keys_in, a.keys_out, count, first,
                                        32);
}

} // namespace

cudaError_t radix_sort(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits,
                       bool wide) {
  return wide ? sort<uint64_t>(d_temp, temp_bytes, a, bits)
              : sort<uint32_t>(d_temp, temp_bytes, a, bits);
}

} // namespace bench
