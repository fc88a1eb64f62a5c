// RUN: %colonnade check %s --verbose -f up -f up_by_7 -f down -f all -f byte -f from_n -f to_n -f stays -f counts -f counts_down | FileCheck %s
//
// A do-while does not test its first step. Where that leads out of an unsigned type, the counter
// begins anew, and the loop runs more than the one iteration that start and limit speak of.
#include <stdint.h>

// CHECK-LABEL: up: accept
// CHECK: accesses per instance: 202{{$}}
void up(const int a[64], int o[64]) {
  uint32_t i = 4294967295u;
  do {
    o[i & 63] = a[i & 63];
    i++;
  } while (i < 100);
}

// CHECK-LABEL: up_by_7: accept
// CHECK: accesses per instance: 32{{$}}
void up_by_7(const int a[64], int o[64]) {
  uint32_t i = 4294967290u;
  do {
    o[i & 63] = a[i & 63];
    i += 7;
  } while (i < 100);
}

// CHECK-LABEL: down: accept
// CHECK: accesses per instance: 192{{$}}
void down(const int a[64], int o[64]) {
  uint32_t i = 0;
  do {
    o[i & 63] = a[i & 63];
    i--;
  } while (i > 4294967200u);
}

// CHECK-LABEL: all: accept
// CHECK: accesses per instance: 512{{$}}
void all(const int a[64], int o[64]) {
  uint8_t i = 5;
  do {
    o[i & 63] = a[i & 63];
    i++;
  } while (i != 5);
}

// At n = 2^32 - 1 it begins anew.
// At n = 0, and below at 2^32 - 1, it begins anew.
// CHECK-LABEL: byte: accept
// CHECK: accesses per instance: no closed form
void byte(const int a[64], int o[64], uint8_t n) {
  do {
    o[n & 63] = a[n & 63];
  } while (--n != 0);
}

// CHECK-LABEL: from_n: accept
// CHECK: accesses per instance: no closed form
void from_n(const int a[64], int o[64], uint32_t n) {
  uint32_t i = n;
  do {
    o[i & 63] = a[i & 63];
    i++;
  } while (i < 100);
}

// CHECK-LABEL: to_n: accept
// CHECK: accesses per instance: no closed form
void to_n(const int a[64], int o[64], uint32_t n) {
  uint32_t i = 4294967295u;
  do {
    o[i & 63] = a[i & 63];
    i++;
  } while (i < n);
}

// CHECK-LABEL: stays: accept
// CHECK: accesses per instance: 2{{$}}
void stays(const int a[64], int o[64]) {
  uint32_t i = 4294967294u;
  do {
    o[i & 63] = a[i & 63];
    i++;
  } while (i < 100);
}

// CHECK-LABEL: counts: accept
// CHECK: accesses per instance: 2*n, where n-1 >= 0{{$}}
void counts(const int *a, int *o, uint32_t n) {
  uint32_t i = 0;
  do {
    o[i] = a[i];
  } while (++i != n);
}

// CHECK-LABEL: counts_down: accept
// CHECK: accesses per instance: 2*n, where n-1 >= 0{{$}}
void counts_down(const int *a, int *o, uint32_t n) {
  do {
    *o++ = *a++;
  } while (--n != 0);
}
