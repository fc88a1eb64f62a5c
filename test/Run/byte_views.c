// subset: Copies: `memcpy` between bytes and wider cells, through `void *` too; reads and writes of several cells at once
// languages: c c++
// class: A
// arrays: b u8 32; key u8 16; h u16 4
// scalars: n s32 8
// call: byte_views(b, key, h, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>
#include <string.h>

static uint32_t load32(const void *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static void store32(void *p, uint32_t v) { memcpy(p, &v, sizeof v); }

static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

COLONNADE_BULK
void byte_views(uint8_t *b COLONNADE_EXTENT(4 * n), const uint8_t *key COLONNADE_EXTENT(16),
                uint16_t *h COLONNADE_EXTENT(4), int n) {
  uint32_t w[4];
  memcpy(w, key, sizeof w);
  for (int i = 0; i < n; i++)
    store32(b + 4 * i, load32(b + 4 * i) ^ w[i & 3]);
  uint64_t t;
  memmove(&t, key + 8, 8);
  t += *(const uint64_t *)key;
  copy(&w[1], &t, sizeof t);
  copy(h, &w[1], sizeof t);
  ((uint32_t *)b)[n - 1] += w[2];
  uint8_t tail[12];
  memcpy(tail, w, 12);
  float x;
  memcpy(&x, tail + 4, 4);
  b[0] ^= (uint8_t)(x < 0.0f) + tail[3];
  copy(b + 8, b, (size_t)n);
}
