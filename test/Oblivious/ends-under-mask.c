// Data decide whether a loop is reached, uniform values how often it runs: the predicated
// programme runs it for every instance, so it must end for each.
//
// RUN: not %colonnade check %s -f halves_to_one -f collatz -f doubles_from_zero -f after_exit -f wraps -f always 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f halves -f doubles -f shifts -f uniform_branch -f before_exit -f doubles_bytes -f never 2>&1 | FileCheck %s --check-prefix=OK
// RUN: %colonnade check %s -f collatz --bound 20=100 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: %colonnade trace %s -f doubles --arg n=5 | FileCheck %s --check-prefix=TRACE
// RUN: not %colonnade trace %s -f doubles --arg n=1500000000 2>&1 | FileCheck %s --check-prefix=CHECKED

void halves_to_one(int *b, int n) {
  if (b[0] > 0)
    for (int i = n; i != 1; i /= 2)
      b[1]++;
}
// CHECK: ends-under-mask.c:[[#@LINE-3]]:{{[0-9]+}}: error: data decide whether this loop is reached, {{.*}} give a bound that holds for every instance, such as --bound [[#@LINE-3]]=1000, {{.*}}[OBL211, class T]
// CHECK: halves_to_one: reject, class T

void collatz(int *b, unsigned n) {
  if (b[0] > 0)
    while (n != 1) {
      b[1]++;
      n = n & 1 ? 3 * n + 1 : n / 2;
    }
}
// CHECK: collatz: reject, class T
// BOUND: collatz: accept, class P

void doubles_from_zero(int *b, int n) {
  if (b[0] > 0)
    for (int len = 0; len < n; len *= 2)
      b[1]++;
}
// CHECK: doubles_from_zero: reject, class T

void after_exit(int *b, int n) {
  for (int i = 0; i < n; i++) {
    if (b[i] == 0)
      return;
    for (int len = n; len != 1; len -= len / 2)
      b[i]++;
  }
}
// CHECK: after_exit: reject, class T

void wraps(int *b) {
  if (b[0] > 0)
    for (unsigned len = 1; len < 4000000000u; len *= 2)
      b[1]++;
}
// CHECK: wraps: reject, class T

void always(int *b, unsigned short x) {
  if (b[0] > 0)
    while (x <= x)
      b[1]++;
}
// CHECK: always: reject, class T

void halves(int *b, int n) {
  if (b[0] > 0)
    for (int i = n; i != 0; i /= 2)
      b[1]++;
}
// OK: halves: accept, class P

void doubles(int *b, int n) {
  if (b[0] > 0)
    for (int len = 1; len < n; len *= 2)
      b[1]++;
}
// OK: doubles: accept, class P
// TRACE-COUNT-3: store b[1]
// TRACE-NOT: store
// CHECKED: check failed: the loop ends by its counter

void shifts(int *b, unsigned n) {
  if (b[0] > 0)
    for (unsigned i = n; i; i >>= 1)
      b[1]++;
}
// OK: shifts: accept, class P

void uniform_branch(int *b, int n) {
  if (n > 0)
    for (int i = n; i != 1; i /= 2)
      b[1]++;
}
// OK: uniform_branch: accept, class A

void before_exit(int *b, int n) {
  for (int len = n; len != 1; len -= len / 2)
    b[0]++;
  for (int i = 0; i < n; i++)
    if (b[i] == 0)
      return;
}
// OK: before_exit: accept, class P

void doubles_bytes(int *b) {
  if (b[0] > 0)
    for (unsigned len = 1; len <= 128; len <<= 1)
      b[1]++;
}
// OK: doubles_bytes: accept, class P

void never(int *b, unsigned short x) {
  if (b[0] > 0)
    while (x < x)
      b[1]++;
}
// OK: never: accept, class A

// A counter narrower than its limit ends where its type holds the limit.
//
// RUN: not %colonnade check %s -f narrow_never -f narrow_by_four 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %colonnade check %s -f narrow -f narrow_down -f reaches 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: %colonnade trace %s -f narrow --arg n=255 | grep -c store | grep -x 255
// RUN: not %colonnade trace %s -f narrow --arg n=256 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: %colonnade trace %s -f narrow_down --arg n=-1 | grep -c store | grep -x 12
// RUN: not %colonnade trace %s -f narrow_down --arg n=-128 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: %colonnade trace %s -f reaches --arg n=-32768 | grep -c store | grep -x 32768
// RUN: not %colonnade trace %s -f reaches --arg n=32768 2>&1 | FileCheck %s --check-prefix=CHECKED

void narrow_never(int *b) {
  if (b[0] > 0)
    for (unsigned char i = 0; i < 256; i++)
      b[1]++;
}
// NEVER: narrow_never: reject, class T

