// subset: Parameters: a struct by value
// class: A
// arrays: s.x f32 1; s.y f32 1; return f32 1
// call: *result = structs_by_value({*s_x, *s_y})
// RUN: %run-construct
#include <colonnade/annotate.h>

struct point {
  float x, y;
};

COLONNADE_BULK
float structs_by_value(COLONNADE_INSTANCE point s) {
  s.x *= s.x;
  return s.x + s.y * s.y;
}
