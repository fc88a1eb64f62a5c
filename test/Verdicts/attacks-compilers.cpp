// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++20
//
// What g++ and Clang see differently: layouts, conversions, the sign of a NaN that is computed. Functions with an x are
// refused, those with a t are their twins.
#include <cstddef>
#define A const int a[16], const int b[16]

// 1 The padding at the end of a base that declares a constructor, though by `= default`: sizeof is 12 or 8.
struct Declared {
  int number;
  char end;
  Declared() = default;
};
struct Padded : Declared {
  char more;
};
struct Holds {
  Padded inner;
  int behind;
};
// expect U
int xsize1(A) { return a[0] + b[sizeof(Padded) & 15]; }
// expect U
int xoffset1(A) { return a[0] + b[offsetof(Padded, more) & 15]; }
// expect U
int xnested1(A) { return a[0] + b[sizeof(Holds[2]) & 15]; }
constexpr int sized = sizeof(Padded);
// expect U
int xconstant1(A) { return a[0] + b[sized & 15]; }
template <size_t N> static int at(const int b[16]) { return b[N & 15]; }
// expect U
int xargument1(A) { return a[0] + at<alignof(Padded) + sizeof(Padded)>(b); }
// expect U
int xobject1(A) { Holds h[2] = {}; h[1].behind = a[0]; return h[1].behind; }
struct Plain {
  int number;
  char end;
};
struct After : Plain {
  char more;
};
struct Whole {
  int number, end;
  Whole() = default;
};
struct Longer : Whole {
  char more;
};
// expect AP
int tplain1(A) { After x{}; x.more = 3; return a[0] + x.more + b[sizeof(After) & 15]; }
// expect AP
int twhole1(A) { Longer x{}; x.more = 3; return a[0] + x.more + b[sizeof(Longer) & 15]; }
// expect AP
int tbase1(A) { Declared x{}; x.end = 3; return a[0] + x.end + b[sizeof(Declared) & 15]; }

// 2 A number as an enumeration of bool: of 2, g++ 12 takes the lowest bit.
enum Answer : bool { No, Yes };
// expect U
int xcast2(A) { return b[0] + (Answer)(a[0] & 2); }
// expect U
int xstatic2(A) { return static_cast<Answer>(a[0] & 6) == Yes ? b[1] : b[2]; }
// expect U
int xfloat2(A) { return b[0] + (Answer)(a[0] * 0.5); }
// expect AP
int tcompared2(A) { return b[0] + (Answer)(a[0] > 3) + (Answer)1 + Yes; }

// 3 The sign of a NaN: of 0 / 0 it is set where the machine computes it, and not where the compiler does.
// expect NSKTRU
int xsign3(A) { double z = 0.0; return __builtin_signbit(z / z) ? b[a[0] & 7] : a[1]; }
// expect NSKTRU
int xbytes3(A) { float z = 0.0f; z = z / z; unsigned u; __builtin_memcpy(&u, &z, 4); return u >> 31 ? b[a[0] & 7] : a[1]; }
// expect AP
int tsign3(A) { double z = -3.0; return __builtin_signbit(z * 2) ? a[1] : b[a[0] & 7]; }
// expect AP
int tinfinite3(A) { double z = 0.0; return 1.0 / z > 1e300 ? a[1] : b[a[0] & 7]; }
