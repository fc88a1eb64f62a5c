// A loop becomes a For with its limit and step computed before it, also where the source
// computes them behind a condition or in an iteration only: nothing may be divided by zero there.
//
// RUN: %colonnade check %s -f step -f limit -f rest -f shift -f always --dump=ir | FileCheck %s
// RUN: %colonnade trace %s -f step --extent b=8 --arg n=6 --arg d=0 --arg m=0 | count 0
// RUN: %colonnade trace %s -f step --extent b=8 --arg n=6 --arg d=2 --arg m=8 | FileCheck %s --check-prefix=STEP
// RUN: %colonnade trace %s -f limit --extent b=8 --arg n=6 --arg d=0 | count 0
// RUN: %colonnade trace %s -f limit --extent b=8 --arg n=6 --arg d=3 | FileCheck %s --check-prefix=LIMIT
// RUN: %colonnade trace %s -f limit --extent b=8 --arg n=-2147483648 --arg d=-1 | count 0
// RUN: %colonnade trace %s -f rest --extent b=8 --arg n=6 --arg d=0 | count 0
// RUN: %colonnade trace %s -f shift --extent b=8 --arg n=40 | count 0
// RUN: %colonnade trace %s -f shift --extent b=8 --arg n=1 | FileCheck %s --check-prefix=LIMIT
// RUN: not %colonnade trace %s -f always --extent b=8 --arg n=6 --arg d=0 2>&1 | FileCheck %s --check-prefix=ZERO

void step(int *b, int n, int d, int m) {
  for (int i = 0; i < m; i += n / d)
    b[i] = 1;
}
// CHECK-LABEL: func "step"
// CHECK: select
// CHECK: select
// CHECK: %[[DIVISOR:[0-9]+]] = select
// CHECK: div %n#{{[0-9]+}}, %[[DIVISOR]]
// CHECK: for %i
// STEP: store b[0]
// STEP-NEXT: store b[3]
// STEP-NEXT: store b[6]

void limit(int *b, int n, int d) {
  int i = 0;
  while (d > 0 && i < n / d)
    b[i++] = 1;
}
// CHECK-LABEL: func "limit"
// CHECK: for %i
// LIMIT: store b[0]
// LIMIT-NEXT: store b[1]
// LIMIT-NOT: store

void rest(int *b, unsigned n, unsigned d) {
  unsigned i = 0;
  while (d != 0 && i < n % d)
    b[i++] = 1;
}
// CHECK-LABEL: func "rest"
// CHECK: select
// CHECK: for %i

void shift(int *b, int n) {
  int i = 0;
  while (n < 31 && i < 1 << n)
    b[i++] = 1;
}
// CHECK-LABEL: func "shift"
// CHECK: for %i

// Where the loop always computes it, a division stays as it is.
void always(int *b, int n, int d) {
  for (int i = 0; i < n / d; i++)
    b[i] = 1;
}
// CHECK-LABEL: func "always"
// CHECK-NOT: select
// CHECK: return
// ZERO: undefined behaviour: integer division by zero
