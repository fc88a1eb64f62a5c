//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bitonic_sort.cuh: sorting in place by the user's comparator on the GPU, by a sorting network,
// whose accesses and comparators depend on the number of items alone.
//
//   bitonic_sort_keys    keys
//   bitonic_sort_pairs   keys with values
//
// Common to both, n items, L = ceil(log2 n), parts of s = 2^log2_part items:
//   in, out      d_keys, and d_values, which are permuted like their keys
//   work         at most n' L (L + 1) / 4 comparators, n' = 2^L, without branches; depth
//                L (L + 1) / 2
//   traffic      1 + sum over j = log2 s + 1 ... L of
//                ceil((j - log2 s) / (log2 s - 5)) + 1 passes, each of which reads and writes
//                every item that it may move
//   temporary    none, so there is no call for its size
//   stability    unstable
//   determinism  the same bits on every run and GPU; a policy may change where equal
//                keys go
//   aliasing     keys and values are distinct arrays
//   synchronises never; graph-capturable; all work is queued on options.stream
//   less         a functor, __device__ const, trivially copyable, pure: whether key a
//                comes before key b, a strict weak order. Under another (floats with
//                NaN) the order is unspecified; nothing is lost
//   types        trivially copyable, default constructible, 1 to 16 bytes
//   n = 0, 1     valid
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays; else what CUDA calls return
//
// Source: K. E. Batcher, Sorting networks and their applications (1968); G. Capannini,
// F. Silvestri and R. Baraglia, K-model (2010), sections V and VI, for the steps that one
// block runs on one part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/bitonic_sort/dispatch.cuh>
#include <colonnade/order.hpp>

namespace colonnade {

template <class Key, class Less = ascending, class Policy = bitonic_sort_policy>
[[nodiscard]] cudaError_t bitonic_sort_keys(Key *d_keys, uint64_t num_items, Less less = {},
                                            run_options options = {}, Policy = {}) {
  using namespace detail;
  static_assert(sortable<Key>, "bitonic sort: keys are trivially copyable, of 1 to 16 bytes");
  if (too_many(num_items) || !valid_array(d_keys, num_items))
    return cudaErrorInvalidValue;
  return bitonic_run<Policy, Key, no_value, exchange_by_key<Less>>::run(d_keys, nullptr, num_items,
                                                                        {less}, options);
}

template <class Key, class Value, class Less = ascending, class Policy = bitonic_sort_policy>
[[nodiscard]] cudaError_t bitonic_sort_pairs(Key *d_keys, Value *d_values, uint64_t num_items,
                                             Less less = {}, run_options options = {},
                                             Policy = {}) {
  using namespace detail;
  static_assert(sortable<Key>, "bitonic sort: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(sortable<Value>, "bitonic sort: values are trivially copyable, of 1 to 16 bytes");
  if (too_many(num_items) || !valid_array(d_keys, num_items) || !valid_array(d_values, num_items) ||
      arrays_overlap(d_keys, d_values, num_items))
    return cudaErrorInvalidValue;
  return bitonic_run<Policy, Key, Value, exchange_by_key<Less>>::run(d_keys, d_values, num_items,
                                                                     {less}, options);
}

} // namespace colonnade
