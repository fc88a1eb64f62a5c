//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// apart.hpp: whether the arrays of a call are apart.
//
// In: arrays that a call writes, and arrays that it reads. Out: whether what it writes shares no
// byte with any other of them. Invariant: what it only reads may be one array under two names; an
// array that is null shares nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>

#include <initializer_list>

namespace colonnade::detail {

struct lsm_array {
  const void *at;
  uint64_t bytes;

  /// Of so many items: not too many, and none if there is no array.
  template <class T>
  lsm_array(const T *array, uint64_t count) : at(array), bytes(array ? count * sizeof(T) : 0) {}
};

inline bool written_apart(std::initializer_list<lsm_array> written,
                          std::initializer_list<lsm_array> read) {
  const auto meets = [](const lsm_array &a, const lsm_array &b) {
    return ranges_overlap(a.at, a.bytes, b.at, b.bytes);
  };
  for (const lsm_array *a = written.begin(); a != written.end(); ++a) {
    for (const lsm_array *b = a + 1; b != written.end(); ++b)
      if (meets(*a, *b))
        return false;
    for (const lsm_array &b : read)
      if (meets(*a, b))
        return false;
  }
  return true;
}

} // namespace colonnade::detail
