//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sharpens one 16 x 16 tile of an 8-bit picture: the difference from the 3 x 3
// mean is added back, scaled by strength/16, and the result saturates at 0 and
// 255. The input tile has a border of one pixel. Class P: saturation branches.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

constexpr int tile = 16;
constexpr int bordered = tile + 2;

static uint8_t saturate(int value) {
  if (value < 0)
    return 0;
  if (value > 255)
    return 255;
  return static_cast<uint8_t>(value);
}

COLONNADE_BULK
void sharpen(const uint8_t in[bordered][bordered], uint8_t out[tile][tile], int strength) {
  for (int y = 0; y < tile; y++) {
    for (int x = 0; x < tile; x++) {
      int sum = 0;
      for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
          sum += in[y + dy][x + dx];
      int centre = in[y + 1][x + 1];
      out[y][x] = saturate(centre + (9 * centre - sum) * strength / (9 * 16));
    }
  }
}
