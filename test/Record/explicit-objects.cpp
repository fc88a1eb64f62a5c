// C++23: a method whose object is a parameter like others.
//
// RUN: %colonnade check --validate %s -f by_value -f by_reference -f operators -f recursive -f evaluated -- -std=c++23 | FileCheck %s
// CHECK: 'by_value': validated
// CHECK: 'by_reference': validated
// CHECK: 'operators': validated
// CHECK: 'recursive': validated
// CHECK: 'evaluated': validated
// RUN: not %colonnade check %s -f leaks -f leaks_evaluated -- -std=c++23 2>&1 | FileCheck --check-prefix=LEAKS %s
// LEAKS: leaks: reject
// LEAKS: leaks_evaluated: reject
struct counter {
  unsigned k;
  unsigned get(this counter self, int i) { return self.k += i; }
  unsigned add(this counter &self, int i) { return self.k += i; }
  unsigned operator()(this counter self, int i) { return self.k + i; }
  unsigned operator[](this counter &self, int i) { return self.k++ + i; }
  bool operator==(this const counter &self, unsigned y) { return self.k == y; }
  counter &operator=(this counter &self, unsigned y) {
    self.k = y;
    return self;
  }
};

unsigned by_value(const int a[8]) {
  counter c{unsigned(a[0])};
  return c.get(a[1]) ^ c.k;
}
unsigned by_reference(const int a[8]) {
  counter c{unsigned(a[0])};
  c.add(a[1]);
  return c.k;
}
unsigned operators(const int a[8]) {
  counter c{1};
  c = unsigned(a[0]);
  unsigned r = c(3) ^ c[2];
  return r ^ c[3] ^ (c == 5u);
}
unsigned recursive(const int a[8]) {
  auto f = [](this auto self, int n) -> unsigned { return n <= 0 ? 0 : n + self(n - 1); };
  return f(3) ^ unsigned(a[0]);
}
int evaluated(const int a[8], int b[8]) {
  counter c{0};
  int n = 0;
  (n++, c).add(2);
  (n++, c)[1];
  return b[n] ^ a[0];
}
int leaks(const int a[8], int b[8]) {
  counter c{0};
  c.add(a[1] & 3);
  return b[c.k];
}
int leaks_evaluated(const int a[8], int b[8]) {
  counter c{0};
  int n = 0;
  (n += a[0] & 3, c)[2];
  return b[n];
}
