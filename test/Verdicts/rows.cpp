// RUN: %python %S/verdicts.py %colonnade %s -- -w
//
// Walks over all rows of an array by one index, as copies and fills make them, stay in
// the array; what goes beyond its last row is refused. See leaks.cpp.
#include <algorithm>
#include <cstring>

struct Matrix { float a[3][3]; };

// expect A
void zeroed_struct(float *o, int n) { Matrix z{}; o[0] = z.a[n][1]; }
// expect A
void memset_all(float *o, int n) { float z[20][20]; std::memset(z, 0, sizeof z); o[0] = z[n][1]; }
// expect A
void copied_by_pointer(float m[4][4], int n) {
  float t[4][4];
  std::copy(&m[0][0], &m[0][0] + 16, &t[0][0]);
  m[0][0] = t[n][1];
}
// expect A
void filled_by_pointer(float m[4][4], int n) {
  float t[4][4];
  std::fill(&t[0][0], &t[0][0] + 16, 0.f);
  m[0][0] = t[n][1];
}
// expect A
void walked_by_pointer(int m[3][4]) {
  for (int *p = &m[0][0]; p != &m[0][0] + 12; p++)
    *p = 1;
}
// expect U
void beyond_the_last_row(int m[3][4]) {
  for (int *p = &m[0][0]; p != &m[0][0] + 13; p++)
    *p = 1;
}
// expect U
void before_the_first_row(int m[3][4]) {
  for (int *p = &m[0][0] - 1; p != &m[0][0] + 12; p++)
    *p = 1;
}
// expect U
void memset_too_long(float *o, int n) { float z[4][4]; std::memset(z, 0, 17 * sizeof(float)); o[0] = z[n][1]; }
// expect U
void row_too_many(float m[4][4]) { m[4][0] = 1; }
