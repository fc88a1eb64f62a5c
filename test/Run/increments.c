// subset: Expressions: increments and decrements, before and after, of scalars and cells
// languages: c c++
// class: A
// arrays: a u32 8; b u8 8; c f32 8
// call: increments(a, b, c)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void increments(uint32_t a[8], uint8_t b[8], float c[8]) {
  int i = 0;
  while (i < 8) {
    a[i]++;
    --b[i];
    uint32_t before = a[i]--;
    uint8_t after = ++b[i];
    c[i++] += (float)(before - after);
  }
}
