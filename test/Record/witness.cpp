// check --witness: two inputs that show why a function is refused.
//
// RUN: not env PATH= %colonnade check --witness=60 %s -f local_table -f constant_table -f indirect -f steps -f called 2> %t.err
// RUN: FileCheck %s --input-file %t.err
// CHECK: {{.*}}witness.cpp:[[#LINE:]]:{{[0-9]+}}: note: witness for 'local_table'
// CHECK-NEXT: first input: access {{[0-9]+}} is {{load|store}} seen[[[#A:]]] (
// CHECK-NEXT: second input: access {{[0-9]+}} is {{load|store}} seen[{{[0-9]+}}] (
// CHECK: note: witness for 'constant_table'
// CHECK-NEXT: first input: access {{[0-9]+}} is load squares[{{[0-9]+}}] (a[0] = {{[0-9]+}})
// CHECK-NEXT: second input: access {{[0-9]+}} is load squares[{{[0-9]+}}] (a[0] = {{[0-9]+}})
// CHECK: note: witness for 'indirect'
// CHECK-NEXT: first input: access {{[0-9]+}} is load v[{{[0-9]+}}] (n = {{[0-9]+}}, v[
// CHECK: note: witness for 'steps'
// CHECK-NEXT: first input: comes to the head of the loop {{[0-9]+}} times (
// CHECK-NEXT: second input: comes to the head of the loop {{[0-9]+}} times (
// CHECK: note: witness for 'called'
// CHECK-NEXT: first input: access {{[0-9]+}} is store v[{{[0-9]+}}]
//
// A table of which only the first elements are given, and an array in a struct: two cells, not one.
// RUN: not %colonnade check --witness=60 %s -f partly_given -f in_struct -- -std=c++20 2> %t.partly
// RUN: FileCheck --check-prefix=PARTLY %s --input-file %t.partly
// PARTLY: note: witness for 'partly_given'
// PARTLY-NEXT: first input: access 1 is load few[[[#CELL:]]] (
// PARTLY-NOT: few[[[#CELL]]] (
// PARTLY: note: witness for 'in_struct'
// PARTLY-NEXT: first input: access 1 is load whole[0] + [[#BYTES:]] bytes (
//
// None is made up: the verifier refuses this, but its addresses are the same for all inputs, and
// an access that one input does not make is none.
// RUN: not %colonnade check --witness=1 %s -f masked --json %t.json 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: 'masked': no witness: none found in 1 s ({{[1-9][0-9]*}} inputs)
// RUN: FileCheck --check-prefix=JSON --input-file %t.json %s
// JSON: "witness": {
// JSON-NEXT: "found": false
// RUN: not %colonnade check --witness=60 %s -f constant_table --json %t.found.json
// RUN: FileCheck --check-prefix=PLACE --input-file %t.found.json %s
// PLACE: "witness": {
// PLACE: "location": {
// PLACE-NEXT: "column": {{[1-9][0-9]*}},
// PLACE-NEXT: "file": "{{.*}}witness.cpp",
// PLACE-NEXT: "line": [[#@LINE+39]]
//
// Nor is a construct outside the subset in the way.
// RUN: not %colonnade check --witness=60 %s -f counted 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// OUTSIDE: counted: unsupported, class U
// OUTSIDE: note: witness for 'counted'
// OUTSIDE-NEXT: first input: access {{[0-9]+}} is load squares[{{[0-9]+}}] (
//
// Loops of a library have their own place; a length that differs shows in the iterations (class
// K); of what is only written nothing is shown.
// RUN: not %colonnade check --witness=60 %s -f divisor -f measured 2>&1 | FileCheck --check-prefix=LOOPS --implicit-check-not='return[' %s
// LOOPS: {{.*}}numeric:{{[0-9:]+}}: note: witness for 'divisor'
// LOOPS-NEXT: first input: comes to the head of the loop {{[0-9]+}} times (
// LOOPS: {{.*}}witness.cpp:{{[0-9:]+}}: note: witness for 'measured'
// LOOPS-NEXT: first input: comes to the head of the loop {{[0-9]+}} times (length[0] = {{[0-9-]+}}, v[0] =
//
// An input on which the original does not end takes little of the time.
// RUN: not %colonnade check --witness=60 %s -f list 2>&1 | FileCheck --check-prefix=LIST %s
// LIST: note: witness for 'list'
//
// What is accepted has none, and the verdict's exit code stays.
// RUN: %colonnade check --witness %s -f accepted > %t.accepted 2>&1
// RUN: FileCheck --check-prefix=ACCEPTED --implicit-check-not="witness for" --input-file %t.accepted %s
// ACCEPTED-DAG: accepted: accept, class P
// ACCEPTED-DAG: 'accepted': no witness: it is accepted
// RUN: not %colonnade check --witness=0 %s -f accepted 2>&1 | FileCheck --check-prefix=SECONDS %s
// SECONDS: error: --witness: '0' is no number of seconds from 1 to 86400
#include <colonnade/annotate.h>

#include <numeric>

int local_table(const unsigned char *a COLONNADE_EXTENT(4)) {
  int seen[16] = {0};
  for (int i = 0; i < 4; i++)
    seen[a[i] & 15]++;
  return seen[3];
}

static const int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
int constant_table(const unsigned char *a COLONNADE_EXTENT(1)) { return squares[a[0] & 7]; }

int indirect(const unsigned *v COLONNADE_EXTENT(n), int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[v[i] % n] & 1;
  return sum;
}

int steps(const unsigned *v COLONNADE_EXTENT(2)) {
  int count = 0;
  for (unsigned x = v[0] | 1; x != 0; x &= x - 1)
    count++;
  return count;
}

static int calls;
int counted(const unsigned char *a COLONNADE_EXTENT(1)) {
  calls++;
  return squares[a[0] & 7];
}

int divisor(const int *p COLONNADE_EXTENT(2)) { return std::gcd(p[0] & 0xffff, p[1] & 0xffff); }

int measured(const int *length, const int *v COLONNADE_EXTENT(8)) {
  int sum = 0;
  for (int i = 0; i < *length; i++)
    sum += v[i & 7];
  return sum;
}

int list(const int *next, const int *v, int head) {
  int sum = 0;
  for (int i = head; i >= 0; i = next[i])
    sum += v[i];
  return sum;
}

static void set(int *to, int at) { to[at] = 1; }
void called(int *v COLONNADE_EXTENT(8)) {
  if (v[0] > 3)
    v[1] = 0;
  set(v, v[2] & 7);
}

int masked(const unsigned *v COLONNADE_EXTENT(8)) { return v[(v[0] & 3) >> 2]; }

void accepted(int *v COLONNADE_EXTENT(8)) {
  if (v[0] > 3)
    v[1] = 0;
}

static const unsigned char few[256] = {7, 3, 9};
unsigned char partly_given(const unsigned char a[4]) { return few[a[3]]; }
static const struct {
  int k;
  float t[8];
} whole = {3, {1, 2, 3}};
float in_struct(const int a[1]) { return whole.t[a[0] & 7]; }
