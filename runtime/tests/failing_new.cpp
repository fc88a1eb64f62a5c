//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operators new and delete of a test programme whose memory may end (failing_new.hpp).
//
//===----------------------------------------------------------------------===//

#include "failing_new.hpp"

#include <cstddef>
#include <cstdlib>

void *operator new(size_t bytes, std::align_val_t alignment) {
  const size_t a = static_cast<size_t>(alignment);
  void *memory =
      colonnade::testing::memory_has_ended() ? nullptr : std::aligned_alloc(a, (bytes / a + 1) * a);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void *operator new(size_t bytes) {
  return operator new(bytes, std::align_val_t{alignof(std::max_align_t)});
}
void *operator new[](size_t bytes, std::align_val_t alignment) {
  return operator new(bytes, alignment);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { std::free(memory); }
