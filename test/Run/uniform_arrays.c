// subset: Parameters: arrays that are the same for all instances (`COLONNADE_UNIFORM`), also as indices
// languages: c c++
// class: A
// arrays: b f32 8; perm s32 8 uniform 0..7; out f32 8
// scalars: n s32 8
// call: uniform_arrays(b, perm, out, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void uniform_arrays(const float *b COLONNADE_EXTENT(n), COLONNADE_UNIFORM const int32_t *perm COLONNADE_EXTENT(n),
                    float *out COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    out[i] = b[perm[i]];
}
