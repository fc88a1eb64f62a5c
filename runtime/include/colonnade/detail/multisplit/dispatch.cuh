//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: checks a multisplit's arguments and chooses the rounds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/arguments.hpp>
#include <colonnade/detail/multisplit/round.cuh>

namespace colonnade::detail {

/// Whether a plain array is where one must be, and holds its items' alignment.
template <class It> bool valid_array(It array, uint64_t num_items) {
  if constexpr (std::is_pointer_v<It>)
    return num_items == 0 ||
           (array && reinterpret_cast<uintptr_t>(array) % alignof(std::remove_pointer_t<It>) == 0);
  return true;
}

/// Whether two plain arrays share bytes.
template <class A, class B> bool arrays_overlap(A a, B b, uint64_t num_items) {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>)
    return ranges_overlap(a, num_items * sizeof(*a), b, num_items * sizeof(*b));
  return false;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
bool valid_arrays(KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out,
                  uint64_t n) {
  return valid_array(keys_in, n) && valid_array(keys_out, n) && valid_array(values_in, n) &&
         valid_array(values_out, n) && !arrays_overlap(keys_in, keys_out, n) &&
         !arrays_overlap(keys_in, values_out, n) && !arrays_overlap(values_in, keys_out, n) &&
         !arrays_overlap(values_in, values_out, n) && !arrays_overlap(keys_out, values_out, n);
}

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
cudaError_t multisplit(void *d_temp, size_t &temp_bytes, KeysIn keys_in, KeysOut keys_out,
                       ValuesIn values_in, ValuesOut values_out, uint64_t num_items,
                       uint32_t num_buckets, Bucket bucket, uint64_t *offsets,
                       run_options options) {
  using ids = bucket_ids<Bucket, Policy::discards>;
  using round = multisplit_round<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, ids>;
  using key = typename round::key;
  using value = typename round::value;
  static_assert(std::is_trivially_copyable_v<key> && sizeof(key) <= 16, "keys: 1 to 16 bytes");
  static_assert(std::is_trivially_copyable_v<value> && sizeof(value) <= 16, "values: 1 to 16 bytes");
  if (num_buckets == 0 || ids{bucket, num_buckets}.count() > 256)
    return cudaErrorInvalidValue;
  if (d_temp && !valid_arrays(keys_in, keys_out, values_in, values_out, num_items))
    return cudaErrorInvalidValue;
  return round::run(d_temp, temp_bytes,
                    {keys_in, keys_out, values_in, values_out, ids{bucket, num_buckets}, num_items,
                     offsets, options});
}

} // namespace colonnade::detail
