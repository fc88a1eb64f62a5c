//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bucket_counts.cuh: the offsets of a multisplit alone, for any number of buckets: counts
// in one pass over the keys, then their prefix sum.
//
//   zero counts -> count -> counts to offsets (one block)
//
// In: keys and the bucket functor's ids. Out: num_buckets + 1 offsets, if wanted; a bucket
// id out of range in the status.
// Invariant: no item is moved, and the counts are zeroed in the same stream before they are used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/counting/count_bins.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/multisplit/many_buckets/bucket_bins.hpp>
#include <colonnade/detail/multisplit/many_buckets/counts_to_offsets.hpp>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <uint32_t Threads>
__global__ void __launch_bounds__(Threads)
    counts_to_offsets_kernel(const __grid_constant__ counts_to_offsets_arguments a) {
  __shared__ uint64_t scratch[Threads / 32];
  const device_machine machine;
  counts_to_offsets<Threads>(machine, a, scratch);
}

template <class KeysIn, class Ids> struct bucket_counts {
  static cudaError_t offsets(void *d_temp, size_t &temp_bytes, KeysIn keys, const Ids &ids,
                             item_count num_items, uint64_t *offsets, const run_options &options) {
    using key = typename std::iterator_traits<KeysIn>::value_type;
    temp_storage storage;
    const size_t counts_at = storage.add<uint64_t>(ids.count());
    const size_t ticket_at = storage.add<uint64_t>(1);
    if (!d_temp || temp_bytes < storage.bytes())
      return report_bytes(d_temp, temp_bytes, storage.bytes());
    uint64_t *counts = temp_storage::at<uint64_t>(d_temp, counts_at);
    if (const cudaError_t error = count_bins<histogram_policy>(
            keys, bucket_bins<key, Ids>(ids), num_items, ids.count(), counts,
            temp_storage::at<uint64_t>(d_temp, ticket_at), options))
      return error;
    if (!offsets)
      return cudaSuccess;
    const counts_to_offsets_arguments a{counts, ids.num_buckets, offsets};
    return launch(counts_to_offsets_kernel<256>, {1, 256, 0, options.stream, false}, a);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
