//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_memory.hpp: uninitialised host memory, aligned to cache lines, with one owner.
//
// In: a number of bytes. Out: the memory, or null if there is not enough. Invariant: nothing
// throws, and every allocation is freed once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace colonnade::runtime::detail {

struct free_memory {
  void operator()(void *memory) const { std::free(memory); }
};
template <class T = void> using host_memory = std::unique_ptr<T, free_memory>;

/// At least `bytes` bytes, in whole cache lines of 64 bytes, at least one; uninitialised.
template <class T = void> host_memory<T> aligned_memory(uint64_t bytes) {
  constexpr uint64_t line = 64;
  return host_memory<T>(
      static_cast<T *>(std::aligned_alloc(line, std::max(line, (bytes + line - 1) / line * line))));
}

} // namespace colonnade::runtime::detail
