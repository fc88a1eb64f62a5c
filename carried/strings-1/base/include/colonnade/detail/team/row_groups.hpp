//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_groups.hpp: the rows of items that a thread holds in registers, a group at a time.
//
// What is done to a group's rows has no branch in between, so that the rows' latencies overlap;
// one branch a group leaves the rest out. Groups end where the usual inputs do: 2^k items are 1
// or 4 rows, 2^k + 1 are 5.
//
// In: how many rows there are, the same in all threads of the block. Out: calls of a functor
// with row_group<First, Rows>, in order, until all rows are covered: up to three too many, to
// which the functor must be harmless.
// Invariant: groups and their sizes are known when the kernel is compiled; how many of them run is
// the same for all threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

template <uint32_t First, uint32_t Rows> struct row_group {
  static constexpr uint32_t first = First, rows = Rows;
};

/// So many rows are in the group that begins with this one.
template <uint32_t First>
constexpr uint32_t rows_of_group = First == 0 || First == 4 ? 1
                                   : First == 1             ? 3
                                                            : 4;

/// Items: rows at most.
template <uint32_t Items, uint32_t First = 0, class Use>
COLONNADE_KERNEL_CODE void for_row_groups(uint32_t rows, const Use &use) {
  constexpr uint32_t left = Items - First;
  constexpr uint32_t size = rows_of_group<First> < left ? rows_of_group<First> : left;
  if (rows <= First)
    return;
  use(row_group<First, size>{});
  if constexpr (size < left)
    for_row_groups<Items, First + size>(rows, use);
}

/// The same, row by row: use(row).
template <uint32_t Items, class Use>
COLONNADE_KERNEL_CODE void for_rows(uint32_t rows, const Use &use) {
  for_row_groups<Items>(rows, [&](auto group) {
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < decltype(group)::rows; ++r)
      use(decltype(group)::first + r);
  });
}

} // namespace colonnade::detail
