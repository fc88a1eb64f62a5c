// RUN: %python %S/verdicts.py %colonnade %s
//
// Odd channels from data to an address or a trip count, one function each, and
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

// expect NSUK
void ternary_lvalue(int *o, const int *b, int n) {
  int x[4] = {}, y[4] = {};
  (b[0] > b[n - 1] ? x[1] : y[2]) = 5;
  for (int i = 0; i < 4; i++) o[x[i]] = y[i];
}
// expect AP
void ternary_lvalue_twin(int *o, const int *b, int n, int m) {
  int x[4] = {}, y[4] = {};
  (m > 0 ? x[1] : y[2]) = 5;
  for (int i = 0; i < 4; i++) o[x[i]] = y[i];
}
// expect NSKU
int comma_channel(const int *a, const int *b, int n) {
  int i = 0;
  i = (b[n] > 0 ? i++ : i--, i);
  return a[i + 1];
}
// expect P
int comma_channel_twin(const int *a, const int *b, int n) {
  int i = 0, j = 0;
  j = (b[n] > 0 ? j++ : j--, j);
  return a[i + 1] + j;
}
struct two {
  int i;
  int v;
};
// expect NSK
int struct_alias(const int *a, const int *b, int n) {
  two s{0, 0};
  two *p = &s;
  two t = *p;
  p->i = b[n];
  t = s;
  two &r = t;
  return a[r.i & 3];
}
// expect A
int struct_alias_twin(const int *a, const int *b, int n) {
  two s{0, 0};
  two *p = &s;
  two t = *p;
  p->v = b[n];
  t = s;
  two &r = t;
  return a[r.i & 3] + t.v;
}
union word {
  int i;
  unsigned u;
};
// expect NSK
int union_pun(const int *a, const int *b, int n) {
  word w;
  w.u = b[n];
  return a[w.i & 3];
}
// expect NSK
int ref_to_element(const int *a, const int *b, int n) {
  int t[4] = {0, 1, 2, 3};
  int &r = t[2];
  r = b[n] & 3;
  return a[t[2]];
}
// expect A
int ref_to_element_twin(const int *a, const int *b, int n) {
  int t[4] = {0, 1, 2, 3};
  int &r = t[2];
  r = n & 3;
  return a[t[2]] + b[n];
}
// expect NSK
int ref_data_element(const int *a, const int *b, int n) {
  int t[4] = {0, 1, 2, 3};
  int &r = t[b[n] & 3];
  return a[&r - t];
}
// expect NSK
int pointer_compare(const int *a, const int *b, int n) {
  const int *p = b + n, *q = b;
  if (b[n] > 0) q = p;
  return a[q == p];
}
// expect P
int pointer_compare_twin(const int *a, const int *b, int n) {
  const int *p = b + n, *q = b;
  int s = 0;
  if (b[n] > 0) s = 1;
  return a[q == p] + s;
}
// expect NSKU
int vla_sizeof(const int *a, const int *b, int n) {
  int m = (b[n] & 3) + 1;
  int v[m];
  v[0] = 0;
  return a[sizeof v / sizeof(int)] + v[0];
}
// expect NSKU
int vla_size(const int *a, const int *b, int n) {
  int m = (b[n] & 3) + 1;
  typedef int row[m];
  const row *p = (const row *)a;
  return p[1][0];
}
// expect NSU
int swap_pointers(const int *a, const int *c, const int *b, int n) {
  const int *p = a, *q = c;
  if (b[n] > 0) std::swap(p, q);
  return p[0];
}
// expect P
int swap_pointers_twin(const int *a, const int *c, const int *b, int n) {
  const int *p = a, *q = c;
  if (n > 0) std::swap(p, q);
  return b[n] > 0 ? p[0] : 0;
}
static int rec(int k, int d) {
  if (k <= 0) return d;
  return rec(k - 1, d) + 1;
}
// expect NSKTU
int rec_data(const int *a, const int *b, int n) { return a[rec(b[n] & 3, 0)]; }
// expect NSKTU
int rec_data2(const int *a, const int *b, int n) { return a[rec(3, b[n] & 3)]; }
// expect A
int rec_twin(const int *a, const int *b, int n) { return a[rec(3, 0)] + b[n]; }
// expect NSK
int memmove_overlap(const int *a, const int *b, int n) {
  int t[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  t[1] = b[n] & 3;
  std::memmove(t + 1, t, 4 * sizeof(int));
  return a[t[2]];
}
// expect ASNK
int memmove_overlap_twin(const int *a, const int *b, int n) {
  int t[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  std::memmove(t + 1, t, 4 * sizeof(int));
  return a[t[2]] + b[n];
}
// expect NSKTU
void memcpy_data_size(int *o, const int *b, int n) { std::memcpy(o, b, (b[n] & 3) * sizeof(int)); }
// expect NSKTU
void memset_data_size(int *o, const int *b, int n) { std::memset(o, 0, (b[n] & 3) * sizeof(int)); }
static bool bump(int &i, int v) {
  ++i;
  return v > 0;
}
// expect NSK
int short_side(const int *a, const int *b, int n) {
  int i = 0;
  bool r = b[n] > 1 && bump(i, b[n]) && bump(i, b[n]);
  return a[i] + r;
}
// expect P
int short_side_twin(const int *a, const int *b, int n) {
  int i = 0, j = 0;
  bool r = b[n] > 1 && bump(j, b[n]) && bump(j, b[n]);
  return a[i] + r + j;
}
// expect NSK
int bit_or_side(const int *a, const int *b, int n) {
  int i = 0;
  bool r = (b[n] > 1) | (i = b[n] & 1);
  return a[i] + r;
}
// expect NSKT
int switch_into_loop(const int *a, const int *b, int n) {
  int k = 0, s = 0;
  switch (b[n] & 3) {
  case 2: k += 1;
  case 1:
    k += 1;
    for (int i = 0; i < k; i++) s += a[i];
    break;
  default: s = 9;
  }
  return s;
}
// expect P
int switch_into_loop_twin(const int *a, const int *b, int n) {
  int k = 0, s = 0;
  switch (b[n] & 3) {
  case 2: k += 1;
  case 1:
    k += 1;
    for (int i = 0; i < n; i++) s += a[i] * k;
    break;
  default: s = 9;
  }
  return s;
}
// expect NSKT
int state_machine(const int *a, const int *b, int n) {
  int state = 0, k = 0;
  for (int i = 0; i < n; i++) {
    switch (state) {
    case 0: state = b[i] > 0 ? 1 : 2; break;
    case 1:
      k++;
      state = 0;
      break;
    case 2: state = 1; break;
    }
  }
  return a[k];
}
// expect P
int state_machine_twin(const int *a, const int *b, int n) {
  int state = 0, k = 0;
  for (int i = 0; i < n; i++) {
    switch (state) {
    case 0: state = b[i] > 0 ? 1 : 2; break;
    case 1:
      k++;
      state = 0;
      break;
    case 2: state = 1; break;
    }
  }
  return a[0] + k;
}
// expect NSKT
int dowhile_exit(const int *a, const int *b, int n) {
  int i = 0;
  do {
    i++;
    if (b[i] == 0) break;
  } while (i < n);
  return a[i];
}
// expect P
int dowhile_exit_twin(const int *a, const int *b, int n) {
  int i = 0;
  do {
    i++;
    if (b[i] == 0) break;
  } while (i < n);
  return a[n] + i;
}
static const int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};
// expect RKSN
int table_minmax(const int *b, int n) { return table[std::max(0, std::min(7, b[n]))]; }
// expect RKSN
int table_clamp(const int *b, int n) { return table[std::clamp(b[n], 0, 7)]; }
// expect NSK
int via_float(const int *a, const float *b, int n) {
  float f = std::floor(b[n]);
  return a[(int)std::fabs(f) & 3];
}
// expect NSK
int via_bool(const int *a, const int *b, int n) {
  bool t = b[n];
  return a[t];
}
struct bits {
  unsigned lo : 3;
  unsigned hi : 5;
};
// expect NSK
int bitfield(const int *a, const int *b, int n) {
  bits w{};
  w.lo = b[n];
  return a[w.lo];
}
enum class color : int { red, green };
// expect NSK
int enum_channel(const int *a, const int *b, int n) {
  color c = static_cast<color>(b[n] & 1);
  return a[static_cast<int>(c)];
}
// expect NSK
int enum_switch(const int *a, const int *b, int n) {
  color c = b[n] > 0 ? color::red : color::green;
  int k;
  switch (c) {
  case color::red: k = 0; break;
  case color::green: k = 1; break;
  }
  return a[k];
}
// expect NSKU
int compound_lhs(const int *a, const int *b, int n) {
  int i = 1;
  i <<= (b[n] & 1);
  return a[i];
}
// expect NSKU
int incdec(const int *a, const int *b, int n) {
  bool f = b[n] > 0;
  int i = 1;
  i -= f;
  return a[i--];
}
// expect NSKU
int shift_pointer(const int *a, const int *b, int n) {
  const int *p = a;
  p += b[n] & 1;
  return *p;
}
// expect NSKU
int idx_swapped(const int *a, const int *b, int n) { return (b[n] & 3)[a]; }
// expect NSKU
int pointer_int(const int *a, const int *b, int n) {
  uintptr_t v = (uintptr_t)a;
  v += 4 * (b[n] & 1);
  return *(const int *)v;
}
// expect NSKU
int char_alias(const int *a, const int *b, int n) {
  int i = 0;
  unsigned char *c = (unsigned char *)&i;
  c[0] = b[n] & 3;
  return a[i];
}
// expect NSKU
int memcpy_bits(const int *a, const float *b, int n) {
  int i;
  std::memcpy(&i, &b[n], 4);
  return a[i & 3];
}
// expect NSKU
int bitcast(const int *a, const float *b, int n) { return a[std::bit_cast<int>(b[n]) & 3]; }
// expect NSKU
int clz_channel(const int *a, const unsigned *b, int n) { return a[__builtin_clz(b[n] | 1)]; }
// expect NSKU
int pop_channel(const int *a, const unsigned *b, int n) { return a[std::popcount(b[n])]; }
// expect NSKU
int minmax_ref(const int *a, const int *b, int n) {
  int x = 0, y = 1;
  const int &r = std::min(x, b[n]);
  return a[r & 1] + y;
}
// expect NSKU
int min_ref_addr(const int *b, int n) {
  int t[2] = {b[n], b[0]};
  const int &r = std::min(t[0], t[1]);
  const int *p = &r;
  return b[p - t];
}
