//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort.cuh: sorts keys of any type by the user's comparator, on the GPU, by merging.
//
//   merge_sort_keys, merge_sort_pairs, merge_argsort
//       equal keys come in any order
//   stable_merge_sort_keys, stable_merge_sort_pairs, stable_merge_argsort
//       equal keys keep their order
//
// Common to all, n items, tiles of t items, p = ceil(log4(n / t)) passes:
//   in, out      d_keys_in, and d_values_in; the sorted items in d_keys_out and d_values_out
//   work         O(n log n) comparisons; depth O(p (n / (t * blocks) + log n) + t)
//   traffic      everything is read and written p + 1 times, and in each pass the samples, 1
//                key in 64 to 256; few items once, by one block
//   temporary    a copy of the input (an argsort: two copies of the keys and one of
//                the indices), 2 % of it and 64 KB; under in_registers_policy 8 %. The
//                first call, with d_temp_storage null, computes it
//   default      numbers in plain arrays, in ascending or descending order, are sorted by
//                radix_sort.cuh instead, unless in place: from Policy::radix_from items on, and
//                keys of 4 or 8 bytes where its kernels for small inputs are faster. Stable
//                results have the same bits either way
//   compare      a functor, __device__ const, trivially copyable, pure: whether key a
//                comes before key b, a strict weak order; called in any order
//   bad orders   with a functor that is no strict weak order (floats with NaN) the output is
//                unspecified; nothing else is touched. Where numbers go to the radix sort, NaN
//                are sorted by their bits, and -0 equals +0
//   keys, values trivially copyable, 1 to 16 bytes, default-constructible; inputs are
//                random-access iterators, outputs plain arrays (passes read them back)
//   stability    see above
//   determinism  the same bits on every run of a GPU model and policy; stable forms on
//                every GPU and policy
//   aliasing     outputs are distinct from all else, but may be the inputs themselves
//   synchronises never; graph-capturable; all work is queued on options.stream
//   n = 0, 1     valid
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays, too little storage; else what CUDA calls return
//
// Source: O. Green, R. McColl and D. Bader, GPU merge path (2012), for merging within a
// tile; T. Hagerup and C. Rüb, Optimal merging and sorting on the EREW PRAM (1989), for
// dividing four runs at once into tiles by the ranks of samples.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/choose.cuh>
#include <colonnade/order.hpp>

namespace colonnade {

template <class KeysIn, class Key, class Compare = ascending, class Policy = merge_sort_policy>
[[nodiscard]] cudaError_t
merge_sort_keys(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in, Key *d_keys_out,
                uint64_t num_items, Compare compare = {}, run_options options = {}, Policy = {}) {
  return detail::sort_by_order<Policy, detail::stability::none>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, detail::no_items{},
      static_cast<detail::nothing *>(nullptr), num_items, compare, options);
}

template <class KeysIn, class Key, class Compare = ascending, class Policy = merge_sort_policy>
[[nodiscard]] cudaError_t stable_merge_sort_keys(void *d_temp_storage, size_t &temp_storage_bytes,
                                                 KeysIn d_keys_in, Key *d_keys_out,
                                                 uint64_t num_items, Compare compare = {},
                                                 run_options options = {}, Policy = {}) {
  return detail::sort_by_order<Policy, detail::stability::stable>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, detail::no_items{},
      static_cast<detail::nothing *>(nullptr), num_items, compare, options);
}

template <class KeysIn, class Key, class ValuesIn, class Value, class Compare = ascending,
          class Policy = merge_sort_policy>
[[nodiscard]] cudaError_t
merge_sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys_in,
                 Key *d_keys_out, ValuesIn d_values_in, Value *d_values_out, uint64_t num_items,
                 Compare compare = {}, run_options options = {}, Policy = {}) {
  return detail::sort_by_order<Policy, detail::stability::none>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,
      num_items, compare, options);
}

template <class KeysIn, class Key, class ValuesIn, class Value, class Compare = ascending,
          class Policy = merge_sort_policy>
[[nodiscard]] cudaError_t stable_merge_sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                                  KeysIn d_keys_in, Key *d_keys_out,
                                                  ValuesIn d_values_in, Value *d_values_out,
                                                  uint64_t num_items, Compare compare = {},
                                                  run_options options = {}, Policy = {}) {
  return detail::sort_by_order<Policy, detail::stability::stable>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,
      num_items, compare, options);
}

/// d_permutation[i]: the index of the key that is i-th in order. Index: an unsigned integer type
/// that can hold num_items - 1.
template <class KeysIn, class Index, class Compare = ascending, class Policy = merge_sort_policy>
[[nodiscard]] cudaError_t merge_argsort(void *d_temp_storage, size_t &temp_storage_bytes,
                                        KeysIn d_keys_in, Index *d_permutation, uint64_t num_items,
                                        Compare compare = {}, run_options options = {},
                                        Policy = {}) {
  return detail::argsort_by_order<Policy, detail::stability::none>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_permutation, num_items, compare, options);
}

template <class KeysIn, class Index, class Compare = ascending, class Policy = merge_sort_policy>
[[nodiscard]] cudaError_t stable_merge_argsort(void *d_temp_storage, size_t &temp_storage_bytes,
                                               KeysIn d_keys_in, Index *d_permutation,
                                               uint64_t num_items, Compare compare = {},
                                               run_options options = {}, Policy = {}) {
  return detail::argsort_by_order<Policy, detail::stability::stable>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_permutation, num_items, compare, options);
}

} // namespace colonnade
