// subset: Functions: `static_cast` from a base class back to the object (CRTP)
// languages: c++
// class: P
// arrays: a s32 8; out s32 8
// call: derived_casts(a, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

template <class Derived> struct Iterated {
  int steps = 0;
  void run(int count) {
    for (int i = 0; i < count; i++) {
      static_cast<Derived *>(this)->step(i);
      steps++;
    }
  }
  int last() const { return static_cast<const Derived &>(*this).value; }
};

struct Named {
  int names[2];
};

struct Xor : Iterated<Xor> {
  const int *from;
  int value;
  void step(int i) { value ^= from[i]; }
};

struct Smallest : Named, Iterated<Smallest> { // not at the object's start
  const int *from;
  int value;
  void step(int i) {
    value = from[i] < value ? from[i] : value;
    names[1] = steps;
  }
};

COLONNADE_BULK
void derived_casts(const int32_t a[8], int32_t out[8]) {
  Xor all;
  all.from = a;
  all.value = 0;
  all.run(8);
  Smallest smallest;
  smallest.names[1] = 7;
  smallest.from = a;
  smallest.value = a[0];
  smallest.run(5);
  out[0] = all.last();
  out[1] = smallest.last();
  out[2] = all.steps;
  out[3] = smallest.names[1];
  Xor several[2];
  for (int i = 0; i < 2; i++)
    several[i].value = a[i];
  Iterated<Xor> *second = &several[1];
  out[4] = static_cast<Xor *>(second)->value;
}
