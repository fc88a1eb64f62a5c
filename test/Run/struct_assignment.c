// subset: Copies: assignment of structs
// languages: c c++
// class: A
// arrays: a s32 6
// call: struct_assignment(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

struct block {
  int32_t sum;
  int32_t cells[3];
};

COLONNADE_BULK
void struct_assignment(int32_t a[6]) {
  struct block b = {0, {a[0], a[1], a[2]}};
  struct block c;
  c = b;
  c.cells[1] = b.cells[2];
  b = c;
  for (int i = 0; i < 3; i++)
    a[3 + i] = b.cells[i];
}
