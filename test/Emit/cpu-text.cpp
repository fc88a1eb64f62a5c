// The CPU kernel keeps names and structure, and compiles without a warning.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %colonnade emit %s -f relax -f widen --target cpu -o %t -- %include
// RUN: FileCheck %s --check-prefix=RELAX --input-file=%t/relax.bulk.cpp
// RUN: FileCheck %s --check-prefix=WIDEN --input-file=%t/widen.bulk.cpp
// RUN: %cxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/relax.bulk.cpp -o %t/relax.o
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror %include -c %t/widen.bulk.cpp -o %t/widen.o

// Fast-math is refused unless asked for.
// RUN: not %cxx -std=c++17 -ffast-math -fsyntax-only %include %t/relax.bulk.cpp 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: fast-math breaks bit-identity

#include <colonnade/annotate.h>

#include <cstdint>

// A branch on data whose cells were just accessed: masked, without a jump.
void relax(float *d COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    if (d[i - 1] < d[i])
      d[i] = d[i - 1];
}
// RELAX: walk_result walk(
// RELAX: if (!result.access({{.*}}, d_count, {{[0-9]+}}, false))
// RELAX: if (!result.access({{.*}}, d_count, {{[0-9]+}}, true))
// RELAX: void kernel(float *__restrict d_cells, {{.*}}const int32_t n, const lane_group &group) {
// RELAX: for (int32_t i = 1; i < n; ++i) { // cpu-text.cpp:[[@LINE-8]]
// RELAX-NOT: if (any(
// RELAX: d.set({{.*}});

// A product of two 32-bit values, a constant divisor.
void widen(const uint32_t *a COLONNADE_EXTENT(n), uint64_t *b COLONNADE_EXTENT(n),
           int *c COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++) {
    b[i] = (uint64_t)a[i] * a[i];
    c[i] = c[i] / 10;
  }
}
// WIDEN: multiply_low_halves(
// WIDEN: divide<10>(
