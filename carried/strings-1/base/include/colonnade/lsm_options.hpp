//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_options.hpp: what is said of a log-structured merge tree when it is created, and what it says
// of itself.
//
// In: sizes. Out: lsm_options, lsm_statistics. Invariant: the size of a batch and the meaning of
// equal keys in one call stay as they are as long as the tree lives; its capacity grows by
// `reserve`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

/// Which of several operations on one key in one call counts.
enum class lsm_order : uint8_t {
  deletions_win, // a deletion, wherever it stands; else the last insertion
  in_order,      // the last operation
};

struct lsm_options {
  uint64_t batch_size = 1u << 16; // elements of the smallest level: any number from 1 to 2^32 - 1
  uint64_t capacity = 0;          // elements there must be room for, stale ones included
  lsm_order order = lsm_order::deletions_win;
};

struct lsm_statistics {
  uint64_t num_elements = 0; // stale ones and tombstones included
  uint64_t full_levels = 0;  // bit i: the level of batch_size * 2^i elements is full
};

} // namespace colonnade
