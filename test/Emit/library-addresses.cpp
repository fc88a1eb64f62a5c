// A result of the math library that decides what is accessed is refused for CUDA;
// as data, exact, or computed before the call, it is accepted.

// RUN: rm -rf %t && mkdir %t
// RUN: %colonnade check %s -f upto --extent b=n | FileCheck %s --check-prefix=WARNING
// WARNING: library-addresses.cpp:[[#@LINE+20]]:{{[0-9]+}}: warning: this result of 'exp2' decides which cells are accessed
// WARNING: upto: accept, class A
// RUN: %python %S/../Driver/Inputs/expect_exit.py 3 %colonnade emit %s -f upto --extent b=n --target cpu,cuda -o %t/none 2> %t/err
// RUN: FileCheck %s --check-prefix=REFUSED < %t/err
// RUN: count 1 < %t/err
// RUN: not ls %t/none
// REFUSED: {{^}}error: {{.*}}library-addresses.cpp:[[#@LINE+14]]:{{[0-9]+}}: no CUDA code for 'upto': this result of 'exp2' {{.*}} [OBL105]
// RUN: %colonnade emit %s -f upto --extent b=n --target cpu -o %t/cpu
// RUN: not %colonnade emit %s -f cell --target cuda -o %t/none 2>&1 | FileCheck %s --check-prefix=CELL
// CELL: {{^}}error: {{.*}}'cell': this result of 'sin'
// RUN: not %colonnade emit %s -f rounds --extent b=99 --target cuda -o %t/none 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: {{^}}error: {{.*}}'rounds': this result of 'pow'
// RUN: %colonnade emit %s -f data -f exact -f passed -f chosen --extent b=n --target cpu,cuda -o %t/all
// RUN: %colonnade check %s -f data -f exact -f passed -f chosen --extent b=n | FileCheck %s --implicit-check-not=warning --check-prefix=NONE
// NONE: accept

#include <cmath>

void upto(float *b, int n, double base) {
  for (int i = 0; i < n; i++)
    if (i < exp2(base))
      b[i] *= 2;
}
void cell(float (&b)[9], float x) { b[int(4 + 4 * std::sin(x))] = 1; }
void rounds(float *b, int n) {
  int r = int(std::pow(2.0, n * 0.5));
  for (int i = 0; i < r; i++)
    b[i] = 0;
}

void data(float *b, int n, double base) {
  for (int i = 0; i < n; i++)
    b[i] *= float(exp2(base));
}
void exact(float *b, int n, double base) {
  for (int i = 0; i < n; i++)
    if (i < std::sqrt(base))
      b[i] *= 2;
}
void passed(float *b, int n, double limit) {
  for (int i = 0; i < n; i++)
    if (i < limit)
      b[i] *= 2;
}
void chosen(float *b, int n, double base) {
  for (int i = 0; i < n; i++) {
    float x = b[i];
    b[i] = exp2(base) > i ? x * 2 : x * 3;
  }
}
