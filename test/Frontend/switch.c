// Segments that fall into each other form a group; groups exclude each other.
// RUN: %colonnade check %s -f select --dump=raw | FileCheck %s

// CHECK-LABEL: func "select"
// CHECK: %[[ZERO:[0-9]+]] = eq
// CHECK: %[[ONE:[0-9]+]] = eq
// CHECK: if %[[ZERO]] {
// CHECK: const 10
// CHECK: } else {
// CHECK: if
// CHECK: if %[[ONE]] {
// CHECK: const 20
// CHECK: const 30
// CHECK: } else {
// CHECK: const 40
// CHECK: return
int select(int x, int *a) {
  switch (x) {
  case 0:
    a[0] = 10;
    break;
  case 1:
    a[0] = 20; // falls through
  case 2:
    a[1] = 30;
    break;
  default:
    a[2] = 40;
  }
  return a[0];
}

// A label that stands deeper in the body refuses the switch, at the label, and nothing else.
// RUN: not %colonnade check %s -f deeper -f deeper_default 2>&1 | FileCheck %s --check-prefix=DEEPER
// DEEPER-NOT: OBL304
// DEEPER: switch.c:[[#@LINE+6]]:{{.*}} case label inside a nested statement
// DEEPER-NOT: OBL304
int deeper(int x, int *a) {
  switch (x) {
  case 0: {
    a[0] = 10;
  case 1:
    a[1] = 20;
  }
  }
  return a[0];
}
// DEEPER: switch.c:[[#@LINE+6]]:{{.*}} case label inside a nested statement
// DEEPER-NOT: OBL304
int deeper_default(int x, int *a) {
  switch (x) {
  case 0:
    if (a[2])
    default:
      a[0] = 10;
  }
  return a[0];
}

// A last segment of `break` alone decides nothing: that it runs is not asked.
// RUN: %colonnade check %s -f nothing_at_the_end --dump=raw | FileCheck %s --check-prefix=END
// END: func "nothing_at_the_end"
// END-COUNT-4: {{^ +}}if %
// END-NOT: {{^ +}}if %
int nothing_at_the_end(int x, const int *a) {
  int sum = 0;
  switch (x) {
  case 3:
    if (a[1] == 5)
      return 7;
  case 2:
    sum += a[2];
  default:
    break;
  }
  return sum;
}
