// subset: Expressions: compound literals, and strings that set up members
// languages: c++
// class: A
// arrays: a s32 4; out s32 4
// call: compound_literals(a, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

struct named {
  char name[5] = "abc";
  unsigned char mark[2] = "\235";
  std::int32_t value = 7;
};

static std::int32_t sum(const named &n) { return n.name[0] + n.name[3] + n.mark[0] + n.value; }

COLONNADE_BULK
void compound_literals(const std::int32_t a[4], std::int32_t out[4]) {
  named first, second = (named){"xy", "z", a[0] >> 2};
  out[0] = sum(first) + sum(second);
  second = (named){{1, 2}, {3}, (std::int32_t){a[1] >> 3}};
  out[1] = sum(second) + second.name[2];
  out[2] = sum((named){.value = a[2] >> 2});
  out[3] = (std::int32_t){a[3]} ^ (std::int32_t){5};
}
