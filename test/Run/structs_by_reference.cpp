// subset: Parameters: a struct by reference, with nested structs
// class: A
// arrays: s.position.x f32 1; s.position.y f32 1; s.mass f32 1
// call: body s{{*s_position_x, *s_position_y}, *s_mass}; structs_by_reference(s); *s_position_x = s.position.x; *s_position_y = s.position.y; *s_mass = s.mass
// RUN: %run-construct
#include <colonnade/annotate.h>

struct point {
  float x, y;
};
struct body {
  point position;
  float mass;
};

COLONNADE_BULK
void structs_by_reference(body &s) {
  point &p = s.position;
  p.x += s.mass;
  s.position.y = p.x * 2;
  s.mass -= 1;
}
