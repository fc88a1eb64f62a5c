// subset: Parameters: a struct by pointer, split into its fields
// languages: c c++
// declare: struct state { int count; float sum; float cells[4]; }; void structs_by_pointer(struct state *);
// class: P
// arrays: s.count s32 1; s.sum f32 1; s.cells f32 4
// call: struct state s = {*s_count, *s_sum, {}}; std::memcpy(s.cells, s_cells, sizeof s.cells); structs_by_pointer(&s); *s_count = s.count; *s_sum = s.sum; std::memcpy(s_cells, s.cells, sizeof s.cells)
// RUN: %run-construct
#include <colonnade/annotate.h>

struct state {
  int count;
  float sum;
  float cells[4];
};

COLONNADE_BULK
void structs_by_pointer(struct state *s COLONNADE_EXTENT(1)) {
  s->sum = 0;
  for (int i = 0; i < 4; i++) {
    if (s->cells[i] > 0)
      s->count = i;
    s->sum += s->cells[i];
  }
}
