// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// One place under several types and names: bases, members, bindings, references, closures and the
// library's algorithms, types of one name, specialisations and overloads of the library's names.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <algorithm>
namespace n1 { struct T { int a[2]; int b; }; }
namespace n2 { struct T { int a; int b[2]; }; }
// expect NSKTRU
void same_name_namespaces(const int *b, int *out) { n1::T s = {{0, 1}, 2}; auto *q = (n2::T *)&s; q->b[0] = b[0] & 7; out[s.a[1]] = 1; }
template <class A, class B> struct Pr { A first; B second; };
// expect NSKTRU
void same_name_instances(const int *b, int *out) { Pr<int[2], int> s = {{0, 1}, 2}; auto *q = (Pr<int, int[2]> *)&s; q->second[0] = b[0] & 7; out[s.first[1]] = 1; }
// expect NSKTRU
void same_name_reinterpret_cells(const int *b, int *out) { Pr<short, short> t[2] = {{0, 0}, {0, 0}}; auto *q = reinterpret_cast<Pr<short, int> *>(t); q->second = b[0] & 7; out[t[1].first] = 1; }
struct Base1 { int x = 0; }; struct Base2 { int x = 0; };
struct Der : Base1, Base2 { int x = 0; };
// expect NSKTRU
void second_base(const int *b, int *out) { Der d; Base2 &r = d; r.x = b[0] & 7; out[d.Base2::x] = 1; }
// expect AP
void first_base(const int *b, int *out) { Der d; Base2 &r = d; r.x = b[0] & 7; out[d.Base1::x + d.x] = d.Base2::x; }
// expect NSKTRU
void down_cast(const int *b, int *out) { Der d; Base2 *r = &d; static_cast<Der *>(r)->x = b[0] & 7; out[d.x] = 1; }
struct Em {}; struct Emp : Em { int k = 0; Em e; int l = 0; };
// expect NSKTRU
void empty_base(const int *b, int *out) { Emp e; e.l = b[0] & 7; Emp f = e; out[f.l] = 1; }
struct NU { [[no_unique_address]] Em e; int k = 0; };
// expect NSKTRU
void no_unique(const int *b, int *out) { NU n; n.k = b[0] & 7; NU m = n; out[m.k] = 1; }
struct Bp { int x, y; Bp &self() { return *this; } };
// expect NSKTRU
void member_pointer_array(const int *b, int *out) { int Bp::*m[2] = {&Bp::x, &Bp::y}; Bp p{0, 0}; p.*m[1] = b[0] & 7; out[p.y] = 1; }
// expect NSKTRU
void chained(const int *b, int *out) { Bp p{0, 0}; p.self().self().y = b[0] & 7; out[p.y] = 1; }
// expect NSKTRU
void ref_to_element(const int *b, int *out) { std::array<std::array<int, 2>, 2> t{}; auto &r = t[1]; auto &e = r.back(); e = b[0] & 7; out[t[1][1]] = 1; }
// expect NSKTRU
void ref_in_struct(const int *b, int *out) { int k = 0; struct { int &r; } s{k}; s.r = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void rvalue_ref(const int *b, int *out) { int k = 0; int &&r = std::move(k); r = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void const_ref_sees_change(const int *b, int *out) { int k = 0; const int &r = k; k = b[0] & 7; out[r] = 1; }
// expect NSKTRU
void ref_to_conditional(const int *b, int *out, int n) { int k = 0, l = 0; (n ? k : l) = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void ref_to_comma(const int *b, int *out, int n) { int k = 0, l = 0; (l, k) = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void ref_to_assignment(const int *b, int *out, int n) { int k = 0; (k = 1) += b[0] & 3; out[k] = 1; }
// expect NSKTRU
void ref_to_increment(const int *b, int *out, int n) { int k = 0; ++(k += b[0] & 3); out[k] = 1; }
// expect NSKTRU
void copied_to_const(const int *b, int *out) { struct S { int t[2]; } s = {{0, 0}}; s.t[1] = b[0] & 7; const S c = s; out[c.t[1]] = 1; }
// expect AP
void copied_before(const int *b, int *out) { struct S { int t[2]; } s = {{0, 0}}; const S c = s; s.t[1] = b[0] & 7; out[c.t[1]] = s.t[1]; }
// expect NSKTRU
void mutable_lambda_twice(const int *b, int *out) { auto f = [k = 0](int v) mutable { int r = k; k = v & 7; return r; }; f(b[0]); out[f(0)] = 1; }
// expect AP
void mutable_lambda_copy(const int *b, int *out) { auto f = [k = 0](int v) mutable { int r = k; k = v & 7; return r; }; auto g = f; g(b[0]); out[f(0)] = 1; }
// expect NSKTRU
void lambda_by_ref_in_struct(const int *b, int *out) { int k = 0; auto f = [&k] { return &k; }; *f() = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void structured_ref(const int *b, int *out) { int t[2] = {0, 0}; auto &[x, y] = t; y = b[0] & 7; out[t[1]] = 1; }
// expect AP
void structured_copy(const int *b, int *out) { int t[2] = {0, 0}; auto [x, y] = t; y = b[0] & 7; out[t[1]] = y; }
// expect NSKTRU
void pair_get(const int *b, int *out) { std::pair<int, int> p{0, 0}; std::get<1>(p) = b[0] & 7; out[p.second] = 1; }
// expect NSKTRU
void tie_swap(const int *b, int *out) { int x = 0, y = b[0] & 7; std::swap(x, y); out[x] = 1; }
// expect NSKTRU
void swap_arrays(const int *b, int *out) { int x[2] = {0, 0}, y[2] = {0, b[0] & 7}; std::swap(x, y); out[x[1]] = 1; }
// expect NSKTRU
void iter_swapped(const int *b, int *out) { int x[2] = {0, b[0] & 7}; std::iter_swap(x, x + 1); out[x[0]] = 1; }
// expect NSKTRU
void rotate_array(const int *b, int *out) { int x[3] = {0, b[0] & 7, 2}; std::rotate(x, x + 1, x + 3); out[x[0]] = 1; }
// expect NSKTRU
void reverse_array(const int *b, int *out) { int x[3] = {0, 1, b[0] & 7}; std::reverse(x, x + 3); out[x[0]] = 1; }
// expect NSKTRU
void copy_backward_array(const int *b, int *out) { int x[3] = {b[0] & 7, 1, 2}; std::copy_backward(x, x + 2, x + 3); out[x[1]] = 1; }
// expect NSKTRU
void fill_array(const int *b, int *out) { int x[3]; std::fill_n(x, 3, b[0] & 7); out[x[2]] = 1; }
static const int &smaller(const int &x, const int &y) { return y < x ? y : x; }
// expect NSKTRU
void chosen_reference(const int *b, int *out) { int k = 1, l = 2; const_cast<int &>(smaller(k, l)) = b[0] & 7; out[k] = 1; }
// expect NSKTRU
void static_member_state(const int *b, int *out) { struct S { static int &st() { static int k; return k; } }; S::st() = b[0] & 7; out[S::st()] = 1; }
inline int shared_inline = 0;
// expect NSKTRU
void inline_variable(const int *b, int *out) { shared_inline = b[0] & 7; out[shared_inline] = 1; }
template <class T> int tmpl_var = 0;
// expect NSKTRU
void variable_template(const int *b, int *out) { tmpl_var<int> = b[0] & 7; out[tmpl_var<int>] = 1; }
struct My { int v; };
template <> struct std::array<My, 4> { My t[4]; My &operator[](size_t i) { return t[(i * 3) & 3]; } };
// expect NSKTRU
void specialised_array(const int *b, int *out) { std::array<My, 4> t{}; t[1].v = b[0] & 7; out[t.t[3].v] = 1; }
struct Fake { int k; };
namespace std { template <> void swap(Fake &a, Fake &b) noexcept { a.k = b.k; } }
// expect NSKTRU
void specialised_swap(const int *b, int *out) { Fake x{b[0] & 7}, y{0}; std::swap(y, x); std::swap(x, x); out[y.k] = 1; }
namespace std { inline int popcount(Fake f) { return f.k & 7; } inline int abs(Fake f) { return f.k & 7; } }
// expect NSKTRU
void added_overload(const int *b, int *out) { out[std::popcount(Fake{b[0]})] = std::abs(Fake{1}); }
extern "C" int ext_abs(int x) asm("leaky");
extern "C" int leaky(int x) { return x & 7; }
// expect NSKTRU
void by_ext_label(const int *b, int *out) { out[ext_abs(b[0])] = 1; }
#define memcpy(a, b, c) (void)(out[*(const int *)(b) & 7] = 1)
// expect NSKTRU
void macro_memcpy(const int *b, int *out) { int t[2]; memcpy(t, b, 8); }
#undef memcpy
const int dyn_const = std::strlen("abc");
static int g_state = 1;
const int dyn_const2 = g_state + 1;
// expect NSKTRU
void dynamic_constant(const int *b, int *out) { out[dyn_const2] = b[0]; }
struct Vt { virtual int at(int v) const { return 0; } virtual ~Vt() = default; };
struct Vu final : Vt { int at(int v) const override { return v & 7; } };
// expect NSKTRU
void virtual_final(const int *b, int *out) { Vu u; const Vt *p = &u; out[p->at(b[0])] = 1; }
// expect NSKTRU
void virtual_param(const Vt &v, const int *b, int *out) { out[v.at(b[0])] = 1; }
// expect NSKTRU
void reference_to_pointer(const int *&b, int *out) { out[*b++ & 7] = 1; }
// expect NSKTRU
void array_of_pointers(const int *const *b, int *out) { out[b[0][0] & 7] = 1; }
// expect NSKTRU
void bit_cast_struct(const float *b, int *out) { struct S { int i; }; out[__builtin_bit_cast(S, b[0]).i & 7] = 1; }
// expect NSKTRU
void atomic_std(const int *b, int *out) { std::array<int, 2> t{b[0], 0}; out[t.front() & 7] = 1; }
