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
cudaError_t sort(void *d_temp, size_t &temp_bytes, const arrays &a, int first, int last) {
  const Count count = static_cast<Count>(a.num_items);
  if (a.values_in)
    return cub::DeviceRadixSort::SortPairs(d_temp, temp_bytes, a.keys_in, a.keys_out, a.values_in,
                                           a.values_out, count, first, last);
  return cub::DeviceRadixSort::SortKeys(d_temp, temp_bytes, a.keys_in, a.keys_out, count, first,
                                        last);
}

} // namespace

cudaError_t radix_sort(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits,
                       bool wide) {
  return radix_sort_bits(d_temp, temp_bytes, a, 32 - bits, 32, wide);
}

cudaError_t radix_sort_bits(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t begin,
                            uint32_t end, bool wide) {
  const int first = static_cast<int>(begin), last = static_cast<int>(end);
  return wide ? sort<uint64_t>(d_temp, temp_bytes, a, first, last)
              : sort<uint32_t>(d_temp, temp_bytes, a, first, last);
}

} // namespace bench
