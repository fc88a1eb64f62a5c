// subset: Statements: steps of a nest that need a row and a column of before and of after
// languages: c c++
// class: P
// arrays: d f32 1024; reached u32 1024
// call: two_versions(d, reached)
// RUN: %run-construct
//
// On a GPU, row-wise, a team of threads does all iterations of a step at once: of a cell that others
// need, those before it see the old value, those behind it the new one.
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void two_versions(float d[1024], uint32_t reached[1024]) {
  /* Shortest paths over fewer vertices than there are; d[k][k] may be below zero. */
  for (int k = 0; k < 13; k++)
    for (int i = 0; i < 32; i++)
      for (int j = 0; j < 32; j++) {
        const float through = d[i * 32 + k] + d[k * 32 + j];
        d[i * 32 + j] = through < d[i * 32 + j] ? through : d[i * 32 + j];
        reached[i * 32 + j] |= reached[i * 32 + k] & reached[k * 32 + j];
      }
}
