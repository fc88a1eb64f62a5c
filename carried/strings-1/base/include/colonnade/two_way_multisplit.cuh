//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_way_multisplit.cuh: moves items into two buckets on the GPU, in one pass, without keeping
// their order (an unstable partition).
//
//   two_way_multisplit_keys    keys
//   two_way_multisplit_pairs   keys with values
//
// Bucket 0 is written from the front of the output and bucket 1 from its back, so items need not
// be counted first. If the order within a bucket matters, use multisplit.cuh.
//
// Common to both:
//   work         O(n), with one ballot for each item; depth O(n / (tile * blocks) + 1)
//   traffic      everything is read and written once; two atomics for each tile
//   temporary    at most 1 KB. The first call, with d_temp_storage null, computes it
//   stability    none
//   determinism  the offsets, and which items are in a bucket, are the same on every run; not
//                their order
//   aliasing     inputs and outputs are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   num_items    a number, or item_count{d_num_items, at_most}, read on the device
//   bucket       as in multisplit.cuh, 0 or 1
//   bad ids      an id >= 2 counts as 1 and is reported in options.d_status with the
//                index of its item
//   offsets      d_bucket_offsets: null, or 0, the number of items in bucket 0, and that
//                of all items
//   types        trivially copyable, 1 to 16 bytes; random-access iterators
//   n = 0        valid; offsets are zero
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays, too little storage; else what CUDA calls return
//
// Source: our own; a tile is sorted as in S. Ashkiani, thesis (2017), section 3.5.6.2.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/two_way/two_way_launch.cuh>

namespace colonnade {

template <class KeysIn, class KeysOut, class Bucket, class Policy = two_way_policy>
[[nodiscard]] cudaError_t
two_way_multisplit_keys(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                        KeysOut d_keys_out, item_count num_items, Bucket bucket,
                        uint64_t *d_bucket_offsets, run_options options = {}, Policy = {}) {
  return detail::two_way_multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                            d_keys_out, detail::no_items{}, detail::nothing{},
                                            num_items, bucket, d_bucket_offsets, options);
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket,
          class Policy = two_way_policy>
[[nodiscard]] cudaError_t
two_way_multisplit_pairs(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                         KeysOut d_keys_out, ValuesIn d_values_in, ValuesOut d_values_out,
                         item_count num_items, Bucket bucket, uint64_t *d_bucket_offsets,
                         run_options options = {}, Policy = {}) {
  return detail::two_way_multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                            d_keys_out, d_values_in, d_values_out, num_items,
                                            bucket, d_bucket_offsets, options);
}

} // namespace colonnade
