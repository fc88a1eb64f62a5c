//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// array_checks.hpp: what is checked of a caller's arrays before any CUDA call.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/temp_storage.hpp>

#include <type_traits>

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

} // namespace colonnade::detail
