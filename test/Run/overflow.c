// subset: Library: `__builtin_add_overflow` and its kin, of all widths and signs
// languages: c c++
// class: A
// arrays: a s32 8; b s64 8; c u64 8; out s64 24
// call: overflow(a, b, c, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void overflow(const int32_t a[8], const int64_t b[8], const uint64_t c[8], int64_t out[24]) {
  for (int i = 0; i < 4; i++) {
    int32_t s;
    uint8_t narrow;
    int64_t wide;
    uint64_t whole;
    out[i] = __builtin_add_overflow(a[2 * i], a[2 * i + 1], &s);
    out[i] += (int64_t)s * 16;
    out[4 + i] = __builtin_sub_overflow(a[2 * i], c[i], &narrow) + 16 * narrow;
    out[8 + i] = __builtin_mul_overflow(b[2 * i], b[2 * i + 1], &wide);
    out[8 + i] ^= wide;
    out[12 + i] = __builtin_mul_overflow(c[2 * i], b[i], &whole);
    out[12 + i] ^= (int64_t)whole;
    out[16 + i] = __builtin_mul_overflow(a[i], (uint32_t)c[i], &wide);
    out[16 + i] ^= wide;
    unsigned int u;
    out[20 + i] = __builtin_usub_overflow((uint32_t)a[i], (uint32_t)a[i + 1], &u);
    out[20 + i] += (int64_t)u + __builtin_clrsb(a[i]) + __builtin_clrsbll(b[i]);
  }
}
