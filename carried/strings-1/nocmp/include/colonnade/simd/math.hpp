//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// math.hpp: the functions of <cmath>, per lane. Part of vec.hpp.
//
// In: lanes. Out: in each lane the result of the scalar function. Invariant: results have
// the same bits as the sequential function's (fmin and fmax of zeros of opposite sign
// excepted). So only functions whose result is exact are computed in registers, where the
// instruction set has them; all others call the scalar function once per lane, unless
// COLONNADE_VECTOR_MATH is defined (vector_math.hpp).
//
//===----------------------------------------------------------------------===//

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

template <class T, int W> COLONNADE_INLINE vec<T, W> fabs(vec<T, W> a) {
  using bits = unsigned_bits<T>;
  return reinterpret<T>(reinterpret<bits>(a) & vec<bits, W>(static_cast<bits>(~bits(0) >> 1)));
}
template <class T, int W> COLONNADE_INLINE vec<T, W> copysign(vec<T, W> a, vec<T, W> b) {
  using bits = unsigned_bits<T>;
  const vec<bits, W> magnitude(static_cast<bits>(~bits(0) >> 1));
  return reinterpret<T>((reinterpret<bits>(a) & magnitude) | (reinterpret<bits>(b) & ~magnitude));
}
/// As std::fmin: the other operand where one is NaN.
template <class T, int W> COLONNADE_INLINE vec<T, W> fmin(vec<T, W> a, vec<T, W> b) {
  return select((a < b) | (b != b), a, b);
}
template <class T, int W> COLONNADE_INLINE vec<T, W> fmax(vec<T, W> a, vec<T, W> b) {
  return select((a > b) | (b != b), a, b);
}

#define COLONNADE_LANES_1(NAME)                                                                    \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME##_lanes(vec<T, W> a) {                 \
    T x[W];                                                                                        \
    store(x, a);                                                                                   \
    for (int i = 0; i < W; ++i)                                                                    \
      x[i] = std::NAME(x[i]);                                                                      \
    return load<W>(static_cast<const T *>(x));                                                     \
  }
#define COLONNADE_LANES_2(NAME)                                                                    \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME(vec<T, W> a, vec<T, W> b) {            \
    T x[W], y[W];                                                                                  \
    store(x, a);                                                                                   \
    store(y, b);                                                                                   \
    for (int i = 0; i < W; ++i)                                                                    \
      x[i] = std::NAME(x[i], y[i]);                                                                \
    return load<W>(static_cast<const T *>(x));                                                     \
  }
