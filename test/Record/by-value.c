// The same in C, where a parameter may be written.
//
// RUN: %colonnade check --validate %s -f sum -f written 2>&1 | FileCheck %s
// CHECK: 'sum': validated: 20 inputs, 80 accesses compared with the original
// CHECK: 'written': validated: 20 inputs, 60 accesses
struct words {
  int t[40];
  double n;
};

double sum(struct words w, int n) {
  int s = 0;
  for (int i = 0; i < 4; i++)
    s += w.t[i * n];
  return s + w.n;
}

int written(int n, struct words w) {
  w.t[n] = 7;
  return w.t[n] + w.t[n + 1];
}
