// subset: Functions: many calls of long functions, which generated code keeps as calls
// languages: c
// class: P
// arrays: state u64 4; key u64 4
// call: kept_calls(state, key)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

static const uint32_t weights[4] = {3, 1, 4, 1};

#define STEP(i, j, k)                                                                             \
  s[i] += (s[j] ^ t[k]) + c;                                                                      \
  t[k] = (t[k] << 13 | t[k] >> 51) ^ s[i];
#define STEPS STEP(0, 1, 2) STEP(1, 2, 3) STEP(2, 3, 0) STEP(3, 0, 1)
#define LONG STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS

/* Local arrays alone. */
static uint64_t mix(uint64_t s[4], uint64_t t[4], uint64_t c) {
  LONG
  return s[3] ^ t[0];
}

/* An array in the caller's memory, a table, a loop, and a branch on data. */
static void absorb(uint64_t s[4], const uint64_t *key, uint64_t c) {
  uint64_t t[4] = {c, 0, 0, 0};
  for (int i = 0; i < 4; i++)
    t[i] ^= key[i] * weights[i];
  LONG
  if (s[0] & 1)
    s[1] ^= t[2];
}

#define FOUR(call) call call call call

COLONNADE_BULK
void kept_calls(uint64_t state[4], const uint64_t key[4]) {
  uint64_t s[4], t[4] = {1, 2, 3, 4}, sum = 0;
  for (int i = 0; i < 4; i++)
    s[i] = state[i];
  FOUR(FOUR(sum += mix(s, t, sum); sum += mix(t, s, sum + 7);))
  FOUR(FOUR(absorb(s, key, sum); sum += s[0]; absorb(t, key, sum + 5); sum += t[0];))
  for (int i = 0; i < 4; i++)
    state[i] = s[i] ^ t[i] ^ sum;
}
