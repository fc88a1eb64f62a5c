// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++20
//
// Copies that only an object's own address tells apart. A class with plain copies is passed and returned by its bytes, or built
// where it is wanted, as the compiler likes: with a pointer to itself in it, functions with an x are refused; with a pointer to
// something else, their twins with a t are accepted.
#define A const int a[16], const int b[16]
#define L (a[0] & 7)

// Arguments: whether a pointer to itself leads to the parameter. (clang -O2 says so of Wide, and -O0 does not.)
struct Made { int v, *p; Made(int x) : v(x), p(&v) {} };
static int of(const int *b, Made k) { k.v = 1; return b[*k.p]; }
// expect U
int x1(A) { return of(b, Made(L)); }
struct Apart { int v; const int *p; Apart(int x, const int *q) : v(x), p(q) {} Apart(const int *q) : Apart(1, q) {} };
static int of(const int *b, Apart k) { k.v = 1; return k.p[k.v]; }
// expect AP
int t1(A) { return of(b, Apart(L, b)); }
struct Default { int v, *p = &v; };
static int of(const int *b, Default k) { k.v = 1; return b[*k.p]; }
// expect U
int x2(A) { return of(b, Default{L}); }
struct Zero { int v, *p = nullptr; };
static int of(const int *b, Zero k) { k.v = 1; return b[k.p ? 2 : k.v]; }
// expect AP
int t2(A) { return of(b, Zero{L}); }
struct Wide { int v, *p, pad[10]; Wide(int x, bool own = true) : v(x), p(own ? &v : nullptr) {} };
static int of(const int *b, Wide k) { k.v = 1; return b[*k.p]; }
// expect U
int x3(A) { return of(b, Wide(L)); }
static bool isSame(Wide k) { return k.p == &k.v; }
// expect U
int x23(A) { return b[isSame(Wide(1)) ? L : 1]; }
struct WideApart { int v; const int *p; int pad[10]; WideApart(int x, const int *q) : v(x), p(q) {} };
static int of(const int *b, WideApart k) { k.v = 1; return k.p[k.v]; }
// expect AP
int t3(A) { return of(b, WideApart(L, b)); }
struct Reference { int v, &r; Reference(int x) : v(x), r(v) {} };
static int of(const int *b, Reference k) { k.v = 1; return b[k.r]; }
// expect U
int x4(A) { return of(b, Reference(L)); }
struct ReferenceApart { int v; const int &r; ReferenceApart(int x, const int &q) : v(x), r(q) {} };
static int of(const int *b, ReferenceApart k) { k.v = 1; return b[k.v] + k.r; }
// expect AP
int t4(A) { return of(b, ReferenceApart(L, a[1])); }
struct Told { int v; Told(int x, int **out) : v(x) { *out = &v; } };
static int told(const int *b, Told k, int **p) { k.v = 2; return b[**p]; }
// expect U
int x5(A) { int *p; return told(b, Told(L, &p), &p); }
struct ToldApart { int v; ToldApart(int x, int *out) : v(x) { *out = v; } };
static int told(const int *b, ToldApart k, int *p) { k.v = 2; return b[k.v] + *p; }
// expect AP
int t5(A) { int n; return told(b, ToldApart(L, &n), &n); }
static int usual(const int *b, int x, Made k = Made(3)) { k.v = x; return b[*k.p]; }
// expect U
int x24(A) { return usual(b, L) + a[0]; }
// expect U
int x6(A) { return of(b, a[1] ? Default{L} : Default{1}); }
// expect AP
int t6(A) { return of(b, a[1] ? Zero{L} : Zero{1}); }
template <class F> static int call(F f, const int *b) { return f(b); }
// expect U
int x7(A) { return call([k = Made(L)](const int *b) mutable { k.v = 1; return b[*k.p]; }, b); }
// expect AP
int t7(A) { return call([k = Apart(L, b)](const int *b) mutable { k.v = 1; return k.p[k.v] + b[0]; }, b); }
struct Outer : Made { Made m[2]; Outer(int x) : Made(1), m{2, x} {} };
static int outer(const int *b, Outer o) { o.m[1].v = 1; return b[*o.m[1].p]; }
// expect U
int x8(A) { return outer(b, Outer(L)); }
struct OuterApart : Apart { Apart m[2]; OuterApart(const int *q) : Apart(q), m{q, q + 1} {} };
static int outer(const int *b, OuterApart o) { o.m[1].v = 1; return o.m[1].p[o.m[1].v]; }
// expect AP
int t8(A) { return outer(b, OuterApart(b)) + a[0]; }
struct Plus {
  int operator()(const int *b, Made k) const { k.v = 1; return b[*k.p]; }
  int operator()(const int *b, Apart k) const { k.v = 1; return k.p[k.v]; }
};
// expect U
int x9(A) { return Plus()(b, Made(L)); }
// expect AP
int t9(A) { return Plus()(b, Apart(L, b)); }
static int converted(const int *b, Made k) { k.v = 1; return b[*k.p]; }
// expect U
int x10(A) { return converted(b, L); }
static int converted_apart(const int *b, Apart k) { k.v = 1; return k.p[k.v]; }
// expect AP
int t10(A) { return converted_apart(b, b) + a[0]; }
static bool isSame(Made k) { return k.p == &k.v; }
// expect U
int x11(A) { return b[isSame(Made(1)) ? 1 : L]; }
static bool isSame(Apart k) { return k.p == &k.v; }
// expect AP
int t11(A) { return b[isSame(Apart(b)) ? a[0] : 1]; }
// In C++ what is assigned or counted up is a place, whose address can be kept.
struct Assigned { int v, *p; Assigned(int x) { p = &(v = x); } };
static int of(const int *b, Assigned k) { k.v = 1; return b[*k.p]; }
// expect U
int x26(A) { return of(b, Assigned(L)); }
struct Counted { int v, *p; Counted(int x) : v(x - 1) { p = &++v; } };
static int of(const int *b, Counted k) { k.v = 1; return b[*k.p]; }
// expect U
int x27(A) { return of(b, Counted(L)); }
struct Bound { int v, &r; Bound(int x) : r(v = x) {} };
static int of(const int *b, Bound k) { k.v = 1; return b[k.r]; }
// expect U
int x28(A) { return of(b, Bound(L)); }
struct ByMethod { int v, *p; int &next() { return ++v; } ByMethod(int x) : v(x - 1) { p = &next(); } };
static int of(const int *b, ByMethod k) { k.v = 1; return b[*k.p]; }
// expect U
int x29(A) { return of(b, ByMethod(L)); }
struct Read { int v, w; int next() { return ++v; } Read(int x) : v(x) { w = v = x; v += w, --w; for (v = 0; v < 2; ++v) w = (v, w++); w = next(); } };
static int of(const int *b, Read k) { k.v = 1; return b[k.v] + k.w; }
// expect AP
int t29(A) { return of(b, Read(L)); }
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
struct Kept { int v; int *p; };
static Kept kept(int x) { Kept k; k.p = &(k.v = x); return k; }
// expect U
int x30(A) { Kept k = kept(L); k.v = 1; return b[*k.p]; }
static Kept loose(int x) { Kept k; k.p = nullptr; k.v = (k.v = x) + 1; return k; }
// expect AP
int t30(A) { Kept k = loose(L); return b[k.p ? 1 : 2] + k.v; }
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
