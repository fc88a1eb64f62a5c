//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// apart.hpp: whether the arrays of a call are apart.
//
// In: arrays that a call writes, and arrays that it reads. Out: whether what it writes shares no
// byte with any other of them. Invariant: what it only reads may be one array under two names; an
// array that is null, or an iterator that is no pointer, shares nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>

#include <initializer_list>
#include <type_traits>

namespace colonnade::detail {

struct call_array {
  const void *at = nullptr;
  uint64_t bytes = 0;

  /// Of so many items, not too many.
  template <class It> call_array(It array, uint64_t count) {
    if constexpr (std::is_pointer_v<It>) {
      at = array;
      bytes = array ? count * sizeof(*array) : 0;
    }
  }
};

inline bool written_apart(std::initializer_list<call_array> written,
                          std::initializer_list<call_array> read) {
  const auto meets = [](const call_array &a, const call_array &b) {
    return ranges_overlap(a.at, a.bytes, b.at, b.bytes);
  };
  for (const call_array *a = written.begin(); a != written.end(); ++a) {
    for (const call_array *b = a + 1; b != written.end(); ++b)
      if (meets(*a, *b))
        return false;
    for (const call_array &b : read)
      if (meets(*a, b))
        return false;
  }
  return true;
}

} // namespace colonnade::detail
