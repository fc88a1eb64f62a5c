// subset: Locals: structs with array fields and nested structs
// class: P
// arrays: a f32 8
// call: nested_structs(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

struct range {
  float low, high;
};
struct summary {
  range all;
  range halves[2];
  int count;
};

COLONNADE_BULK
void nested_structs(float a[8]) {
  summary s = {{a[0], a[0]}, {}, 0};
  for (int i = 0; i < 8; i++) {
    range &half = s.halves[i / 4];
    if (a[i] < half.low)
      half.low = a[i];
    if (a[i] > s.all.high) {
      s.all.high = a[i];
      s.count++;
    }
  }
  a[0] = s.halves[0].low;
  a[1] = s.halves[1].low + s.halves[1].high;
  a[2] = s.all.high - s.all.low;
  a[3] = static_cast<float>(s.count);
}
