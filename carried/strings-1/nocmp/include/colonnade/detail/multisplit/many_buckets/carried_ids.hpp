//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// carried_ids.hpp: whether a multisplit into more than 256 buckets writes every item's id
// once and carries it along, or asks the functor again in every pass.
//
// In: the types of a call. Out: a constant; the same on the host and on the device.
// Invariant: an id that depends on more than the key is carried.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/multisplit_tuning.hpp>

#include <type_traits>

namespace colonnade::detail {

#if defined(__CUDACC_EXTENDED_LAMBDA__)
template <class F> constexpr bool is_device_lambda = __nv_is_extended_device_lambda_closure_type(F);
#else
template <class F> constexpr bool is_device_lambda = false;
#endif

/// Functors that look at the index are asked once; so are device lambdas, into which the host
/// cannot look. The sorted keys are read again to find the offsets: an array.
template <class Policy, class Key, class KeysOut, class Bucket>
constexpr bool carries_ids =
    Policy::carries_ids || Policy::method == multisplit_method::reduced_bit_sort ||
    is_device_lambda<Bucket> || takes_index<Bucket, Key> || !std::is_pointer_v<KeysOut>;

} // namespace colonnade::detail
