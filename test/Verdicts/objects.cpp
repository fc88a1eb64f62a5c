// RUN: %python %S/verdicts.py %colonnade %s
//
// Channels through lambdas, operators and the library's objects, one each, and
// twins that are one token away and accepted.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

struct two {
  int i;
  int v;
};
// expect NSK
int lambda_ref(const int *a, const int *b, int n) {
  int i = 0;
  auto f = [&i](int v) {
    if (v > 0) return;
    i = 2;
  };
  f(b[n]);
  return a[i];
}
// expect P
int lambda_ref_twin(const int *a, const int *b, int n) {
  int i = 0, j = 0;
  auto f = [&j](int v) {
    if (v > 0) return;
    j = 2;
  };
  f(b[n]);
  return a[i] + j;
}
// expect NSK
int lambda_val(const int *a, const int *b, int n) {
  int k = b[n] & 3;
  auto f = [k] { return k; };
  return a[f()];
}
// expect NSKU
int lambda_mutable(const int *a, const int *b, int n) {
  int k = 0;
  auto f = [k](int v) mutable {
    if (v > 0) k++;
    return k;
  };
  f(b[n]);
  return a[f(0)];
}
// expect NSKU
int lambda_init(const int *a, const int *b, int n) {
  auto f = [p = a + (b[n] & 1)] { return *p; };
  return f();
}
struct vec {
  int d[4];
  int &operator[](int i) { return d[i]; }
  const int &operator[](int i) const { return d[i]; }
};
struct pickv {
  vec x, y;
  vec &pick(int w) { return w > 0 ? x : y; }
};
// expect NSKU
int op_sub_ref(const int *a, const int *b, int n) {
  pickv p{};
  p.pick(b[n])[1] = 3;
  return a[p.x[1]];
}
// expect AP
int op_sub_ref_twin(const int *a, const int *b, int n) {
  pickv p{};
  p.pick(n)[1] = 3;
  return a[p.x[1]] + b[n];
}
// expect NSK
int op_sub_data(const int *b, int n) {
  vec v{{1, 2, 3, 4}};
  return v[b[n] & 3];
}
// expect NSKU
int const_cast_channel(const int *a, const int *b, int n) {
  const int k = 0;
  int t = 1;
  const int &r = t;
  const_cast<int &>(r) = b[n] & 1;
  return a[t + k];
}
// expect NSK
int pair_channel(const int *a, const int *b, int n) {
  std::pair<int, int> p{0, b[n] & 3};
  std::swap(p.first, p.second);
  return a[p.first];
}
// expect NSKU
int tuple_channel(const int *a, const int *b, int n) {
  std::tuple<int, int> p{0, b[n] & 3};
  return a[std::get<1>(p)];
}
// expect NSKU
int tie_channel(const int *a, const int *b, int n) {
  int i = 0, j = b[n] & 3;
  std::tie(i, j) = std::pair<int, int>(j, i);
  return a[i];
}
// expect NSKU
int binding(const int *a, const int *b, int n) {
  two s{b[n] & 3, 1};
  auto [x, y] = s;
  return a[x] + y;
}
// expect A
int binding_twin(const int *a, const int *b, int n) {
  two s{b[n] & 3, 1};
  auto [x, y] = s;
  return a[y] + x;
}
// expect NSKU
int exchange_channel(const int *a, const int *b, int n) {
  int i = b[n] & 3;
  int j = std::exchange(i, 0);
  return a[j];
}
// expect NSKU
int array_data(const int *a, const int *b, int n) {
  std::array<int, 4> t{0, 1, 2, 3};
  *(t.begin() + 1) = b[n] & 3;
  return a[t[1]];
}
// expect NSKU
int array_fill(const int *a, const int *b, int n) {
  std::array<int, 4> t;
  t.fill(b[n] & 3);
  return a[t[1]];
}

// Compound literals, which are values in C++, and strings that set up members.
struct named {
  char name[4] = "abc";
  int v = 0;
};
// expect NSK
int literal_channel(const int *a, const int *b) {
  named t = (named){"x", b[0] & 3};
  return a[t.v];
}
// expect A
int literal_twin(const int *a, const int *b) {
  named t = (named){"\1", b[0] & 3};
  return a[t.name[0]] + t.v;
}
// expect NSK
int scalar_literal_channel(const int *a, const int *b) { return a[(int){b[0] & 3}]; }
// expect A
int scalar_literal_twin(const int *a, const int *b) { return a[(int){3}] + (int){b[0]}; }
// expect NSK
int string_channel(const int *a, const int *b) {
  named t;
  t.name[1] = b[0] & 3;
  return a[t.name[1]];
}
// expect A
int string_twin(const int *a, const int *b) {
  named t;
  t.v = b[0] & 3;
  return a[t.name[1] - 'a'] + t.v;
}
