//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_multisplit.cuh: a multisplit of the items of a block, for users' own kernels.
//
//   block_multisplit            the place of each item when they are sorted by bucket, stably
//   block_multisplit_exchange   moves items to their places through shared memory
//
//   __shared__ colonnade::block_multisplit_storage<256, 10> storage;
//   uint32_t ids[4], places[4]; // item k of lane l of warp w: number 32 (4 w + k) + l
//   ...
//   colonnade::block_multisplit<256, 10>(storage, ids, places);
//   // storage.start[b], b = 0 ... 10: where bucket b begins; the last: all items
//   colonnade::block_multisplit_exchange(keys, places, tile);
//
// Common to all:
//   called by    all threads of a one-dimensional block of Threads threads, a multiple
//                of 32, with the same num_valid
//   work         ceil(log2 m) ballots for each item and three barriers of the block; depth
//                O(items of a thread + m / 32). No global memory is used
//   memory       `storage`: 4 (m + 1) bytes for each warp, and once more; `tile`: room for all
//                items. Nobody else may use them until, after the call, a __syncthreads()
//   num_valid    numbers from it on have no item: they are not counted, and their places are
//                their own numbers
//   bad ids      an id >= NumBuckets counts as NumBuckets - 1
//   m            from 1 to what shared memory holds
//   stability    items of a bucket keep their order; deterministic
//   aliasing     storage and tile are distinct
//   synchronises the block
//
// Source: S. Ashkiani, thesis (2017), section 3.5.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/multisplit/block_split.hpp>

namespace colonnade {

template <uint32_t Threads, uint32_t NumBuckets>
using block_multisplit_storage = detail::block_split_storage<Threads, NumBuckets>;

template <uint32_t Threads, uint32_t NumBuckets, uint32_t Items>
__device__ __forceinline__ void
block_multisplit(block_multisplit_storage<Threads, NumBuckets> &storage,
                 const uint32_t (&ids)[Items], uint32_t (&places)[Items],
                 uint32_t num_valid = Threads * Items) {
  const detail::device_machine machine;
  detail::block_split<Threads, NumBuckets, Items, detail::device_machine>(machine, storage,
                                                                          num_valid)
      .run(ids, places);
}

/// Afterwards item k of lane l of warp w is the one whose place is 32 (Items w + k) + l.
template <class T, uint32_t Items>
__device__ __forceinline__ void
block_multisplit_exchange(T (&items)[Items], const uint32_t (&places)[Items], T *tile) {
  detail::block_exchange(detail::device_machine{}, items, places, tile);
}

} // namespace colonnade
