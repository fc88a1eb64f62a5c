//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// window.hpp: which items of a part a thread holds, and where they go in shared memory.
//
// A window is `Bits` neighbouring bits of a place: a thread holds the 2^Bits items that
// differ in them, the thread's number has the other bits, in order. Steps on the bits
// of a window run in registers. A mirrored window serves the first step of a stage,
// which is the window's highest bit: registers with that bit set hold the items of the
// mirrored thread, so that register r meets register r ^ (2^Bits - 1).
//
// Shared memory holds a part of 2^n items in 2^n slots, free of bank conflicts. The
// low five bits of the slot are the place's, XOR those that are Bits higher. Lanes of
// a warp differ in the place's bits 0 ... bottom - 1 and bottom + Bits ... 4 + Bits;
// lane bit k below `bottom` goes to slot bit k, all others from place bit k + Bits to
// slot bit k too. What else reaches a slot bit is a register's bit, the same in all
// lanes, or a lane bit of one side, in triangular form: the five bits are a bijection
// of the lane, for every window. (Algorithm 2 of the K-model has two-way conflicts for
// windows below bit five.) The tests count conflicts over all windows and lanes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

template <uint32_t Bits> COLONNADE_HOST_DEVICE uint32_t shared_slot(uint32_t place) {
  return place ^ (place >> Bits & 31);
}

constexpr COLONNADE_HOST_DEVICE uint32_t lowest_bit(uint32_t r) {
  uint32_t bit = 0;
  while (!(r >> bit & 1))
    ++bit;
  return bit;
}

template <uint32_t Bits> struct register_window {
  static constexpr uint32_t items = 1u << Bits;
  uint32_t bottom;
  uint32_t first;  // place of register 0
  uint32_t mirror; // bits to complement where the highest register bit is set

  /// Fixed: so many low bits of a place are no part of what is sorted, but its number.
  COLONNADE_HOST_DEVICE register_window(uint32_t window_bottom, bool mirrored, uint32_t thread,
                                        uint32_t fixed = 0)
      : bottom(window_bottom) {
    const uint32_t below = (1u << bottom) - 1;
    first = (thread & below) | (thread & ~below) << Bits;
    mirror = mirrored ? below >> fixed << fixed : 0;
  }
  COLONNADE_HOST_DEVICE uint32_t place(uint32_t r) const {
    return (r & items / 2 ? first ^ mirror : first) | r << bottom;
  }
  /// Byte offsets of the slots, 4 bytes each. One XOR each: the slot is linear in the place.
  COLONNADE_HOST_DEVICE void slots(uint32_t (&offset)[items]) const {
    offset[0] = 4 * shared_slot<Bits>(first);
    COLONNADE_UNROLL
    for (uint32_t r = 1; r < items; ++r) {
      const uint32_t bit = lowest_bit(r);
      const uint32_t step = 1u << (bottom + bit) | (r == items / 2 ? mirror : 0);
      offset[r] = offset[r & (r - 1)] ^ 4 * shared_slot<Bits>(step);
    }
  }
  /// Windows that a warp can change between by itself: it holds the same items.
  static COLONNADE_HOST_DEVICE bool within_warp(uint32_t bottom) { return bottom <= 5; }
};

} // namespace colonnade::detail
