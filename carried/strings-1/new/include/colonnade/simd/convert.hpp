//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convert.hpp: converts lanes from one type to another, and masks between lane widths.
// Part of vec.hpp.
//
// In: lanes; floats that are converted to integers must be in range. Out: in each lane what
// C++ gives for the scalar. Invariant: how it is done (which instruction, in how many
// steps) changes no result.
//
//===----------------------------------------------------------------------===//

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

/// The same bits as another type of the same width.
template <class To, class From, int W> COLONNADE_INLINE vec<To, W> reinterpret(vec<From, W> a) {
  static_assert(sizeof(To) == sizeof(From), "reinterpret keeps the width");
  if constexpr (is_leaf<From, W>)
    return vec<To, W>((native<To, W>)a.v);
  else
    return {reinterpret<To>(a.lo), reinterpret<To>(a.hi)};
}

#if defined(__SSE2__)
/// A vector of 8 or 16 bytes as the low part of a register, and back.
template <class V> COLONNADE_INLINE __m128i low_register(V v) {
  if constexpr (sizeof(V) == 16) {
    return (__m128i)v;
  } else {
    long long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return _mm_cvtsi64_si128(bits);
  }
}
template <class V> COLONNADE_INLINE V from_low_register(__m128i r) {
  if constexpr (sizeof(V) == 16) {
    return (V)r;
  } else {
    const long long bits = _mm_cvtsi128_si64(r);
    V v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
  }
}
#endif

#if COLONNADE_ISA >= 2
// Conversions between integer widths by one instruction, where compilers take several:
// widening and, with AVX-512, narrowing. (The maskz forms of intrinsics, because g++ 12 warns
// of an uninitialised operand in the others.) BYTES is the size of the wider vector.
#define COLONNADE_WIDEN(FROM, TO, BYTES, SIGNED, UNSIGNED, ...)                                    \
  else if constexpr (sizeof(From) == FROM && sizeof(To) == TO && TO * W == BYTES) {                \
    if constexpr (std::is_signed<From>::value)                                                     \
      return (native<To, W>)SIGNED(__VA_ARGS__);                                                   \
    else                                                                                           \
      return (native<To, W>)UNSIGNED(__VA_ARGS__);                                                 \
  }
#define COLONNADE_NARROW(FROM, TO, BYTES, FUNCTION, RESULT)                                        \
  else if constexpr (sizeof(From) == FROM && sizeof(To) == TO && FROM * W == BYTES) {              \
    return RESULT(FUNCTION);                                                                       \
  }
