// RUN: %python %S/verdicts.py %colonnade %s
//
// Twins of leaks.cpp that are oblivious: each must be accepted, in the class
// named. They keep the verifier from being sound by refusing everything.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

// expect A
int direct(const int *a, const int *b, int n) { return a[n & 7] + b[0]; }

// expect P
int implicit_value(const int *a, const int *b, int n) {
  int best = 0;
  for (int i = 0; i < n; i++)
    if (b[i] < 0)
      best = i;
  return a[0] + best;
}

// expect A
int uniform_arms(const int *a, int m) {
  int i;
  if (m)
    i = 1;
  else
    i = 2;
  return a[i];
}

// expect A
int uniform_ternary(const int *a, const int *c, int m) {
  const int *p = m ? a : c;
  return p[0];
}

// expect A
int carried_uniform(const int *a, int n) {
  int x = 0, y = 0, s = 0;
  for (int i = 0; i < n; i++) {
    s += a[y];
    y = x;
    x = i & 3;
  }
  return s;
}

// expect A
int uniform_local_array(const int *a, int n) {
  int t[4] = {0, 1, 2, 3};
  t[2] = n & 3;
  return a[t[2]];
}

// The array is overwritten by data only after its last use as an index.
// expect A
int local_array_used_first(const int *a, const int *b) {
  int t[2] = {0, 1};
  int s = a[t[1]];
  t[1] = b[0];
  return s + t[1];
}

// expect P
int bounded_early_exit(const int *b, int n) {
  int found = -1;
  for (int i = 0; i < n; i++)
    if (b[i] == 0) {
      found = i;
      break;
    }
  return found;
}

// expect P
int bounded_while(const int *b, int n) {
  int i = 0;
  while (i < n && b[i] != 0)
    i++;
  return i;
}

// expect P
int early_return(const int *b, int n) {
  for (int i = 0; i < n; i++)
    if (b[i] == 0)
      return i;
  return -1;
}

static int sign(int v) {
  if (v < 0)
    return -1;
  return v > 0;
}
// expect P
void signs(int *out, const int *in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = sign(in[i]);
}

// expect A
void uniform_switch(int *a, int m) {
  int i = 0;
  switch (m) {
  case 0:
    i++;
  case 1:
    i++;
    break;
  default:
    i = 5;
  }
  a[i] = 1;
}

// expect P
void data_switch(int *out, const int *in, int n) {
  for (int i = 0; i < n; i++)
    switch (in[i]) {
    case 0:
      out[i] = 7;
    case 1:
      out[i] = out[i] + 1;
      break;
    default:
      out[i] = 0;
    }
}

// expect A
void doubling(float *a, int n) {
  for (int m = 1; m < n; m <<= 1)
    for (int i = 0; i + m < n; i += 2 * m)
      a[i] += a[i + m];
}

// expect P
void minimum(float *out, const float *in, int n) {
  float m = in[0];
  for (int i = 1; i < n; i++)
    m = std::min(m, in[i]);
  out[0] = m;
}

// expect A
void exchange(int *a, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--)
    std::swap(a[i], a[j]);
}

// expect A
void copy(int *out, const int *in, int n) { std::memcpy(out, in, n * sizeof(int)); }

// expect A
void rotate(double *x, double *y, double angle, int n) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (int i = 0; i < n; i++) {
    const double xi = x[i], yi = y[i];
    x[i] = c * xi - s * yi;
    y[i] = s * xi + c * yi;
  }
}

// expect A
// -- --uniform idx
void permute(int *out, const int *in, const int *idx, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[idx[i]];
}

static const unsigned char order[4] = {2, 0, 3, 1};
// expect A
void table_order(int *out, const int *in) {
  for (int i = 0; i < 4; i++)
    out[i] = in[order[i]];
}

// expect A
int pointer_walk(const int *p, int n) {
  int s = 0;
  while (n-- > 0)
    s += *p++;
  return s;
}

// expect A
void double_buffer(float *a, float *b, int n, int rounds) {
  float *from = a, *to = b;
  for (int r = 0; r < rounds; r++) {
    for (int i = 1; i + 1 < n; i++)
      to[i] = 0.5f * (from[i - 1] + from[i + 1]);
    std::swap(from, to);
  }
}

template <int N> static void scale(float (&v)[N], float f) {
  for (float &x : v)
    x *= f;
}
// expect A
void references(float (*m)[4], int n, float f) {
  for (int i = 0; i < n; i++)
    scale(m[i], f);
}

struct vec3 {
  float x, y, z;
};
static vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
// expect A
void centroid(vec3 *out, const vec3 *p, int n) {
  vec3 s{0, 0, 0};
  for (int i = 0; i < n; i++)
    s = s + p[i];
  out->x = s.x / n;
  out->y = s.y / n;
  out->z = s.z / n;
}

// expect P
void clamp_all(uint8_t *p, int n, int gain) {
  for (int i = 0; i < n; i++) {
    int v = p[i] * gain >> 4;
    p[i] = v > 255 ? 255 : (uint8_t)v;
  }
}

// expect P
int counts_down(const int *b, unsigned n) {
  for (unsigned i = n; i > 0; i--)
    if (b[i & 7] < 0)
      return 1;
  return 0;
}
