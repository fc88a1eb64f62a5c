// subset: Types: plain and scoped enumerations
// class: P
// arrays: x u8 6
// call: enumerations(x)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

enum colour { red, green = 4, blue };
enum class level : uint8_t { low, middle = 7, high };

COLONNADE_BULK
void enumerations(uint8_t x[6]) {
  for (int i = 0; i < 6; i++) {
    colour c = x[i] & 1 ? green : blue;
    level l = static_cast<level>(x[i] % 9);
    x[i] = c + (l == level::middle ? 100 : static_cast<int>(l));
  }
}