#define COLONNADE_SCALAR_1(NAME)                                                                   \
  COLONNADE_LANES_1(NAME)                                                                          \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME(vec<T, W> a) { return NAME##_lanes(a); }

COLONNADE_SCALAR_1(round)
COLONNADE_LANES_2(fmod)
COLONNADE_LANES_1(sqrt)
COLONNADE_LANES_1(floor)
COLONNADE_LANES_1(ceil)
COLONNADE_LANES_1(trunc)
COLONNADE_LANES_1(rint)
#ifdef COLONNADE_VECTOR_MATH
// Where SLEEF's range ends.
COLONNADE_LANES_1(sinh)
COLONNADE_LANES_1(cosh)
COLONNADE_LANES_1(log1p)
#else
COLONNADE_SCALAR_1(sin)
COLONNADE_SCALAR_1(cos)
COLONNADE_SCALAR_1(tan)
COLONNADE_SCALAR_1(asin)
COLONNADE_SCALAR_1(acos)
COLONNADE_SCALAR_1(atan)
COLONNADE_SCALAR_1(sinh)
COLONNADE_SCALAR_1(cosh)
COLONNADE_SCALAR_1(tanh)
COLONNADE_SCALAR_1(exp)
COLONNADE_SCALAR_1(exp2)
COLONNADE_SCALAR_1(expm1)
COLONNADE_SCALAR_1(log)
COLONNADE_SCALAR_1(log2)
COLONNADE_SCALAR_1(log10)
COLONNADE_SCALAR_1(log1p)
COLONNADE_SCALAR_1(cbrt)
COLONNADE_SCALAR_1(erf)
COLONNADE_SCALAR_1(erfc)
COLONNADE_LANES_2(atan2)
COLONNADE_LANES_2(pow)
COLONNADE_LANES_2(hypot)
#endif
#undef COLONNADE_SCALAR_1
#undef COLONNADE_LANES_1
#undef COLONNADE_LANES_2

// A chain of `if constexpr` over the widths of registers, ending in the scalar function. (The
// maskz forms of intrinsics, because g++ 12 warns of an uninitialised operand in the others.)
#if COLONNADE_ISA == 3
#define COLONNADE_IF_512(F32, F64)                                                                 \
  if constexpr (sizeof(a.v) == 64 && sizeof(T) == 4)                                               \
    return vec<T, W>((native<T, W>)F32);                                                           \
  else if constexpr (sizeof(a.v) == 64)                                                            \
    return vec<T, W>((native<T, W>)F64);                                                           \
  else
#else
#define COLONNADE_IF_512(F32, F64)
#endif
#if COLONNADE_ISA >= 2
#define COLONNADE_IF_256(F32, F64)                                                                 \
  if constexpr (sizeof(a.v) == 32 && sizeof(T) == 4)                                               \
    return vec<T, W>((native<T, W>)F32);                                                           \
  else if constexpr (sizeof(a.v) == 32)                                                            \
    return vec<T, W>((native<T, W>)F64);                                                           \
  else
#define COLONNADE_IF_128_AVX(F32, F64) COLONNADE_IF_128(F32, F64)
#else
#define COLONNADE_IF_256(F32, F64)
#define COLONNADE_IF_128_AVX(F32, F64)
#endif
#if defined(__SSE2__)
#define COLONNADE_IF_128(F32, F64)                                                                 \
  if constexpr (sizeof(a.v) == 16 && sizeof(T) == 4)                                               \
    return vec<T, W>((native<T, W>)F32);                                                           \
  else if constexpr (sizeof(a.v) == 16)                                                            \
    return vec<T, W>((native<T, W>)F64);                                                           \
  else
#else
#define COLONNADE_IF_128(F32, F64)
#endif

template <class T, int W> COLONNADE_INLINE vec<T, W> sqrt(vec<T, W> a) {
  if constexpr (!is_leaf<T, W>)
    return {sqrt(a.lo), sqrt(a.hi)};
  else
    COLONNADE_IF_512(_mm512_maskz_sqrt_ps(0xffff, (__m512)a.v),
                     _mm512_maskz_sqrt_pd(0xff, (__m512d)a.v))
  COLONNADE_IF_256(_mm256_sqrt_ps((__m256)a.v), _mm256_sqrt_pd((__m256d)a.v))
  COLONNADE_IF_128(_mm_sqrt_ps((__m128)a.v), _mm_sqrt_pd((__m128d)a.v))
  return sqrt_lanes(a);
}

#define COLONNADE_ROUND(NAME, MODE)                                                                \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME(vec<T, W> a) {                         \
    if constexpr (!is_leaf<T, W>)                                                                  \
      return {NAME(a.lo), NAME(a.hi)};                                                             \
    else                                                                                           \
      COLONNADE_IF_512(_mm512_maskz_roundscale_ps(0xffff, (__m512)a.v, MODE),                      \
                       _mm512_maskz_roundscale_pd(0xff, (__m512d)a.v, MODE))                       \
    COLONNADE_IF_256(_mm256_round_ps((__m256)a.v, MODE), _mm256_round_pd((__m256d)a.v, MODE))      \
    COLONNADE_IF_128_AVX(_mm_round_ps((__m128)a.v, MODE), _mm_round_pd((__m128d)a.v, MODE))        \
    return NAME##_lanes(a);                                                                        \
  }
COLONNADE_ROUND(floor, 1)
COLONNADE_ROUND(ceil, 2)
COLONNADE_ROUND(trunc, 3)
COLONNADE_ROUND(rint, 4)
#undef COLONNADE_ROUND

template <class T, int W>
COLONNADE_INLINE vec<T, W> fma_lanes(vec<T, W> a, vec<T, W> b, vec<T, W> c) {
  T x[W], y[W], z[W];
  store(x, a);
  store(y, b);
  store(z, c);
  for (int i = 0; i < W; ++i)
    x[i] = std::fma(x[i], y[i], z[i]);
  return load<W>(static_cast<const T *>(x));
}
template <class T, int W> COLONNADE_INLINE vec<T, W> fma(vec<T, W> a, vec<T, W> b, vec<T, W> c) {
  if constexpr (!is_leaf<T, W>)
    return {fma(a.lo, b.lo, c.lo), fma(a.hi, b.hi, c.hi)};
  else
    COLONNADE_IF_512(_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v),
                     _mm512_fmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v))
  COLONNADE_IF_256(_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v),
                   _mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v))
  COLONNADE_IF_128_AVX(_mm_fmadd_ps((__m128)a.v, (__m128)b.v, (__m128)c.v),
                       _mm_fmadd_pd((__m128d)a.v, (__m128d)b.v, (__m128d)c.v))
  return fma_lanes(a, b, c);
}
#undef COLONNADE_IF_512
#undef COLONNADE_IF_256
#undef COLONNADE_IF_128
#undef COLONNADE_IF_128_AVX

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade

#ifdef COLONNADE_VECTOR_MATH
#include <colonnade/simd/vector_math.hpp>
#endif
