// subset: Types: bit-fields of local structs: cut to their width, with its sign
// languages: c c++
// class: A
// arrays: a s32 8; out s64 16
// call: bit_fields(a, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct packed {
  unsigned low : 3;
  int middle : 5;
  bool flag : 1;
  unsigned : 0;
  signed char tiny : 2;
  unsigned short half : 11;
  unsigned whole : 32;
};

static const struct packed table[2] = {{5, -16, true, 1, 2047, 0xffffffffu}, {1, 15, 0, -2, 3, 4}};

COLONNADE_BULK
void bit_fields(const int32_t a[8], int64_t out[16]) {
  struct packed p = {(unsigned)a[0], a[1] >> 3, a[2] > 0, 1, (unsigned short)a[3], (unsigned)a[4]};
  out[0] = p.low;
  out[1] = p.middle;
  out[2] = p.flag;
  out[3] = p.half - 2048; // promoted to int
  out[4] = p.whole;
  out[5] = (p.middle = a[5]);
  out[6] = p.low++;
  out[7] = --p.middle;
  p.half += (unsigned short)a[6];
  p.tiny = 1;
  p.tiny += 1;
  out[8] = p.half * 2 + p.tiny;
  p.flag = (a[7] & 6) != 0;
  struct packed q[2];
  memset(q, 0, sizeof q);
  q[1] = p;
  q[0].low = q[1].low ^ 5u;
  q[1].whole = q[0].low - 9u;
  out[9] = q[0].low + 10 * q[1].flag;
  out[10] = q[1].middle < p.whole;
  out[11] = q[1].whole;
  for (int i = 0; i < 2; i++)
    out[12 + i] = table[i].low * table[i].middle + table[i].tiny;
  out[14] = table[0].whole + table[1].half;
  out[15] = -q[1].low; // of an int
}
