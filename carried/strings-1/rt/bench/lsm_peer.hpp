//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_peer.hpp: a sorted array on CUB: what a tree is compared with.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench.hpp"

namespace bench {

struct pair_arrays {
  uint32_t *keys = nullptr, *values = nullptr;
};

/// Insertion of a batch: its radix sort, and the merge with the sorted array into another; both
/// phases.
cudaError_t peer_sort(void *d_temp, size_t &bytes, const pair_arrays &in, const pair_arrays &out,
                      uint64_t n, cudaStream_t stream = nullptr);
cudaError_t peer_merge(void *d_temp, size_t &bytes, const pair_arrays &a, uint64_t num_a,
                       const pair_arrays &b, uint64_t num_b, const pair_arrays &out,
                       cudaStream_t stream = nullptr);
/// The first pair of equal keys.
cudaError_t peer_unique(void *d_temp, size_t &bytes, const pair_arrays &in, const pair_arrays &out,
                        uint64_t *d_count, uint64_t n);

/// The values of n keys in a sorted array, or `absent`, by binary search. One launch.
cudaError_t peer_find(const pair_arrays &sorted, uint64_t num_sorted, const uint32_t *queries,
                      uint32_t *values, uint64_t n, uint32_t absent, cudaStream_t stream);

/// Of counts and ranges: the queries, and what comes out.
struct peer_range_arrays {
  const uint32_t *first, *last;
  uint64_t num_queries;
  uint64_t *offsets; // one more than queries
  pair_arrays out;
  uint64_t capacity;
};
/// Two binary searches a query in a sorted array of n different keys, and a prefix sum.
cudaError_t peer_count(void *d_temp, size_t &bytes, const pair_arrays &sorted, uint64_t n,
                       const peer_range_arrays &a, cudaStream_t stream = nullptr);
/// The same, and copies: by groups of 8 lanes a query, or by whole warps.
cudaError_t peer_range(void *d_temp, size_t &bytes, const pair_arrays &sorted, uint64_t n,
                       const peer_range_arrays &a, bool by_warps, cudaStream_t stream = nullptr);

} // namespace bench
