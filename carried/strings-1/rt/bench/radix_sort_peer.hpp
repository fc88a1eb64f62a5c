//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_peer.hpp: CUB's radix sorts by the type of num_items, for one file each:
// they take their time to compile.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "sort_bench.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace bench {
template <class Key, class Count>
cudaError_t keys(void *d_temp, size_t &temp_bytes, const sort_arrays &a) {
  return cub::DeviceRadixSort::SortKeys(d_temp, temp_bytes, static_cast<const Key *>(a.keys_in),
                                        static_cast<Key *>(a.keys_out),
                                        static_cast<Count>(a.num_items));
}

template <class Count>
cudaError_t cub_sort(void *d_temp, size_t &temp_bytes, const sort_arrays &a, sort_kind kind) {
  switch (kind) {
  case sort_kind::keys_32:
    return keys<uint32_t, Count>(d_temp, temp_bytes, a);
  case sort_kind::keys_64:
    return keys<uint64_t, Count>(d_temp, temp_bytes, a);
  case sort_kind::floats:
    return keys<float, Count>(d_temp, temp_bytes, a);
  case sort_kind::pairs_32:
    break;
  }
  return cub::DeviceRadixSort::SortPairs(
      d_temp, temp_bytes, static_cast<const uint32_t *>(a.keys_in),
      static_cast<uint32_t *>(a.keys_out), static_cast<const uint32_t *>(a.values_in), a.values_out,
      static_cast<Count>(a.num_items));
}

} // namespace bench
