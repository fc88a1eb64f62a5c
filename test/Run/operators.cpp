// subset: Functions: overloaded operators of value types
// class: A
// arrays: re f32 6; im f32 6
// call: operators(re, im)
// RUN: %run-construct
#include <colonnade/annotate.h>

struct number {
  float re, im;
  number &operator+=(const number &b) {
    re += b.re;
    im += b.im;
    return *this;
  }
};
static number operator*(const number &a, const number &b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

COLONNADE_BULK
void operators(float re[6], float im[6]) {
  number sum{0, 0};
  const number turn{0.6f, 0.8f};
  for (int i = 0; i < 6; i++) {
    sum += number{re[i], im[i]} * turn;
    re[i] = sum.re;
    im[i] = sum.im;
  }
}
