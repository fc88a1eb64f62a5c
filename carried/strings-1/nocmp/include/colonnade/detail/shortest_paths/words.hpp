//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// words.hpp: a vertex's distance, and whether it waits to be expanded, in one word.
//
// word = bits of the distance * 2 + (1 if it has been expanded at this distance).
//
// In: distances and weights. Out: words, and back. Invariant: smaller words are shorter
// distances. So an atomic minimum relaxes an edge, an atomic or of 1 takes a vertex, and
// the word that either returns tells whether the vertex was waiting before: no vertex is
// lost, and none is twice in the same queue. Floats that are not negative are in the order
// of their bits, and their sign bit is free.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>

namespace colonnade::detail {

template <class Distance> struct path_word; // uint32_t, uint64_t, float

template <class Word> struct integer_path_word {
  using type = Word;
  static constexpr Word unreached = ~Word{0}; // not waiting
  static constexpr Word longest = (~Word{0} >> 1) - 1;
  static COLONNADE_HOST_DEVICE Word waiting(Word distance) { return distance << 1; }
  static COLONNADE_HOST_DEVICE Word distance(Word word) { return word >> 1; }
  static COLONNADE_HOST_DEVICE bool valid(uint32_t) { return true; }
  static constexpr bool valid_width(Word) { return true; }
  /// The sum; false if it is too long for a distance.
  static COLONNADE_HOST_DEVICE bool add(Word distance, uint32_t weight, Word &sum) {
    sum = distance + weight;
    return sum >= distance && sum <= longest;
  }
  /// base + delta * times, or the longest distance if that is less.
  static COLONNADE_HOST_DEVICE Word raise(Word base, Word delta, uint32_t times) {
    return delta > (longest - base) / times ? longest : base + delta * times;
  }
  static COLONNADE_HOST_DEVICE Word unreachable() { return ~Word{0}; }
};
template <> struct path_word<uint32_t> : integer_path_word<uint32_t> {};
template <> struct path_word<uint64_t> : integer_path_word<uint64_t> {};

template <> struct path_word<float> {
  using type = uint32_t;
  static constexpr uint32_t unreached = ~0u;
  static constexpr float longest = 3.402823466e38f;
  static COLONNADE_HOST_DEVICE uint32_t waiting(float distance) {
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return bits << 1;
  }
  static COLONNADE_HOST_DEVICE float distance(uint32_t word) {
    const uint32_t bits = word >> 1;
    float distance;
    memcpy(&distance, &bits, sizeof bits);
    return distance;
  }
  static COLONNADE_HOST_DEVICE bool valid(float weight) { return weight >= 0; } // not NaN
  static constexpr bool valid_width(float delta) { return delta >= 0; }
  static COLONNADE_HOST_DEVICE bool add(float distance, float weight, float &sum) {
    sum = distance + weight;
    return sum <= longest;
  }
  static COLONNADE_HOST_DEVICE float raise(float base, float delta, uint32_t times) {
    const float raised = base + delta * static_cast<float>(times);
    return raised <= longest ? raised : longest;
  }
  static COLONNADE_HOST_DEVICE float unreachable() {
    const uint32_t bits = 0x7f800000;
    float infinity;
    memcpy(&infinity, &bits, sizeof bits);
    return infinity;
  }
};

/// Not yet expanded at its distance; false for a vertex that is not reached.
template <class Word> COLONNADE_HOST_DEVICE bool is_waiting(Word word) { return !(word & 1); }

} // namespace colonnade::detail
