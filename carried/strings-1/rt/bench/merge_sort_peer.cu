//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_peer.cu: CUB's merge sorts, with 32-bit num_items.
//
//===----------------------------------------------------------------------===//

#include "merge_sort_bench.hpp"

#include <cub/device/device_merge_sort.cuh>

namespace bench {

namespace {
struct less {
  template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};

template <class Key, class Compare>
cudaError_t keys(void *d_temp, size_t &temp_bytes, const merge_arrays &a, bool in_place,
                 Compare compare) {
  const auto n = static_cast<uint32_t>(a.num_items);
  auto *out = static_cast<Key *>(a.keys_out);
  return in_place ? cub::DeviceMergeSort::StableSortKeys(d_temp, temp_bytes, out, n, compare)
                  : cub::DeviceMergeSort::SortKeysCopy(
                        d_temp, temp_bytes, static_cast<const Key *>(a.keys_in), out, n, compare);
}
} // namespace

cudaError_t peer_merge_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &a,
                            merge_kind kind, bool in_place) {
  const auto n = static_cast<uint32_t>(a.num_items);
  auto *out = static_cast<uint32_t *>(a.keys_out);
  switch (kind) {
  case merge_kind::keys_32:
    return keys<uint32_t>(d_temp, temp_bytes, a, in_place, less{});
  case merge_kind::keys_64:
    return keys<uint64_t>(d_temp, temp_bytes, a, in_place, less{});
  case merge_kind::records:
    return keys<record_16>(d_temp, temp_bytes, a, in_place, by_two_members{});
  case merge_kind::pairs_32:
    break;
  }
  return in_place ? cub::DeviceMergeSort::StableSortPairs(d_temp, temp_bytes, out, a.values_out, n,
                                                          less{})
                  : cub::DeviceMergeSort::SortPairsCopy(
                        d_temp, temp_bytes, static_cast<const uint32_t *>(a.keys_in),
                        static_cast<const uint32_t *>(a.values_in), out, a.values_out, n, less{});
}

} // namespace bench
