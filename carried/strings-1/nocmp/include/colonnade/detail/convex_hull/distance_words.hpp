//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// distance_words.hpp: distances whose order is that of words, and which say whose they are.
//
// In: a distance, and the number of a point. Out: a word, for reductions over a warp or over
// blocks. Invariant: words are in the order of distances, but for the bits that a number takes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>

namespace colonnade::detail {

/// Distances in the order of their words.
COLONNADE_KERNEL_CODE uint32_t distance_word(float distance) {
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits);
  return bits ^ (bits >> 31 ? ~0u : 1u << 31);
}
COLONNADE_KERNEL_CODE float distance_of(uint32_t word) {
  const uint32_t bits = word ^ (word >> 31 ? 1u << 31 : ~0u);
  float distance;
  memcpy(&distance, &bits, sizeof distance);
  return distance;
}
/// A distance whose lowest bits, those of a mask, are a point's number.
COLONNADE_KERNEL_CODE float with_number(float distance, uint32_t number, uint32_t number_bits) {
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits);
  bits = (bits & ~number_bits) | number;
  memcpy(&distance, &bits, sizeof bits);
  return distance;
}
/// Of what is no number, any.
COLONNADE_KERNEL_CODE uint32_t number_in(float distance, uint32_t number_bits) {
  uint32_t bits;
  memcpy(&bits, &distance, sizeof bits);
  return bits & number_bits;
}

} // namespace colonnade::detail
