//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// warp_multisplit.cuh: a multisplit of the items of a warp, for users' own kernels.
//
//   warp_multisplit            the place of each item when they are sorted by bucket, stably
//   warp_multisplit_counts     the number of items in each bucket
//   warp_multisplit_exchange   moves items to their places through shared memory
//
//   uint32_t ids[4], places[4];                    // item k of lane l: number 32 k + l
//   ...
//   const auto buckets = colonnade::warp_multisplit<10>(ids, places);
//   colonnade::warp_multisplit_exchange(keys, places, tile); // sorted by bucket, in rows
//
// Common to all:
//   called by    all 32 lanes of a warp, with the same num_valid
//   work         ceil(log2 m) ballots and 2 ceil(m / 32) shuffles for each item
//   memory       registers alone. The exchange: shared memory of this warp alone, for all its
//                items; nobody else may use it until, after the call, a __syncwarp()
//   num_valid    numbers from it on have no item: they are not counted, and their places are
//                their own numbers
//   bad ids      an id >= NumBuckets counts as NumBuckets - 1
//   m            1 to 256
//   stability    items of a bucket keep their order; deterministic
//   synchronises the warp. No global memory is used
//
// Source: S. Ashkiani, thesis (2017), section 3.5.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/ranking/warp_split.hpp>

namespace colonnade {

/// The number of items of bucket 32 r + lane, and of those in the buckets before it: count[r] and
/// start[r].
using detail::warp_buckets;

template <uint32_t NumBuckets, uint32_t Items>
__device__ __forceinline__ warp_buckets<NumBuckets>
warp_multisplit(const uint32_t (&ids)[Items], uint32_t (&places)[Items],
                uint32_t num_valid = 32 * Items) {
  return detail::warp_places<NumBuckets>(detail::device_machine{}, ids, places, num_valid);
}

template <uint32_t NumBuckets, uint32_t Items>
__device__ __forceinline__ warp_buckets<NumBuckets>
warp_multisplit_counts(const uint32_t (&ids)[Items], uint32_t num_valid = 32 * Items) {
  return detail::warp_counts<NumBuckets>(detail::device_machine{}, ids, num_valid);
}

/// Afterwards item k of lane l is the one whose place is 32 k + l. tile: room for 32 * Items items.
template <class T, uint32_t Items>
__device__ __forceinline__ void warp_multisplit_exchange(T (&items)[Items],
                                                         const uint32_t (&places)[Items], T *tile) {
  detail::warp_exchange(detail::device_machine{}, items, places, tile);
}

} // namespace colonnade
