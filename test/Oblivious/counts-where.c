// RUN: %colonnade check %s --verbose -f from_one -f below_last -f guarded -f triangle -f strict_triangle -f difference -f to_limit -f from_int -f sizes -f modular | FileCheck %s
// RUN: %colonnade check %s -f below_last --json - | FileCheck %s --check-prefix=JSON
//
// Unsigned bounds that sizes may take below zero wrap there, and the loop runs up to 2^32 times. A count then says where it
// holds; one that would hold for no size, because the counter itself takes the bound below zero, is none.
#include <stddef.h>
#include <stdint.h>

// JSON:      "accesses": "2*n-2",
// JSON:      "accesses_where": [
// JSON-NEXT:   "n-1 >= 0"
// JSON-NEXT: ],

// CHECK-LABEL: from_one: accept
// CHECK: accesses per instance: 2*n-2, where n-1 >= 0{{$}}
void from_one(const int *a, int *o, uint32_t n) {
  for (uint32_t i = 1; i != n; i++)
    o[i] = a[i];
}

// CHECK-LABEL: below_last: accept
// CHECK: accesses per instance: 2*n-2, where n-1 >= 0{{$}}
void below_last(const int *a, int *o, size_t n) {
  for (size_t i = 0; i < n - 1; i++)
    o[i] = a[i + 1];
}

// CHECK-LABEL: guarded: accept
// CHECK: accesses per instance: 2*max(n-1, 0){{$}}
void guarded(const int *a, int *o, size_t n) {
  for (size_t i = 0; i + 1 < n; i++)
    o[i] = a[i + 1];
}

// At i = 0 it goes to 2^32 - 1.
// CHECK-LABEL: triangle: accept
// CHECK: accesses per instance: no closed form
void triangle(const int a[64], int o[64], uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i - 1; j++)
      o[j & 63] = a[j & 63];
}

// CHECK-LABEL: strict_triangle: accept
// CHECK: accesses per instance: max(n-1, 0)*(max(n-1, 0)-1){{$}}
void strict_triangle(const int a[64], int o[64], uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = 0; j < i - 1; j++)
      o[j & 63] = a[j & 63];
}

// CHECK-LABEL: difference: accept
// CHECK: accesses per instance: 2*n-2*m, where n-m >= 0{{$}}
void difference(const int a[64], int o[64], uint32_t n, uint32_t m) {
  for (uint32_t i = 0; i < n - m; i++)
    o[i & 63] = a[i & 63];
}

// CHECK-LABEL: to_limit: accept
// CHECK: accesses per instance: 2*max(n-m-1, 0)+2, where n-1 >= 0{{$}}
void to_limit(const int a[64], int o[64], uint32_t n, uint32_t m) {
  do {
    o[n & 63] = a[n & 63];
  } while (--n > m);
}

// CHECK-LABEL: from_int: accept
// CHECK: accesses per instance: 2*n, where n >= 0{{$}}
void from_int(const int a[64], int o[64], int n) {
  for (unsigned i = 0; i < (unsigned)n; i++)
    o[i & 63] = a[i & 63];
}

// CHECK-LABEL: sizes: accept
// CHECK: accesses per instance: 2*n{{$}}
void sizes(const int *a, int *o, int n) {
  for (size_t i = 0; i < n; i++)
    o[i] = a[i];
}

// Only what is compared must not be below zero.
// CHECK-LABEL: modular: accept
// CHECK: accesses per instance: 2*n+2{{$}}
void modular(const int a[64], int o[64], uint32_t n) {
  for (uint32_t i = 0; i < n - 1 + 2; i++)
    o[i & 63] = a[i & 63];
}

// A number that a conversion cuts, or takes for a negative one, is another one: the count holds where none is.
// RUN: %colonnade check %s --verbose -f to_signed -f down_from -f to_narrow -f to_int -f to_unsigned -f cut_sum | FileCheck %s --check-prefix=CUT
// CUT-LABEL: to_signed: accept
// CUT: accesses per instance: m, where 9223372036854775807-m >= 0{{$}}
void to_signed(unsigned a[8], uint64_t m) {
  for (int64_t i = 0; i < (int64_t)m; i++)
    a[i & 7] = 1;
}
// CUT-LABEL: down_from: accept
// CUT: accesses per instance: (m+1)/2, where 9223372036854775807-m >= 0{{$}}
void down_from(unsigned a[8], uint64_t m) {
  for (int64_t i = m; i > 0; i -= 2)
    a[i & 7] = 1;
}
// CUT-LABEL: to_narrow: accept
// CUT: accesses per instance: max(m, 0), where m+2147483648 >= 0 and 2147483647-m >= 0{{$}}
void to_narrow(unsigned a[8], int64_t m) {
  for (int i = 0; i < (int)m; i++)
    a[i & 7] = 1;
}
// CUT-LABEL: to_int: accept
// CUT: accesses per instance: m, where 2147483647-m >= 0{{$}}
void to_int(unsigned a[8], uint32_t m) {
  int k = m;
  for (int i = 0; i < k; i++)
    a[i & 7] = 1;
}
// CUT-LABEL: to_unsigned: accept
// CUT: accesses per instance: m, where m >= 0{{$}}
void to_unsigned(unsigned a[8], int m) {
  for (unsigned i = 0; i < (unsigned)m; i++)
    a[i & 7] = 1;
}
// CUT-LABEL: cut_sum: accept
// CUT: accesses per instance: 2*m+1, where 2147483646-2*m >= 0{{$}}
void cut_sum(unsigned a[8], uint64_t m) {
  for (int i = 0; i < (int)(2 * m + 1); i++)
    a[i & 7] = 1;
}
