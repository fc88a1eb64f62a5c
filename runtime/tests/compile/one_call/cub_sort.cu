//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One call of CUB's radix sort of pairs, to compare with; see check_one_call.py.
//
//===----------------------------------------------------------------------===//

#include <cub/device/device_radix_sort.cuh>

#include <cstdint>

cudaError_t call(void *d_temp, size_t &temp_bytes, const uint32_t *keys_in, uint32_t *keys_out,
                 const uint32_t *values_in, uint32_t *values_out, uint64_t n) {
  return cub::DeviceRadixSort::SortPairs(d_temp, temp_bytes, keys_in, keys_out, values_in,
                                         values_out, n);
}
