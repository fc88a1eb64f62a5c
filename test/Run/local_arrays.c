// subset: Locals: arrays of one and two dimensions, initialised and filled
// languages: c c++
// class: A
// arrays: a s16 6
// call: local_arrays(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void local_arrays(int16_t a[6]) {
  int16_t copy[6];
  int16_t grid[2][3] = {{1, 2, 3}, {4}};
  for (int i = 0; i < 6; i++)
    copy[i] = a[5 - i];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      a[3 * i + j] = (int16_t)(copy[3 * i + j] + grid[i][j]);
}
