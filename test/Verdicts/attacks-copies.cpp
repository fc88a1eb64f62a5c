// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++20
//
// Copies that only an object's own address tells apart. A class with plain copies is passed and returned by its bytes: its
// argument is built as a temporary, and the parameter is another object; whether its result is the object that the function
// has built is the compiler's choice. Functions with an x are refused, those with a t are their twins.
#define A const int a[16], const int b[16]
#define L (a[0] & 7)

// Arguments: a pointer to itself leads to the temporary.
struct Made { int v, *p; Made(int x) : v(x), p(&v) {} };
static int of(const int *b, Made k) { k.v = 1; return b[*k.p]; }
// expect NSKTRU
int x1(A) { return of(b, Made(L)); }
// expect AP
int t1(A) { return of(b, Made(3)) + a[0]; }
struct Default { int v, *p = &v; };
static int of(const int *b, Default k) { k.v = 1; return b[*k.p]; }
// expect NSKTRU
int x2(A) { return of(b, Default{L}); }
// expect AP
int t2(A) { return of(b, Default{3}) + a[0]; }
struct Wide { int v, *p, pad[10]; Wide(int x) : v(x), p(&v) {} };
static int of(const int *b, Wide k) { k.v = 1; return b[*k.p]; }
// expect NSKTRU
int x3(A) { return of(b, Wide(L)); }
struct Reference { int v, &r; Reference(int x) : v(x), r(v) {} };
static int of(const int *b, Reference k) { k.v = 1; return b[k.r]; }
// expect NSKTRU
int x4(A) { return of(b, Reference(L)); }
struct Told { int v; Told(int x, int **out) : v(x) { *out = &v; } };
static int told(const int *b, Told k, int **p) { k.v = 2; return b[**p]; }
// expect NSKTRU
int x5(A) { int *p; return told(b, Told(L, &p), &p); }
static int usual(const int *b, int x, Made k = Made(3)) { k.v = x; return b[*k.p]; }
// expect AP
int t5(A) { return usual(b, L) + a[0]; }
// expect NSKTRU
int x6(A) { return of(b, a[1] ? Default{L} : Default{1}); }
template <class F> static int call(F f, const int *b) { return f(b); }
// expect NSKTRU
int x7(A) { return call([k = Made(L)](const int *b) mutable { k.v = 1; return b[*k.p]; }, b); }
struct Outer : Made { Made m[2]; Outer(int x) : Made(1), m{2, x} {} };
static int outer(const int *b, Outer o) { o.m[1].v = 1; return b[*o.m[1].p]; }
// expect NSKTRU
int x8(A) { return outer(b, Outer(L)); }
struct Plus { int operator()(const int *b, Made k) const { k.v = 1; return b[*k.p]; } };
// expect NSKTRU
int x9(A) { return Plus()(b, Made(L)); }
static int converted(const int *b, Made k) { k.v = 1; return b[*k.p]; }
// expect NSKTRU
int x10(A) { return converted(b, L); }
static bool isSame(Made k) { return k.p == &k.v; }
// expect NSKTRU
int x11(A) { return b[isSame(Made(1)) ? 1 : L]; }
// expect AP
int t11(A) { return b[isSame(Made(1)) ? a[0] : 1]; }
// One whose copies are written, or that has none, is built as the parameter.
struct Written { int v, *p; Written(int x) : v(x), p(&v) {} Written(const Written &o) : v(o.v), p(o.p) {} };
static int of(const int *b, Written k) { k.v = 1; return b[*k.p]; }
// expect AP
int t12(A) { return of(b, Written(L)); }
struct Fixed { int v, *p; Fixed(int x) : v(x), p(&v) {} Fixed(const Fixed &) = delete; };
static int of(const int *b, Fixed k) { k.v = 1; return b[*k.p]; }
// expect AP
int t13(A) { return of(b, Fixed(L)); }

// Results.
static Made made(int x) { Made k(x); return k; }
// expect U
int x14(A) { Made k = made(L); k.v = 1; return b[*k.p]; }
static Made built(int x) { return Made(x); }
// expect U
int x15(A) { Made k = built(L); k.v = 1; return b[*k.p]; }
static Default listed(int x) { return {x}; }
// expect U
int x16(A) { return listed(L).v + b[1]; }
struct Span {
  const int *p; int n;
  Span(const int *q, int m) : p(q), n(m) {}
  void drop(int k) { p += k; shrink(k); }
  void shrink(int k) { n -= k; }
  int at(int i) const { return p[i]; }
};
static int sum(Span s) { int r = 0; for (int i = 0; i < s.n; i++) r += s.at(i); return r; }
static Span rest(Span s, int k) { return Span(s.p + k, s.n - k); }
// expect AP
int t14(A) { return sum(rest(Span(a, 16), 4)); }
static Span dropped(Span s) { Span t = s; t.drop(3); return t; }
// expect AP
int t15(A) { return sum(dropped(Span(b, 12))) + a[0]; }

// Bases: GCC builds them in their place, Clang copies.
static Written written(int x) { return Written(x); }
struct Based : Written { Based(int x) : Written(written(x)) {} };
// expect U
int x17(A) { Based d(L); d.v = 1; return b[*d.p]; }
struct Bare : Written {};
// expect U
int x18(A) { Bare d{written(L)}; d.v = 1; return b[*d.p]; }
struct Direct : Written { Direct(int x) : Written(x) {} };
// expect AP
int t18(A) { Direct d(L); d.v = 1; return b[*d.p & 1]; }
struct Pair { int x, y; Pair(int s, int t) : x(s), y(t) {} };
static Pair pair(int x) { return Pair(x, 2); }
struct Triple : Pair { int z; Triple(int x) : Pair(pair(x)), z(1) {} };
// expect AP
int t17(A) { Triple d(L); return d.x + d.y + d.z + b[0]; }
