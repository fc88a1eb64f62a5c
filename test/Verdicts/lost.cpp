// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// Evaluations in places where little code stands: each function here writes a cell whose
// address depends on data (refused), or has a twin that does nothing of the kind
// (accepted). `// expect CLASSES` lists the classes that are right; see leaks.cpp.
#include <array>
#include <cassert>
#include <utility>

static int touch(int *o, int k) { o[k & 7] = 1; return 0; }
struct Plain { int v; static int one() { return 1; } static constexpr int K = 5; enum { E = 3 }; };
struct Caller { static int operator()(int x) { return x; } };

// --- assert is nothing under NDEBUG, but what stands beside it is something

// expect NSK
void assert_then_write(const int *b, int *out, int n) { assert(n > 0), out[b[0]] = 1; }
// expect NSK
void assert_in_step(const int *b, int *out, int n) {
  int i = 0;
  for (; i < n; assert(n > 0), i += b[i])
    out[i] = 1;
}
// expect A
void assert_alone(const int *b, int *out, int n) {
  assert(n > 0 && b[b[0]] == 3);
  out[0] = b[1];
}
// expect NSK
void assert_in_conditional(const int *b, int *out, int n) { n > 0 ? assert(n), out[b[0]] = 1 : 0; }
#define CHECKED(x) (assert(x), x)
// expect NSK
void assert_in_macro(const int *b, int *out) { out[CHECKED(b[0])] = 1; }

// --- statics are set up when control first passes them

// expect U
void unused_static(const int *b, int *out) { static const int once = (out[b[0]] = 1); out[0] = 2; }
// expect U
void unused_thread_local(const int *b, int *out) { thread_local int once = touch(out, b[0]); out[0] = 2; }
// expect U
void static_in_lambda(const int *b, int *out) { auto l = [&] { static int once = touch(out, b[0]); }; l(); }
// expect U
void static_in_condition(const int *b, int *out) { if (static const int once = touch(out, b[0]); true) out[0] = 1; }
// expect U
void static_struct(const int *b, int *out) { static Plain once{touch(out, b[0])}; out[0] = 2; }
// expect U
void static_array(const int *b, int *out) { static const std::array<int, 2> once{touch(out, b[0]), 1}; out[0] = 2; }
// expect U
void static_in_switch(const int *b, int *out, int n) { switch (n) { case 0: static int once = touch(out, b[0]); } }
// expect A
void constant_static(const int *b, int *out) { static const int once = 3; static int unused = 4; out[once] = b[0]; }
// expect A
void constant_static_array(const int *b, int *out) { static const int t[3] = {1, 2, 3}; out[t[1]] = b[0]; }

// --- objects that are named for a static member of their class

// expect NSK
void static_member(const int *b, int *out, Plain s[4]) { int r = s[out[b[0]] = 1].K; out[0] = r; }
// expect NSK
void static_method(const int *b, int *out, Plain s[4]) { int r = s[out[b[0]] = 1].one(); out[0] = r; }
// expect NSK
void static_method_by_arrow(const int *b, int *out, Plain s[4]) { int r = (out[b[0]] = 1, s)->one(); out[0] = r; }
// expect NSK
void enumerator(const int *b, int *out, Plain s[4]) { int r = s[out[b[0]] = 1].E; out[0] = r; }
// expect NSK
void static_call_operator(const int *b, int *out, Caller c[4]) { out[0] = c[out[b[0]] = 1](3); }
// expect NSK
void size_of_array(const int *b, int *out, std::array<int, 4> m[4]) { out[0] = (int)m[out[b[0]] = 1].size(); }
// expect NSK
void empty_of_temporary(const int *b, int *out) { out[std::array<int, 4>{touch(out, b[0])}.empty()] = 1; }
// expect NSK
int max_size_of_temporary(const int *b, int *out) { return std::array<int, 4>{touch(out, b[0])}.max_size(); }
// expect A
void static_member_of_cell(int *out, Plain s[4]) { int i = 0; int r = s[i++].K; out[i] = r; }
// expect A
void static_method_of_cell(int *out, Plain s[4]) { int i = 0; int r = s[i++].one(); out[i] = r; }
// expect A
void enumerator_of_cell(int *out, Plain s[4]) { int i = 0; int r = s[i++].E; out[i] = r; }
// expect A
void size_of_parameter(int *out, const std::array<int, 4> &a) { out[0] = (int)a.size() + a.empty(); }

// --- default member initialisers: `this` is the new object

