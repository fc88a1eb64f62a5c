// A copy or fill of what has no cells here (a union, a function pointer, ...) is an access all the
// same: none is made of it, so that its address would be lost.
//
// RUN: not %colonnade check %s -f member -f whole -f behind_a_pointer -f beside -f local_array -f copied_bytes -f filled 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f cell -f kept_local -f padding | FileCheck %s --check-prefix=ACCEPT
#include <cstring>

union Bits {
  int i;
  short half;
};
struct Tagged {
  Bits bits;
  int tag;
};
struct Callback {
  void (*call)();
  int tag;
};
struct Plain {
  int bits;
  int tag;
};
struct Padded {
  int low : 3;
  int : 5;
  int tag;
};

// CHECK: error: not supported: a memory copy or fill of union 'Bits'{{.*}}[OBL301, class U]
// CHECK: member: unsupported, class U
void member(Tagged *s, const int *at) {
  s[at[0]].bits = s[0].bits;
  s[0].tag = 1;
}
// ACCEPT: cell: accept, class A
void cell(Plain *s, const int *at) {
  s[1].bits = s[0].bits;
  s[0].tag = at[0];
}

// CHECK: whole: unsupported, class U
void whole(Tagged *s) { s[1] = s[0]; }

// CHECK: behind_a_pointer: unsupported, class U
void behind_a_pointer(Tagged *s, const int *at) {
  Bits *to = &s[at[0]].bits;
  *to = s[0].bits;
  s[0].tag = 1;
}

// CHECK: error: not supported: a memory copy or fill of function pointer{{.*}}[OBL301, class U]
// CHECK: beside: unsupported, class U
void beside(Callback *s) { s[1] = s[0]; }

// CHECK: local_array: unsupported, class U
void local_array(int *r) {
  Tagged t[4];
  t[r[0] & 3].bits = t[1].bits;
  r[1] = 2;
}

// CHECK: copied_bytes: unsupported, class U
void copied_bytes(Tagged *s, const int *at) {
  std::memcpy(&s[at[0]].bits, &s[0].bits, sizeof(Bits));
  s[0].tag = 1;
}

// CHECK: filled: unsupported, class U
void filled(Tagged *s, const int *at) {
  std::memset(&s[at[0]].bits, 0, sizeof(Bits));
  s[0].tag = 1;
}

// ACCEPT: kept_local: accept, class A
int kept_local(const int *a) {
  Callback own, copy;
  own.tag = a[0];
  copy = own;
  return copy.tag;
}

// ACCEPT: padding: accept, class A
int padding(const int *a) {
  Padded own[2];
  own[0].low = a[0] & 1;
  own[0].tag = a[1];
  own[1] = own[0];
  return own[1].low + own[1].tag;
}
