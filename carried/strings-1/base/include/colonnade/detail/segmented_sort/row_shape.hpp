//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_shape.hpp: how a row is divided among threads, where all have one length.
//
// In: the length, at most 256 * Most items. Out: items of a thread and threads of a row, with the
// least room that holds it, and of those the fewest threads. Invariant: there is a kernel for it:
// more threads than a warp only with as many items in a thread as sorts_in_blocks asks for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade::detail {

struct row_shape {
  uint32_t items = 0, log2_threads = 0;
  constexpr uint64_t room() const { return uint64_t{items} << log2_threads; }
};

constexpr bool sorts_in_blocks(uint32_t items) { return items >= 16; }

/// The most threads of a row whose threads have so many items each.
template <uint32_t Most> constexpr uint32_t most_log2_threads(uint32_t items) {
  if (sorts_in_blocks(items))
    return items > Most / 2 ? 8 : 0;
  return items > Most / 2 ? 5 : 0;
}

/// Most: the most items of a thread.
template <uint32_t Most> constexpr row_shape shape_of(uint64_t length) {
  constexpr uint32_t candidates[] = {Most, Most / 8 * 7, Most / 4 * 3, Most / 2, 8, 4};
  row_shape best{};
  for (uint32_t items : candidates)
    for (uint32_t log2 = 0; log2 <= most_log2_threads<Most>(items); ++log2) {
      const row_shape s{items, log2};
      if (items % 4 == 0 && s.room() >= length && (best.items == 0 || s.room() < best.room()))
        best = s;
    }
  return best;
}

} // namespace colonnade::detail
