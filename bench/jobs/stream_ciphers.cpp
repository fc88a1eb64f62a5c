//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// stream_ciphers.cpp: Salsa20's core (D. J. Bernstein, 2005), and ChaCha20 over 1 KiB
// (RFC 8439).
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

static uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }

COLONNADE_BULK
void salsa20_core(const uint32_t in[16], uint32_t out[16]) {
  uint32_t x[16];
  for (int i = 0; i < 16; ++i)
    x[i] = in[i];
  for (int round = 0; round < 20; ++round) {
    uint32_t y[16];
    for (int j = 0; j < 4; ++j) {
      uint32_t t[4];
      for (int m = 0; m < 4; ++m)
        t[m] = x[(5 * j + 4 * m) % 16];
      t[1] ^= rotated(t[0] + t[3], 7);
      t[2] ^= rotated(t[1] + t[0], 9);
      t[3] ^= rotated(t[2] + t[1], 13);
      t[0] ^= rotated(t[3] + t[2], 18);
      for (int m = 0; m < 4; ++m)
        y[4 * j + (j + m) % 4] = t[m];
    }
    for (int m = 0; m < 16; ++m)
      x[m] = y[m];
  }
  for (int i = 0; i < 16; ++i)
    out[i] = x[i] + in[i];
}

static void quarter_round(uint32_t x[16], int a, int b, int c, int d) {
  x[a] += x[b], x[d] = rotated(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = rotated(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = rotated(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = rotated(x[b] ^ x[c], 7);
}

static void chacha20_block(const uint32_t key[8], const uint32_t nonce[3], uint32_t counter,
                           uint32_t out[16]) {
  uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; ++i)
    start[4 + i] = key[i];
  start[12] = counter;
  for (int i = 0; i < 3; ++i)
    start[13 + i] = nonce[i];
  for (int i = 0; i < 16; ++i)
    out[i] = start[i];
  for (int round = 0; round < 10; ++round) {
    for (int j = 0; j < 4; ++j)
      quarter_round(out, j, 4 + j, 8 + j, 12 + j);
    for (int j = 0; j < 4; ++j)
      quarter_round(out, j, 4 + (j + 1) % 4, 8 + (j + 2) % 4, 12 + (j + 3) % 4);
  }
  for (int i = 0; i < 16; ++i)
    out[i] += start[i];
}

COLONNADE_BULK
void chacha20(const uint32_t key[8], const uint32_t nonce[3], uint32_t message[256]) {
  for (int block = 0; block < 16; ++block) {
    uint32_t stream[16];
    chacha20_block(key, nonce, 1 + block, stream);
    for (int i = 0; i < 16; ++i)
      message[16 * block + i] ^= stream[i];
  }
}
