// subset: Statements: loops that divide what they load
// languages: c c++
// class: A
// arrays: a f32 64; b f64 48; c u8 60; x f32 64; y f32 64
// call: divisions_in_loops(a, b, c, x, y)
// RUN: %run-construct
//
// Divisions branch to routines; what is loaded before them, and what they wait for, is right whatever
// the counter: down, by two or three, unsigned, used behind its loop.
#include <colonnade/annotate.h>

#include <stdint.h>

void divisions_in_loops(const float a[64], const double b[48], const uint8_t c[60], float x[64],
                        float y[64]) {
  float carried = 1;
  /* 63 iterations, of which each takes two values on. */
  for (int i = 1; i < 64; i++) {
    carried = (a[i] + a[i]) / (carried * carried + 1) - x[i];
    y[i] = carried;
  }
  /* Down, by two, in 64 bits. */
  double sum = 0;
  for (long i = 47; i > 0; i -= 2)
    sum = (b[i] - b[i - 1]) / (sum * sum + 2);
  /* Small cells; the counter is unsigned, and the last iteration's is used behind the loop. */
  unsigned k;
  for (k = 0; k < 60u; k += 3)
    carried += c[k] / (carried * carried + 3);
  /* What the loop stores to is loaded when it is its turn. */
  for (int i = 1; i < 61; i++)
    x[i] = x[i - 1] / (a[i] * a[i] + 1) + y[i];
  /* 13 iterations are one block, of which each has a loop that divides in five. */
  for (int i = 0; i < 13; i++) {
    float part = a[i] / (a[i + 1] * a[i + 1] + 1);
    for (int j = 0; j < 5; j++)
      part += x[5 * i - i + j] / (y[i + j] * y[i + j] + 1);
    y[i] = part;
  }
  x[0] = carried + (float)sum + (float)k;
}
