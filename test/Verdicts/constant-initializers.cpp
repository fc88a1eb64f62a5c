// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++23
//
// Initialisers that the language evaluates beforehand: `const` integers and enumerations, `constexpr`, references to constants.
// In them is_constant_evaluated() is true and nothing else happens; elsewhere they are code. Functions with an x leak, those
// with a t are their twins.
#include <array>
#include <type_traits>
#define A const int a[16], const int b[16]
#define L (a[0] & 7)

constexpr bool asked() { return std::is_constant_evaluated(); }
constexpr bool chosen() {
  if consteval {
    return true;
  }
  return false;
}

// What is written in the arm for run time is never written.
// expect NSKTRU
int x1(A) { int z = L; const int k = __builtin_is_constant_evaluated() ? 3 : (z = 2, 4); return b[z] + k; }
// expect AP
int t1(A) { int z = L; int k = __builtin_is_constant_evaluated() ? 3 : (z = 2, 4); return b[z] + k; }
// expect NSKTRU
int x2(A) { int z = L; const int k = chosen() ? 3 : (z = 2, 4); return b[z] + k; }
// expect NSKTRU
int x3(A) { int z = L; const bool k = asked() || (z = 2); return b[z] + k; }
enum Sign : signed char { Plus = 1, Minus = -1 };
// expect NSKTRU
int x4(A) { int z = L; const Sign k = asked() ? Minus : (z = 2, Plus); return b[z] + k; }
// expect NSKTRU
int x5(A) { int z = L; const int k(asked() ? 3 : (z = 2, 4)), m{asked() ? 3 : (z = 2, 4)}; return b[z] + k + m; }
// expect NSKTRU
int x6(A) { int z = L; if (const int k = asked() ? 3 : (z = 2, 0)) z += 0; return b[z]; }
// expect NSKTRU
int x7(A) { int z = L; for (const int k = asked() ? 3 : (z = 2, 0); z < 0;) ++z; return b[z]; }
// expect NSKTRU
int x8(A) { int z = L; switch (const int k = asked() ? 3 : (z = 2, 4); k) { case 4: z = 1; } return b[z]; }
// expect NSKTRU
int x9(A) { int z = L; auto f = [](int &q) constexpr { if (asked()) return 3; q = 2; return 4; }; const int k = f(z); return b[z] + k; }
// expect AP
int t9(A) { int z = L; auto f = [](int &q) constexpr { if (asked()) return 3; q = 2; return 4; }; int k = f(z); return b[z] + k; }

// The value, read where it is, is the constant's.
// expect NSKTRU
int x10(A) { int z = L; constexpr int k = asked() ? 3 : 4; const int *p = &k; if (*p == 4) z = 2; return b[z]; }
// expect AP
int t10(A) { int z = L; constexpr int k = asked() ? 3 : 4; const int *p = &k; if (*p == 3) z = 2; return b[z]; }
// expect NSKTRU
int x11(A) { int z = L; const int k = asked() ? 3 : 4; auto f = [&k] { return *&k; }; if (f() == 4) z = 2; return b[z]; }
// expect NSKTRU
int x12(A) { int z = L; auto f = [](int k = asked() ? 3 : 4) { return k; }; const int m = f(); if (*&m == 4) z = 2; return b[z]; }
// expect NSKTRU
int x13(A) { int z = L; constexpr float k = asked() ? 3 : 4; const float *p = &k; if (*p == 4) z = 2; return b[z]; }
// expect AP
int t13(A) { int z = L; const float k = asked() ? 3 : 4; const float *p = &k; if (*p == 4) z = 2; return b[z]; }
struct Made { int x; constexpr Made(int v) : x(asked() ? v : 2) {} };
// expect NSKTRU
int x14(A) { int z = L; constexpr Made k(5); if (k.x == 2) z = 2; return b[z]; }
// expect AP
int t14(A) { int z = L; Made k(5); if (k.x == 2) z = 2; return b[z]; }
// expect NSKTRU
int x15(A) { int z = L; const int k = Made(5).x; const int *p = &k; if (*p == 2) z = 2; return b[z]; }

