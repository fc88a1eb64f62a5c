//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// array_checks.hpp: what is checked of a caller's types and arrays before any CUDA call.
//
// In: iterators and a number of items. Out: false if they cannot be right: null, unaligned or
// overlapping. Invariant: nothing is dereferenced; only pointers can be checked, other iterators
// pass.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>

#include <type_traits>

namespace colonnade::detail {

/// What keys and values may be.
template <class T> constexpr bool movable = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

/// More than any memory holds, so that bytes of several copies still fit 64 bits: a number
/// that was negative, say.
constexpr bool too_many(uint64_t num_items) { return num_items >> 57 != 0; }

/// Whether a plain array is where one must be, holds its items' alignment and is not
/// larger than any memory.
template <class It> bool valid_array(It array, uint64_t num_items) {
  if constexpr (std::is_pointer_v<It>)
    return num_items == 0 ||
           (array && reinterpret_cast<uintptr_t>(array) % alignof(std::remove_pointer_t<It>) == 0 &&
            num_items <= (~uint64_t{0} >> 8) / sizeof(*array));
  return true;
}

/// Whether two plain arrays share bytes.
template <class A, class B> bool arrays_overlap(A a, B b, uint64_t num_items) {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>)
    return ranges_overlap(a, num_items * sizeof(*a), b, num_items * sizeof(*b));
  return false;
}

/// Whether a plain array of items and another of bytes have nothing in common.
template <class It> bool apart(It array, uint64_t num_items, const void *other, uint64_t bytes) {
  if constexpr (std::is_pointer_v<It>)
    return !ranges_overlap(array, num_items * sizeof(*array), other, bytes);
  return true;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
bool valid_arrays(KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out,
                  uint64_t n) {
  return valid_array(keys_in, n) && valid_array(keys_out, n) && valid_array(values_in, n) &&
         valid_array(values_out, n) && !arrays_overlap(keys_in, keys_out, n) &&
         !arrays_overlap(keys_in, values_out, n) && !arrays_overlap(values_in, keys_out, n) &&
         !arrays_overlap(values_in, values_out, n) && !arrays_overlap(keys_out, values_out, n);
}

/// Offsets of buckets: null, or an array apart from all others; one entry more than buckets.
template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
bool valid_offsets(const uint64_t *offsets, uint64_t num_buckets, KeysIn keys_in, KeysOut keys_out,
                   ValuesIn values_in, ValuesOut values_out, uint64_t n) {
  const uint64_t bytes = (num_buckets + 1) * sizeof(uint64_t);
  return !offsets || (valid_array(offsets, 1) && apart(keys_in, n, offsets, bytes) &&
                      apart(keys_out, n, offsets, bytes) && apart(values_in, n, offsets, bytes) &&
                      apart(values_out, n, offsets, bytes));
}

} // namespace colonnade::detail
