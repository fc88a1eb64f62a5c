// subset: Statements: `switch` on a uniform value; its cases may address differently
// languages: c c++
// class: A
// arrays: a s32 4
// scalars: mode s32 2
// call: switch_uniform(a, mode)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void switch_uniform(int32_t a[4], int mode) {
  int at;
  switch (mode) {
  case 1:
    at = 3;
    break;
  case 2:
    at = 1;
    break;
  default:
    at = 0;
  }
  a[at] = 7;
}
