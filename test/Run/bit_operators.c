// subset: Expressions: `&`, `|`, `^`, `~`, `<<`, `>>`
// languages: c c++
// class: A
// arrays: a u32 8; b s64 8; k u8 8
// call: bit_operators(a, b, k)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void bit_operators(uint32_t a[8], int64_t b[8], uint8_t k[8]) {
  for (int i = 0; i < 8; i++) {
    a[i] = (a[i] << (k[i] & 31)) | (a[i] >> (31 - (k[i] & 31)));
    b[i] = (b[i] >> (k[i] % 64)) ^ ~b[i];
    k[i] = k[i] << 3 & 0xf0;
  }
}
