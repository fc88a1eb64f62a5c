// subset: Locals: `const` tables, also as indices
// languages: c c++
// class: A
// arrays: a s32 8
// call: constant_tables(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

static const int32_t weights[4] = {3, -1, 4, 1};
static const unsigned char order[2][4] = {{7, 6, 5, 4}, {0, 2, 1, 3}};

COLONNADE_BULK
void constant_tables(int32_t a[8]) {
  for (int i = 0; i < 4; i++)
    a[order[0][i]] = (a[order[1][i]] >> 4) * weights[i];
}
