// RUN: split-file %s %t
// RUN: not %colonnade check %t/one.cpp %t/two.cpp -f inlined -f instance -f method -f made -f variable -f member -f by_macro -f by_helper -f by_lambda -f by_constant -f through -f friend_ -f again -f digits -f long_table -f other_type -f by_overload -f widths -f in_class -f by_linkage -- -std=c++20 >%t/out 2>&1
// RUN: FileCheck %t/one.cpp <%t/out
// RUN: %colonnade check %t/one.cpp %t/two.cpp -f alike -f own -- -std=c++20 | FileCheck %t/one.cpp --check-prefix=ALIKE
// RUN: %colonnade check %t/one.cpp -f inlined -f variable -- -std=c++20
//
// Inline functions, templates, methods and inline variables that two files define: the linker takes either, so they have to mean
// the same.

//--- shared.h
#include <algorithm>
static inline int helper(int x) { return x & 3; }
constexpr int limit = 4;
inline int same(int x) { auto f = [](int y) { return helper(y); }; return f(std::min(x, limit)); }
template <class T> struct Same { static constexpr T value = 3; T v = 1; T get() const { return v + value; } };

//--- two.cpp
#include "shared.h"
inline int f(int x) { return x; }
template <class T> int g(T x) { return x; }
struct S { int v = 0; int get() { return v; } };
struct M { int v = 2; };
inline const int constant = 5;
template <class T> struct Of { static constexpr T value = 2; };
#define STEP 2
inline int stepped(int x) { return x & STEP; }
static int own_helper(int x) { return x; }
inline int helped(int x) { return own_helper(x); }
inline int lambda(int x) { return [](int y) { return y; }(x); }
static const int bound = 7;
inline int bounded(int x) { return x & bound; }
struct Friendly { int v; friend int befriended(Friendly, int x) { return x; } };
inline int helped_again(int x) { return own_helper(x); }
inline const double exact = 1.0000000001;
inline constexpr int long_values[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1};
inline const float typed = 1;
inline int overload(int *) { return 2; }
inline int overload(const int *) { return 1; }
inline int overloaded(int x) { int y = x; return overload(&y); }
struct Widths { unsigned x : 5, y : 3; };
inline int widths_of(Widths &w) { return w.x; }
struct Held { static const int k = 2; };
const int Held::k;
static int linked(int x) { return x; }
inline int links(int x) { return linked(x); }
int used(int x) {
  S s; M m; Widths w = {1, 2};
  return widths_of(w) + links(x) + f(x) + g(x) + s.get() + m.v + *&constant + *&Of<int>::value + stepped(x) + helped(x) + lambda(x) + bounded(x) + same(x) + Same<int>().get();
}
int outer(int x) { return f(x) & 1; }

//--- one.cpp
#include "shared.h"
#define A const int a[16], const int b[16]
// CHECK-DAG: 'f', which is defined in another way at {{.*}}two.cpp:2:12 (the linker takes either); {{.*}} class U]
inline int f(int x) { return 3; }
int inlined(A) { return b[f(a[0])]; }
// CHECK-DAG: 'g<int>', which is defined in another way at {{.*}}two.cpp:3:24
template <class T> int g(T x) { return 4; }
int instance(A) { return b[g(a[0])]; }
// CHECK-DAG: 'S::get', which is defined in another way at {{.*}}two.cpp:4:27
struct S { int v = 0; int get() { return 2; } };
int method(A) { S s; s.v = a[0]; return b[s.get()]; }
// CHECK-DAG: 'M::M', which is defined in another way at {{.*}}two.cpp:5:8
struct M { int v = 1; };
int made(A) { M m; return b[m.v]; }
// CHECK-DAG: 'constant', which is defined in another way at {{.*}}two.cpp:6:18
inline const int constant = 4;
int variable(A) { const int *p = &constant; return b[*p]; }
// CHECK-DAG: 'Of<int>::value', which is defined in another way at {{.*}}two.cpp:7:51
template <class T> struct Of { static constexpr T value = 1; };
int member(A) { const int *p = &Of<int>::value; return b[*p]; }
// CHECK-DAG: 'stepped', which is defined in another way at {{.*}}two.cpp:9:12
#define STEP 1
inline int stepped(int x) { return x & STEP; }
int by_macro(A) { return b[stepped(2)]; }
// CHECK-DAG: 'helped', which is defined in another way at {{.*}}two.cpp:11:12
static int own_helper(int x) { return 1; }
inline int helped(int x) { return own_helper(x); }
int by_helper(A) { return b[helped(a[0])]; }
// CHECK-DAG: 'lambda', which is defined in another way at {{.*}}two.cpp:12:12
inline int lambda(int x) { return [](int y) { return 1; }(x); }
int by_lambda(A) { return b[lambda(a[0])]; }
// CHECK-DAG: 'bounded', which is defined in another way at {{.*}}two.cpp:14:12
static const int bound = 3;
inline int bounded(int x) { return x & bound; }
int by_constant(A) { return b[bounded(5)]; }
// CHECK-DAG: through: unsupported, class U
int outer(int x);
int through(A) { return b[outer(3)]; }
// CHECK-DAG: 'befriended', which is defined in another way at
struct Friendly { int v; friend int befriended(Friendly, int x) { return 3; } };
int friend_(A) { return b[befriended(Friendly{1}, a[0])]; }
// What has differed once differs again.
// CHECK-DAG: 'helped_again', which is defined in another way at
inline int helped_again(int x) { return own_helper(x); }
int again(A) { return b[helped_again(a[0])]; }
// CHECK-DAG: 'exact', which is defined in another way at
inline const double exact = 1.0;
int digits(A) { const double *p = &exact; return b[*p == 1.0]; }
// CHECK-DAG: 'long_values', which is defined in another way at
inline constexpr int long_values[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
int long_table(A) { return b[long_values[14]]; }
// CHECK-DAG: 'typed', which is defined in another way at
inline const double typed = 1;
int other_type(A) { const double *p = &typed; return b[*p == 1.0]; }
// CHECK-DAG: 'overloaded', which is defined in another way at
inline int overload(int *) { return 2; }
inline int overload(const int *) { return 1; }
inline int overloaded(int x) { const int y = x; return overload(&y); }
int by_overload(A) { return b[overloaded(2)]; }
// CHECK-DAG: 'widths_of', which is defined in another way at
struct Widths { unsigned x : 3, y : 5; };
inline int widths_of(Widths &w) { return w.x; }
int widths(A) { Widths w = {1, unsigned(a[0])}; return b[widths_of(w)]; }
// CHECK-DAG: 'Held::k', which is defined in another way at
struct Held { static const int k = 1; };
int in_class(A) { const int *p = &Held::k; return b[*p]; }
// CHECK-DAG: 'links', which is defined in another way at
int linked(int x) { return x; }
inline int links(int x) { return linked(x); }
int by_linkage(A) { return b[links(2)]; }
// ALIKE: alike: accept, class A
int alike(A) { return b[same(2)] + Same<int>().get() + *&Same<int>::value + a[0]; }
// What is a file's own may differ.
// ALIKE: own: accept, class A
int own(A) { return b[own_helper(a[0])] + b[bound]; }
