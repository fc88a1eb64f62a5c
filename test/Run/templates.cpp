// subset: Functions: templates, by type and by number
// class: P
// arrays: a s32 6; b f32 6
// call: templates(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

template <class T, int N> static T least(const T *p) {
  T result = p[0];
  for (int i = 1; i < N; i++)
    if (p[i] < result)
      result = p[i];
  return result;
}

template <int N> struct halver {
  template <class T> static void apply(T *p) {
    for (int i = 0; i < N; i++)
      p[i] /= 2;
  }
};

COLONNADE_BULK
void templates(int32_t a[6], float b[6]) {
  a[5] = least<int32_t, 5>(a);
  b[5] = least<float, 5>(b);
  halver<4>::apply(b);
}
