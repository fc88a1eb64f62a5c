// subset: Expressions: aggregates that are initialised in parentheses (C++20)
// languages: c++
// class: A
// arrays: a s32 4; out s64 6
// call: parenthesised_aggregates(a, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <array>
#include <cstdint>

struct base {
  std::int32_t first;
};
struct derived : base {
  std::int32_t second;
  std::int64_t both = std::int64_t(first) + second;
};
struct with_default {
  std::int32_t value;
  std::int32_t mark = 7;
};
union bits {
  float number;
  std::uint32_t word;
};

COLONNADE_BULK
void parenthesised_aggregates(const std::int32_t a[4], std::int64_t out[6]) {
  derived all(base(a[0]), a[1]), part(base{a[2]});
  out[0] = all.both;
  out[1] = part.both - part.second;
  with_default rest[3](with_default{a[3]});
  out[2] = std::int64_t(rest[0].value) + rest[1].value + 3 * rest[0].mark + 10 * rest[2].mark;
  std::array<std::int32_t, 3> list({a[0], a[1]});
  out[3] = list[0] ^ list[1] ^ list[2];
  bits one(1.5f);
  out[4] = one.word;
  int k = 0;
  with_default order(a[k++], a[k++]);
  out[5] = std::int64_t(order.value) - order.mark + k;
}
