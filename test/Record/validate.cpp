// check --validate: the recorded original against the certificate.
//
// No compiler is needed: PATH is empty.
// RUN: env PATH= %colonnade check --validate %s -f prefix -f padded -f largest 2>&1 | FileCheck %s
// CHECK: 'prefix': validated: 20 inputs, {{[1-9][0-9]*}} accesses compared with the original{{$}}
// CHECK: 'padded': validated: 20 inputs, 240 accesses compared with the original{{$}}
// CHECK: 'largest': validated: 20 inputs,
//
// The operand of an assumption is not evaluated, although Clang emits code for it.
// RUN: %colonnade check --validate %s -f assumed | FileCheck --check-prefix=ASSUMED %s
// ASSUMED: 'assumed': validated: 20 inputs, 40 accesses
//
// --arg fixes a size: 2 * 5 accesses an input.
// RUN: %colonnade check --validate --arg n=5 %s -f prefix | FileCheck --check-prefix=ARG %s
// ARG: 'prefix': validated: 20 inputs, 200 accesses compared with the original{{$}}
// RUN: not %colonnade check --validate --arg m=5 %s -f prefix 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: error: --arg m: 'prefix' has no uniform scalar of that name; it has 'n'
//
// Facts are taken: without this one, there is nothing to validate.
// RUN: %colonnade check --validate --size n=3 %s -f prefix | FileCheck --check-prefix=SIZE %s
// SIZE: validated: 20 inputs, 120 accesses
//
// Inputs with undefined behaviour, or for which a fact is false, are counted.
// RUN: %colonnade check --validate %s -f ratios | FileCheck --check-prefix=UNDEFINED %s
// UNDEFINED: 'ratios': validated: 20 inputs, {{[0-9]+}} accesses compared with the original; discarded: {{[1-9][0-9]*}} input{{s?}} with undefined behaviour{{$}}
// RUN: not %colonnade check --validate %s -f always_undefined 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: 'always_undefined': not validated: 0 inputs, 0 accesses compared; discarded: 200 inputs with undefined behaviour
// RUN: %colonnade check --validate %s -f checked --arg n=2147483639 | FileCheck --check-prefix=ENDS %s
// ENDS: 'checked': validated: 20 inputs, 40 accesses compared with the original{{$}}
// RUN: not %colonnade check --validate %s -f checked --arg n=2147483646 2>&1 | FileCheck --check-prefix=CHECKED %s
// CHECKED: 'checked': not validated: 0 inputs, 0 accesses compared; discarded: 200 inputs with undefined behaviour
//
// A certificate computes what the last iteration would have carried on, without undefined behaviour.
// RUN: %colonnade check --validate %s -f speculates | FileCheck --check-prefix=SPECULATES %s
// SPECULATES: 'speculates': validated: 20 inputs, 20 accesses compared with the original{{$}}
//
// Sizes beyond what is tried are no input, and not undefined behaviour; they take no memory.
// RUN: not %colonnade check --validate --arg n=2000000 %s -f prefix 2>&1 | FileCheck --check-prefix=PASSED %s
// PASSED: 'prefix': not validated: 0 inputs, 0 accesses compared; discarded: 200 inputs too long or too large{{$}}
// RUN: not %colonnade check --validate --arg n=100000000 %s -f scratch 2>&1 | FileCheck --check-prefix=SCRATCH %s
// SCRATCH: 'scratch': not validated: 0 inputs, 0 accesses compared; discarded: 200 inputs too long or too large{{$}}
// RUN: %colonnade check --validate --arg n=3 %s -f scratch | FileCheck --check-prefix=SMALL %s
// SMALL: 'scratch': validated: 20 inputs, 40 accesses compared with the original{{$}}
//
// Nothing compared is not "validated", and an error.
// RUN: not %colonnade check --validate %s -f by_value 2>&1 | FileCheck --check-prefix=NOTHING %s
// NOTHING: 'by_value': not validated: 20 inputs, 0 accesses compared
//
// The JSON report has the same.
// RUN: %colonnade check --validate %s -f prefix --size n=3 --json %t.json > %t.out
// RUN: FileCheck --check-prefix=JSON --input-file %t.json %s
// JSON: "validation": {
// JSON-NEXT: "accesses": 120,
// JSON-NEXT: "difference": "",
// JSON-NEXT: "inputs": 20,
// JSON-NEXT: "location": null,
// JSON-NEXT: "too_long": 0,
// JSON-NEXT: "undefined": 0,
// JSON-NEXT: "validated": true
// RUN: %colonnade check %s -f prefix --json - | FileCheck --check-prefix=NO-JSON --implicit-check-not=validation %s
// NO-JSON: "functions"
//
// A refused function has no certificate.
// RUN: not %colonnade check --validate %s -f refused 2>&1 | FileCheck --check-prefix=REFUSED --implicit-check-not=validated %s
// REFUSED: refused: reject, class N
//
// RUN: not %colonnade check --arg n=5 %s -f prefix 2>&1 | FileCheck --check-prefix=USE %s
// USE: error: --arg: has no use without --validate or --witness
// RUN: not %colonnade check --validate --arg n=5 %s -f prefix -f largest 2>&1 | FileCheck --check-prefix=SEVERAL %s
// SEVERAL: error: --arg and -i are for one function, but 2 are accepted: add -f NAME
#include <colonnade/annotate.h>

#include <cstring>

void prefix(float *b COLONNADE_EXTENT(n), int n) {
  float r = 0;
  for (int i = 0; i < n; i++) {
    r = r + b[i];
    b[i] = r;
  }
}

// Copies of structs with padding: three loads and three stores each.
struct mixed {
  char tag;
  double value;
  short count;
};

void padded(mixed *to COLONNADE_EXTENT(1), mixed *from COLONNADE_EXTENT(1)) {
  mixed local = *from;
  local.count++;
  *to = local;
  std::memcpy(from, to, sizeof *to);
}

int largest(const int *v COLONNADE_EXTENT(8)) {
  int best = v[0];
  for (int i = 1; i < 8; i++)
    if (v[i] > best)
      best = v[i];
  return best;
}

void ratios(int *a COLONNADE_EXTENT(4)) {
  a[0] = a[1] / a[2];
  a[3] = a[0] + 1;
}

void always_undefined(int *a COLONNADE_EXTENT(4)) { a[0] = 1 << (32 + (a[1] & 31)); }

float by_value(COLONNADE_INSTANCE float x) { return x * x; }

int refused(const int *v COLONNADE_EXTENT(300)) { return v[v[0] & 255]; }

// One of the local arrays would fit into memory, all do not.
void scratch(int *a COLONNADE_EXTENT(1), int n) {
  int first[n], second[n];
  first[0] = a[0];
  second[0] = first[0];
  a[0] = second[0];
}

void assumed(const int *a, int *out) {
  __builtin_assume(a[3] == 1);
  [[assume(a[a[0] & 7] == 1)]];
  out[0] = a[1];
}

// Nothing is launched where its counter would wrap.
void checked(int a[4], int n) {
  for (int i = 2147483637; i < n; i += 4u) {
    if (i < 0)
      break;
    a[i & 1] = i;
  }
  a[2] = n;
}

void speculates(int a[4], int n) {
  int steps = 0;
  long i = 9223372036854775803L;
  for (;;) {
    if (!(i < n && steps < 41))
      break;
    a[0] = steps++;
    i += 5;
  }
  a[1] = 2;
}
