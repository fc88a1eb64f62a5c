// subset: Statements: counters that wrap, are cut to a narrower type or stepped in another one
// languages: c c++
// class: A
// arrays: a s32 8; out s64 16
// scalars: n s32 9
// call: wrapping_counters(a, n, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void wrapping_counters(const int32_t a[8], int n, int64_t out[16]) {
  for (int i = 0; i < 16; i++)
    out[i] = 0;
  // Wraps by definition: int(i + 1u).
  for (int i = INT32_MAX - 3; i != INT32_MIN + 4; i = (int)(i + 1u))
    out[0] += a[i & 7];
  for (int64_t i = INT64_MAX - 3; i != INT64_MIN + 4; i = (int64_t)(i + UINT64_C(1)))
    out[1] += a[i & 7];
  for (int i = INT32_MAX - 7; i > 0; i += 2u)
    out[2] += a[i & 7];
  for (int i = INT32_MAX - 3; i <= INT32_MAX; i = (int)(i + 1u)) {
    out[3] += a[i & 7];
    if (i == INT32_MIN)
      break;
  }
  int j = INT32_MAX - 5;
  do {
    out[4] += a[j & 7];
    j = (int)(j + 3u);
  } while (j > 0);
  for (int i = INT32_MIN + 7; i < 0; i = (int)(i - 2u))
    out[5] += a[i & 7];
  // Does not: the sizes are checked.
  for (int i = 0; i < n; i += 4u)
    out[6] += a[i & 7];
  for (int i = n; i >= 0; i -= 3u)
    out[7] += a[i & 7];
  for (int i = 0; i != n; i = (int)(i + 1L))
    out[8] += a[i & 7];
  // Is cut on the way, and never gets there.
  int steps = 0;
  for (int i = 250; i < 260 && steps < 20; i = (uint8_t)(i + 1), steps++)
    out[9] += a[i & 7];
  for (int i = 300; i < 310; i = (uint8_t)i + 1)
    if (out[10] += a[i & 7], ++steps > 40)
      break;
  for (int64_t i = UINT32_MAX - 3; i < INT64_C(4294967300); i = (uint32_t)(i + 1))
    if (out[11] += a[i & 7], ++steps > 60)
      break;
  for (int16_t i = 125; i < 130; i = (int8_t)(i + 1))
    if (out[12] += a[i & 7], ++steps > 80)
      break;
  for (uint32_t i = UINT32_MAX - 3; i < UINT32_MAX && steps < 90; i = (uint8_t)(i + 1), steps++)
    out[13] += a[i & 7];
  out[14] = steps;
}
