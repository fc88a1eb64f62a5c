// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++20
//
// Behind a loop that data may leave: where it is known that data has not, the counter and what grows with it have the values of
// the loop's end. Functions with an x are refused, those with a t are their twins.
#include <algorithm>
#define A const int a[32], const int b[32], int n
#define IN(i) b[(i) & 31]

// By `return`: the rest runs only where the loop has ended.
// expect P
int t1(A) { int i = 0; for (; i < 16; i++) if (a[i] == 3) return 1; return IN(i - 1); }
// expect NSKTRU
int x1(A) { int i = 0; for (; i < 16; i++) if (a[i] == 3) break; return IN(i - 1); }
// expect P
int t2(A) { int i = 2, p = 0; for (; i < n; i += 3) { if (a[i & 31] == 3) return p; p += 2; } return IN(i + p); }
// expect NSKTRU
int x2(A) { int i = 2, p = 0; for (; i < n; i += 3) { if (a[i & 31] == 3) p += 2; if (a[1] == 4) return 3; } return IN(i + p); }
// expect P
int t3(A) { int i = n; for (; i >= 0; i -= 2) if (a[i & 31] == 3) return 1; return IN(i + 3); }
// expect P
int t4(A) { int i = 0; for (; i <= n; i++) if (a[i & 31] == 3) return 1; return IN(i); }
// expect P
int t5(A) { unsigned i = 3; for (; i != (unsigned)n; i++) if (a[i & 31] == 3) return 1; return IN(i); }
// expect P
int t6(A) { long i = n; int p = 7; for (; i > 1; i--) { if (a[i & 31] == 3) return p; p++; p++; } return IN(p); }
// A value that no counter tells keeps its iteration.
// expect NSKTRU
int x6(A) { int p = 1; for (int i = 0; i < n; i++) { if (a[i & 31] == 3) return 1; p = p * a[2]; } return IN(p); }

// By a flag.
// expect P
int t7(A) { int i = 0; bool hit = false; for (; i < 16; i++) if (a[i] == 3) { hit = true; break; } return hit ? -1 : IN(i); }
// expect NSKTRU
int x7(A) { int i = 0; bool hit = false; for (; i < 16; i++) if (a[i] == 3) { hit = true; break; } return hit ? IN(i) : 1; }
// expect NSKTRU
int x8(A) { int i = 0; bool hit = false; for (; i < 16; i++) { if (a[i] == 3) { hit = true; break; } if (a[i] == 4) break; } return hit ? -1 : IN(i); }
// expect NSKTRU
int x9(A) { int i = 0; bool hit = false; for (; i < 16; i++) if (a[i] == 3) { hit = a[0] == 5; break; } return hit ? -1 : IN(i); }

// One loop after the other, and the cases of a switch.
// expect P
int t10(A) {
  int i = 0, s = 0;
  for (; i + 4 <= n; i += 4)
    if (a[i & 31] == 1 || a[(i + 1) & 31] == 2)
      return s;
  for (; i < n; i++)
    if (a[i & 31] == 3)
      return i;
  return IN(i);
}
#define FOURS_AND_A_THIRD \
  int i = 0; \
  for (; i < (n & ~3); i += 4) \
    if (a[i & 31] == 1) \
      return 1; \
  switch (n & 3) { \
  case 3: if (a[i & 31] == 5) return 7; ++i;
// expect P
int t11(A) {
  FOURS_AND_A_THIRD
  case 2: if (a[i & 31] == 5) return 8; ++i;
  case 1: if (a[i & 31] == 5) return 9; ++i;
  }
  return IN(i);
}
// expect NSKTRU
int x11(A) {
  FOURS_AND_A_THIRD
  case 2: if (a[i & 31] == 5) break; ++i;
  }
  return IN(i);
}
// In a loop around: each of its iterations has an end of its own.
// expect P
int t12(A) { int s = 0; for (int o = 0; o < n; o++) { int i = o; for (; i < 9; i++) if (a[i] == 3) return s; s += IN(i + o); } return s; }
// expect NSKTRU
int x12(A) { int s = 0; for (int o = 0; o < n; o++) { int i = o; for (; i < 9; i++) if (a[i] == 3) { s++; break; } s += IN(i + o); } return s; }

// Counters without a sign that go down, of all widths.
// expect P
int t18(A) { unsigned i; for (i = n & 15; i >= 1; i--) if (a[i & 31] == 3) return 1; return IN(i); }
// expect P
int t19(A) { unsigned char i; int p = 0; for (i = n & 15; i >= 3; i--) { if (a[i & 31] == 3) return 1; p += 2; } return IN(i + p); }
// expect P
int t20(A) { unsigned short i = n & 63; bool hit = false; while (!(i < 2)) { if (a[i & 31] == 3) { hit = true; break; } --i; } return hit ? 1 : IN(i); }
// expect P
int t21(A) { unsigned long i; for (i = n & 31; 2 <= i; --i) if (a[i] == 3) return 1; return IN(i); }
// expect P
int t22(A) { signed char i; for (i = n & 31; i >= -3; --i) if (a[i & 31] == 3) return 1; return IN(i + 4); }
// expect P
int t23(A) { unsigned i; for (i = 2; i <= (n & 7u); i++) if (a[i] == 3) return 1; return IN(i); }
// What the loop would have added is more than its type holds, what it adds is not.
// expect P
int t17(A) { long s = -9223372036854775807; for (unsigned char i = 0; i != 6; i++) { s += 2635249153387078802; if (a[i] == 3) return s; } return IN(s); }
// The library's algorithms search four at a time.
// expect P
int t13(A) { return std::find(a, a + 32, n) != a + 32; }
// expect P
int t14(A) { bool any = std::any_of(a, a + 21, [=](int x) { return x == 3; }); return any ? 1 : IN(n); }
// expect P
int t15(A) { return std::all_of(a, a + 18, [=](int x) { return x < 9; }) + std::none_of(b, b + 3, [](int x) { return x == 7; }); }
// expect P
int t16(A) { auto p = std::find_if(a, a + (n & 15), [](int x) { return x == 5; }); return p - a; }
// expect NSKTRU
int x16(A) { auto p = std::find_if(a, a + 16, [](int x) { return x == 5; }); return b[p - a]; }
