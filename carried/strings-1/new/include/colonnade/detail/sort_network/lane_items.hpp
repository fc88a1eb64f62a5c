//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lane_items.hpp: exchanges items of any type between the lanes of a warp.
//
// In: an item in every lane of the warp. Out: another lane's item. Invariant: items are
// moved word by word, so they stay in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/exchange.hpp>

namespace colonnade::detail {

/// The item whose words are those that move(word) gives.
template <class T, class Move> COLONNADE_KERNEL_CODE T moved_words(const T &item, Move move) {
  auto words = item_words<T>::of(item);
  COLONNADE_UNROLL
  for (uint32_t w = 0; w < item_words<T>::count; ++w)
    words.at[w] = move(words.at[w]);
  return words.item();
}

/// The item of lane `from`.
template <class T, class Machine>
COLONNADE_KERNEL_CODE T take_from_lane(const Machine &machine, const T &item, uint32_t from) {
  return moved_words(item, [&](uint32_t word) { return machine.shuffle(word, from); });
}

/// The item of the lane whose number differs from this lane's in the bits of `mask`.
template <class T, class Machine>
COLONNADE_KERNEL_CODE T take_from_lane_xor(const Machine &machine, const T &item, uint32_t mask) {
  return moved_words(item, [&](uint32_t word) { return machine.shuffle_xor(word, mask); });
}

} // namespace colonnade::detail
