// subset: Functions: methods and constructors of value types
// class: A
// arrays: a u32 8
// call: methods(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

class generator {
public:
  explicit generator(uint32_t seed) : state_(seed | 1) {}
  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }

private:
  uint32_t state_;
};

COLONNADE_BULK
void methods(uint32_t a[8]) {
  generator g(a[0]);
  for (int i = 0; i < 8; i++)
    a[i] += g.next();
}
