// What lies in the padding of a base class is a member of another class: an assignment leaves it alone,
// memcpy and memset do not. Same-named types of two files are two types, if they are.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %colonnade check --validate %t/bases.cpp -f assigned -f assigned_member -f swapped -f whole -f plain | FileCheck %s
// CHECK: 'assigned': validated
// CHECK: 'assigned_member': validated
// CHECK: 'swapped': validated
// CHECK: 'whole': validated
// CHECK: 'plain': validated
// RUN: not %colonnade check %t/bases.cpp -f copied -f filled -f copied_member -f behind -f through_call -f without_members 2>&1 | FileCheck --check-prefix=REFUSED %s
// REFUSED: error: not supported: a memory copy over 'o.reused', whose bytes hold other members of the object, too; assign it (a = b)
// REFUSED: copied: unsupported, class U
// REFUSED: filled: unsupported, class U
// REFUSED: error: not supported: a memory copy over 'o.part', whose bytes hold other members of the object, too; assign it (a = b)
// REFUSED: copied_member: unsupported, class U
// REFUSED: behind: unsupported, class U
// REFUSED: through_call: unsupported, class U
// REFUSED: without_members: unsupported, class U
//
// RUN: %colonnade check --validate %t/one.cpp %t/other.cpp -f bases -f members -f packed | FileCheck --check-prefix=FILES %s
// FILES: 'bases': validated
// FILES: 'members': validated
// FILES: 'packed': validated

#--- bases.cpp
#include <cstring>
#include <utility>
struct reused {
  reused() {}
  int x;
  char c;
};
struct derived : reused {
  char d; // within the eight bytes of `reused`
};
struct holder {
  [[no_unique_address]] reused part;
  char d;
};
struct nothing {};
struct on_nothing : nothing {
  int x;
};
static derived made(const int *a) {
  derived o;
  o.x = a[0];
  o.c = 1;
  o.d = static_cast<char>(a[1]);
  return o;
}
static reused other(const int *a) {
  reused s;
  s.x = a[2];
  s.c = 3;
  return s;
}
static int all(const derived &o) { return (o.x ^ o.c) + o.d % 2; }

int assigned(const int a[8]) {
  derived o = made(a);
  static_cast<reused &>(o) = other(a);
  return all(o);
}
int assigned_member(const int a[8]) {
  holder o;
  o.d = static_cast<char>(a[1]);
  o.part = other(a);
  return (o.part.x ^ o.part.c) + o.d % 2;
}
int swapped(const int a[8]) {
  derived o = made(a);
  reused s = other(a);
  std::swap(static_cast<reused &>(o), s);
  return all(o) ^ s.x;
}
int whole(const int a[8]) {
  derived o = made(a), p;
  memcpy(&p, &o, sizeof p);
  return all(p);
}
int plain(const int a[8]) {
  reused s = other(a), t;
  memcpy(&t, &s, sizeof t);
  return t.x ^ t.c;
}
int copied(const int a[8]) {
  derived o = made(a);
  reused s = other(a);
  memcpy(static_cast<reused *>(&o), &s, sizeof s);
  return all(o);
}
int filled(const int a[8]) {
  derived o = made(a);
  memset(static_cast<reused *>(&o), 0, sizeof(reused));
  return all(o);
}
int copied_member(const int a[8]) {
  holder o;
  o.d = static_cast<char>(a[1]);
  reused s = other(a);
  memcpy(&o.part, &s, sizeof s);
  return o.d;
}
void behind(derived *o, const derived *p) {
  memcpy(static_cast<reused *>(o), static_cast<const reused *>(p), sizeof(reused));
}
static void clear(reused &r) { memset(&r, 0, sizeof r); }
int through_call(const int a[8]) {
  derived o = made(a);
  clear(o);
  return all(o);
}
int without_members(const int a[8]) {
  on_nothing o;
  o.x = a[0];
  memset(static_cast<nothing *>(&o), 0, sizeof(nothing));
  return o.x;
}

#--- one.cpp
int other_bases(const int *a);
int other_members(const int *a);
int other_packed(const int *a);
namespace {
struct base { int a; };
struct derived : base { int x; };
struct inner { int p; };
struct outer { inner f; int q; };
struct tight { char c; int x; };
} // namespace
int bases(const int a[8]) {
  derived d;
  d.a = a[0];
  d.x = a[1];
  return (d.x ^ d.a) + other_bases(a) % 100;
}
int members(const int a[8]) {
  outer o;
  o.f.p = a[0];
  o.q = a[1];
  return (o.f.p ^ o.q) + other_members(a) % 100;
}
int packed(const int a[8]) {
  tight p = {1, a[0]};
  return (p.x ^ p.c) + other_packed(a) % 100;
}

#--- other.cpp
namespace {
struct base { int a, b; };
struct derived : base { int x; };
struct inner { int o, p; };
struct outer { inner f; int q; };
struct __attribute__((packed)) tight { char c; int x; };
} // namespace
int other_bases(const int *a) {
  derived d;
  d.a = a[2];
  d.b = a[3];
  d.x = a[4];
  return d.a % 7 + d.b % 5 * 10 + d.x % 3;
}
int other_members(const int *a) {
  outer o;
  o.f.o = a[2];
  o.f.p = a[3];
  o.q = a[4];
  return o.f.o % 7 + o.f.p % 5 * 10 + o.q % 3;
}
int other_packed(const int *a) {
  tight p = {2, a[3]};
  return p.x % 50 + static_cast<int>(sizeof p);
}
