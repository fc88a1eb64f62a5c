// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w
// RUN: cp %s %t.cpp && %python %S/verdicts.py %colonnade %t.cpp --validate -- -w -std=c++20
//
// Objects of size 0: the elements of an array are at one address, and compilers decide whether two variables are. Their
// addresses tell nothing, so whatever is at one is class U. As C++, where a struct without members has a byte, and one of
// arrays without elements has none.
#define A const int a[16], const int b[16]
#define L (a[0] & 7)
#ifdef __cplusplus
extern "C++" {
#endif
struct E { int none[0]; };
struct Tagged { int v; struct E tag, tags[3]; int w; };
struct One { int v; };

// expect U
int x1(A) { struct E x[2]; int k = L; if (&x[0] != &x[1]) k = 2; return b[k]; }
// expect AP
int t1(A) { struct One x[2]; int k = L; if (&x[0] != &x[1]) k = 2; return b[k]; }
// expect U
int x2(A) { struct E x[2][2]; int k = L; if (&x[0][0] < &x[1][0]) k = 2; return b[k]; }
// expect U
int x3(A) { int x[2][0]; int k = L; if (&x[0] != &x[1]) k = 2; return b[k]; }
// expect AP
int t3(A) { int x[2][1]; int k = L; if (&x[0] != &x[1]) k = 2; return b[k]; }
// expect U
int x4(A) { struct E x, y; int k = L; if (&x != &y) k = 2; return b[k]; }
// expect U
int x5(A) { int x[0], y[0]; int k = L; if (x != y) k = 2; return b[k]; }
// Within a struct: fields of size 0 are at the address of what follows.
// expect U
int x6(A) { struct Tagged x; int k = L; if (&x.tags[1] != x.tags) k = 2; return b[k]; }
// expect U
int x7(A) { struct Tagged x; int k = L; if (&x.tag != &x.tags[0]) k = 2; return b[k]; }
// expect U
int x8(A) { struct Tagged x; int k = L; struct E *p = x.tags; ++p; if (p != x.tags) k = 2; return b[k]; }
// expect U
int x9(A) { struct Tagged x; int k = L; struct E *p = x.tags; p += 2; if (p > x.tags) k = 2; return b[k]; }
// expect U
int x10(A) { struct Tagged x; int k = L; struct E *p = x.tags + 3; if (p != x.tags) k = 2; return b[k]; }
// expect U
int x11(A) { struct Tagged x; int k = L, n = 0; for (struct E *p = x.tags; p != x.tags + 3 && n < 3; p++) n++; if (n) k = 2; return b[k]; }
// expect U
int x12(A) { struct Tagged x; int k = L; if ((void *)&x.tag != (void *)&x.w) k = 2; return b[k]; }
// Parameters, of functions that are called and of the entry.
static int differ(struct E x, struct E y) { return &x != &y; }
// expect U
int x13(A) { struct Tagged x; int k = L; if (differ(x.tag, x.tags[0])) k = 2; return b[k]; }
// expect U
int x14(const struct E *p, A) { int k = L; if (p != p + 1) k = 2; return b[k]; }
// expect U
int x15(const struct E *p, const struct E *q, A) { int k = L; if (p != q) k = 2; return b[k]; }
// expect U
int x16(A) { struct E x; return b[x.none == 0] + L; }
// Fields of size 0 that nothing looks at are in nobody's way, and their elements are not moved to.
// expect AP
int t16(A) { struct Tagged x = {1, {}, {}, 2}, y = x; return b[y.w] + L; }
// expect AP
int t17(A) { struct Tagged x[2]; x[1].w = 3; return b[x[1].w] + L; }
// expect AP
int t18(A) { struct Tagged x[2]; int k = L; if (&x[0] != &x[1]) k = 2; return b[k]; }
// expect AP
int t19(A) { struct Tagged x[2]; int k = L; if (&x[0].tag != &x[1].tag) k = 2; return b[k]; }
#ifdef __cplusplus
}
#endif
