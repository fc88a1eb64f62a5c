// subset: Statements: loops over rows of which memory has room for few
// languages: c c++
// class: A
// arrays: b f32 16384
// call: longest_rows(b)
// RUN: %run-construct
//
// On a GPU, row-wise, the threads of a block copy a strip of their rows while they work on the one
// before it.
#include <colonnade/annotate.h>

COLONNADE_BULK
void longest_rows(float b[16384]) {
  for (int i = 1; i < 16384; i++)
    b[i] += b[i - 1];
}
