// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++20
//
// std::array is an array in the IR, but its elements may have constructors and assignments of
// their own, which its copies call: each here writes a cell whose address depends on data.
#include <array>
#include <functional>
#include <utility>

static int touch(int *o, int k) { o[k & 7] = 1; return 0; }
struct Copied { int *o; int k; Copied(int *o, int k) : o(o), k(k) {} Copied(const Copied &s) : o(s.o), k(s.k) { o[k & 7] = 1; } };
struct Assigned { int *o; int k; Assigned(int *o, int k) : o(o), k(k) {} Assigned(const Assigned &) = default; Assigned &operator=(const Assigned &s) { o[s.k & 7] = 1; return *this; } };
struct Set { int k; Set() : k(3) {} };
using Two = std::array<Copied, 2>;
struct Holds { Two a; };
static int take(Two) { return 1; }

// expect NSK
void copy(const int *b, int *out) { Two p{Copied(out, 0), Copied(out, b[0])}; Two q = p; out[0] = 2; }
// expect NSK
void move(const int *b, int *out) { Two p{Copied(out, 0), Copied(out, b[0])}; Two q(std::move(p)); out[0] = 2; }
// expect NSK
void argument(const int *b, int *out) { Two p{Copied(out, 0), Copied(out, b[0])}; out[0] = take(p); }
// expect NSK
void capture(const int *b, int *out) { Two p{Copied(out, 0), Copied(out, b[0])}; auto f = [p] { return 1; }; out[0] = f(); }
// expect NSK
void member(const int *b, int *out) { Holds p{{Copied(out, 0), Copied(out, b[0])}}; Holds q = p; out[0] = 2; }
// expect NSK
void nested(const int *b, int *out) { std::array<Two, 1> p{Two{Copied(out, 0), Copied(out, b[0])}}; auto q = p; out[0] = 2; }
// expect NSKU
void binding(const int *b, int *out) { Two p{Copied(out, 0), Copied(out, b[0])}; auto [x, y] = p; out[0] = 2; }
// expect NSK
void assignment(const int *b, int *out) { std::array<Assigned, 2> p{Assigned(out, 0), Assigned(out, 0)}, q{Assigned(out, b[0]), Assigned(out, 1)}; p = q; out[0] = 2; }
// expect NSK
void fill(const int *b, int *out) { std::array<Assigned, 2> p{Assigned(out, 0), Assigned(out, 0)}; p.fill(Assigned(out, b[0])); out[0] = 2; }
// expect NSK
void swap(const int *b, int *out) { std::array<Assigned, 2> p{Assigned(out, 0), Assigned(out, 0)}, q{Assigned(out, b[0]), Assigned(out, 1)}; p.swap(q); out[0] = 2; }
// expect NSKU
void swap_of_two(const int *b, int *out) { std::array<Assigned, 1> p{Assigned(out, 0)}, q{Assigned(out, b[0])}; std::swap(p, q); out[0] = 2; }
// expect U
void function_by_reference(const int *b, int *out) { std::invoke(touch, out, b[0]); }

// --- twins

// expect A
void plain_copy(const int b[4], int out[8]) { std::array<std::array<int, 2>, 2> p{{{1, 2}, {3, 4}}}, q; q = p; auto r = q; std::swap(p, r); q.fill(p[0]); out[r[1][0]] = b[0]; }
// expect A
void copy_of_pairs(const int b[4], int out[8]) { std::array<std::pair<int, int>, 2> p{{{1, 2}, {3, 4}}}, q; q = p; q.fill({1, 2}); p.swap(q); out[p[0].first] = b[0]; }
// expect A
void default_constructors(const int b[4], int out[8]) { std::array<Set, 2> p; out[p[1].k] = b[0]; }
// expect A
void text(const int b[4], int out[8]) { std::array<char, 4> p{"abc"}; std::array<char, 4> q{{"abc"}}; char r[4] = {"abc"}; out[p[1] - 'a' + q[2] - r[2]] = b[0]; }

struct My { int v; };
template <> struct std::array<My, 4> { My t[4]; My &operator[](size_t i) { return t[(i * 3) & 3]; } };
// expect NSK
void own_array(const int *b, int *out) { std::array<My, 4> t{}; t[1].v = b[0] & 7; out[t.t[3].v] = 1; }
