#include "filter.h"

float last;

float filtered(const struct filter *f, const float *x, int n) {
  float y = 0;
  for (int i = 0; i < f->taps; i++)
    y += f->weights[i] * x[n - 1 - i];
  return y;
}

int pick(const int *table, const int *at) { return table[*at & 7]; }

float remember(float x) { return last = x; }

unsigned remainder_of(unsigned a, unsigned b) { return a % (b | 1); }
