// subset: Statements: loops whose end is a choice
// languages: c c++
// class: A
// arrays: a u32 36; n s32 6 uniform 0..6; out u32 36
// call: choice_ends(a, n, out)
// RUN: %run-construct
//
// What a loop compares its counter with is chosen anew in every iteration, of values that it does
// not change: the loop counts, and its end is computed before it.
#include <colonnade/annotate.h>

#include <stdint.h>

void choice_ends(const uint32_t a[36], COLONNADE_UNIFORM const int n[6], uint32_t out[36]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      uint32_t sum = 0;
      for (int k = 0; k < (i < j ? i : j); k++)
        sum += a[i * 6 + k] * a[j * 6 + k];
      for (int k = i > j ? i : j; k < (n[i] < n[j] ? n[j] : n[i]); k++)
        sum ^= a[k];
      /* An arm divides where the divisor is not 0, and another is undefined beyond 31. */
      for (int k = 0; k < (n[j] != 0 ? n[i] / n[j] : i); k += 1 + i)
        sum += a[k] << k;
      for (int k = j; k >= (n[i] > 2 ? (i < 3 ? 1 : 2) : j); k--)
        sum -= a[k];
      out[i * 6 + j] = sum;
    }
}
