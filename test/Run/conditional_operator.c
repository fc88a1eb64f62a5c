// subset: Expressions: `?:` on data, also with loads in its arms
// languages: c c++
// class: P
// arrays: a f32 8; b f32 8
// call: conditional_operator(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

COLONNADE_BULK
void conditional_operator(float a[8], const float b[8]) {
  for (int i = 0; i < 8; i++)
    a[i] = a[i] < b[i] ? a[i] : b[7 - i];
  a[0] = a[1] ?: b[2]; // of C++, a[1] is a place, and read for either use
}
