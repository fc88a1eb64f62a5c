// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++20
//
// Lambdas in variables of the file: without captures they have no state, and only calls are taken.
static auto at = [](const int *a, int i) { return a[i & 7]; };
const auto sum = [](auto *a, int n) {
  auto s = a[0];
  for (int i = 1; i < n; ++i)
    s += a[i];
  return s;
};
static int count = 1;
static auto counts = [](const int *a) { return a[count++ & 7]; };
static auto captured = [shift = 1](const int *a) { return a[shift]; };
static auto counter = [n = 0]() mutable { return n++; };
volatile auto restless = [](const int *a) { return a[0]; };
template <class T> bool is_at(const T &x) { return &x == &at; }

// expect A
int calls(const int a[8]) { return at(a, 3) + sum(a, 8); }
// expect S
int calls_with_data(const int a[8]) { return at(a, a[0]); }
// expect U
int state_of_file(const int a[8]) { return counts(a); }
// expect U
int state_of_closure(const int a[8]) { return captured(a); }
// expect U
int changing(const int a[8]) { return a[counter() & 7]; }
// expect U
int address(const int a[8], int out[8]) {
  if (is_at(at))
    out[a[0] & 7] = 1;
  return 0;
}
// expect U
int addresses(const int a[8], int out[8]) {
  auto *one = &at, *other = &at;
  if (one == other)
    out[a[0] & 7] = 1;
  return 0;
}
