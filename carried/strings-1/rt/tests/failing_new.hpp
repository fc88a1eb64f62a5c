//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// failing_new.hpp: memory of the host that ends when a test says so. failing_new.cpp belongs to it.
//
// In: after how many allocations. Out: std::bad_alloc from then on, in whichever thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

namespace colonnade::testing {

/// Allocations that are left; below 0: as many as one likes.
inline std::atomic<int64_t> allocations_left{-1};

/// Asked before each allocation.
inline bool memory_has_ended() {
  int64_t left = allocations_left;
  while (left > 0 && !allocations_left.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0;
}

/// call() with memory that ends after `allocations`; whether it threw std::bad_alloc.
template <class Call> bool runs_out(int64_t allocations, const Call &call) {
  allocations_left = allocations;
  try {
    call();
  } catch (const std::bad_alloc &) {
    allocations_left = -1;
    return true;
  }
  allocations_left = -1;
  return false;
}

} // namespace colonnade::testing