void narrow_by_four(int *b, int n) {
  if (b[0] > 0)
    for (unsigned char i = 0; i != n; i += 4)
      b[1]++;
}
// NEVER: narrow_by_four: reject, class T

void narrow(int *b, int n) {
  if (b[0] > 0)
    for (unsigned char i = 0; i < n; i++)
      b[1]++;
}
// NARROW: narrow: accept, class P

void narrow_down(int *b, int n) {
  if (b[0] > 0)
    for (signed char i = 10; i >= n; i -= 1)
      b[1]++;
}
// NARROW: narrow_down: accept, class P

void reaches(int *b, int n) {
  if (b[0] > 0)
    for (short i = 0; i != n; ++i)
      b[1]++;
}
// NARROW: reaches: accept, class P

// A negative counter is beyond an unsigned limit.
//
// RUN: not %colonnade check %s -f unsigned_down 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: %colonnade check %s -f unsigned_up | FileCheck %s --check-prefix=UP
// RUN: %colonnade trace %s -f unsigned_up --arg n=32767 | grep -c store | grep -x 32767
// RUN: not %colonnade trace %s -f unsigned_up --arg n=32768 2>&1 | FileCheck %s --check-prefix=CHECKED

void unsigned_up(int *b, unsigned n) {
  if (b[0] > 0)
    for (short i = 0; i < n; i++)
      b[1]++;
}
// UP: unsigned_up: accept, class P

void unsigned_down(int *b, unsigned n) {
  if (b[0] > 0)
    for (short i = 9; i > n; i -= 2)
      b[1]++;
}
// BEYOND: unsigned_down: reject, class T

// A signed counter against an unsigned limit: it is all its values in turn, none of which is
// compared as a limit beyond its range.
//
// RUN: not %colonnade check %s -f by_two -f beyond 2>&1 | FileCheck %s --check-prefix=SIGNED
// RUN: %colonnade check %s -f by_one 2>&1 | FileCheck %s --check-prefix=BYONE
// RUN: %colonnade trace %s -f by_one --arg n=300 | grep -c store | grep -x 300
// RUN: not %colonnade trace %s -f by_one --arg n=32768 2>&1 | FileCheck %s --check-prefix=CHECKED

void by_two(int *b, unsigned n) {
  if (b[0] > 0)
    for (short i = 0; i != n; i += 2)
      b[1]++;
}
// SIGNED: by_two: reject, class T

void beyond(int *b) {
  if (b[0] > 0)
    for (short i = 0; i != 32768u; i++)
      b[1]++;
}
// SIGNED: beyond: reject, class T

void by_one(int *b, unsigned n) {
  if (b[0] > 0)
    for (short i = 0; i != n; i++)
      b[1]++;
}
// BYONE: by_one: accept, class P

// Of constants it is known whether equality is met.
//
// RUN: not %colonnade check %s -f misses -f behind 2>&1 | FileCheck %s --check-prefix=MISSES
// RUN: %colonnade check %s -f meets -f anew | FileCheck %s --check-prefix=MEETS

void misses(int *b) {
  if (b[0] > 0)
    for (int i = 0; i != 10; i += 3)
      b[1]++;
}
// MISSES: misses: reject, class T

void behind(int *b) {
  if (b[0] > 0)
    for (int i = 12; i != 9; i += 3)
      b[1]++;
}
// MISSES: behind: reject, class T

void meets(int *b) {
  if (b[0] > 0)
    for (int i = 0; i != 9; i += 3)
      b[1]++;
}
// MEETS: meets: accept, class P

void anew(int *b) {
  if (b[0] > 0)
    for (int i = 2147483600; i != -2147483600; i = (int)(i + 1u))
      b[1]++;
}
// MEETS: anew: accept, class P

// A loop that is not entered needs no step.
//
// RUN: %colonnade check %s -f by_step | FileCheck %s --check-prefix=BYSTEP
// RUN: %colonnade trace %s -f by_step --arg m=3 --arg n=3 --arg s=0 | not grep store
// RUN: %colonnade trace %s -f by_step --arg m=3 --arg n=9 --arg s=5 | grep -c store | grep -x 2
// RUN: not %colonnade trace %s -f by_step --arg m=3 --arg n=4 --arg s=0 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not %colonnade trace %s -f by_step_behind --arg m=3 --arg n=3 --arg s=0 2>&1 | FileCheck %s --check-prefix=CHECKED

void by_step(int *b, int m, int n, int s) {
  if (b[0] > 0)
    for (int i = m; i < n; i += s)
      b[1]++;
}
// BYSTEP: by_step: accept, class P

void by_step_behind(int *b, int m, int n, int s) {
  if (b[0] > 0) {
    int i = m;
    do {
      b[1]++;
      i += s;
    } while (i < n);
  }
}
