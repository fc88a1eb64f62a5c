// subset: Statements: `while` whose variable is doubled, halved or turned, around loops with counters
// languages: c c++
// class: P
// arrays: re f32 16; im f32 16; words u64 32; found s32 8
// call: halving_loops(re, im, words, found)
// RUN: %run-construct
//
// On a GPU, cells are in registers, so every subscript must be a constant once loops are unrolled;
// the compiler does not unroll these.
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void halving_loops(float re[16], float im[16], uint64_t words[32], int32_t found[8]) {
  for (int i = 0, j = 0; i < 16; i++) {
    if (i < j) {
      float r = re[i];
      re[i] = im[j];
      im[j] = r;
    }
    int bit = 8;
    while (bit > 0 && (j & bit) != 0) {
      j ^= bit;
      bit /= 2;
    }
    j ^= bit;
  }
  int half = 1;
  while (half < 16) {
    for (int start = 0; start < 16; start += 2 * half)
      for (int k = start; k < start + half; k++) {
        float sum = re[k] + im[k + half];
        im[k + half] = re[k] - im[k + half];
        re[k] = sum;
      }
    half *= 2;
  }
  unsigned step = 16;
  do {
    for (unsigned k = 0; k + step < 32; k += 2)
      words[k] ^= words[k + step] << 1;
    step >>= 1;
  } while (step != 0);
  for (int i = 0; i < 4; i++) {
    if (found[i] < 0)
      break;
    int place = 4;
    while (place > 0) {
      found[i + place - 1] ^= found[i] >> 1;
      place /= 2;
    }
  }
}
