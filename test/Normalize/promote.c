// Variables, fields and constant elements become values; an If gives only what
// its arms change; what is read before any write is undefined under its name.
//
// RUN: %colonnade check %s -f minimal -f flags -f fields -f memory -f undefined --dump=ir | FileCheck %s

void minimal(const int *a, int *b) {
  int x = 1, y = 2, unused = 3;
  if (a[0]) {
    x = 4;
    y = 2;
    unused = a[0];
  }
  b[0] = x + y;
}
// CHECK-LABEL: func "minimal"
// CHECK: if %{{[0-9]+}} {
// CHECK-NEXT: %{{.*}} = load @a
// CHECK-NEXT: yield %{{[0-9]+}}
// CHECK-NEXT: } else {
// CHECK-NEXT: yield %{{[0-9]+}}
// CHECK-NEXT: } -> %x#{{[0-9]+}} : s32
// CHECK-NOT: if

// An early return becomes an arm of its condition.
int flags(const int *a) {
  if (a[0] == 1)
    return 5;
  return a[1];
}
// CHECK-LABEL: func "flags"
// CHECK: if %{{[0-9]+}} {
// CHECK-NEXT: yield %{{[0-9]+}}
// CHECK-NEXT: } else {
// CHECK-NEXT: %{{.*}} = load @a[%{{[0-9]+}}] access 1
// CHECK-NEXT: yield
// CHECK-NEXT: }
// CHECK-NOT: if
// CHECK: store @return

struct Pair {
  int first, second[2];
  const int *from;
};
void fields(const int *a, int *b) {
  struct Pair p = {1, {2, 3}, a};
  struct Pair q = p;
  q.second[1] += q.from[7];
  b[0] = q.second[1] + p.second[1];
}
// CHECK-LABEL: func "fields"
// CHECK-NOT: local
// CHECK: load @a
// CHECK: store @b
// CHECK-NOT: store

void memory(const int *a, int *b, int n) {
  int t[4];
  for (int i = 0; i < 4; i++)
    t[i] = a[i];
  b[0] = t[n];
}
// CHECK-LABEL: func "memory"
// CHECK: array @t : s32[4] local
// CHECK: store @t
// CHECK: load @t

void undefined(const int *a, int *b) {
  int x;
  if (a[0])
    x = a[1];
  b[0] = x;
}
// CHECK-LABEL: func "undefined"
// CHECK: %x#{{[0-9]+}} = undef : s32
