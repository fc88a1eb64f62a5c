// What calls.test calls: included by shapes.cpp, and a source of its own.
#pragma once
struct V {
  float x, y, z;
};
inline V in_header(V a) { return {a.z, a.y, a.x}; }
inline int plain(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}
