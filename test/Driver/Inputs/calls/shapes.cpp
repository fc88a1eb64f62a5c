// Parameters and results of every kind that a call has to rebuild: calls.test.
#include <array>
#include <cstddef>

#include "shapes.hpp"

struct N {
  V v[2];
  int k;
};
namespace {
struct Hidden {
  int a, b;
};
} // namespace
V by_value(V a, float k) { return {a.x * k, a.y + k, a.z}; }
N nested(const N &n) {
  N r = n;
  r.v[1].y += static_cast<float>(n.k);
  return r;
}
std::array<float, 4> array(const std::array<float, 4> &a) {
  auto r = a;
  r[0] += a[3];
  return r;
}
std::array<V, 2> array_of_structs(std::array<V, 2> a) {
  a[0].x += a[1].y;
  return a;
}
void rows_of_structs(V (*a)[2], int n) {
  for (int i = 0; i < n; ++i)
    a[i][0].x = a[i][1].y;
}
void bytes(void *y, const void *h, size_t len) {
  auto *a = static_cast<unsigned char *>(y);
  auto *b = static_cast<const unsigned char *>(h);
  for (size_t i = 0; i < len; ++i)
    a[i] ^= b[i];
}
void words(void *y, int n) {
  int *a = static_cast<int *>(y);
  for (int i = 0; i < n; ++i)
    a[i] += i;
}
void structs(void *y) {
  V *a = static_cast<V *>(y);
  a->x += a->y;
}
void unused(int *a, void *never, V *) { a[0] += never ? 1 : 0; }
template <class T, int K> void scaled(T *a, T s) {
  for (int i = 0; i < K; ++i)
    a[i] *= s;
}
template <class T> T least(T *a) { return a[0] < a[1] ? a[0] : a[1]; }
int overloaded(int *a) { return a[0] + 1; }
float overloaded(float *a) { return a[0] * 2; }
Hidden hidden(Hidden *h) { return {h->b, h->a}; }
struct Inner {
  int a, b;
};
struct Outer {
  Inner *inner;
  float *cells;
  int k;
};
void pointers(Outer *o) {
  o->inner->a += o->inner->b;
  o->cells[1] = static_cast<float>(o->k);
}
struct __attribute__((packed)) Packed {
  char c;
  int i;
};
void packed(Packed *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i].i += p[i].c;
}
struct alignas(32) Aligned {
  float x, y;
};
Aligned aligned(Aligned *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i].x += p[i].y;
  return p[0];
}
struct Empty {};
struct Base {
  int id;
  char tag;
};
struct Derived : Empty, Base {
  char after;
  float f;
};
Derived derived(const Derived &d) {
  Derived r = d;
  r.id += d.after;
  r.f += d.f;
  return r;
}
void moved(int &&x, int *o) { o[0] = x; }
class Private {
public:
  explicit Private(int a) : v(a) {}
  int get() const { return v; }
  static int of(int *a) { return a[0] + 1; }

private:
  static int secret(int *a) { return a[0] + 2; }
  int v;
};
Private private_fields(const Private &p) { return Private(p.get() + 1); }
static int internal(int *a) { return a[0]++; }
int (*const uses_internal)(int *) = internal;

// The parameters of a pack have one name in the source.
template <class... T> void both(T *...p) { ((p[0] += sizeof(T)), ...); }
template void both<float, int, float>(float *, int *, float *);
template <class... T> float scalars(T... a) { return (0.0f + ... + (a * (sizeof(T) + 0.0f))); }
template float scalars<float, double, int>(float, double, int);
