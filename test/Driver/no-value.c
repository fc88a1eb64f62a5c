// A function that may end without the value of its type, or copies a field that was never set: no
// value is no difference.
//
// RUN: %python %S/Inputs/npy.py make %t.a.npy '<i4' 70 2
// RUN: %colonnade run %s -f sometimes -i a=%t.a.npy --target cpu --verify -- -w | FileCheck %s
// CHECK: verified: 70 of 70 instances against the sequential function, bit-identical{{(; left out: [0-9]+ cells where the function may give no value)?$}}
// RUN: %colonnade run %s -f halves -i a=%t.a.npy --target cpu --verify -- -w | FileCheck %s
//
// All else is compared as ever: only what may have no value is marked.
// RUN: %colonnade emit %s -f sometimes -f always --target cpu -o %t -- -w
// RUN: FileCheck --check-prefix=MARKED %s --input-file %t/sometimes.bulk.cpp
// MARKED: {"a", "a", cell_type::s32, direction::in, false, 1, extent_of_a, false},
// MARKED: {"b", "b", cell_type::s32, direction::out, false, 1, extent_of_b, true},
// MARKED: {"return", "return", cell_type::s32, direction::out, false, 1, extent_of_returned, true, nullptr, true},
// RUN: FileCheck --check-prefix=NONE --implicit-check-not="nullptr, true" %s --input-file %t/always.bulk.cpp
// NONE: static const array_info arrays[] =
struct pair {
  int x, y;
};

int sometimes(const int a[2], int b[1]) {
  int s = a[0] * a[1] + 40;
  b[0] = s;
  if (a[0] > 3)
    return s;
}

void halves(const int a[2], struct pair out[2]) {
  struct pair p, q;
  p.x = a[0];
  q.y = a[1];
  out[0] = p;
  out[1] = q;
}

int always(const int a[2]) {
  int s;
  if (a[0] > 3)
    s = 1;
  else
    s = a[1];
  return s;
}
