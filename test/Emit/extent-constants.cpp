// Accesses to local arrays and tables at addresses that are within them at all sizes are only
// counted by the check of extents before a launch.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %colonnade emit %s --target cpu -o %t -- %include
// RUN: FileCheck %s --check-prefix=FIXED < %t/fixed.bulk.cpp
// RUN: FileCheck %s --check-prefix=OPEN < %t/open_end.bulk.cpp
// RUN: FileCheck %s --check-prefix=TABLE < %t/by_table.bulk.cpp
// RUN: FileCheck %s --check-prefix=ARMS < %t/arms.bulk.cpp
// RUN: FileCheck %s --check-prefix=UNEQUAL < %t/unequal.bulk.cpp
#include <colonnade/annotate.h>

// Two accesses behind the loop and two in each iteration are counted; those of `a` are looked at.
// FIXED: bool corners(
// FIXED: ends.count(2);
// FIXED-NEXT: corner_loop<int32_t> i_ends(
// FIXED: ends.count(2);
// FIXED-NEXT: if (!ends.access(i, a_count))
// FIXED: walk_result walk(
// FIXED: result.accesses += 2;
// FIXED-NEXT: for (int32_t i = 0; i < 4; ++i) {
// FIXED-NEXT: result.accesses += 2;
// FIXED-NEXT: if (!result.access(i, a_count, 0, false))
// FIXED-NEXT: return result;
// FIXED-NEXT: }
// FIXED-NEXT: if (!result.access(0, a_count, 1, false))
// FIXED-NEXT: return result;
// FIXED-NEXT: return result;
COLONNADE_BULK
void fixed(float *a COLONNADE_EXTENT(4)) {
  float t[8];
  for (int i = 0; i < 4; i++) {
    t[i] = a[i];
    t[2 * i + 1] = 1;
  }
  a[0] = t[0] + t[7];
}

// Nothing bounds n here.
// OPEN: walk_result walk(
// OPEN: result.access({{i_?2?}}, t_count
COLONNADE_BULK
void open_end(float *a COLONNADE_EXTENT(4), int n) {
  float t[8] = {};
  for (int i = 0; i < n; i++)
    t[i] = a[0];
  a[0] = t[0];
}

// The table decides an address: its loads stay.
// TABLE: walk_result walk(
// TABLE: for (int32_t i = 0; i < 3; ++i) {
// TABLE-NEXT: result.accesses += 1;
// TABLE-NEXT: order[i]
COLONNADE_BULK
void by_table(float *a COLONNADE_EXTENT(9)) {
  static const int order[3] = {8, 1, 4};
  for (int i = 0; i < 3; i++)
    a[order[i]] += 1;
}

// Branches and loops that make the same number of such accesses however they run are counted as
// a whole: 1 + 10 * 3 of them.
// ARMS: walk_result walk(
// ARMS: result.accesses += 31;
// ARMS-NEXT: if (!result.access(0, a_count
// ARMS-NEXT: return result;
// ARMS-NEXT: return result;
COLONNADE_BULK
void arms(float *a COLONNADE_EXTENT(1), int n) {
  float t[10];
  for (int i = 0; i < 10; i++) {
    if (n > i)
      t[i] = 1;
    else
      t[9 - i] = 2;
    t[9 - i] += 1;
  }
  a[0] = t[3];
}

// UNEQUAL: walk_result walk(
// UNEQUAL: if (n > i)
COLONNADE_BULK
void unequal(float *a COLONNADE_EXTENT(1), int n) {
  float t[10] = {};
  for (int i = 0; i < 10; i++)
    if (n > i)
      t[i] = 1;
  a[0] = t[3];
}
