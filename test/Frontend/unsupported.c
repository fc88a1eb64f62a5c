// What is outside the subset is named at its place, and the rest is still there.
// RUN: %colonnade check %s -f f --dump=raw | FileCheck %s
#include <stdio.h>

int counter;
struct flags { long low : 40; };
union word { int i; short x; };
int foreign(int);

// CHECK-LABEL: func "f"
int f(int *a, struct flags *flags, union word *word, volatile int *port, int (*callback)(int)) {
  // CHECK: unsupported text "parameter of function pointer {{.*}}"
  // CHECK: unsupported text "mutable global 'counter'"
  counter = a[0];
  // CHECK: unsupported text "bit-field wider than int in C
  flags->low = a[1];
  // CHECK: unsupported text "union
  word->i = a[2];
  // CHECK: unsupported text "volatile access (leave out what only wipes memory)"
  a[3] = *port;
  // CHECK: unsupported text "call through a function pointer"
  a[4] = callback(a[4]);
  // CHECK: unsupported text "call of 'foreign', which has no visible body; name the file that defines it, too"
  a[5] = foreign(a[5]);
  // CHECK: unsupported text "input or output: call of 'printf'"
  printf("%d\n", a[6]);
  // CHECK: unsupported text "the size of an array that is not made of parameters"
  a[7] += (int)sizeof(char[a[7] + 1]);
  // CHECK: unsupported text "goto"
  if (a[7])
    goto end;
  // CHECK: const 42
  a[8] = 42;
end:
  return a[9];
}
