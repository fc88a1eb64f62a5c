//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// finite_fields.cpp: products and inverses in GF(2^12), the centred binomial samples of
// lattice schemes, a layer of conditional swaps, and whether two tags are equal.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

static uint16_t product(uint16_t a, uint16_t b) {
  uint32_t t = 0;
  for (int i = 0; i < 12; ++i)
    t ^= static_cast<uint32_t>(a) * (b & (1u << i));
  uint32_t high = t & 0x7fc000;
  t ^= high >> 9 ^ high >> 12;
  high = t & 0x3000;
  t ^= high >> 9 ^ high >> 12;
  return static_cast<uint16_t>(t & 0xfff);
}

/// a^(2^12 - 2), by squares and products.
COLONNADE_BULK
uint16_t field_inverse(COLONNADE_INSTANCE uint16_t a) {
  uint16_t result = 1, square = a & 0xfff;
  for (int i = 1; i < 12; ++i) {
    square = product(square, square);
    result = product(result, square);
  }
  return result;
}

COLONNADE_BULK
void binomial_samples(const uint8_t bytes[128], int16_t samples[256]) {
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 2; ++j) {
      const int bits = bytes[i] >> 4 * j;
      samples[2 * i + j] =
          static_cast<int16_t>((bits & 1) + (bits >> 1 & 1) - (bits >> 2 & 1) - (bits >> 3 & 1));
    }
}

COLONNADE_BULK
void swap_layer(uint64_t words[64], const uint64_t controls[32]) {
  for (int step = 1; step < 64; step *= 2)
    for (int i = 0, c = 0; i < 64; i += 2 * step)
      for (int k = i; k < i + step; ++k, ++c) {
        const uint64_t d = (words[k] ^ words[k + step]) & controls[c];
        words[k] ^= d;
        words[k + step] ^= d;
      }
}

COLONNADE_BULK
int tags_differ(const uint8_t a[32], const uint8_t b[32]) {
  int difference = 0;
  for (int i = 0; i < 32; ++i)
    difference |= a[i] ^ b[i];
  return difference != 0;
}
