//===- subset.cpp - C++ that the front end lowers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read by FrontendTests: every function is lowered without an unsupported
// construct.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
namespace ns {
void g(int *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = std::min(a[i], 3);
}
template <class T, int N> void t(T *a) {
  for (int i = 0; i < N; ++i)
    a[i] = a[i] * 2;
}
} // namespace ns
struct Vec {
  float x, y, z;
  Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec &operator+=(const Vec &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  float dot(Vec o) const { return x * o.x + y * o.y + z * o.z; }
  float &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
};
inline Vec operator*(float s, Vec v) {
  v.x *= s;
  v.y *= s;
  v.z *= s;
  return v;
}
void vecs(Vec *a, const Vec *b, int n, float s) {
  for (int i = 0; i < n; i++) {
    a[i] += s * b[i];
    a[i] = a[i] + b[i];
    a[i].x = a[i].dot(b[i]);
  }
}
void arrays(std::array<float, 8> &a, const std::array<std::array<int, 3>, 2> &m, float (&c)[4]) {
  for (float &x : a)
    x += 1.0f;
  for (auto x : a)
    c[0] += x;
  for (auto &row : m)
    for (int v : row)
      c[1] += v;
  a[3] = a.at(2) + a.front() + a.back() + a.size();
  std::swap(a[0], a[1]);
  a.fill(2.0f);
  std::array<float, 8> b = a;
  b[0] = 1;
  a = b;
  std::array<int, 4> z{};
  std::array<int, 4> q{1, 2};
  c[2] = z[1] + q[1] + std::get<1>(q);
  c[3] = *std::max_element(a.begin(), a.end());
}
double mathy(double x, float y, int k) {
  return std::sqrt(x) + std::sin(y) + std::pow(x, 2.5) + std::fma(x, x, x) + sqrtf(y) +
         std::fabs(y) + std::abs(k) + std::abs(x) + std::floor(y) + std::round(x) + std::isnan(x) +
         std::sqrt(k) + std::max(x, 1.0) + std::clamp(x, 0.0, 1.0) + std::hypot(x, x) +
         std::fmin(x, 1.0) + std::copysign(x, -1.0) + std::min({x, 2.0, 3.0}) + std::lround(x) +
         std::pow(x, 2) + std::atan2(y, y) + std::exp(y) + fabsf(y) + __builtin_fmaf(y, y, y) +
         INFINITY + std::signbit(x) + std::trunc(x) + std::log2(x) + std::isfinite(y);
}
constexpr int tab[4][2] = {{1, 2}, {3, 4}, {5, 6}};
static const struct {
  int a;
  float b[2];
} stab[2] = {{1, {2, 3}}, {4, {5, 6}}};
constexpr std::array<int, 3> ctab{7, 8, 9};
int tables(int i, int j) {
  static const int loc[] = {1, 2, 3};
  const int l2[3] = {4, 5, 6};
  constexpr int K = 5;
  int s = 0;
  for (int k = 0; k < 3; ++k)
    s += loc[k] + l2[k] + ctab[k];
  const auto &r = stab[i];
  return tab[i][j] + stab[j].a + (int)stab[i].b[j] + K + s + r.a + "abc"[i];
}
int lambdas(int *a, int n) {
  int s = 0;
  auto add = [&](int v) {
    s += v;
    return s;
  };
  auto mul = [n](int v) { return v * n; };
  auto both = [&, k = 3](auto v) { return add(v) + mul(v) + k; };
  for (int i = 0; i < n; ++i)
    a[i] = both(a[i]);
  auto apply = [](auto f, int x) { return f(x); };
  return apply(mul, s) + [=] { return n; }();
}
struct Base {
  int b = 4;
  int get() const { return b; }
};
struct Derived : Base {
  int arr[3] = {1, 2, 3};
  int d;
  Derived(int v, int w = 2) : d(v + w) { arr[0] = get(); }
};
int classes(int n) {
  Derived d(n), e{n, 3};
  Derived f = d;
  f = e;
  Derived g[2] = {Derived(1), Derived(2)};
  return d.arr[1] + e.d + f.get() + g[1].d;
}
int sw(int x, int *a) {
  int r;
  switch (x) {
  case 0:
    r = 1;
    break;
  case 1:
    a[0] = 1;
  case 2:
  case 3:
    r = a[1];
    break;
  case 10 ... 20:
    r = 7;
    break;
  default:
    r = 5;
  }
  switch (a[0]) {
  default:
    r++;
  case 4:
    r += 2;
    break;
  case 5:
    return 9;
  }
  for (int i = 0; i < 4; i++) {
    switch (i) {
    case 1:
      continue;
    case 2:
      a[i] = 3;
      break;
    case 3:
      a[0]++;
    }
    r += i;
  }
  return r;
}
int loops(int *a, int n) {
  int s = 0, i = 0;
  do {
    if (a[i] == 3)
      continue;
    if (a[i] == 4)
      break;
    s += a[i];
  } while (++i < n);
  while (int k = n - i) {
    s += k;
    i++;
    if (s > 100)
      return s;
  }
  for (;;) {
    if (s++ > 10)
      break;
  }
  for (int *p = a, *e = a + n; p != e; ++p)
    s += *p;
  int *q = a;
  while (n-- > 0)
    *q++ = s;
  return s;
}
enum class E : unsigned char { A, B = 3 };
enum Old { X, Y };
int enums(E e, Old o, bool b, char c, unsigned short u, long long l) {
  return e == E::B ? Y : (int)o + b + c + u + (int)l + static_cast<int>(e);
}
int ops(int a, unsigned b, float f, short s) {
  s += 3;
  s++;
  --s;
  a <<= 2;
  b >>= 1;
  a ^= 5;
  a %= 7;
  f /= 2;
  f++;
  bool t = a && b || !f;
  t |= a > 3;
  a = (b++, b);
  a = b = 3;
  int c = a++;
  return -a + ~a + +a + (a ?: 4) + t + s + c + (int)f;
}
void mem(float *a, const float *b, int n, int m[4][4]) {
  std::memcpy(a, b, n * sizeof(float));
  memset(a, 0, 8 * sizeof *a);
  memmove(a, a + 1, sizeof(float) * n);
  int t[4][4];
  memcpy(t, m, sizeof t);
  memset(t[1], 0, sizeof t[1]);
  std::memcpy(&m[0][0], t, sizeof(t));
  uint32_t u;
  float f = a[0];
  memcpy(&u, &f, 4);
  a[1] = std::bit_cast<float>(u + 1);
  memcpy(a, b, n);
}
int bits(unsigned x, unsigned long long y, uint8_t z) {
  return std::popcount(x) + __builtin_clz(x) + __builtin_ctzll(y) + std::countl_zero(z) +
         std::rotl(x, 3) + __builtin_bswap32(x) + __builtin_parity(x) + std::rotr(z, 2) +
         std::countr_zero(z) + std::popcount(z);
}
template <class T> T gcdT(T a, T b) { return b == 0 ? a : gcdT(b, a % b); }
int recur(int a, int b) { return gcdT(a, b); }
int misc(int *a, int n) {
  auto [x, y] = std::pair<int, int>(a[0], a[1]);
  struct P {
    int u, v;
  } p{1, 2};
  auto &[pu, pv] = p;
  pu = 5;
  int arr[3] = {1, 2, 3};
  auto [q, r, s] = arr;
  int acc = std::accumulate(a, a + n, 0);
  std::fill(a, a + n, 3);
  std::copy(a, a + 2, a + 4);
  std::reverse(a, a + n);
  std::iota(a, a + n, 0);
  std::fill_n(a, n, 2);
  return x + y + pu + pv + q + r + s + acc + std::exchange(a[0], 4);
}
float byval(Vec v, Vec *out) {
  v.x = 3;
  *out = v;
  out[1] = Vec{};
  out[2] = Vec{.y = 2};
  return v.y;
}
Vec ret(bool c, const Vec &a, const Vec &b) {
  if (c)
    return a;
  return c ? b : Vec{1, 2, 3};
}
int big(int k) {
  int t[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  int z[10] = {};
  int w[4] = {k, k};
  int m[2][3] = {{1}, {2, 3}};
  char s[] = "hey";
  t[k] = 2;
  return t[3] + z[1] + w[2] + m[1][1] + s[0];
}
