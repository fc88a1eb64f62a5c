//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// scatter_arguments.hpp: what the scatter pass of a multisplit is given, for one portion of the
// input.
//
// In: a portion's items, and what was counted before. Out: one struct, a kernel's argument.
// Invariant: base[b] is the output index of the portion's first item of bucket b, the look-back
// words are empty, read with this turn, and the ticket is zero once what was queued before has
// ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>

#include <cstdint>

namespace colonnade::detail {

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
struct scatter_arguments : moved_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut> {
  Ids ids;
  uint64_t first;     // of this portion
  uint64_t num_items; // of this portion, below 2^30
  uint32_t num_tiles;
  const uint64_t *base;
  uint64_t *next_base; // of the next portion; null if this is the last
  uint32_t *words;     // num_tiles * ids.count()
  uint32_t *ticket;
  const uint64_t *d_num_items = nullptr; // of the whole input; null: as num_items says
  bool far = false;                      // output indices may be 2^32 and more
  uint32_t turn = 0;                     // of the words' states, as in look_back.hpp
};

} // namespace colonnade::detail
