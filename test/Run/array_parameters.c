// subset: Parameters: `T a[N]` and `T a[N][M]`
// languages: c c++
// class: A
// arrays: a u16 12; b u16 12
// call: array_parameters((uint16_t (*)[4])a, (uint16_t (*)[3])b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void array_parameters(const uint16_t a[3][4], uint16_t b[4][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      b[j][i] = a[i][j];
}
