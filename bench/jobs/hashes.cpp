//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hashes.cpp: SipHash-2-4 of 64 bytes (Aumasson and Bernstein, 2012), SHA-256 of 1 KiB
// (FIPS 180-4), Adler-32 (RFC 1950).
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

static uint64_t rotated_left(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void sip_round(uint64_t v[4]) {
  v[0] += v[1], v[1] = rotated_left(v[1], 13) ^ v[0], v[0] = rotated_left(v[0], 32);
  v[2] += v[3], v[3] = rotated_left(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = rotated_left(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = rotated_left(v[1], 17) ^ v[2], v[2] = rotated_left(v[2], 32);
}

COLONNADE_BULK
uint64_t siphash(const uint64_t key[2], const uint64_t message[8]) {
  uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                   key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
  for (int i = 0; i < 9; ++i) {
    const uint64_t word = i < 8 ? message[i] : uint64_t{64} << 56;
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  for (int i = 0; i < 4; ++i)
    sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static const uint32_t RoundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void sha256_block(uint32_t state[8], const uint32_t block[16]) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; ++i)
    w[i] = block[i];
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + w[i - 7] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
  for (int i = 0; i < 8; ++i)
    s[i] = state[i];
  for (int i = 0; i < 64; ++i) {
    const uint32_t t1 = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                        ((s[4] & s[5]) ^ (~s[4] & s[6])) + RoundConstants[i] + w[i];
    const uint32_t t2 = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                        ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; --k)
      s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i)
    state[i] += s[i];
}

/// The message as big-endian words.
COLONNADE_BULK
void sha256(const uint32_t message[256], uint32_t digest[8]) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint32_t last[16] = {0x80000000};
  last[15] = 8192;
  for (int block = 0; block < 16; ++block)
    sha256_block(state, message + 16 * block);
  sha256_block(state, last);
  for (int i = 0; i < 8; ++i)
    digest[i] = state[i];
}

COLONNADE_BULK
uint32_t adler32(const uint8_t *bytes COLONNADE_EXTENT(n), int n) {
  uint32_t a = 1, b = 0;
  for (int i = 0; i < n; ++i) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}
