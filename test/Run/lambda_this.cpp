// subset: Functions: lambdas in methods, with `this` or a copy of the object
// class: P
// arrays: a s32 8
// scalars: n s32 8
// call: lambda_this(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

struct meter {
  int32_t total = 0, step = 1;
  void run(int32_t *a, int n) {
    auto add = [this](int32_t v) {
      if (v > 3)
        total += step;
    };
    for (int i = 0; i < n; i++)
      add(a[i]);
    auto all = [&] { return [this] { return total * 2; }; };
    step = all()();
    auto before = [*this] { return total - step; };
    total = -1;
    for (int i = 0; i < n; i++)
      a[i] = before() + step;
  }
};

COLONNADE_BULK
void lambda_this(int32_t *a COLONNADE_EXTENT(n), int n) {
  meter m;
  m.run(a, n);
  a[0] = m.total;
}