struct Pair {
  int x = 1;
  int y = x + 1;
  void leak(const int *b, int *out) const { Pair p{b[0]}; out[p.y] = 1; }
  void fine(const int *b, int *out) const { Pair p{3}; out[p.y] = b[0]; }
};
// expect NSK
void default_reads_new_object(const int *b, int *out) { Pair s{0, 0}; s.leak(b, out); }
// expect A
void default_reads_own_object(const int *b, int *out) { Pair s{b[0], b[1]}; s.fine(b, out); }
struct Nest { Pair p; Pair q; Nest(int v) : p{1}, q{v} {} };
// expect NSK
void default_in_constructor(const int *b, int *out) { Nest t(b[0]); out[t.q.y] = 1; }
// expect A
void default_in_constructor_uniform(const int *b, int *out) { Nest t(b[0]); out[t.p.y] = 1; }
struct Two { Pair p{1}; Pair q{5}; };
// expect A
void default_in_default(int *out) { Two t; out[t.q.y] = 1; }
struct InLambda { int x = 1; int y = x + 1; int run(int v) { return [&] { return InLambda{v}.y; }(); } };
// expect NSK
void default_in_lambda(const int *b, int *out) { InLambda l; out[l.run(b[0])] = 1; }

// --- destructors

struct Writer { int *p; int v; ~Writer() { p[v] = 1; } };
struct Holder { Writer w; ~Holder() {} };
struct Implicit { Writer w; };
struct Derived : Writer {};
// expect NSK
void own_destructor(Writer &w) { w.~Writer(); }
// expect U
void destructor_of_member(Holder &o) { o.~Holder(); }
// expect U
void implicit_destructor_of_member(Implicit &o) { o.~Implicit(); }
// expect U
void destructor_of_base(Derived &o) { o.~Derived(); }
// expect U
void temporary_with_destructor(const int *b, int *out) { Writer{out, b[0]}; out[0] = 1; }
// expect NSKU
void pseudo_destructor(const int *b, int *out) { using I = int; (&out[touch(out, b[0])])->~I(); }

// --- operands of hints

// expect NSK
void expect_hint(const int *b, int *out, int n) { if (__builtin_expect(n > 0, out[b[0]] = 1)) out[0] = 1; }
// expect NSK
void alignment_offset(const int *b, int *out) { int *p = (int *)__builtin_assume_aligned(out, 16, (out[b[0]] = 16)); p[0] = 1; }
// expect NSK
void prefetch_operand(const int *b, int *out) { __builtin_prefetch(&out[out[b[0]] = 2]); out[0] = 1; }
// expect NSK
void annotation_operand(const int *b, int *out, int n) { int k = __builtin_annotation(out[b[0]] = 1, "x"); out[0] = n; }
// expect A
int expect_is_evaluated_once(const int *b, int *out, int n) { int i = 0; if (__builtin_expect(n > 3, i++)) out[i] = b[0]; return i; }
// expect A
void prefetch_moves(const int *b, int *out, int n) { const int *p = b; for (int i = 0; i < n; i++) { __builtin_prefetch(p++); out[i] = *p; } }
// expect A
void assume_is_not_evaluated(const int *b, int *out) { __builtin_assume(touch(out, b[0]) == 0); out[0] = b[0]; }

// --- sizes of types

// expect NSKU
void size_in_typedef(const int *b, int *out, int n) { typedef int T[(out[b[0]] = 3) + n]; out[0] = 1; }
// expect NSKU
void size_in_alias(const int *b, int *out, int n) { using T = int[(out[b[0]] = 3) + n]; out[0] = 1; }
// expect NSKU
void size_in_cast(const int *b, int *out, int n) { auto p = (int (*)[n + (out[b[0]] = 1)])out; out[0] = 1; }
// expect NSKU
void operand_of_typeof(const int *b, int *out, int n) { int v[n]; __typeof__((out[b[0]] = 1, &v)) p; out[0] = 1; }

// --- operands of an empty asm

// expect NSK
void asm_input(const int *b, int *out) { asm("" : : "r"(out[b[0] & 7] = 1)); out[0] = 2; }
// expect NSK
void asm_memory_input(const int *b, int *out) { asm volatile("" : : "m"(out[touch(out, b[0])])); out[0] = 2; }
// expect NSK
void asm_in_and_out(const int *b, int *out) { int k = 0; asm("" : "+r"(out[touch(out, b[0])])); out[k] = 2; }
// expect NSK
void asm_reads_cell(const int *b, int *out) { asm volatile("" : : "m"(b[b[0]])); out[0] = 2; }
// expect A
void asm_value_barrier(const int *b, int *out) { int x = b[0]; asm("" : "+r"(x)); out[0] = x; }
// expect A
void asm_fence(int *out) { out[0] = 1; asm volatile("" : : : "memory"); out[1] = 1; }

// --- functions that are called through an expression

// expect NSKU
void callee_after_comma(const int *b, int *out) { out[1] = (touch(out, b[0]), Plain::one)(); }
// expect A
void callee_dereferenced(int *out) { out[(*Plain::one)()] = 1; }

// --- const objects that are written

struct Mutable { int x; mutable int m; };
static const Mutable table = {1, 2};
struct Outer { Mutable inner[2]; };
static const Outer outer = {{{1, 2}, {3, 4}}};
// expect U
int write_mutable(const int *b) { table.m = b[0]; return 0; }
// expect U
void read_mutable(const int *b, int *out) { table.m = b[0]; out[table.m] = 1; }
// expect U
void mutable_deep_inside(const int *b, int *out) { out[outer.inner[1].m] = 1; }
