// subset: Pointers: a base chosen under uniform control
// languages: c c++
// class: A
// arrays: a f32 4; b f32 4; out f32 4
// scalars: second bool 1
// call: pointer_selected(a, b, out, second)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdbool.h>

COLONNADE_BULK
void pointer_selected(const float a[4], const float b[4], float out[4], bool second) {
  const float *from = second ? b : a;
  for (int i = 0; i < 4; i++)
    out[i] = from[i];
}
