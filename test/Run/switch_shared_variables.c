// subset: Statements: variables that one case of a `switch` declares and later ones use
// languages: c c++
// class: P
// arrays: a s32 4
// scalars:
// call: switch_shared_variables(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void switch_shared_variables(int32_t a[4]) {
  for (int i = 0; i < 4; i++)
    switch (a[i] & 3) {
      int before;
    case 0:
      before = a[i];
      a[i] = before / 2;
      break;
    case 1:;
      int behind, both[2];
      behind = a[i] - 5;
      a[i] = behind;
      break;
    case 2:
      both[0] = a[i] & 1023;
      both[1] = 7;
      before = both[0] * both[1];
      a[i] = before;
      break;
    default:
      behind = a[i] & 15;
      a[i] = -behind;
    }
}
