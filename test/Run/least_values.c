// subset: Statements: least values of ranges, each of which needs those of shorter ones
// languages: c c++
// class: P
// arrays: weight f32 1600; best f32 1600
// call: least_values(weight, best)
// RUN: %run-construct
//
// On a GPU threads keep tiles of such values in registers, and take the least ones in any order, as
// no sum is -0.
#include <colonnade/annotate.h>

#include <math.h>

void least_values(const float weight[1600], float best[1600]) {
  for (int i = 0; i < 40; i++)
    best[i * 40 + i] = 0;
  for (int i = 38; i >= 0; i--)
    for (int j = i + 1; j < 40; j++) {
      float least = INFINITY;
      for (int k = i; k < j; k++) {
        float sum = best[i * 40 + k] + best[(k + 1) * 40 + j];
        if (sum < least)
          least = sum;
      }
      best[i * 40 + j] = least + weight[i * 40 + j];
    }
}
