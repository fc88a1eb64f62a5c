// One exit per region: what follows a possible exit is guarded, or goes into the
// arm that does not exit.
// RUN: %colonnade check %s -f early --dump=raw | FileCheck %s
// RUN: %colonnade check %s -f nested --dump=raw | FileCheck %s --check-prefix=NESTED

// CHECK-LABEL: func "early"
// CHECK: text "%ret"
// CHECK: loop
// CHECK: } do () {
// CHECK: if
// CHECK: } else {
// CHECK: add
// CHECK: not
// CHECK: yield
// CHECK: return
int early(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      return s;
    s += a[i];
  }
  return s + 1;
}

// The break of the inner loop is no exit of the outer one.
// NESTED-LABEL: func "nested"
// NESTED: loop
// NESTED: text "%brk"
// NESTED: loop
// NESTED: yield %
// NESTED: const true
// NESTED-NEXT: yield
int nested(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (a[j] == i)
        break;
      s++;
    }
  return s;
}
