// RUN: %python %S/verdicts.py %colonnade %s
//
// Channels through loops, exits and early returns, one each, and
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

static int rec(int k, int d) {
  if (k <= 0) return d;
  return rec(k - 1, d) + 1;
}
// expect NSKTU
int nested_break(const int *a, const int *b, int n) {
  int i, j = 0;
  for (i = 0; i < n; i++) {
    for (j = 0; j < n; j++)
      if (b[j] > i) break;
    if (j == n) break;
  }
  return a[i];
}
// expect NSKTU
int continue_incr(const int *a, const int *b, int n) {
  int s = 0;
  for (int i = 0, k = 0; i < n; i++, k++) {
    if (b[i] > 0) {
      k--;
      continue;
    }
    s += a[k];
  }
  return s;
}
// expect P
int continue_incr_twin(const int *a, const int *b, int n) {
  int s = 0;
  for (int i = 0, k = 0; i < n; i++, k++) {
    if (b[i] > 0) continue;
    s += a[k];
  }
  return s;
}
// expect NSKTU
int return_in_loop_after(int *a, const int *b, int n) {
  int k = 0;
  [&] {
    for (int i = 0; i < n; i++) {
      if (b[i] == 7) return;
      k = i;
    }
  }();
  a[k] = 1;
  return 0;
}
// expect NSKTU
int uniform_loop_varying_break(const int *a, const int *b, int n, int m) {
  int k = 0;
  while (k < n) {
    if (b[k] > m) break;
    ++k;
  }
  int s = 0;
  for (int j = 0; j < k; ++j) s += a[j];
  return s;
}
// expect NSKTU
int write_then_index(int *w, const int *b, const int *a, int n) {
  w[0] = b[n] & 3;
  return a[w[0]];
}
// expect NSKTU
int loop_carried_array(const int *a, const int *b, int n) {
  int t[4] = {};
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[t[i & 3]];
    t[(i + 1) & 3] = b[i] & 3;
  }
  return s;
}
// expect P
int loop_carried_array_twin(const int *a, const int *b, int n) {
  int t[4] = {}, u[4] = {};
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[t[i & 3]];
    if (b[i] > 0) u[(i + 1) & 3] = b[i] & 3;
  }
  return s + u[1];
}
// expect NSKTU
int array_masked_store(const int *a, const int *b, int n) {
  int t[4] = {};
  for (int i = 0; i < 4; i++)
    if (b[i] > 0) t[i] = 1;
  return a[t[n & 3]];
}
// expect NSKTU
int array_written_under_exit(const int *a, const int *b, int n) {
  int t[4] = {};
  for (int i = 0; i < 4; i++) {
    if (b[i] > 0) break;
    t[i] = i;
  }
  return a[t[2]];
}
// expect NSKTU
int uninit_index(const int *a, const int *b, int n) {
  int i;
  if (n > 0) i = 1;
  if (b[n] > 0) i = 2;
  return a[i];
}
// expect NSKTU
int uninit_plain(const int *a, int n) {
  int i;
  return a[i];
}
struct node {
  node *next;
  int v;
};
// expect NSKTU
int chase(const node *p, int n) {
  for (int i = 0; i < n; i++) p = p->next;
  return p->v;
}
struct tree {
  int *p;
  int k;
};
// expect NSKTU
int ptr_field(tree *t, int n) { return t->p[t->k]; }
// expect NSKTUP
int ptr_field_cond(tree *t, const int *b, int n) {
  int x = 0;
  int *q = t->p;
  if (b[n] > 0) q = &x;
  *q = 1;
  return x;
}
// expect R
int static_local_const(const int *b, int n) {
  static const int t[4] = {3, 1, 0, 2};
  return t[t[b[n] & 3]];
}
// expect NSKTU
int two_level(const int *a, const int *idx, const int *b, int n) { return a[idx[b[n] & 3]]; }
// expect NSKTU
int callee_loop_data(const int *a, const int *b, int n) {
  auto f = [&](int m) {
    int s = 0;
    for (int i = 0; i < m; i++) s += a[i];
    return s;
  };
  return f(b[n]);
}
// expect NSKTU
int fnptr(const int *a, const int *b, int n) {
  int (*f)(int, int) = rec;
  return a[f(1, b[n] & 1)];
}
// expect NSKTU
int goto_less(const int *a, const int *b, int n) {
  int i = 0;
  bool go = true;
  while (go) {
    i++;
    go = b[i] != 0 && i < n;
  }
  return a[i];
}
// expect NSKTU
int for_bound_changed(const int *a, const int *b, int n) {
  int m = n;
  for (int i = 0; i < m; i++)
    if (b[i] > 0) m = i + 1;
  return a[m];
}
// expect NSKTU
int div_channel(const int *a, const int *b, int n) { return a[n / (1 + (b[n] & 1))]; }
// expect P
int noreturn_if(const int *a, const int *b, int n) {
  int k = 0;
  if (b[n] > 0) {
    k = 1;
  } else {
    return 0;
  }
  return a[k];
}
// expect NSKTU
int noreturn_if2(const int *a, const int *b, int n) {
  int k = 0;
  if (b[n] > 0) k = 1;
  else if (b[0] > 0) return 0;
  return a[k];
}
// expect P
int early_const(const int *a, const int *b, int n) {
  int k = 0;
  if (b[n] > 0) return 0;
  k = 1;
  return a[k];
}
// expect NSKTU
int ptr_out(const int *a, const int *b, int n) {
  const int *p;
  auto set = [&](const int *&q, int v) { q = v > 0 ? a : a + 1; };
  set(p, b[n]);
  return *p;
}
// expect NSKTU
int reinterpret(const int *a, const float *b, int n) {
  const int *q = reinterpret_cast<const int *>(b);
  return a[q[n] & 3];
}
// expect NSKTU
int isnan_ch(const int *a, const double *b, int n) { return a[std::isnan(b[n]) ? 1 : 0]; }
// expect NSKTU
int cmp3(const int *a, const int *b, int n) {
  auto c = b[n] <=> b[0];
  return a[c < 0 ? 0 : 1];
}
// expect NSKTU
int init_if(const int *a, const int *b, int n) {
  int k = 0;
  if (int t = b[n]; t > 0) k = t & 1;
  return a[k];
}
// expect NSKTU
int range_for(const int *a, const int (&b)[8], int n) {
  int k = 0;
  for (int v : b) {
    if (v == n) break;
    k++;
  }
  return a[k];
}
// expect NSKTU
int assign_chain(const int *a, const int *b, int n) {
  int i, j, k;
  i = j = k = b[n] & 3;
  return a[i];
}
// expect NSKTU
int assign_cond(const int *a, const int *b, int n) {
  int i;
  if ((i = b[n] & 1)) return 2;
  return a[i + (n > 3)];
}
// expect NSKTU
int cond_fact(const int *a, const int *b, int n) {
  int i = b[n];
  if (i == 3) return a[i];
  return 0;
}
