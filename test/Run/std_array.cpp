// subset: Parameters: `std::array`
// class: A
// arrays: a s32 6
// call: std_array(*(std::array<int32_t, 6> *)a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <array>
#include <cstdint>

COLONNADE_BULK
void std_array(std::array<int32_t, 6> &a) {
  std::array<int32_t, 6> reversed = {};
  for (std::size_t i = 0; i < a.size(); i++)
    reversed[a.size() - 1 - i] = a[i];
  a = reversed;
}
