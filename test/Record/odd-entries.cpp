// Entries that others call in an odd way: in an unnamed namespace, with macros of the source's around them, with
// parts of one name.
//
// RUN: %colonnade check --validate %s -f hidden -f outer::hidden -f "overloaded(local*,int*)" -f twice -f within -f field -f parts -- -std=c++20 | FileCheck %s
// CHECK: hidden': validated: 20 inputs, 60 accesses
// CHECK: hidden': validated: 20 inputs, 60 accesses
// CHECK: overloaded': validated: 20 inputs, 60 accesses
// CHECK: 'twice': validated: 20 inputs, {{[1-9]}}
// CHECK: 'within': validated: 20 inputs, {{[1-9]}}
// CHECK: 'field': validated: 20 inputs, {{[1-9]}}
// CHECK: 'parts': validated: 20 inputs, {{[1-9]}}
#define T float
#define memory words
#define max(a, b) ((a) > (b) ? (a) : (b))

namespace {
struct local {
  int x;
};
int hidden(int *a) {
  a[1] = a[0] ^ 3;
  return a[2];
}
int overloaded(local *p, int *a) {
  a[1] = p->x ^ 3;
  return a[2];
}
int overloaded(int) { return 1; }
} // namespace

namespace outer {
namespace {
int hidden(int *a) {
  a[1] = a[0] ^ 5;
  return a[2];
}
} // namespace
} // namespace outer

// Two bases of one name, an unnamed struct beside a field that is called like one, a base and a field.
namespace left {
struct base {
  int x;
};
} // namespace left
namespace right {
struct base {
  int x;
};
} // namespace right
struct both : left::base, right::base {
  int y;
};
int twice(both *p) {
  static_cast<right::base *>(p)->x ^= 3;
  return static_cast<left::base *>(p)->x ^ p->right::base::x * 8u ^ p->y;
}

struct unnamed {
  struct {
    int x;
  };
  struct {
    int x;
  } anon0;
};
int within(unnamed &p) {
  p.x ^= 5;
  return p.x ^ p.anon0.x * 8u;
}

struct inner {
  int x;
};
struct base {
  int x;
};
struct derived : base {
  inner base;
};
int field(derived *p) {
  p->base.x ^= 5;
  return p->x ^ p->base.x * 8u;
}

template <int N, class V> struct part {
  V value;
};
struct parts_of : part<0, int>, part<1, short>, part<2, int> {};
int parts(parts_of *p, int n) {
  static_cast<part<2, int> *>(p)->value ^= n;
  return static_cast<part<0, int> *>(p)->value ^ static_cast<part<1, short> *>(p)->value * 8u ^
         static_cast<part<2, int> *>(p)->value;
}
