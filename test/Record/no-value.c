// C: a function may end without the value that its type has. That is no value at all: nothing
// is compared with it, and where it is used, it is indeterminate.
//
// RUN: %colonnade check --validate %s -f sometimes -f unused 2>&1 -- -w | FileCheck %s
// CHECK: 'sometimes': validated: 20 inputs, 20 accesses compared with the original{{$}}
// CHECK: 'unused': validated: 20 inputs, 60 accesses compared with the original{{$}}
//
// RUN: %colonnade check %s -f never 2>&1 -- -w | FileCheck --check-prefix=NEVER %s
// NEVER: [[@LINE+1]]:29: warning: the function's result is read before it is set; give it a value first [OBL104]
int never(const int a[2]) { }
//
// RUN: not %colonnade check %s -f used 2>&1 -- -w | FileCheck --check-prefix=USED %s
// USED: used: reject, class S
//
// Control never comes to the end of these.
// RUN: %colonnade check --validate %s -f always 2>&1 -- -w | FileCheck --check-prefix=ALWAYS %s
// ALWAYS: 'always': validated: 20 inputs, 120 accesses compared with the original{{$}}

int sometimes(const int a[2]) {
  if (a[0] > 0)
    return 3;
}

void unused(const int a[2], int b[1]) {
  sometimes(a);
  b[0] = a[1];
}

static int ofSize(int n) {
  if (n > 4)
    return 1;
}
void used(int n, unsigned b[8]) { b[ofSize(n)] = 1; }

enum Kind { One, Two };
static int ofKind(enum Kind kind) {
  switch (kind) {
  case One:
    return 1;
  case Two:
    return 2;
  }
}
static int fromZero(int n) {
  for (int i = 0;; i++)
    if (i >= n / 8)
      return i;
}
static int ofSign(int n) {
  if (n > 4) {
    return 3;
  } else {
    return 4;
  }
}
void always(int n, unsigned b[8]) {
  b[ofKind(One)] += 1;
  b[fromZero(n & 7)] += 1;
  b[ofSign(n)] += 1;
}
