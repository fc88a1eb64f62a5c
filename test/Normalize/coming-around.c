// RUN: %colonnade check %s -f all -f behind -f before -f ahead --validate | FileCheck %s --check-prefix=VALID
// RUN: %colonnade check %s -f ahead -f plain --dump=ir | FileCheck %s
//
// The first iteration of a do-while is not tested: its counter may come around to its start, and
// then has not counted none but all of its values.
#include <stdint.h>

// VALID: 'all': validated: 20 inputs, 15380 accesses
void all(const int *a, int64_t out[2]) {
  uint8_t i = 5;
  uint64_t sum = 0;
  do {
    sum += 7;
    ++i;
    out[1] += a[0];
  } while (i != 5);
  out[0] = sum;
}

// From the end of its type on, it begins anew: 228 iterations, not -27.
// VALID: 'behind': validated: 20 inputs, 13760 accesses
void behind(const int *a, int64_t out[2]) {
  int8_t i = 127;
  int64_t sum = 0;
  do {
    sum += 7;
    ++i;
    out[1] += a[0];
  } while (i < 100);
  out[0] = sum;
}

// VALID: 'before': validated: 20 inputs
void before(const int *a, int64_t out[2]) {
  int8_t i = -128;
  int64_t sum = 0;
  do {
    sum += 7;
    --i;
    out[1] += a[0];
  } while (i > -100);
  out[0] = sum;
}

// One value less: it does not come around, and the sum is known from the counter.
// VALID: 'ahead': validated: 20 inputs
// CHECK-LABEL: func "ahead"
// CHECK: for %i{{.*}} : s8 = {{.*}} {
// CHECK: yield{{$}}
void ahead(const int *a, int64_t out[2]) {
  int8_t i = 126;
  int64_t sum = 0;
  do {
    sum += 7;
    ++i;
    out[1] += a[0];
  } while (i < 100);
  out[0] = sum;
}

// CHECK-LABEL: func "plain"
// CHECK: for %i{{.*}} : u8 = {{.*}} {
// CHECK: yield{{$}}
void plain(const int *a, int64_t out[2]) {
  uint8_t i = 5;
  uint64_t sum = 0;
  do {
    sum += 7;
    ++i;
    out[1] += a[0];
  } while (i != 6);
  out[0] = sum;
}
