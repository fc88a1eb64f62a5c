// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// A union whose members are numbers of one width is one cell: what is written through one member is read through the others. Any
// other union is outside the subset where its value is used.
#include <array>
#include <cstdint>
#include <cstring>

union Word { int i; unsigned u; float f; };
union Parts { int i; unsigned char c[4]; };
union Half { int i; short s; };
union Truth { unsigned char c; bool b; };
union Maker { int i; float f; Maker(float x) : f(x) {} };
union Keeper { int i; float f; Keeper(const Keeper &o) : i(o.i + 1) {} Keeper() {} };
struct Holder { int k; union { float f; int i; }; Word w; };

// expect NSK
int by_member(const int a[8], const int b[8]) { Word w; w.u = a[0] & 7; return b[w.i]; }
// expect A
int by_other_word(const int a[8], const int b[8]) { Word w, v; w.u = a[0] & 7; v.i = 3; return b[v.i] + w.i; }
// expect NSK
int by_float(const float a[8], const int b[8]) { Word w; w.f = a[0]; return b[w.i & 7]; }
// expect NSK
int by_copy(const int a[8], const int b[8]) { Word w, v; w.u = a[0]; v = w; return b[v.i & 7]; }
// expect NSK
int by_anonymous(const float a[8], const int b[8]) { Holder h; h.i = 1; h.f = a[0]; return b[h.i & 7]; }
// expect A
int beside_anonymous(const float a[8], const int b[8]) { Holder h; h.k = 1; h.f = a[0]; h.w.i = 2; return b[h.k] + b[h.w.u] + h.i; }
// expect NSK
int at_data(Word w[8], const int a[8]) { w[a[0] & 7].f = 1; return w[0].i; }
// expect A
int at_size(Word w[8], const int a[8], int n) { w[n & 7].f = a[0]; return w[0].i; }
// expect NSK
int by_pointer(const int a[8], const int b[8]) { Word w{1}; float *p = &w.f; *p = (float)a[0]; return b[w.i & 7]; }
// expect NSKU
int by_bytes(const int a[8], const int b[8]) { Word w{1}; std::memcpy(&w, &a[0], sizeof w); return b[w.u & 7]; }
// expect NSK
int by_constructor(const float a[8], const int b[8]) { Maker m(a[0]); return b[m.i & 7]; }
// expect A
float beside_constructor(const float a[8], const int b[8]) { Maker m(2.0f), l(a[0]); return b[m.i & 7] + l.f; }
// expect NSK
int by_value(Word w, const int b[8]) { Word v = w; v.u ^= b[0]; return b[v.i & 7]; }
// expect A
unsigned given(Word w, const int b[8]) { return w.u + b[w.i & 7]; }
// expect A
Word returned(const float a[8]) { Word w; w.f = a[0]; w.u ^= 0x80000000u; return w; }
// expect A
int zeroed(const int a[8], const int b[8]) { Word w = {}, v[3] = {}, u{.f = 0}; return b[w.i] + b[v[2].u] + b[u.i] + a[0]; }
// expect NSK
int last_written(const int a[8], const int b[8]) { Word v[3] = {}; for (int k = 0; k < 3; k++) { v[k].f = 0; v[k].i = a[k]; } return b[v[1].u & 7]; }
// expect U
int of_parts(const int a[8], const int b[8]) { Parts p; p.i = a[0]; return b[p.c[0] & 7]; }
// expect U
int of_halves(const int a[8], const int b[8]) { Half h; h.i = 1; h.s = (short)a[0]; return b[h.i & 7]; }
// expect U
int of_truth(const int a[8], const int b[8]) { Truth t; t.c = (unsigned char)a[0]; return t.b ? b[0] : b[1]; }
// expect U
int own_copies(const int a[8], const int b[8]) { Keeper k; k.i = a[0]; Keeper l = k; return l.i; }
static const Word constants[2] = {{1}, {2}};
// expect ASRU
int of_constants(const int a[8], const int b[8]) { return b[constants[1].i] + a[0]; }
