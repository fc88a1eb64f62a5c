//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: checks a multisplit's arguments and chooses how it is done: into few
// buckets, into many, or by one of the methods that it is compared with.
//
// In: a caller's arguments. Out: cudaErrorInvalidValue before any CUDA call, the bytes of
// temporary storage, or the queued call.
// Invariant: nothing is queued once an argument was found wrong.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/multisplit/few_buckets/few_buckets.cuh>
#include <colonnade/detail/multisplit/many_buckets/many_buckets.cuh>

namespace colonnade::detail {

/// The other methods; defined in multisplit_methods.cuh, to be included by who uses them.
template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct method_run;

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
cudaError_t multisplit(void *d_temp, size_t &temp_bytes, KeysIn keys_in, KeysOut keys_out,
                       ValuesIn values_in, ValuesOut values_out, item_count num_items,
                       uint32_t num_buckets, Bucket bucket, uint64_t *offsets,
                       run_options options) {
  using ids = bucket_ids<Bucket, Policy::discards>;
  using few = few_buckets<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, ids>;
  using key = typename few::key;
  using value = typename few::value;
  static_assert(movable<key>, "multisplit: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(movable<value>, "multisplit: values are trivially copyable, of 1 to 16 bytes");
  static_assert(std::is_trivially_copyable_v<Bucket>,
                "multisplit: the bucket functor is trivially copyable");
  static_assert(Policy::max_buckets <= max_buckets, "bucket ids have 31 bits");
  if (num_buckets == 0 || num_buckets > Policy::max_buckets || num_items.most > Policy::max_items ||
      too_many(num_items.most))
    return cudaErrorInvalidValue;
  if (d_temp && (!valid_arrays(keys_in, keys_out, values_in, values_out, num_items.most) ||
                 !valid_offsets(offsets, num_buckets, keys_in, keys_out, values_in, values_out,
                                num_items.most)))
    return cudaErrorInvalidValue;
  const multisplit_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids> arguments{
      {keys_in, keys_out, values_in, values_out},
      ids{bucket, num_buckets},
      num_items,
      offsets,
      options};
  if constexpr (Policy::max_buckets + Policy::discards > digit_buckets)
    if (arguments.ids.count() > digit_buckets)
      return many_buckets<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, ids>::run(
          d_temp, temp_bytes, arguments);
  if constexpr (Policy::method != multisplit_method::look_back && few::moves)
    return method_run<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, ids>::run(d_temp, temp_bytes,
                                                                              arguments);
  else
    return few::run(d_temp, temp_bytes, arguments);
}

} // namespace colonnade::detail
