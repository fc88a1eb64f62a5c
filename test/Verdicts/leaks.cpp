// RUN: %python %S/verdicts.py %colonnade %s
//
// Functions whose addresses depend on data, each by another route. Every one
// must be refused; as K where the data is a cell like b[0] at a constant address, which is never
// written and is used as sizes are: in sums, products and comparisons, but not in bit operations,
// divisions and floats. `// expect CLASSES` before a function lists the classes that are right for
// it; `--` passes further arguments for it.
#include <cstdint>
#include <cstring>
#include <utility>

// expect N
int direct(const int *a, const int *b, int n) { return a[b[0] & 7]; }

// The index is arithmetic on data that always gives the same number: refused all the same.
// expect K
int cancels(const int *a, const int *b) { return a[b[0] - b[0]]; }

// expect NS
int implicit_index(const int *a, const int *b, int n) {
  int best = 0;
  for (int i = 0; i < n; i++)
    if (b[i] < 0)
      best = i;
  return a[best];
}

// Two lanes that took different arms hold different constants afterwards.
// expect K
int constants_from_arms(const int *a, const int *b) {
  int i;
  if (b[0])
    i = 1;
  else
    i = 2;
  return a[i];
}

// expect K
int ternary_index(const int *a, const int *b) { return a[b[0] > 0 ? 3 : 4]; }

// expect N
int logical_index(const int *a, const int *b) { return a[b[0] && b[1]]; }

// expect N
int comparison_as_index(const int *a, const int *b) { return a[b[0] < b[1]]; }

// expect K
int side_effect_of_and(const int *a, const int *b) {
  int i = 0;
  if (b[0] > 0 && ++i)
    ;
  return a[i];
}

// expect K
int side_effect_of_or(const int *a, const int *b) {
  int i = 0;
  (void)(b[0] > 0 || i++);
  return a[i];
}

// expect NS
int after_continue(const int *a, const int *b, int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (b[i] < 0)
      continue;
    k++;
  }
  return a[k];
}

// expect NS
int counter_after_break(const int *a, const int *b, int n) {
  int i;
  for (i = 0; i < n; i++)
    if (b[i] == 0)
      break;
  return a[i];
}

// The counter of the outer loop is advanced by the inner one's data exit.
// expect K
int shared_counter(int *a, const int *b, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    while (i < n && b[0] > 3)
      i++;
    if (i < n)
      s += a[i];
  }
  return s;
}

// expect K
int trip_count(const int *a, const int *b) {
  int s = 0;
  for (int i = 0; i < b[0]; i++)
    s += a[i];
  return s;
}

// expect N
int step_from_data(const int *a, const int *b, int n) {
  int s = 0;
  for (int i = 0; i < n; i += 1 + (b[0] & 1))
    s += a[i];
  return s;
}

// expect N
int start_from_data(const int *a, const int *b, int n) {
  int s = 0;
  for (int i = b[0] & 3; i < n; i++)
    s += a[i];
  return s;
}

// expect N
int through_local_array(const int *a, const int *b) {
  int t[4] = {0, 1, 2, 3};
  t[2] = b[0] & 3;
  return a[t[2]];
}

// Only a store under a branch on data makes the local array differ.
// expect K
int local_array_under_branch(const int *a, const int *b) {
  int t[2] = {0, 1};
  if (b[0])
    t[0] = 5;
  return a[t[0]];
}

struct cursor {
  int position;
  int other;
};

// expect N
int through_field(const int *a, const int *b) {
  cursor c{0, 0};
  c.position = b[0] & 7;
  return a[c.position];
}

// expect N
int through_struct_copy(const int *a, const int *b) {
  cursor c{b[0] & 7, 0};
  cursor d = c;
  return a[d.position];
}

// expect K
int through_memcpy(const int *a, const int *b) {
  int i;
  std::memcpy(&i, b, sizeof i);
  return a[i];
}

// expect N
int through_swap(const int *a, const int *b) {
  int i = 0, j = b[0] & 7;
  std::swap(i, j);
  return a[i];
}

static void out(int &o, int v) { o = v; }
// expect N
int through_out_parameter(const int *a, const int *b) {
  int i = 0;
  out(i, b[0] & 7);
  return a[i];
}

static int early(int v) {
  if (v < 0)
    return 0;
  return 1;
}
// expect K
int early_return_in_callee(const int *a, const int *b) { return a[early(b[0])]; }

