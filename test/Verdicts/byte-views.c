// Numbers read from bytes and written to them are data if one byte is, on each way to an address.
// RUN: not %colonnade check %s -f half -f undefined -f loop -f under -f bound -f table_at -f either 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f half_ok -f loop_ok -f under_ok -f bound_ok -f table_ok 2>&1 | FileCheck %s --check-prefix=OK
// RUN: %colonnade check %s -f words_first -f advanced -f narrower_and_narrower 2>&1 | FileCheck %s --check-prefix=VOID
// RUN: not %colonnade check %s -f words_first_leak -f advanced_leak 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: %colonnade check %s --validate -f words_first -f advanced -f narrower_and_narrower 2>&1 | FileCheck %s --check-prefix=VALID
#include <colonnade/annotate.h>
#include <stdint.h>
#include <string.h>

static const uint8_t table[256] = {1, 2, 3};

// CHECK: half: reject, class N
void half(const uint8_t *x, float *b) {
  uint8_t t[4] = {0, 0, 0, 0};
  t[2] = x[0];
  uint32_t w;
  memcpy(&w, t, 4);
  b[w >> 16 & 7] = 0;
}
// OK: half_ok: accept, class A
void half_ok(const uint8_t *x, float *b) {
  uint8_t t[4] = {0, 0, 5, 0};
  uint32_t w;
  memcpy(&w, t, 4);
  b[w >> 16 & 7] = x[0];
}

// CHECK: undefined: reject, class N
void undefined(float *b) {
  uint8_t t[4];
  t[0] = 1;
  uint32_t w;
  memcpy(&w, t, 4);
  b[w & 1] = 0;
}

// The second iteration uses what the first one stored.
// CHECK: loop: reject, class N
void loop(const uint8_t *x, float *b) {
  uint8_t t[8] = {0};
  for (int i = 0; i < 2; i++) {
    uint32_t w = 0;
    b[t[4]] = 0;
    memcpy(&w, x, 4);
    memcpy(t + 4, &w, 4);
  }
}
// OK: loop_ok: accept, class A
void loop_ok(const uint8_t *x, float *b) {
  uint8_t t[8] = {0};
  for (int i = 0; i < 2; i++) {
    uint32_t w = 5;
    b[t[4]] = x[0];
    memcpy(t + 4, &w, 4);
  }
}

// CHECK: under: reject, class N
void under(const uint8_t *x, float *b) {
  uint8_t t[8] = {0};
  uint32_t w = 1;
  if (x[0])
    memcpy(t, &w, 4);
  b[t[0]] = 0;
}
// OK: under_ok: accept, class A
void under_ok(const uint8_t *x, float *b, int n) {
  uint8_t t[8] = {0};
  uint32_t w = 1;
  if (n)
    memcpy(t, &w, 4);
  b[t[0]] = x[0];
}

// CHECK: bound: reject, class T
void bound(const uint8_t *x, float *b) {
  uint8_t t[8] = {0};
  *(uint64_t *)t = *(const uint64_t *)x;
  for (int i = 0; i < t[7]; i++)
    b[i] = 0;
}
// OK: bound_ok: accept, class A
void bound_ok(const uint8_t *x, float *b) {
  uint8_t t[8] = {0};
  *(uint64_t *)t = *(const uint64_t *)table;
  for (int i = 0; i < t[1]; i++)
    b[i] = x[i];
}

// CHECK: table_at: reject, class R
void table_at(const uint8_t *x, uint32_t *o) { memcpy(o, table + 4 * (x[0] & 63), 4); }
// OK: table_ok: accept, class A
void table_ok(const uint8_t *x, uint32_t *o, int n) {
  memcpy(o, table + 4 * (n & 63), 4);
  o[0] ^= x[0];
}

// CHECK: either: reject, class N
void either(const uint8_t *x, const uint8_t *y, float *b) {
  const uint8_t *p = *(const uint32_t *)x ? x : y;
  memcpy(b, p, 4);
}

// --- a `void *` has the narrowest cells that it is accessed as, in whatever order

// VOID: words_first: accept, class A
// VALID: 'words_first': validated
uint64_t words_first(const void *key, int n) {
  const uint64_t *words = key;
  const uint8_t *tail = (const uint8_t *)key + n / 8 * 8;
  uint64_t h = n;
  for (int i = 0; i < n / 8; i++)
    h = (h ^ words[i]) * 31;
  for (int i = 0; i < n % 8; i++)
    h = (h ^ tail[i]) * 31;
  return h;
}
// LEAK: words_first_leak: reject, class N
uint64_t words_first_leak(const void *key, int n) {
  const uint64_t *words = key;
  return words[0] + ((const uint8_t *)key)[words[1] & 7];
}

// VOID: advanced: accept, class A
// VALID: 'advanced': validated
uint32_t advanced(const void *key COLONNADE_EXTENT(n), int n) {
  const unsigned char *data = key;
  uint32_t h = n;
  while (n >= 4) {
    h = (h ^ *(const uint32_t *)data) * 31;
    data += 4;
    n -= 4;
  }
  switch (n) {
  case 3: h ^= data[2] << 16;
  case 2: h ^= data[1] << 8;
  case 1: h ^= data[0];
  }
  return h;
}
// LEAK: advanced_leak: reject, class N
uint32_t advanced_leak(const void *key, int n) {
  const unsigned char *data = key;
  data += *(const uint32_t *)data & 7;
  return *data;
}

// VOID: narrower_and_narrower: accept, class A
// VALID: 'narrower_and_narrower': validated
void narrower_and_narrower(void *p, int n) {
  ((uint64_t *)p)[1] = 7;
  ((uint32_t *)p)[1] = 5;
  ((uint16_t *)p)[1] = ((uint32_t *)p)[2];
  ((uint8_t *)p)[1] = n;
}
