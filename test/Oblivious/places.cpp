// Where messages point: at the user's line, with a note at the library's, and a bound is stated
// for the user's line. What only follows from something unsupported is told if nothing before
// explains it, with its object.
//
// RUN: not %colonnade check %s -f in_library -f explained -f unexplained -- -isystem %S/Inputs/library 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f in_library --bound 12=100 -- -isystem %S/Inputs/library | FileCheck %s --check-prefix=BOUND
// RUN: not %colonnade check %s -f in_library -- -I %S/Inputs/library 2>&1 | FileCheck %s --check-prefix=OWN

#include <library.h>

int in_library(const int *s) {
  return length(s);
}
// CHECK: places.cpp:12:10: error: how often this loop runs depends on data {{.*}} --bound 12=1000, {{.*}}[OBL205, class T]
// CHECK-NEXT: return length(s);
// CHECK: library.h:3:{{[0-9]+}}: note: in the library, which is called from there
// CHECK: in_library: reject, class T
// BOUND: in_library: accept, class P
// A header of the user's own is the place itself.
// OWN: {{^}}{{.*}}library.h:3:{{[0-9]+}}: error: how often {{.*}}library.h:3=1000,

int *pick(int *);
void explained(int *a, int n) {
  int *p = pick(a);
  for (int i = 0; i < n; i++)
    p[i] = 1;
  p[3] = p[4];
}
// CHECK-NEXT: places.cpp:{{.*}} error: not supported: call of 'pick', which has no visible body
// CHECK-NOT: error:
// CHECK: explained: unsupported, class U

int unexplained() {
  int *p;
  return p[3];
}
// CHECK-NEXT: places.cpp:[[#@LINE-2]]:{{.*}} error: not supported: access through 'p', a pointer that is not known
// CHECK: unexplained: unsupported, class U
