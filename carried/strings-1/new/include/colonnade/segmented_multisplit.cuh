//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_multisplit.cuh: many independent multisplits in one call, stable, on the GPU.
//
//   segmented_multisplit_keys    keys
//   segmented_multisplit_pairs   keys with values
//
// Segment s has the items d_segment_offsets[s] to d_segment_offsets[s + 1] - 1, which are
// reordered by bucket within it. Short segments are split by one warp each, longer ones by one
// block, still longer ones in chunks by several blocks.
//
// Common to both, n items in S segments, m buckets:
//   work         O(n + S m), with ceil(log2 m) ballots for each item; depth
//                O((n + S m) / threads + tile): no segment waits for another
//   traffic      everything is read and written once, and the offsets; keys of segments
//                beyond a tile are read once more
//   temporary    at most 2 % of the input + 64 KB. The first call, with d_temp_storage
//                null, computes it
//   m            1 to 256
//   stability    items of a bucket keep their order
//   determinism  the same bits on every run, GPU and policy
//   aliasing     inputs, among them the segments, and outputs are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   segments     d_segment_offsets: num_segments + 1 offsets on the device, in ascending order,
//                none above num_items (a segment for which that does not hold counts as empty;
//                even then all segments together must not have more than num_items items).
//                Segments may be empty. Fewer than 2^32 - 1 of them
//   bucket       as in multisplit.cuh; the index is that in the whole input
//   bad ids      an id >= num_buckets counts as num_buckets - 1 and is reported in
//                options.d_status with the index of its item
//   offsets      d_bucket_offsets: null, or num_segments * num_buckets + 1 entries: entry
//                s * num_buckets + b is where bucket b of segment s begins in the output,
//                the last one where the last segment ends
//   types        trivially copyable, 1 to 16 bytes; random-access iterators
//   S = 0        valid; the one offset is written
//   returns      cudaErrorInvalidValue, before any CUDA call, for num_buckets = 0 or above
//                256, null, unaligned or overlapping arrays, too little storage; else
//                what CUDA calls return
//
// Source: S. Ashkiani, thesis (2017), section 3.5 (warp-level reordering for short
// segments, block-level multisplit for long ones).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/segmented/segmented.cuh>

namespace colonnade {

template <class KeysIn, class KeysOut, class Bucket, class Policy = segmented_multisplit_policy>
[[nodiscard]] cudaError_t
segmented_multisplit_keys(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                          KeysOut d_keys_out, uint64_t num_items, uint64_t num_segments,
                          const uint64_t *d_segment_offsets, uint32_t num_buckets, Bucket bucket,
                          uint64_t *d_bucket_offsets, run_options options = {}, Policy = {}) {
  return detail::segmented_multisplit<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                              d_keys_out, detail::no_items{}, detail::nothing{},
                                              num_items, num_segments, d_segment_offsets,
                                              num_buckets, bucket, d_bucket_offsets, options);
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket,
          class Policy = segmented_multisplit_policy>
[[nodiscard]] cudaError_t
segmented_multisplit_pairs(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                           KeysOut d_keys_out, ValuesIn d_values_in, ValuesOut d_values_out,
                           uint64_t num_items, uint64_t num_segments,
                           const uint64_t *d_segment_offsets, uint32_t num_buckets, Bucket bucket,
                           uint64_t *d_bucket_offsets, run_options options = {}, Policy = {}) {
  return detail::segmented_multisplit<Policy>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,
      num_items, num_segments, d_segment_offsets, num_buckets, bucket, d_bucket_offsets, options);
}

} // namespace colonnade
