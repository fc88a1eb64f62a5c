// subset: Parameters: pointers with extents from annotations, input and output
// languages: c c++
// class: A
// arrays: in f64 9; out f64 8
// scalars: n s32 8
// call: pointers(in, out, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

COLONNADE_BULK
void pointers(const double *in COLONNADE_EXTENT(n + 1), double *out COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    out[i] = (in[i] + in[i + 1]) / 2;
}