static void maybe(int v, int &o) {
  if (v < 0)
    return;
  o = 3;
}
// expect K
int early_return_then_store(const int *a, const int *b) {
  int i = 0;
  maybe(b[0], i);
  return a[i];
}

// expect K
int pointer_selected(const int *a, const int *c, const int *b) {
  const int *p = b[0] ? a : c;
  return p[0];
}

// expect K
int pointer_advanced(const int *a, const int *b) {
  const int *p = a;
  if (b[0])
    p++;
  return *p;
}

// expect NST
int pointer_walk(const int *a) {
  const int *p = a;
  while (*p)
    p++;
  return (int)(p - a);
}

// expect K
int pointer_difference(const int *a, const int *b, const int *c) {
  const int *p = a;
  if (b[0])
    p += 2;
  return c[p - a];
}

// expect K
int switch_fall_through(const int *a, const int *b) {
  int i = 0;
  switch (b[0]) {
  case 0:
    i++;
  case 1:
    i++;
    break;
  default:
    i = 5;
  }
  return a[i];
}

// A switch on a uniform value whose break is under a branch on data.
// expect K
int break_out_of_switch(const int *a, const int *b, int m) {
  int i = 0;
  switch (m) {
  case 0:
    if (b[0])
      break;
    i = 4;
    break;
  default:
    i = 1;
  }
  return a[i];
}

// expect N
int lambda_capture(const int *a, const int *b) {
  int i = 0;
  auto set = [&] { i = b[0] & 1; };
  set();
  return a[i];
}

// expect NST
int do_while_data(const int *a, const int *b, int n) {
  int i = 0, s = 0;
  do {
    s += a[i];
    i++;
  } while (b[i] != 0);
  return s;
}

// The flag is data; the loop it ends is bounded, the number of iterations is then used.
// expect NS
int rounds_as_index(const int *a, const int *b, int n) {
  int rounds = 0;
  bool done = false;
  for (int i = 0; i < n; i++) {
    if (!done) {
      rounds++;
      done = b[i] > 0;
    }
  }
  return a[rounds];
}

// The value of a loop-carried variable reaches the index one iteration later.
// expect NS
int carried(const int *a, const int *b, int n) {
  int x = 0, y = 0, z = 0, s = 0;
  for (int i = 0; i < n; i++) {
    s += a[z];
    z = y;
    y = x;
    x = b[i] & 3;
  }
  return s;
}

// Information through which of two arrays was written.
// expect K
int which_written(const int *a, const int *b) {
  int t[2] = {0, 0}, u[2] = {0, 0};
  if (b[0])
    t[1] = 1;
  else
    u[1] = 1;
  return a[t[1] * 2 + u[1]];
}

// A table indexed by data.
static const unsigned char sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};
// expect R
unsigned char table_lookup(const unsigned char *b) { return sbox[b[0] & 15]; }

// expect NS
void scatter(int *out, const int *b, int n) {
  for (int i = 0; i < n; i++)
    out[b[i] & 7] = i;
}

// expect N
int row_of_matrix(const int (*m)[4], const int *b) {
  const int *row = m[b[0] & 3];
  return row[1];
}

// expect N
int float_to_index(const int *a, const float *x) { return a[(int)x[0]]; }

// expect NST
int binary_search(const int *a, int n, int key_in, const int *key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < key[0])
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

// The bound is lowered by data on the way.
// expect NST
int shrinking_bound(const int *a, int n, const int *b) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    if (b[i] < 0)
      n--;
  }
  return s;
}

// Data decides how often a uniform value is advanced before it is an index.
// expect NS
int nested_rounds(const int *a, const int *b, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (b[j] > i)
        break;
      k = j;
    }
  return a[k];
}

// expect U
int mutable_static(const int *a) {
  static int calls = 0;
  calls++;
  return a[calls & 1];
}

// A uniform array that is written to with data is not uniform.
// expect U
// -- --uniform idx
int store_to_uniform(const int *a, int *idx, const int *b) {
  idx[0] = b[0];
  return a[idx[0]];
}

struct pair_of_arrays {
  int index[4];
  int value[4];
};
// expect K
int field_array(pair_of_arrays *p) { return p->value[p->index[0]]; }

// Without its data exit this loop never ends: an unsigned counter is always >= 0.
// expect T
int counts_down_for_ever(const int *b, unsigned n) {
  for (unsigned i = n; i >= 0; i--)
    if (b[i & 7] < 0)
      return 1;
  return 0;
}