template <class To, class From, int W>
COLONNADE_INLINE native<To, W> convert_integers(native<From, W> v) {
  if constexpr (sizeof(From) == sizeof(To)) {
    return (native<To, W>)v;
  }
  COLONNADE_WIDEN(1, 2, 16, _mm_cvtepi8_epi16, _mm_cvtepu8_epi16, low_register(v))
  COLONNADE_WIDEN(2, 4, 16, _mm_cvtepi16_epi32, _mm_cvtepu16_epi32, low_register(v))
  COLONNADE_WIDEN(4, 8, 16, _mm_cvtepi32_epi64, _mm_cvtepu32_epi64, low_register(v))
  COLONNADE_WIDEN(1, 2, 32, _mm256_cvtepi8_epi16, _mm256_cvtepu8_epi16, (__m128i)v)
  COLONNADE_WIDEN(2, 4, 32, _mm256_cvtepi16_epi32, _mm256_cvtepu16_epi32, (__m128i)v)
  COLONNADE_WIDEN(4, 8, 32, _mm256_cvtepi32_epi64, _mm256_cvtepu32_epi64, (__m128i)v)
  COLONNADE_WIDEN(1, 4, 32, _mm256_cvtepi8_epi32, _mm256_cvtepu8_epi32, low_register(v))
#if COLONNADE_ISA == 3
  COLONNADE_WIDEN(1, 2, 64, _mm512_maskz_cvtepi8_epi16, _mm512_maskz_cvtepu8_epi16, -1, (__m256i)v)
  COLONNADE_WIDEN(2, 4, 64, _mm512_maskz_cvtepi16_epi32, _mm512_maskz_cvtepu16_epi32, -1,
                  (__m256i)v)
  COLONNADE_WIDEN(4, 8, 64, _mm512_maskz_cvtepi32_epi64, _mm512_maskz_cvtepu32_epi64, -1,
                  (__m256i)v)
  COLONNADE_WIDEN(1, 4, 64, _mm512_maskz_cvtepi8_epi32, _mm512_maskz_cvtepu8_epi32, -1, (__m128i)v)
  COLONNADE_NARROW(2, 1, 64, _mm512_maskz_cvtepi16_epi8(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(4, 2, 64, _mm512_maskz_cvtepi32_epi16(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(8, 4, 64, _mm512_maskz_cvtepi64_epi32(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(4, 1, 64, _mm512_maskz_cvtepi32_epi8(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(2, 1, 32, _mm256_maskz_cvtepi16_epi8(-1, (__m256i)v), (native<To, W>))
  COLONNADE_NARROW(4, 2, 32, _mm256_maskz_cvtepi32_epi16(-1, (__m256i)v), (native<To, W>))
  COLONNADE_NARROW(8, 4, 32, _mm256_maskz_cvtepi64_epi32(-1, (__m256i)v), (native<To, W>))
  COLONNADE_NARROW(4, 1, 32, _mm256_maskz_cvtepi32_epi8(-1, (__m256i)v),
                   (from_low_register<native<To, W>>))
  COLONNADE_NARROW(2, 1, 16, _mm_maskz_cvtepi16_epi8(-1, (__m128i)v),
                   (from_low_register<native<To, W>>))
  COLONNADE_NARROW(4, 2, 16, _mm_maskz_cvtepi32_epi16(-1, (__m128i)v),
                   (from_low_register<native<To, W>>))
  COLONNADE_NARROW(8, 4, 16, _mm_maskz_cvtepi64_epi32(-1, (__m128i)v),
                   (from_low_register<native<To, W>>))
#endif
  else {
    return __builtin_convertvector(v, native<To, W>);
  }
}
#undef COLONNADE_WIDEN
#undef COLONNADE_NARROW
#else
template <class To, class From, int W>
COLONNADE_INLINE native<To, W> convert_integers(native<From, W> v) {
  return __builtin_convertvector(v, native<To, W>);
}
#endif

/// Conversions from or to floating point, of vectors that fit in a register.
template <class To, class From, int W>
COLONNADE_INLINE native<To, W> convert_floats(native<From, W> v) {
#if COLONNADE_ISA == 3
  using std::is_same;
  if constexpr (W == 8 && is_same<From, int32_t>::value && is_same<To, double>::value)
    return (native<To, W>)_mm512_maskz_cvtepi32_pd(-1, (__m256i)v);
  else if constexpr (W == 8 && is_same<From, double>::value && is_same<To, int32_t>::value)
    return (native<To, W>)_mm512_maskz_cvttpd_epi32(-1, (__m512d)v);
  else if constexpr (W == 8 && is_same<From, float>::value && is_same<To, double>::value)
    return (native<To, W>)_mm512_maskz_cvtps_pd(-1, (__m256)v);
  else if constexpr (W == 8 && is_same<From, double>::value && is_same<To, float>::value)
    return (native<To, W>)_mm512_maskz_cvtpd_ps(-1, (__m512d)v);
  else
#endif
    return __builtin_convertvector(v, native<To, W>);
}

#if defined(__SSE2__)
/// Narrows the lanes of two registers to half their width, into one register. The packing
/// instructions saturate; Truth says that all lanes are 0 or -1, where that changes nothing.
template <class To, bool Truth, class From, int W>
COLONNADE_INLINE vec<To, 2 * W> narrow_pair(vec<From, W> a, vec<From, W> b) {
  constexpr int bytes = sizeof(From) * W;
  if constexpr (!Truth && sizeof(From) == 2) {
    const vec<From, W> low(static_cast<From>(0xff));
    a = a & low, b = b & low;
  } else if constexpr (!Truth && sizeof(From) == 4 && (COLONNADE_ISA == 2)) {
    const vec<From, W> low(static_cast<From>(0xffff));
    a = a & low, b = b & low;
  } else if constexpr (!Truth && sizeof(From) == 4 && bytes == 16) {
    a = reinterpret<From>(shift_right(shift_left(reinterpret<int32_t>(a), 16), 16));
    b = reinterpret<From>(shift_right(shift_left(reinterpret<int32_t>(b), 16), 16));
  }
  using packed = native<To, 2 * W>;
#define COLONNADE_PACK(BYTES, FROM, EXPRESSION)                                                    \
  if constexpr (bytes == BYTES && sizeof(From) == FROM)                                            \
    return vec<To, 2 * W>((packed)(EXPRESSION));                                                   \
  else
#if COLONNADE_ISA == 3
  // Packing works within each 128 bits; the permutation puts the results in order.
#define COLONNADE_IN_ORDER(R)                                                                      \
  _mm512_maskz_permutexvar_epi64(-1, _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), R)
  COLONNADE_PACK(64, 2,
                 COLONNADE_IN_ORDER(Truth ? _mm512_packs_epi16((__m512i)a.v, (__m512i)b.v)
                                          : _mm512_packus_epi16((__m512i)a.v, (__m512i)b.v)))
  if constexpr (bytes == 64 && sizeof(From) == 4 && Truth)
    return vec<To, 2 * W>(
        (packed)COLONNADE_IN_ORDER(_mm512_packs_epi32((__m512i)a.v, (__m512i)b.v)));
  else if constexpr (bytes == 64)
    return combine(vec<To, W>(convert_integers<To, From, W>(a.v)),
                   vec<To, W>(convert_integers<To, From, W>(b.v)));
  else
#undef COLONNADE_IN_ORDER
#endif
#if COLONNADE_ISA >= 2
#define COLONNADE_IN_ORDER(R) _mm256_permute4x64_epi64(R, 0xd8)
    COLONNADE_PACK(32, 2,
                   COLONNADE_IN_ORDER(Truth ? _mm256_packs_epi16((__m256i)a.v, (__m256i)b.v)
                                            : _mm256_packus_epi16((__m256i)a.v, (__m256i)b.v)))
  COLONNADE_PACK(32, 4,
                 COLONNADE_IN_ORDER(Truth ? _mm256_packs_epi32((__m256i)a.v, (__m256i)b.v)
                                          : _mm256_packus_epi32((__m256i)a.v, (__m256i)b.v)))
  COLONNADE_PACK(32, 8,
                 COLONNADE_IN_ORDER((__m256i)_mm256_shuffle_ps((__m256)a.v, (__m256)b.v, 0x88)))
  COLONNADE_PACK(16, 4,
                 Truth ? _mm_packs_epi32((__m128i)a.v, (__m128i)b.v)
                       : _mm_packus_epi32((__m128i)a.v, (__m128i)b.v))
#undef COLONNADE_IN_ORDER
#endif
  COLONNADE_PACK(16, 2,
                 Truth ? _mm_packs_epi16((__m128i)a.v, (__m128i)b.v)
                       : _mm_packus_epi16((__m128i)a.v, (__m128i)b.v))
  COLONNADE_PACK(16, 4, _mm_packs_epi32((__m128i)a.v, (__m128i)b.v))
  COLONNADE_PACK(16, 8, _mm_shuffle_ps((__m128)a.v, (__m128)b.v, 0x88))
#undef COLONNADE_PACK
  static_assert(bytes == 0, "not a pair of registers");
}
template <class To, class From, int W>
constexpr bool narrows_pair = sizeof(From) == 2 * sizeof(To) && W > 1 &&
                              (sizeof(From) * W == 2 * native_bytes ||
                               (COLONNADE_ISA == 2 && sizeof(From) * W == native_bytes));
#else
template <class To, class From, int W> constexpr bool narrows_pair = false;
template <class To, bool Truth, class From, int W>
vec<To, 2 * W> narrow_pair(vec<From, W> a, vec<From, W> b);
#endif

#if defined(__SSE2__) && COLONNADE_ISA == 1
/// SSE2 widens by interleaving with zeros or, for signed lanes, with copies of the sign bit.
template <class To, class From, int W>
constexpr bool widens_register =
    2 * sizeof(From) == sizeof(To) &&
    (sizeof(From) * W == native_bytes || 2 * sizeof(From) * W == native_bytes);
template <class To, bool Truth, class From, int W>
COLONNADE_INLINE vec<To, W> widen_register(vec<From, W> a) {
  if constexpr (sizeof(From) * W < native_bytes) {
    using whole = vec<From, 2 * W>;
    return lower(widen_register<To, Truth>(whole((native<From, 2 * W>)low_register(a.v))));
  } else {
    vec<From, W> upper(From(0)), first, second;
    if constexpr (Truth)
      upper = a;
    else if constexpr (std::is_signed<From>::value)
      upper = vec<From, W>((native<From, W>)(a < vec<From, W>(From(0))).v);
    zip(a, upper, first, second);
    using half = vec<To, W / 2>;
    return {half((native<To, W / 2>)first.v), half((native<To, W / 2>)second.v)};
  }
}
#else
template <class To, class From, int W> constexpr bool widens_register = false;
template <class To, bool Truth, class From, int W> vec<To, W> widen_register(vec<From, W> a);
#endif

/// Converts every lane as C does. Integer widths change by a factor of two at a time, because
/// compilers do larger changes lane by lane; integers narrower than 32 bits are converted from
/// and to floats by way of int32_t, which is exact. Truth: the lanes are 0 or -1.
template <class To, bool Truth, class From, int W, bool Leaf>
COLONNADE_INLINE vec<To, W> convert(vec<From, W, Leaf> a) {
  constexpr bool integers = std::is_integral<To>::value && std::is_integral<From>::value;
  constexpr size_t from = sizeof(From), to = sizeof(To);
  if constexpr (std::is_same<To, From>::value) {
    return a;
  } else if constexpr (!integers && std::is_integral<From>::value && from < 4) {
    return convert<To>(convert<int32_t>(a));
  } else if constexpr (!integers && std::is_integral<To>::value && to < 4) {
    return convert<To>(convert<int32_t>(a));
  } else if constexpr (integers && COLONNADE_ISA == 3 && from * to == 4 && from != to &&
                       4 * W <= native_bytes && 4 * W >= 32) {
    return vec<To, W>(convert_integers<To, From, W>(a.v)); // between 1 and 4 bytes at once
  } else if constexpr (integers && to > 2 * from) {
    using step = std::conditional_t<std::is_signed<From>::value, typename int_of_bytes<2 * from>::s,
                                    typename int_of_bytes<2 * from>::u>;
    return convert<To, Truth>(convert<step, Truth>(a));
  } else if constexpr (integers && 2 * to < from) {
    return convert<To, Truth>(convert<typename int_of_bytes<from / 2>::u, Truth>(a));
  } else if constexpr (integers && narrows_pair<To, From, W>) {
    return narrow_pair<To, Truth>(lower(a), upper(a));
  } else if constexpr (integers && widens_register<To, From, W>) {
    return widen_register<To, Truth>(a);
  } else if constexpr (is_leaf<From, W> && is_leaf<To, W>) {
    if constexpr (integers)
      return vec<To, W>(convert_integers<To, From, W>(a.v));
    else
      return vec<To, W>(convert_floats<To, From, W>(a.v));
  } else {
    return combine(convert<To, Truth>(lower(a)), convert<To, Truth>(upper(a)));
  }
}

/// A mask as integer lanes of its width, and back.
template <int B, int W> COLONNADE_INLINE auto mask_lanes(mask<B, W> m) {
  using lane = typename int_of_bytes<B>::s;
  if constexpr (B * W <= native_bytes || W == 1)
    return vec<lane, W>(m.v);
  else
    return vec<lane, W>(mask_lanes(m.lo), mask_lanes(m.hi));
}
template <int B, int W>
COLONNADE_INLINE mask<B, W> lanes_mask(vec<typename int_of_bytes<B>::s, W> a) {
  if constexpr (B * W <= native_bytes || W == 1)
    return mask<B, W>(a.v);
  else
    return {lanes_mask<B>(a.lo), lanes_mask<B>(a.hi)};
}
template <int B, int W>
template <int C, std::enable_if_t<C != B, int>>
COLONNADE_INLINE mask<B, W, true>::mask(mask<C, W> other)
    : mask(lanes_mask<B>(convert<typename int_of_bytes<B>::s, true>(mask_lanes(other)))) {}
template <int B, int W>
template <int C, std::enable_if_t<C != B, int>>
COLONNADE_INLINE mask<B, W, false>::mask(mask<C, W> other)
    : mask(lanes_mask<B>(convert<typename int_of_bytes<B>::s, true>(mask_lanes(other)))) {}

/// 0 or 1 per lane, like C's conversion from bool.
template <class To, int B, int W> COLONNADE_INLINE vec<To, W> to_number(mask<B, W> m) {
  return select(mask<sizeof(To), W>(m), vec<To, W>(To(1)), vec<To, W>(To(0)));
}

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade
