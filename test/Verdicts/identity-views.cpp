// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++20
//
// More that is the same though it looks different (see identity.cpp): two ways to one cell,
// shadowed and imported names, functions that are called like the library's, templates and
// overloads that are chosen, objects that share their bytes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

struct Two { int x, y; };
struct Row { int c[4]; };
union Either { int i; float f; };

// --- two ways to one variable

// expect NSK
void by_alias_of_variable(const int b[8], int out[8]) { int k = 0, &r = k; r = b[0] & 7; out[k] = 1; }
// expect NSK
void by_alias_of_alias(const int b[8], int out[8]) { int k = 0, &r = k, &s = r; s = b[0] & 7; out[k] = 1; }
// expect NSK
void by_field_reference(const int b[8], int out[8]) { Two t{}; int &r = t.y; r = b[0] & 7; out[t.y] = 1; }
// expect NSK
void by_pointer_to_struct(const int b[8], int out[8]) { Two t{}, *p = &t; p->x = b[0] & 7; out[t.x] = 1; }
// expect NSK
void by_first_field(const int b[8], int out[8]) { Two t{}; *(int *)&t = b[0] & 7; out[t.x] = 1; }
// expect NSKU
void by_second_field_of_first(const int b[8], int out[8]) { Two t{}; (&t.x)[1] = b[0] & 7; out[t.y] = 1; }
// expect NSK
void by_row_pointer(const int b[8], int out[8]) { int m[2][2] = {}; int(*p)[2] = m; p[1][0] = b[0] & 7; out[m[1][0]] = 1; }
// expect NSKU
void by_flat_pointer(const int b[8], int out[8]) { int m[2][2] = {}; int *p = &m[0][0]; p[3] = b[0] & 7; out[m[1][1]] = 1; }
// expect NSK
void by_negative_offset(const int b[8], int out[8]) { int t[4] = {}; int *p = t + 3; p[-2] = b[0] & 7; out[t[1]] = 1; }
// expect NSK
void by_reversed_subscript(const int b[8], int out[8]) { (b[0] & 7)[out] = 1; }
// expect NSK
void by_capture(const int b[8], int out[8]) { int k = 0; [&] { k = b[0] & 7; }(); out[k] = 1; }
// expect NSK
void by_nested_capture(const int b[8], int out[8]) { int k = 0; [&] { [&] { k = b[0] & 7; }(); }(); out[k] = 1; }
// expect NSK
void by_capture_of_reference(const int b[8], int out[8]) { int k = 0, &r = k; [&r, b] { r = b[0] & 7; }(); out[k] = 1; }
// expect NSKU
void by_member_pointer(const int b[8], int out[8]) { Two t{}; int Two::*m = &Two::y; t.*m = b[0] & 7; out[t.y] = 1; }
// expect NSKU
void by_function_pointer(const int b[8], int out[8]) { int (*f)(int) = [](int v) { return v & 7; }; out[f(b[0])] = 1; }
// expect NSK
void by_binding(const int b[8], int out[8]) { Two t{}; auto &[x, y] = t; y = b[0] & 7; out[t.y] = 1; }
// expect NSK
void by_copy_of_bytes(const int b[8], int out[8]) { Two t{}, s{0, b[0] & 7}; std::memcpy(&t, &s, sizeof t); out[t.y] = 1; }
// expect NSKU
void by_bytes_of_half(const int b[8], int out[8]) { int k = 0; std::memcpy(&k, &b[0], 2); out[k & 7] = 1; }
// expect NSKU
void by_union(const int b[8], int out[8]) { Either e; e.i = 0; e.f = (float)b[0]; out[e.i & 7] = 1; }
// expect NSK
void by_bit_cast(const float b[8], int out[8]) { out[std::bit_cast<unsigned>(b[0]) & 7] = 1; }
// expect NSKU
void by_bit_field(const int b[8], int out[8]) { struct { unsigned lo : 3, hi : 3; } f = {0, 0}; f.hi = b[0] & 7; out[f.hi] = 1; }
// expect NSK
void by_std_array(const int b[8], int out[8]) { std::array<int, 4> t{}; t.data()[2] = b[0] & 7; out[t[2]] = 1; }
// expect NSKU
void by_reference_wrapper(const int b[8], int out[8]) { int k = 0; std::ref(k).get() = b[0] & 7; out[k] = 1; }
// expect A
void other_field(const int b[8], int out[8]) { Two t{}; int &r = t.y; r = b[0] & 7; out[t.x] = t.y; }
// expect A
void other_variable(const int b[8], int out[8]) { int k = 0, l = 0, &r = l; r = b[0] & 7; out[k] = l; }
// expect A
void capture_by_value(const int b[8], int out[8]) { int k = 0; auto f = [k, b]() mutable { k = b[0] & 7; return k; }; int v = f(); out[k] = v; }
// expect A
void copied_struct(const int b[8], int out[8]) { Two t{}, s = t; s.y = b[0] & 7; out[t.y] = s.y; }

// --- names

namespace mine { static int abs(int v) { return v; } static int min(int a, int b) { return a; } }
namespace other { struct Index { int v; }; static int get(Index i) { return i.v & 7; } static int operator+(Index a, int) { return a.v & 7; } static bool operator==(Index a, int) { return true; } }
// expect NSK
void shadowed(const int b[8], int out[8]) { int i = 0; { int i = b[0] & 7; out[i] = 1; } out[i] = 1; }
// expect NSK
void shadowed_in_for(const int b[8], int out[8], int n) { int i = b[0] & 7; for (int i = 0; i < n; i++) out[i] = 1; out[i] = 2; }
// expect NSK
void found_by_argument(const int b[8], int out[8]) { other::Index i{b[0]}; out[get(i)] = 1; }
// expect NSK
void operator_of_class(const int b[8], int out[8]) { out[other::Index{b[0]} + 0] = 1; }
// expect NSK
void own_abs(const int b[8], int out[8]) { using mine::abs; out[abs(b[0] & 7)] = 1; }
// expect NSK
void own_min(const int b[8], int out[8]) { using namespace mine; out[mine::min(b[0] & 7, 0)] = 1; }
struct Parent { int at(const int *b) const { return b[0] & 7; } };
struct Child : Parent { int at(long) const { return 0; } using Parent::at; };
// expect NSK
void overload_of_base(const int b[8], int out[8]) { Child c; out[c.at(b)] = 1; }
struct Virtual { virtual int at(const int *b) const { return 0; } };
struct Override : Virtual { int at(const int *b) const override { return b[0] & 7; } };
// expect NSKU
void virtual_call(const int b[8], int out[8]) { Override o; const Virtual &v = o; out[v.at(b)] = 1; }
template <class T> struct Pick { static int at(const int *b) { return 0; } };
template <> struct Pick<long> { static int at(const int *b) { return b[0] & 7; } };
// expect NSK
void specialised(const int b[8], int out[8]) { out[Pick<long>::at(b)] = 1; }
template <class T> static int choose(T, const int *b) { return 0; }
static int choose(int, const int *b) { return b[0] & 7; }
// expect NSK
void not_the_template(const int b[8], int out[8]) { out[choose(1, b)] = 1; }
// expect A
void the_template(const int b[8], int out[8]) { out[choose(1L, b)] = b[0]; }
// expect A
void not_specialised(const int b[8], int out[8]) { out[Pick<int>::at(b)] = b[0]; }
// expect A
void overload_of_child(const int b[8], int out[8]) { Child c; out[c.at(1L)] = b[0]; }
// expect P
void library_minimum(const int b[8], int out[8]) { out[std::min(3, 5)] = std::min(b[0], b[1]); }
// expect A
void shadowing_uniform(const int b[8], int out[8]) { int i = b[0]; { int i = 3; out[i] = 1; } out[0] = i; }

// --- parameters that may be the same

// expect NSK
void through_other_parameter(const int b[8], int *const out, int n) { int *q = out; q[b[0] & 7] = n; }
// expect NSK
void reads_back_output(const int b[8], int out[8]) { out[0] = b[0] & 7; out[out[0]] = 1; }
// expect NSK
void reads_back_by_reference(const int b[8], int (&out)[8]) { int &r = out[0]; r = b[0] & 7; out[out[0]] = 1; }
// expect NSK
int returned_reference(int v[8]) { auto at = [&](int i) -> int & { return v[i]; }; at(0) = v[1] & 7; return v[at(0)]; }
// expect A
int returned_reference_uniform(int v[8]) { auto at = [&](int i) -> int & { return v[i]; }; at(0) = v[1]; return at(2); }
