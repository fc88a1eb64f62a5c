// subset: Pointers: the address of a local scalar, of a cell and of a field
// languages: c c++
// class: A
// arrays: a u32 4
// call: address_of(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

struct pair {
  uint32_t first, second;
};

COLONNADE_BULK
void address_of(uint32_t a[4]) {
  uint32_t local = 3;
  uint32_t *p = &local;
  *p += a[0];
  struct pair s = {local, 5};
  p = &s.second;
  *p *= 2;
  p = &a[2];
  p[1] = local + s.second;
}
