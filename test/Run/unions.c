// subset: Types: unions of numbers of one width, each of them a view of the same bits
// languages: c c++
// class: P
// arrays: a s32 8; x f32 8; out s64 16
// call: unions(a, x, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>
#include <string.h>

union word {
  float number;
  int32_t bits;
  uint32_t unsignedBits;
};
struct tagged {
  int tag;
  union word word;
  union {
    double wide;
    uint64_t wideBits;
  };
};

static float fromBits(int32_t bits) {
  union word w;
  w.bits = bits;
  return w.number;
}
static union word negated(union word w) {
  w.unsignedBits ^= 0x80000000u;
  return w;
}

COLONNADE_BULK
void unions(const int32_t a[8], const float x[8], int64_t out[16]) {
  union word w = {x[0]}, copy = w, zero = {0}, other = {.bits = a[0]};
  out[0] = w.bits;
  out[1] = copy.unsignedBits;
  out[2] = zero.bits;
  out[3] = other.unsignedBits;
  w.unsignedBits += 3;
  out[4] = w.number > copy.number;
  copy = negated(w);
  out[5] = copy.bits;
  union word many[4];
  memset(many, 0, sizeof many);
  for (int i = 0; i < 4; i++)
    many[i].number = x[i];
  many[1].unsignedBits++;
  memcpy(&many[2], &many[1], sizeof many[1]);
  out[6] = many[2].bits;
  out[7] = many[3].unsignedBits;
  struct tagged t, u;
  t.tag = a[1];
  t.word = many[1];
  t.wide = (double)x[4];
  u = t;
  u.wideBits >>= 3;
  out[8] = (int64_t)u.wideBits;
  out[9] = t.wideBits > 5;
  out[10] = (int64_t)u.word.bits + u.tag;
  out[11] = fromBits(a[2] & 0x7fffff) < 1.0f;
  float *view = &w.number;
  *view = x[5];
  out[12] = w.bits;
  uint32_t *bits = &w.unsignedBits;
  *bits &= 0xff;
  out[13] = w.bits;
  out[14] = a[3] > 0 ? w.bits : other.bits;
  out[15] = (int64_t)sizeof(union word);
}
