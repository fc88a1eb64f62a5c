// subset: Functions: a pointer parameter that is returned as it came, which is no output
// languages: c c++
// class: A
// arrays: sum f32 4; a f32 4; b f32 4
// call: returned_parameter(sum, a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

static float *add(float *sum, const float *a, const float *b) {
  for (int i = 0; i < 4; i++)
    sum[i] = a[i] + b[i];
  return sum;
}

COLONNADE_BULK
float *returned_parameter(float sum[4], const float a[4], const float b[4]) {
  return add(add(sum, a, b), a, b);
}
