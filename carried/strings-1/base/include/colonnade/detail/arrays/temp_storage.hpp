//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// temp_storage.hpp: divides one piece of temporary storage into arrays.
//
// In: the arrays, one after the other. Out: the bytes in all, and the offset of each array, which
// `at` turns into a pointer. Invariant: every array begins at a multiple of `alignment`, whatever
// the alignment of the storage that the caller gives; for that, `alignment` bytes are added.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

class temp_storage {
public:
  static constexpr size_t alignment = 256;

  /// Room for `count` items of T; returns the place to pass to `at`.
  template <class T> size_t add(uint64_t count) {
    const size_t place = used_;
    used_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
    return place;
  }

  /// At least 1, so that a null pointer always means a size query.
  size_t bytes() const { return used_ + alignment; }

  template <class T> static T *at(void *storage, size_t place) {
    const uintptr_t base = reinterpret_cast<uintptr_t>(storage);
    return reinterpret_cast<T *>((base + alignment - 1) / alignment * alignment + place);
  }

private:
  size_t used_ = 0;
};

/// Whether [a, a + a_bytes) and [b, b + b_bytes) share a byte.
inline bool ranges_overlap(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  return a_bytes && b_bytes && first < second + b_bytes && second < first + a_bytes;
}

} // namespace colonnade::detail
