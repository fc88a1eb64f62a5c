// RUN: %python %S/verdicts.py %colonnade %s
//
// Channels through aliases, pointers, exits and declared facts, one each, and
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

struct S {
  int i, j;
};
static int byval(S s, S &r) {
  r.i = 5;
  return s.i;
}
// expect NSK
int byval_alias(const int *a, const int *b, int n) {
  S x{b[n] & 3, 1};
  return a[byval(x, x)];
}
static int byval2(S s, S &r, int v) {
  r.i = v;
  return s.i;
}
// expect A
int byval_alias_twin(const int *a, const int *b, int n) {
  S x{1, 1};
  int k = byval2(x, x, b[n]);
  return a[k] + x.i;
}
// expect NSK
int byval_alias_leak(const int *a, const int *b, int n) {
  S x{1, 1};
  byval2(x, x, b[n] & 3);
  return a[x.i];
}
static int twice(int &x, int &y) {
  x = 1;
  y = 0;
  return x;
}
// expect A
int alias_refs(const int *a, const int *b, int n) {
  int i = 5;
  int k = twice(i, i);
  return a[k] + b[n];
}
static void setref(int *p, int v) { *p = v; }
// expect NSK
int ptr_into_array(const int *a, const int *b, int n) {
  int t[4] = {0, 1, 2, 3};
  setref(t + 2, b[n] & 3);
  return a[t[2]];
}
// expect NSK
int ptr_to_field(const int *a, const int *b, int n) {
  S s{0, 0};
  setref(&s.j, b[n] & 3);
  return a[s.j];
}
// expect A
int ptr_to_field_twin(const int *a, const int *b, int n) {
  S s{0, 0};
  setref(&s.j, b[n] & 3);
  return a[s.i] + s.j;
}
// expect NSKU
int overlap_struct_array(const int *a, const int *b, int n) {
  S s[2] = {{0, 1}, {2, 3}};
  int *p = &s[0].i;
  p[2] = b[n] & 3;
  return a[s[1].i];
}
// A walk over all rows by one index reaches them all.
// expect NSKT
int two_d(const int *a, const int *b, int n) {
  int t[2][2] = {{0, 1}, {2, 3}};
  int *p = &t[0][0];
  p[3] = b[n] & 3;
  return a[t[1][1]];
}
// expect NSKT
int two_d_flat(const int *a, const int *b, int n) {
  int t[2][2] = {{0, 1}, {2, 3}};
  t[0][3 - 0 * n] = b[n] & 3;
  return a[t[1][1]];
}
// expect NSKT
int loop_twice(const int *a, const int *b, int n) {
  int k = 0, last = 0;
  for (int i = 0; i < n; i++) {
    last = k;
    if (b[i] > 0) k = i;
  }
  return a[last];
}
// expect NSKT
int exit_then_index(const int *a, const int *b, int n) {
  int k = 0;
  for (int i = 0; i < n; i++, k += 2)
    if (b[i] > 0) break;
  return a[k];
}
// expect NSKT
int exit_ptr(const int *a, const int *b, int n) {
  const int *p = a;
  for (int i = 0; i < n; i++, p += 2)
    if (b[i] > 0) break;
  return *p;
}
// expect P
int exit_ptr_inside(const int *a, const int *b, int n) {
  const int *p = a;
  int s = 0;
  for (int i = 0; i < n; i++, p += 2) {
    s += *p;
    if (b[i] > 0) break;
  }
  return s;
}
// expect NSKT
int inner_exit_outer_ptr(const int *a, const int *b, int n) {
  const int *p = a;
  int s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (b[j] > i) break;
      ++p;
    }
    s += *p;
  }
  return s;
}
// expect P
int inner_exit_outer_ptr_twin(const int *a, const int *b, int n) {
  const int *p = a;
  int s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (b[j] > i) break;
      s++;
    }
    s += *p;
    ++p;
  }
  return s;
}
// expect NSKT
int cont_ptr(const int *a, const int *b, int n) {
  const int *p = a;
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (b[i] > 3) continue;
    s += *p++;
  }
  return s;
}
// expect NSKT
int do_exit(const int *a, const int *b, int n) {
  int i = 0;
  do {
    if (b[i] == 3) return a[i * i];
  } while (b[i++] > 0 && i < n);
  return a[i];
}
// expect NSKT
int while_and(const int *a, const int *b, int n) {
  int i = 0;
  while (i < n && b[i] > 0) i++;
  return a[i];
}
// expect NSKT
int while_dec(const int *a, const int *b, int n) {
  int k = n;
  while (k-- > 0)
    if (b[k] > 0) break;
  return a[k + 1];
}
// expect NSKT
int nested_break_flag(const int *a, const int *b, int n) {
  bool f = false;
  int i = 0, s = 0;
  for (; i < n && !f; i++) {
    for (int j = 0; j < n; j++)
      if (b[j] == i) {
        f = true;
        break;
      }
    s += a[i];
  }
  return a[i];
}
// expect P
int nested_break_flag_twin(const int *a, const int *b, int n) {
  bool f = false;
  int s = 0;
  for (int i = 0; i < n && !f; i++) {
    for (int j = 0; j < n; j++)
      if (b[j] == i) {
        f = true;
        break;
      }
    s += a[i];
  }
  return s;
}
// expect NSKT
int sw_in_loop(const int *a, const int *b, int n) {
  int k = 0, s = 0;
  for (int i = 0; i < n; i++) {
    switch (b[i] & 3) {
    case 0: continue;
    case 1: break;
    default: k++;
    }
    s += a[k];
  }
  return s;
}
// expect NSKT
int sw_return(const int *a, const int *b, int n) {
  int k = 0;
  switch (n) {
  case 1:
    if (b[0] > b[1]) return 0;
    k = 1;
    break;
  case 2:
    if (b[0] > b[1]) break;
    k = 2;
  }
  return a[k];
}
// expect NSKT
int trip_from_array(const int *a, const int *b, int n) {
  int len[2] = {1, 2};
  len[1] = b[n];
  int s = 0;
  for (int i = 0; i < len[1]; i++) s += a[i];
  return s;
}
// expect NSKT
int step_from_array(const int *a, const int *b, int n) {
  int st[1] = {1};
  if (b[n]) st[0] = 2;
  int s = 0;
  for (int i = 0; i < n; i += st[0]) s += a[i];
  return s;
}
static int g(const int *a, int i) { return a[i]; }
// expect NSKT
int two_calls(const int *a, const int *b, int n) { return g(a, 0) + g(a, b[n] & 1); }
// expect P
int two_calls_twin(const int *a, const int *b, int n) { return b[n] & 1 ? g(a, 1) : g(a, 0); }
// expect NSKT
int two_calls_ptr(const int *a, const int *b, int n) { return g(b[n] & 1 ? a : a + 1, 0); }
// expect NSKT
int min_ptr(const int *a, const int *b, int n) {
  const int *p = std::min(a, a + (b[n] & 1));
  return *p;
}
// expect NSKT
int select_loop_limit(const int *a, const int *b, int n, int m) {
  int lim = b[0] > b[1] ? n : m;
  int s = 0;
  for (int i = 0; i < lim; i++) s += a[i];
  return s;
}
// expect A
int select_loop_same(const int *a, const int *b, int n) {
  int lim = b[0] > b[1] ? n : n + 0;
  int s = 0;
  for (int i = 0; i < lim; i++) s += a[i];
  return s;
}
// expect AP
int same_both(const int *a, const int *b, int n) {
  int k = b[0] > b[1] ? n : n;
  return a[k];
}
// expect NSKT
int uninit_arm(const int *a, const int *b, int n) {
  int k;
  if (b[0] > b[1]) k = n;
  return a[k];
}
// expect NSKTU
int array_of_ptr(const int *a, const int *c, const int *b, int n) {
  const int *t[2] = {a, c};
  return t[b[n] & 1][0];
}
// expect PAU
int array_of_ptr_twin(const int *a, const int *c, const int *b, int n) {
  const int *t[2] = {a, c};
  return t[n & 1][0] + b[n];
}
// expect NSKTU
int array_of_ptr_set(const int *a, const int *c, const int *b, int n) {
  const int *t[2] = {a, c};
  if (b[n] > 0) t[0] = c;
  return t[0][0];
}
// expect NSKTU
int struct_ptr_set(const int *a, const int *c, const int *b, int n) {
  struct {
    const int *p;
  } t{a};
  if (b[n] > 0) t.p = c;
  return t.p[0];
}
// expect NSKTU
int ref_rebind(const int *a, const int *b, int n) {
  int x = 0, y = 1;
  int *p = &x;
  if (b[n] > 0) p = &y;
  *p = 3;
  return a[x];
}
// expect PNSKTU
int ref_rebind2(const int *a, const int *b, int n) {
  int x = 0, y = 1;
  int *p = &x;
  if (b[n] > 0) p = &y;
  *p = 3;
  return a[0] + x;
}
// expect NSKTU
int mask_sel(const int *a, const int *b, int n) {
  unsigned m = -(unsigned)(b[n] > 0);
  unsigned i = (m & 3) | (~m & 1);
  return a[i];
}
// expect NSKTU
int xor_swap(const int *a, const int *b, int n) {
  int i = 0, j = b[n] & 3;
  i ^= j;
  j ^= i;
  i ^= j;
  return a[i];
}
// expect A
int zero_mul(const int *a, const int *b, int n) { return a[0 * b[n]]; }
// expect NSKTU
int sub_self(const int *a, const int *b, int n) {
  int x = b[n];
  return a[x - x];
}
// expect A
int and_zero(const int *a, const int *b, int n) { return a[b[n] & 0]; }
// expect NSKTU
int data_in_radix(int (*a)[4], const int *b, int n) {
  int w = b[n] & 3;
  return ((int *)a)[w * 4];
}
// expect NSKTU
// -- --instance k
int inst_scalar2(const int *a, int k, int n) { return a[k]; }
// expect NSKTU
// -- --instance k
int inst_bound(const int *a, int k, int n) {
  int s = 0;
  for (int i = 0; i < k; i++) s += a[0];
  return s;
}
// expect P
// -- --instance k
int inst_branch(const int *a, int k, int n) { return k > 0 ? a[0] : a[1]; }
// expect NSKTU
// -- --instance k
int inst_dim(int k, int n, const int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) { s += a[i * k]; }
  return s;
}
// expect U
// -- --uniform u
int uni_alias(const int *b, int *u, const int *a, int n) {
  int *p = u;
  p += 1;
  *p = b[n];
  return a[u[1]];
}
// expect NSKTU
// -- --uniform u
int uni_idx(const int *b, const int *u, const int *a, int n) { return a[u[b[n] & 1]]; }
// expect NSKTU
// -- --alias a=b
int aliased(const int *a, int *b, const int *c, int n) {
  b[1] = c[n];
  return c[a[1] & 3];
}
