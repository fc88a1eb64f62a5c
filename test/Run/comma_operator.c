// subset: Expressions: the comma operator
// languages: c c++
// class: A
// arrays: a s32 8
// call: comma_operator(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void comma_operator(int32_t a[8]) {
  int i, j;
  for (i = 0, j = 7; i < j; i++, j--) {
    int32_t t = (a[i] ^= 1, a[j]);
    a[j] = a[i], a[i] = t;
  }
}
