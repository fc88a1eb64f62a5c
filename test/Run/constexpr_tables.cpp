// subset: Locals: `constexpr` tables, computed ones too
// class: A
// arrays: a u32 8
// call: constexpr_tables(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <array>
#include <cstdint>

constexpr std::array<uint32_t, 8> powers = [] {
  std::array<uint32_t, 8> table = {};
  for (uint32_t i = 0, power = 1; i < 8; i++, power *= 3)
    table[i] = power;
  return table;
}();

COLONNADE_BULK
void constexpr_tables(uint32_t a[8]) {
  constexpr int reversed[] = {7, 6, 5, 4, 3, 2, 1, 0};
  for (int i = 0; i < 8; i++)
    a[reversed[i]] *= powers[i];
}
