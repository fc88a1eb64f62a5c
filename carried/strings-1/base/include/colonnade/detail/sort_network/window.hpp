//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// window.hpp: which items of a part a thread holds, and their slots in shared memory.
//
// In: a thread and a window: Bits neighbouring bits of an item's place in the part, from
// `bottom` on. Out: the places of the 2^Bits items that the thread holds: they differ in the
// window's bits, and the thread's number has the other bits, in order. Network steps on the
// bits of a window run in registers. A mirrored window is for the first step of a stage, on
// the window's highest bit: registers in which that bit is set hold the items of the mirrored
// thread, so that register r meets register r ^ (2^Bits - 1).
//
// Invariant: a part of 2^n items has 2^n slots, and the 32 lanes of a warp access 32 banks,
// in every window. The low five bits of a slot are those of the place, XORed with the five
// that are Bits higher. Lanes of a warp differ in the place's bits 0 ... bottom - 1 and
// bottom + Bits ... 4 + Bits. Lane bit k is place bit k if k < bottom, else place bit
// k + Bits; both reach slot bit k. Whatever else reaches a slot bit is a register's bit, which
// is the same in all lanes, or a higher lane bit; so the map from lanes to banks is linear and
// triangular, and thus one to one. (Algorithm 2 of the K-model has two-way conflicts for windows
// below bit five.) The tests count the conflicts of all windows.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// The slot of a place.
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

  /// fixed: so many low bits of a place number the array that is sorted, not the item in it.
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
  /// The byte offsets of the items' slots of 4 bytes. One XOR each: a slot is linear in its place.
  COLONNADE_HOST_DEVICE void slots(uint32_t (&offset)[items]) const {
    offset[0] = 4 * shared_slot<Bits>(first);
    COLONNADE_UNROLL
    for (uint32_t r = 1; r < items; ++r) {
      const uint32_t bit = lowest_bit(r);
      const uint32_t step = 1u << (bottom + bit) | (r == items / 2 ? mirror : 0);
      offset[r] = offset[r & (r - 1)] ^ 4 * shared_slot<Bits>(step);
    }
  }
  /// Whether a warp holds the same items as in every other such window: then changing between
  /// them takes no barrier of the block.
  static COLONNADE_HOST_DEVICE bool within_warp(uint32_t bottom) { return bottom <= 5; }
};

} // namespace colonnade::detail
