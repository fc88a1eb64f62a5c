/* What programmes of the front end's fuzzer know of the standard library. The real headers take
   a hundred times as long to parse, and mutated text must not name a file. */
#pragma GCC system_header
#include <colonnade/annotate.h>
#define assert(...) ((void)0)
#define NULL __null
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define INT_MAX 2147483647
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615uL
#define INT64_C(c) c##L
#define UINT64_C(c) c##uL
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef unsigned long uintptr_t;
#ifdef __cplusplus
extern "C" {
#else
#undef NULL
#define NULL ((void *)0)
typedef _Bool bool;
#define true 1
#define false 0
#endif
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
int printf(const char *, ...);
void *malloc(size_t);
void free(void *);
int abs(int);
long labs(long);
double sqrt(double), sin(double), cos(double), exp(double), log(double), pow(double, double);
double fabs(double), floor(double), ceil(double), trunc(double), rint(double), fma(double, double, double);
double fmin(double, double), fmax(double, double), copysign(double, double), fmod(double, double);
float sqrtf(float), sinf(float), cosf(float), expf(float), fabsf(float), floorf(float);
float fminf(float, float), fmaxf(float, float), fmaf(float, float, float);
double ldexp(double, int), frexp(double, int *), modf(double, double *), fdim(double, double);
int ilogb(double);
#ifdef __cplusplus
}
namespace std {
using ::size_t;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uintptr_t;
using ::ptrdiff_t;
using ::fabs;
using ::memcpy;
using ::sqrt;
using ::abs;
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> constexpr const T &clamp(const T &a, const T &l, const T &h) {
  return a < l ? l : h < a ? h : a;
}
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> constexpr typename remove_reference<T>::type &&move(T &&t) {
  return static_cast<typename remove_reference<T>::type &&>(t);
}
template <class T> constexpr T &&forward(typename remove_reference<T>::type &t) {
  return static_cast<T &&>(t);
}
template <class T> constexpr void swap(T &a, T &b) {
  T t = move(a);
  a = move(b);
  b = move(t);
}
template <class T> constexpr T *addressof(T &t) { return __builtin_addressof(t); }
template <class To, class From> constexpr To bit_cast(const From &f) {
  return __builtin_bit_cast(To, f);
}
template <class T> constexpr int popcount(T t) { return __builtin_popcountg(t); }
template <class T> constexpr T rotl(T t, int n) { return t << n | t >> (sizeof(T) * 8 - n); }
template <class T, size_t N> struct array {
  T _M_elems[N];
  constexpr T &operator[](size_t i) { return _M_elems[i]; }
  constexpr const T &operator[](size_t i) const { return _M_elems[i]; }
  constexpr T &at(size_t i) { return _M_elems[i]; }
  constexpr size_t size() const { return N; }
  constexpr T *data() { return _M_elems; }
  constexpr T *begin() { return _M_elems; }
  constexpr T *end() { return _M_elems + N; }
  constexpr const T *begin() const { return _M_elems; }
  constexpr const T *end() const { return _M_elems + N; }
  constexpr T &front() { return _M_elems[0]; }
  constexpr T &back() { return _M_elems[N - 1]; }
  constexpr void fill(const T &t) {
    for (size_t i = 0; i < N; ++i)
      _M_elems[i] = t;
  }
};
template <class I, class O> constexpr O copy(I first, I last, O out) {
  for (; first != last; ++first, ++out)
    *out = *first;
  return out;
}
template <class I, class T> constexpr void fill(I first, I last, const T &t) {
  for (; first != last; ++first)
    *first = t;
}
template <class I, class T> constexpr T accumulate(I first, I last, T t) {
  for (; first != last; ++first)
    t = t + *first;
  return t;
}
} // namespace std
#endif