// No numbers: references, pointers, objects that stay writable in part.
static constexpr int table[2] = {4, 5};
// expect NSKTRU
int x16(A) { int z = L; const int &r = table[asked() ? 1 : (z = 0)]; return b[z] + r; }
// expect AP
int t16(A) { int z = L; const int &r = table[1]; return b[r] + z; }
// expect NSKTRU
int x17(A) { int z = L; constexpr const int *p = asked() ? table + 1 : nullptr; if (p == nullptr) z = 2; return b[z]; }
// expect AP
int t17(A) { int z = L; constexpr const int *p = table + 1; return b[*p] + z; }
struct Part { mutable int m; int x; };
// expect NSKTRU
int x18(A) { int z = L; constexpr Part k{1, asked() ? 3 : 4}; if (k.x == 4) z = 2; return b[z]; }
// expect AP
int t18(A) { int z = L; constexpr Part k{1, 3}; if (k.x == 3) z = 2; return b[z]; }
static constexpr int rows[2][2] = {{1, 2}, {3, 4}};
// expect NSKTRU
int x19(A) { int z = L, s = 0; for (int q : rows[asked() ? 1 : (z = 0)]) s += q; return b[z] + s; }
// expect AP
int t19(A) { int s = L; for (int q : rows[1]) s += b[q]; return s; }
struct Closing { int *p; constexpr ~Closing() { if (!asked()) *p = 1; } };
constexpr int close(Closing) { return 1; }
// expect NSKTRU
int x20(A) { int z = L; const int &r = table[close(Closing{&z})]; return b[z] + r; }

// The initialiser reads what it does not know: it is code.
// expect AP
int t20(A) { int z = L; const int k = asked() ? a[1] : (z = 2, 4); return b[z] + k; }
// expect NSKTRU
int x21(A) { const int k = asked() ? 3 : a[0] & 7; const int m = (k, a[1] & 7); return b[m]; }
// expect AP
int t21(A) { const int k = asked() ? 3 : a[0] & 7; return b[k]; }
// Statements in the initialiser, which no operation stands for.
constexpr int summed(int n) { int s = 0; for (const int k = asked() ? n : 0; s < k;) ++s; return s; }
// expect AP
int t22(A) { const int k = summed(5); return b[k] + L; }
// expect NSKTRU
int x22(A) { int z = L; const int k = summed(5); const int *p = &k; if (*p == 0) z = 2; return b[z]; }

// The line of a call over several lines is the first one for Clang, and that of the bracket for GCC: where a constant rests on
// it, there is no one value.
constexpr int here(int line = __builtin_LINE()) { return line; }
constexpr int deep() { return here(
  ); }
struct Lined { int line = __builtin_LINE(); };
template <int N> int sum(const int *b) { return b[N & 15]; }
// expect U
int x30(A) { return b[here(
  ) & 15] + a[0]; }
// expect U
int x31(A) { constexpr int k = here(
  ); return b[k & 15] + a[0]; }
// expect U
int x32(A) { const int k = deep(); return b[k & 15] + a[0]; }
static constexpr int global = here(
  );
// expect U
int x33(A) { return b[global & 15] + a[0]; }
// expect U
int x34(A) { constexpr Lined d{
  }; return b[d.line & 15] + a[0]; }
// expect U
int x35(A) { return sum<here(
  )>(b) + a[0]; }
// expect U
int x36(A) { int t[here(
  )] = {}; return t[0] + sizeof t + b[0] + a[0]; }
// expect U
int x37(A) { switch (a[0]) { case here(
  ): return b[1]; } return b[2]; }
// expect AP
int t31(A) { constexpr int k = __builtin_LINE(); return b[k & 15] + a[0]; }
// expect AP
int t35(A) { return sum<asked() ? 3 : 4>(b) + a[0]; }

// What the compiler says of itself, or of how it was started.
// expect U
int x38(A) { int z = L; if (sizeof(__PRETTY_FUNCTION__) < 40) z = 2; return b[z]; }
// expect U
int x39(A) { return b[__PRETTY_FUNCTION__[4] & 15] + a[0]; }
// expect U
int x40(A) { return b[__INCLUDE_LEVEL__] + a[0]; }
// expect U
int x41(A) { static const char time[] = __TIME__; return b[time[7] & 15] + a[0]; }
// expect U
int x42(A) { constexpr int n = sizeof(__BASE_FILE__); return b[n & 15] + a[0]; }
// expect AP
int t38(A) { static const char text[] = "abc"; return b[__LINE__ & 15] + b[__func__[0] & 15] + b[sizeof(__FUNCTION__)] + b[text[1] & 15] + a[0]; }
