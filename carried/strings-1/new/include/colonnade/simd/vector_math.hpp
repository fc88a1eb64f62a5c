//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// vector_math.hpp: the functions of <cmath> whose results are rounded, for all lanes at once, by
// SLEEF (https://sleef.org; link with -lsleef). Part of math.hpp where COLONNADE_VECTOR_MATH is
// defined; what they replace there calls the scalar function for each lane.
//
// In: lanes. Out: in each lane the function of its value within the bounds of docs/numerics.md.
// Invariant: a lane's result depends on its value alone, not on its place, its neighbours or how
// many lanes there are, and AVX2 and AVX-512 give the same bits (SLEEF's finz_ forms). The baseline
// has no FMA and bits of its own (cinz_). Where SLEEF gives infinity for results that are finite,
// close to the end of the range, the scalar function is called.
//
//===----------------------------------------------------------------------===//

#if !defined(__x86_64__)
#error "COLONNADE_VECTOR_MATH is for x86-64: compile without it"
#elif !__has_include(<sleef.h>)
#error "COLONNADE_VECTOR_MATH needs SLEEF: install it (Debian: libsleef-dev), or compile without it"
#endif

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {
namespace sleef {

// SLEEF's functions as it exports them, each with a name that is the same for all registers.
#define COLONNADE_SLEEF_1(NAME, FORM, SUFFIX, REGISTER)                                            \
  extern "C" REGISTER Sleef_##FORM##SUFFIX(REGISTER);                                              \
  COLONNADE_INLINE REGISTER NAME(REGISTER a) { return Sleef_##FORM##SUFFIX(a); }
#define COLONNADE_SLEEF_2(NAME, FORM, SUFFIX, REGISTER)                                            \
  extern "C" REGISTER Sleef_##FORM##SUFFIX(REGISTER, REGISTER);                                    \
  COLONNADE_INLINE REGISTER NAME(REGISTER a, REGISTER b) { return Sleef_##FORM##SUFFIX(a, b); }
#if COLONNADE_ISA == 1
#define COLONNADE_SLEEF(N, NAME, ULP)                                                              \
  COLONNADE_SLEEF_##N(NAME, cinz_##NAME, f4_u##ULP##sse2, __m128)                                  \
      COLONNADE_SLEEF_##N(NAME, cinz_##NAME, d2_u##ULP##sse2, __m128d)
#else
#define COLONNADE_SLEEF_AVX2(N, NAME, ULP)                                                         \
  COLONNADE_SLEEF_##N(NAME, finz_##NAME, f4_u##ULP##avx2128, __m128)                               \
      COLONNADE_SLEEF_##N(NAME, finz_##NAME, d2_u##ULP##avx2128, __m128d)                          \
          COLONNADE_SLEEF_##N(NAME, finz_##NAME, f8_u##ULP##avx2, __m256)                          \
              COLONNADE_SLEEF_##N(NAME, finz_##NAME, d4_u##ULP##avx2, __m256d)
#if COLONNADE_ISA == 2
#define COLONNADE_SLEEF COLONNADE_SLEEF_AVX2
#else
#define COLONNADE_SLEEF(N, NAME, ULP)                                                              \
  COLONNADE_SLEEF_AVX2(N, NAME, ULP)                                                               \
  COLONNADE_SLEEF_##N(NAME, finz_##NAME, f16_u##ULP##avx512f, __m512)                              \
      COLONNADE_SLEEF_##N(NAME, finz_##NAME, d8_u##ULP##avx512f, __m512d)
#endif
#endif

/// The register of a leaf of so many bytes.
template <class T, int Bytes> struct register_of;
template <> struct register_of<float, 16> {
  using type = __m128;
};
template <> struct register_of<double, 16> {
  using type = __m128d;
};
#if COLONNADE_ISA >= 2
template <> struct register_of<float, 32> {
  using type = __m256;
};
template <> struct register_of<double, 32> {
  using type = __m256d;
};
#endif
#if COLONNADE_ISA == 3
template <> struct register_of<float, 64> {
  using type = __m512;
};
template <> struct register_of<double, 64> {
  using type = __m512d;
};
#endif

/// f of leaves; two floats, which fill half a register, go there with zeros.
template <class T, int W, class F, class... Leaves>
COLONNADE_INLINE vec<T, W> in_registers(F f, Leaves... leaves) {
  constexpr int bytes = static_cast<int>(sizeof(T)) * W;
  using reg = typename register_of < T, bytes<16 ? 16 : bytes>::type;
  const auto widened = [](vec<T, W> leaf) {
    reg whole = {};
    std::memcpy(&whole, &leaf.v, sizeof leaf.v);
    return whole;
  };
  const reg result = f(widened(leaves)...);
  vec<T, W> narrow;
  std::memcpy(&narrow.v, &result, sizeof narrow.v);
  return narrow;
}

// clang-format off
COLONNADE_SLEEF(1, sin, 10)   COLONNADE_SLEEF(1, cos, 10)   COLONNADE_SLEEF(1, tan, 10)
COLONNADE_SLEEF(1, asin, 10)  COLONNADE_SLEEF(1, acos, 10)  COLONNADE_SLEEF(1, atan, 10)
COLONNADE_SLEEF(1, sinh, 10)  COLONNADE_SLEEF(1, cosh, 10)  COLONNADE_SLEEF(1, tanh, 10)
COLONNADE_SLEEF(1, exp, 10)   COLONNADE_SLEEF(1, exp2, 10)  COLONNADE_SLEEF(1, expm1, 10)
COLONNADE_SLEEF(1, log, 10)   COLONNADE_SLEEF(1, log2, 10)  COLONNADE_SLEEF(1, log10, 10)
COLONNADE_SLEEF(1, log1p, 10) COLONNADE_SLEEF(1, cbrt, 10)
COLONNADE_SLEEF(1, erf, 10)   COLONNADE_SLEEF(1, erfc, 15)
COLONNADE_SLEEF(2, atan2, 10) COLONNADE_SLEEF(2, pow, 10)   COLONNADE_SLEEF(2, hypot, 05)
// clang-format on
#undef COLONNADE_SLEEF
#undef COLONNADE_SLEEF_AVX2
#undef COLONNADE_SLEEF_1
#undef COLONNADE_SLEEF_2

} // namespace sleef

inline namespace vector_math { // not the functions of code that is compiled without it

#define COLONNADE_VECTOR_1(NAME)                                                                   \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME(vec<T, W> a) {                         \
    if constexpr (!is_leaf<T, W>)                                                                  \
      return {NAME(a.lo), NAME(a.hi)};                                                             \
    else                                                                                           \
      return sleef::in_registers<T, W>([](auto x) { return sleef::NAME(x); }, a);                  \
  }
#define COLONNADE_VECTOR_2(NAME)                                                                   \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME(vec<T, W> a, vec<T, W> b) {            \
    if constexpr (!is_leaf<T, W>)                                                                  \
      return {NAME(a.lo, b.lo), NAME(a.hi, b.hi)};                                                 \
    else                                                                                           \
      return sleef::in_registers<T, W>([](auto x, auto y) { return sleef::NAME(x, y); }, a, b);    \
  }
/// SLEEF's up to a magnitude, the scalar function beyond.
#define COLONNADE_VECTOR_UP_TO(NAME, F32, F64)                                                     \
  template <class T, int W> COLONNADE_INLINE vec<T, W> NAME(vec<T, W> a) {                         \
    if constexpr (!is_leaf<T, W>) {                                                                \
      return {NAME(a.lo), NAME(a.hi)};                                                             \
    } else {                                                                                       \
      const vec<T, W> r = sleef::in_registers<T, W>([](auto x) { return sleef::NAME(x); }, a);     \
      const auto beyond = fabs(a) > vec<T, W>(std::is_same<T, float>::value ? T(F32) : T(F64));    \
      return any(beyond) ? select(beyond, NAME##_lanes(a), r) : r;                                 \
    }                                                                                              \
  }
// clang-format off
COLONNADE_VECTOR_1(sin)   COLONNADE_VECTOR_1(cos)   COLONNADE_VECTOR_1(tan)
COLONNADE_VECTOR_1(asin)  COLONNADE_VECTOR_1(acos)  COLONNADE_VECTOR_1(atan)
COLONNADE_VECTOR_1(tanh)  COLONNADE_VECTOR_UP_TO(sinh, 88, 709)  COLONNADE_VECTOR_UP_TO(cosh, 88, 709)
COLONNADE_VECTOR_1(exp)   COLONNADE_VECTOR_1(exp2)  COLONNADE_VECTOR_1(expm1)
COLONNADE_VECTOR_1(log)   COLONNADE_VECTOR_1(log2)  COLONNADE_VECTOR_1(log10)
COLONNADE_VECTOR_UP_TO(log1p, 9e37, 9e306)          COLONNADE_VECTOR_1(cbrt)
COLONNADE_VECTOR_1(erf)   COLONNADE_VECTOR_1(erfc)
COLONNADE_VECTOR_2(atan2) COLONNADE_VECTOR_2(pow)   COLONNADE_VECTOR_2(hypot)
// clang-format on
#undef COLONNADE_VECTOR_1
#undef COLONNADE_VECTOR_2
#undef COLONNADE_VECTOR_UP_TO

} // namespace vector_math
} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade
