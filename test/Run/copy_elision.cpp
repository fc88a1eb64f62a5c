// subset: Functions: copies that compilers leave out: `return x;` of a local variable, temporaries
// class: A
// arrays: a u32 3; b u32 3
// call: copy_elision(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

struct Counted {
  uint32_t value, copies = 0, moves = 0;
  explicit Counted(uint32_t v) : value(v) {}
  Counted(const Counted &other)
      : value(other.value), copies(other.copies + 1), moves(other.moves) {}
  Counted(Counted &&other) : value(other.value), copies(other.copies), moves(other.moves + 1) {}
  uint32_t all() const { return value + 1000 * copies + 100000 * moves; }
};

static Counted local(uint32_t v) {
  Counted c(v);
  c.value *= 3;
  return c;
}
static Counted moved(Counted c) { return c; } // a parameter is moved
static Counted copied(uint32_t v) {
  Counted c(v);
  const Counted &same = c;
  return same; // another name: a copy
}

COLONNADE_BULK
void copy_elision(const uint32_t a[3], uint32_t b[3]) {
  Counted first = local(a[0]);
  b[0] += first.all() + Counted(local(a[1])).all();
  b[1] += moved(first).all() ^ moved(Counted(a[2])).all();
  b[2] += copied(a[2]).all();
}
