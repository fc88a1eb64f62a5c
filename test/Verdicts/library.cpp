// RUN: %python %S/verdicts.py %colonnade %s
//
// Functions of the library that are taken apart in the front end: their results
// are data like any other.
#include <cmath>
#include <cstdint>
#include <cstring>

// expect P
int differs(const int *b, const unsigned char *x, const unsigned char *y, size_t n) {
  return std::memcmp(x, y, n) ? b[0] : b[1];
}
// expect NSK
int differs_index(const int *b, const unsigned char *x, const unsigned char *y, size_t n) {
  return b[std::memcmp(x, y, n) != 0];
}
// expect A
int order_of_bytes(const unsigned char *x, const unsigned char *y) { return memcmp(x, y, 32) < 0; }
// Little-endian cells are not in the order of their bytes.
// expect U
int order_of_words(const int *x, const int *y) { return memcmp(x, y, 32) < 0; }
// Of memcmp's value only the sign is defined.
// expect U
int number(const unsigned char *x, const unsigned char *y) { return memcmp(x, y, 32); }
// expect NSKT
int size_from_data(const unsigned char *x, const unsigned char *y, const int *n) {
  return memcmp(x, y, n[0]) == 0;
}

// expect A
double scaled(const double *x, const int *e) { return std::ldexp(x[0], e[0]); }
// expect NSK
double exponent_index(const double *x) {
  int e;
  std::frexp(x[0], &e);
  return x[e & 7];
}
// expect A
double fraction(const double *x, int k) {
  int e;
  double f = std::frexp(x[0], &e);
  return f + e + x[k & 7];
}
// expect NSK
double whole_index(const double *x) {
  double whole;
  std::modf(x[0], &whole);
  return x[(int)whole & 7];
}
// expect NSK
double class_index(const double *x) { return x[std::isnormal(x[0])]; }
// expect NSK
double ilogb_index(const float *x) { return x[std::ilogb(x[0]) & 7]; }

// The bits of a variable under another type.
// expect NSK
int bits_index(const int *a, const float *x) {
  int i;
  float y = x[0];
  std::memcpy(&i, &y, sizeof i);
  return a[i & 7];
}
// expect A
int bits_uniform(const int *a, const float *x, float y) {
  int i;
  std::memcpy(&i, &y, sizeof i);
  return a[i & 7] + (int)x[0];
}

struct meter {
  int total = 0;
  void add(int v) {
    [this, v] {
      if (v > 3)
        total++;
    }();
  }
};
// expect NSK
int captured_this(const int *a, const int *b) {
  meter m;
  m.add(b[0]);
  return a[m.total];
}
// expect A
int captured_uniform(const int *a, const int *b, int n) {
  meter m;
  m.add(n);
  return a[m.total] + b[0];
}

// Overflow: the result and whether it fits are data like the operands.
// expect P
int sum_or_zero(const int *a, const int *b) {
  int sum;
  const bool overflows = __builtin_add_overflow(a[0], b[0], &sum);
  return overflows ? 0 : sum;
}
// expect NSK
int overflow_index(const int *a, const int *b) {
  int sum;
  return a[__builtin_add_overflow(a[0], b[0], &sum)];
}
// expect NSK
int sum_index(const int *a, const unsigned *b) {
  unsigned sum;
  (void)__builtin_uadd_overflow(b[0], b[1], &sum);
  return a[sum & 7];
}
// expect NSK
int stored_by_overflow(const int *a, const long *b) {
  long at[2] = {0, 0};
  (void)__builtin_mul_overflow(b[0], b[1], &at[1]);
  return a[at[1] & 7];
}
// expect A
int beside_overflow(const int *a, const long *b) {
  long at[2] = {0, 0};
  (void)__builtin_mul_overflow(b[0], b[1], &at[1]);
  return a[at[0] & 7];
}
// expect NSK
int sign_bits_index(const int *a) { return a[__builtin_clrsb(a[0])]; }
constexpr int four(int n = 4) { return n; }
// expect A
int sizes_of_functions(const int *a, int n) {
  int t[16];
  __builtin_memcpy(t, a, four());
  __builtin_memset(t + 1, 0, 3 * four());
  __builtin_memcpy(t + 4, a, n * four());
  return t[0] + t[3] + t[4];
}
