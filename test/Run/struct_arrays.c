// subset: Parameters: an array of structs
// languages: c c++
// declare: struct particle { float x; short v[2]; }; void struct_arrays(struct particle *);
// class: A
// arrays: p.x f32 3; p.v s16 6
// call: struct particle p[3]; for (int i = 0; i < 3; i++) { p[i].x = p_x[i]; p[i].v[0] = p_v[2 * i]; p[i].v[1] = p_v[2 * i + 1]; } struct_arrays(p); for (int i = 0; i < 3; i++) { p_x[i] = p[i].x; p_v[2 * i] = p[i].v[0]; p_v[2 * i + 1] = p[i].v[1]; }
// RUN: %run-construct
#include <colonnade/annotate.h>

struct particle {
  float x;
  short v[2];
};

COLONNADE_BULK
void struct_arrays(struct particle p[3]) {
  for (int i = 0; i < 3; i++) {
    p[i].x += p[i].v[0];
    p[i].v[1] = p[i].v[0] >> 1;
  }
}
