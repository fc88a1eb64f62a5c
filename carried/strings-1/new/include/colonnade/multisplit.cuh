//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit.cuh: reorders items by bucket, stably, on the GPU.
//
//   multisplit_keys         keys
//   multisplit_pairs        keys with values
//   multisplit_permutation  the order: indices, by which anything can be reordered
//   multisplit_counts       the bucket offsets alone; reads every key once
//
// Common to all, n items in m buckets:
//   work         O(n), with ceil(log2 m) ballots for each item; depth
//                O(n / (tile * blocks) + 1)
//   traffic      every key is read twice, everything else is read and written once;
//                for m > 256 everything is read and written once more for each further
//                8 bits of the bucket id; ids that are carried along (of functors that take
//                the index, device lambdas, permutations, policies that ask for it) are
//                written once and read and written with the rest, 4 bytes an item
//   temporary    m <= 256: at most 2 % of the input (of a permutation: the keys) + 64 KB;
//                beyond, besides: a copy of keys and values (two for m > 65536), 8 bytes
//                an item where ids are carried; counts alone: 8 m bytes. The first call,
//                with d_temp_storage null, computes it
//   m            1 to 2^31; if m > 256, each offset is found by a binary search
//   stability    items of a bucket keep their order
//   determinism  the same bits on every run, GPU and policy
//   aliasing     inputs and outputs are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   bucket       a functor, __device__ const, trivially copyable, pure: uint32_t(key) or
//                uint32_t(key, uint64_t index); called several times for each item, in any
//                order
//   bad ids      an id >= num_buckets counts as num_buckets - 1 and is reported in
//                options.d_status with the index of its item
//   offsets      d_bucket_offsets: null, or num_buckets + 1 entries: where each bucket
//                begins, and last the number of items in all buckets
//   types        trivially copyable, 1 to 16 bytes; random-access iterators
//   num_items    a number, or item_count{d_num_items, at_most}: read on the device by
//                the time the call runs; storage is that of `at_most` items. If there
//                are more, the first at_most are split and the status says how many
//                there are (buffer_too_small)
//   n = 0        valid; offsets are zero
//   returns      cudaErrorInvalidValue, before any CUDA call, for num_buckets = 0, null,
//                unaligned or overlapping arrays, too little storage; else what CUDA
//                calls return
//
// Source: S. Ashkiani, thesis (2017), chapter 3 (multisplit as warp-wide ranking and one
// global prefix sum); one histogram pass and one look-back pass as in A. Adinets and
// D. Merrill, Onesweep (2022).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/dispatch.cuh>

namespace colonnade {

template <class KeysIn, class KeysOut, class Bucket, class Policy = multisplit_policy>
[[nodiscard]] cudaError_t
multisplit_keys(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                KeysOut d_keys_out, item_count num_items, uint32_t num_buckets, Bucket bucket,
                uint64_t *d_bucket_offsets, run_options options = {}, Policy = {}) {
  return detail::multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                    detail::no_items{}, detail::nothing{}, num_items, num_buckets,
                                    bucket, d_bucket_offsets, options);
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket,
          class Policy = multisplit_policy>
[[nodiscard]] cudaError_t
multisplit_pairs(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                 KeysOut d_keys_out, ValuesIn d_values_in, ValuesOut d_values_out,
                 item_count num_items, uint32_t num_buckets, Bucket bucket,
                 uint64_t *d_bucket_offsets, run_options options = {}, Policy = {}) {
  return detail::multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                    d_values_in, d_values_out, num_items, num_buckets, bucket,
                                    d_bucket_offsets, options);
}

/// d_permutation[i]: the index of the item that is i-th in the output. Index: an unsigned integer
/// type that can hold num_items - 1.
template <class KeysIn, class Index, class Bucket, class Policy = multisplit_policy>
[[nodiscard]] cudaError_t multisplit_permutation(void *d_temp_storage, size_t &temp_storage_bytes,
                                                 KeysIn d_keys_in, Index *d_permutation,
                                                 item_count num_items, uint32_t num_buckets,
                                                 Bucket bucket, uint64_t *d_bucket_offsets,
                                                 run_options options = {}, Policy = {}) {
  static_assert(std::is_unsigned_v<Index>,
                "multisplit: a permutation's indices are unsigned integers");
  if (num_items.most && num_items.most - 1 > static_cast<Index>(~Index{0}))
    return cudaErrorInvalidValue;
  return detail::multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                    detail::nothing{}, detail::index_iterator<Index>{},
                                    d_permutation, num_items, num_buckets, bucket, d_bucket_offsets,
                                    options);
}

template <class KeysIn, class Bucket, class Policy = multisplit_policy>
[[nodiscard]] cudaError_t
multisplit_counts(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                  item_count num_items, uint32_t num_buckets, Bucket bucket,
                  uint64_t *d_bucket_offsets, run_options options = {}, Policy = {}) {
  return detail::multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                    detail::nothing{}, detail::no_items{}, detail::nothing{},
                                    num_items, num_buckets, bucket, d_bucket_offsets, options);
}

} // namespace colonnade
