// The same in C: calls.test.
#include <stddef.h>
struct V {
  float x, y, z;
};
typedef struct {
  int a, b;
} pair;
enum kind { First, Second };
struct V by_value(struct V a, float k) {
  struct V r = {a.x * k, a.y + k, a.z};
  return r;
}
pair swapped(pair p) {
  pair r = {p.b, p.a};
  return r;
}
void acc(void *y, const void *h, size_t len) {
  unsigned char *a = y;
  const unsigned char *b = h;
  for (size_t i = 0; i < len; i++)
    a[i] ^= b[i];
}
void structs(void *y) {
  struct V *a = y;
  a->x += a->y;
}
void rows(float (*m)[3], int n) {
  for (int i = 0; i < n; i++)
    m[i][0] += m[i][2];
}
void vla(int n, float m[n][n]) {
  for (int i = 0; i < n; i++)
    m[i][0] = m[0][i];
}
int kinds(const enum kind *k) { return k[0] == Second; }
_Bool flag(const _Bool *b) { return !b[0]; }
