// Needs flags, and has functions that `add` does not need: one calls what nobody
// defines, one is named like a function of the C library.
#include "half.h"

float missing(float);
extern float nowhere;
float unused(float x) { return missing(x) + nowhere; }
extern "C" void free(void *) { __builtin_abort(); }

void add(float *out, const float *in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] + HALF;
}
