// Arrays within what is passed by value: the original accesses its own copy, which lies where only it
// knows.
//
// RUN: %colonnade check --validate %s -f sum -f copied -f constructed -f table -f twice -f itself -f short_one | FileCheck %s
// CHECK: 'sum': validated: 20 inputs, 80 accesses compared with the original
// CHECK: 'copied': validated: 20 inputs, 1620 accesses
// CHECK: 'constructed': validated: 20 inputs, 40 accesses
// CHECK: 'table': validated: 20 inputs, {{[1-9][0-9]*}} accesses
// CHECK: 'twice': validated: 20 inputs, 60 accesses
// CHECK: 'itself': validated: 20 inputs, 820 accesses
// CHECK: 'short_one': validated: 20 inputs, 20 accesses
//
// What is refused shows in the recorded addresses.
// RUN: not %colonnade check --witness=20 %s -f chosen 2>&1 | FileCheck --check-prefix=WITNESS %s
// WITNESS: witness for 'chosen'
// WITNESS-NEXT: first input: access {{[0-9]+}} is load w.t[
#include <array>

struct Words {
  int t[40];
  int n;
};
struct Constructed {
  int t[40];
  Constructed(const Constructed &other) {
    for (int i = 0; i < 40; i++)
      t[i] = other.t[i];
  }
};
struct Short { // passed in a register
  short t[4];
};

int sum(Words w, int n) {
  int s = 0;
  for (int i = 0; i < 4; i++)
    s += w.t[i * n];
  return s + w.n;
}

static int inner(Words w) { return w.t[3] + w.t[39]; }
int copied(Words w, int n) {
  Words other = w;
  return inner(w) + other.t[n] + w.t[n];
}

int constructed(Constructed v, int n) { return v.t[n] + v.t[n + 1]; }

double table(int n, std::array<double, 30> a, std::array<double, 30> b) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[n - i];
  return s;
}

int twice(Words w, const int *a, Words x, int n) { return w.t[n] + a[n] + x.t[n]; }

int itself(Words w, int n) { return n > 0 ? w.t[n] + itself(w, 0) : w.t[5]; }

int short_one(Short w, int n) { return w.t[n & 3]; }

int chosen(Words w) { return w.t[w.t[0] & 31]; }
