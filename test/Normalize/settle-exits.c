// Where a loop was not left by its flag, its results are functions of its counter; where that is not known, they stay.
// RUN: %colonnade check %s -f rest --dump=ir | FileCheck %s --check-prefix=REST
// RUN: %colonnade check %s -f grown --dump=ir | FileCheck %s --check-prefix=GROWN
// RUN: not %colonnade check %s -f broken --dump=ir | FileCheck %s --check-prefix=BROKEN
// RUN: not %colonnade check %s -f twice --dump=ir | FileCheck %s --check-prefix=TWICE

// REST: for %i{{.*}} lt %n
// REST: if %
// REST: [[RUNS:%[0-9]+]] = gt %n#0, %{{[0-9]+}}
// REST-NEXT: [[END:%[0-9]+]] = select [[RUNS]], %n
// REST: load @b
int rest(const int a[64], const int b[64], int n) {
  int i = 3;
  for (; i < n; i++)
    if (a[i & 63] == 5)
      return 1;
  return b[i & 63];
}

// The counter's last step is 14; two is added five times.
// GROWN: [[AT:%[0-9]+]] = const 25 : s64
// GROWN: load @b{{\[}}[[AT]]]
int grown(const int a[64], const int b[64]) {
  int i = 0, p = 0;
  for (; i < 14; i += 3) {
    if (a[i] == 5)
      return p;
    p += 2;
  }
  return b[i + p];
}

// BROKEN: for %i
// BROKEN: -> [[I:%i#[0-9]+]] : s32
// BROKEN: [[AT:%[0-9]+]] = cast [[I]] : s64
// BROKEN: load @b{{\[}}[[AT]]]
int broken(const int a[64], const int b[64]) {
  int i = 0;
  for (; i < 16; i++)
    if (a[i] == 5)
      break;
  return b[i];
}

// The flag that is known says nothing of the other exit.
// TWICE: for %i
// TWICE: -> [[I:%i#[0-9]+]] : s32
// TWICE: [[AT:%[0-9]+]] = cast [[I]] : s64
// TWICE: load @b{{\[}}[[AT]]]
int twice(const int a[64], const int b[64]) {
  int i = 0;
  for (; i < 16; i++) {
    if (a[i] == 5)
      return 1;
    if (a[i] == 6)
      break;
  }
  return b[i];
}
