// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c17
//
// The same as lost.cpp for what only C has: sizes that are evaluated with a type, and
// asm operands; each function refused, or a twin that is accepted.
#include <stddef.h>

// expect NSKU
void size_of_pointer_cast(int n, const int b[4], int out[8]) {
  int (*p)[n + 1] = (int (*)[n + (out[b[0] & 7] = 1)])out;
  out[0] = 1;
}
// expect NSKU
void size_in_typeof(int n, const int b[4], int out[8]) {
  __typeof__(int[(out[b[0] & 7] = 1)]) *p;
  out[0] = 1;
}
// expect NSKU
void size_in_sizeof(int n, const int b[4], int out[8]) { out[0] = sizeof(int[(out[b[0] & 7] = 1)]); }
// expect NSKU
void size_of_parameter(int n, const int b[4], int out[8], int a[n + (out[b[0] & 7] = 1)]) { out[0] = 1; }
// expect NSK
void asm_input(int n, const int b[4], int out[8]) {
  __asm__("" : : "r"(out[b[0] & 7] = 1));
  out[0] = 1;
}
// expect NSK
void asm_memory(int n, const int b[4], int out[8]) {
  __asm__ volatile("" : : "m"(out[b[0] & 7]) : "memory");
  out[0] = 1;
}
// expect NSK
void literal_discarded(int n, const int b[4], int out[8]) {
  struct S { int a[8]; };
  (void)(struct S){{out[b[0] & 7] = 1}};
  out[0] = 1;
}
// expect A
void unevaluated(int n, const int b[4], int out[8]) {
  out[sizeof(*(&out[b[0]]))] = __builtin_choose_expr(1, 2, out[b[0]]);
  out[1] = _Generic(out[b[0]], int : 1, default : 2);
  out[2] = b[0];
}
// expect A
void array_of_typedef(int n, const int b[4], int *out) {
  typedef int Row[n];
  Row row;
  for (int i = 0; i < n; i++)
    row[i] = b[0];
  out[n] = row[n - 1];
}
// expect A
void rows_of_parameter(int n, const int b[4], int rows[4][n]) { rows[1][n - 1] = b[0]; }
