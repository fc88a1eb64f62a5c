//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// vec.hpp: one value per lane. vec<T, W> is W lanes of T, mask<B, W> is W truth
// values stored beside lanes of B bytes; masks convert between widths by
// themselves. Vectors wider than a register are halves of halves, so that every
// leaf is a register. Included between begin.hpp and end.hpp, once per
// instruction set.
//
// Integer arithmetic wraps. Shift counts, divisors and float-to-integer operands
// must be in range in every lane: Transform sees to it for inactive lanes.
//
//===----------------------------------------------------------------------===//

#if (COLONNADE_ISA == 1 && !defined(COLONNADE_VEC_BASELINE)) ||                                    \
    (COLONNADE_ISA == 2 && !defined(COLONNADE_VEC_AVX2)) ||                                        \
    (COLONNADE_ISA == 3 && !defined(COLONNADE_VEC_AVX512))
#if COLONNADE_ISA == 1
#define COLONNADE_VEC_BASELINE
#elif COLONNADE_ISA == 2
#define COLONNADE_VEC_AVX2
#else
#define COLONNADE_VEC_AVX512
#endif

#define COLONNADE_INLINE inline __attribute__((always_inline))

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

constexpr int native_bytes = COLONNADE_NATIVE_BYTES;

template <int Bytes> struct int_of_bytes;
template <> struct int_of_bytes<1> { using s = int8_t; using u = uint8_t; };
template <> struct int_of_bytes<2> { using s = int16_t; using u = uint16_t; };
template <> struct int_of_bytes<4> { using s = int32_t; using u = uint32_t; };
template <> struct int_of_bytes<8> { using s = int64_t; using u = uint64_t; };
template <class T> using signed_bits = typename int_of_bytes<sizeof(T)>::s;
template <class T> using unsigned_bits = typename int_of_bytes<sizeof(T)>::u;

template <class T, int W> struct native_of {
  typedef T type __attribute__((vector_size(sizeof(T) * W)));
};
template <class T, int W> using native = typename native_of<T, W>::type;
template <class T, int W> constexpr bool is_leaf = sizeof(T) * W <= native_bytes || W == 1;

/// What lanes compute in: signed integers as unsigned, so that they wrap.
template <class T, bool IsFloat = std::is_floating_point<T>::value> struct wrapped { using type = unsigned_bits<T>; };
template <class T> struct wrapped<T, true> { using type = T; };
template <class T> using wrapped_t = typename wrapped<T>::type;

template <class V, class T, int... I>
COLONNADE_INLINE V splat_lanes(T value, std::integer_sequence<int, I...>) {
  return V{((void)I, value)...};
}

//===-- mask ---------------------------------------------------------------===//

template <int B, int W, bool Leaf = (B * W <= native_bytes || W == 1)> struct mask;

template <int B, int W> struct mask<B, W, true> {
  using lane = typename int_of_bytes<B>::s;
  native<lane, W> v; // 0 or -1

  mask() = default;
  COLONNADE_INLINE explicit mask(native<lane, W> lanes) : v(lanes) {}
  COLONNADE_INLINE mask(bool all)
      : v(splat_lanes<native<lane, W>>(static_cast<lane>(all ? -1 : 0), std::make_integer_sequence<int, W>())) {}
  template <int C, std::enable_if_t<C != B, int> = 0> COLONNADE_INLINE mask(mask<C, W> other);

  friend COLONNADE_INLINE mask operator&(mask a, mask b) { return mask(a.v & b.v); }
  friend COLONNADE_INLINE mask operator|(mask a, mask b) { return mask(a.v | b.v); }
  friend COLONNADE_INLINE mask operator^(mask a, mask b) { return mask(a.v ^ b.v); }
  friend COLONNADE_INLINE mask operator!(mask a) { return mask(~a.v); }
};

template <int B, int W> struct mask<B, W, false> {
  using half = mask<B, W / 2>;
  half lo, hi;

  mask() = default;
  COLONNADE_INLINE mask(half l, half h) : lo(l), hi(h) {}
  COLONNADE_INLINE mask(bool all) : lo(all), hi(all) {}
  template <int C, std::enable_if_t<C != B, int> = 0> COLONNADE_INLINE mask(mask<C, W> other);

  friend COLONNADE_INLINE mask operator&(mask a, mask b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend COLONNADE_INLINE mask operator|(mask a, mask b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend COLONNADE_INLINE mask operator^(mask a, mask b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  friend COLONNADE_INLINE mask operator!(mask a) { return {!a.lo, !a.hi}; }
};

// Masks of different widths meet at the narrower one.
#define COLONNADE_MASK_MIXED(OP)                                                                   \
  template <int A, int B, int W, std::enable_if_t<A != B, int> = 0>                                \
  COLONNADE_INLINE auto operator OP(mask<A, W> a, mask<B, W> b) {                                  \
    using common = mask<(A < B ? A : B), W>;                                                       \
    return common(a) OP common(b);                                                                 \
  }
COLONNADE_MASK_MIXED(&)
COLONNADE_MASK_MIXED(|)
COLONNADE_MASK_MIXED(^)
#undef COLONNADE_MASK_MIXED

template <class V> COLONNADE_INLINE bool any_bits(V v) {
#if COLONNADE_ISA == 3
  if constexpr (sizeof(V) == 64)
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#endif
#if COLONNADE_ISA >= 2
  if constexpr (sizeof(V) == 32)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16)
    return _mm_movemask_epi8((__m128i)v) != 0;
#endif
  unsigned char bytes[sizeof(V)];
  __builtin_memcpy(bytes, &v, sizeof v);
  unsigned all = 0;
  for (unsigned char byte : bytes)
    all |= byte;
  return all != 0;
}

/// True if some lane is set.
template <int B, int W> COLONNADE_INLINE bool any(mask<B, W> m) {
  if constexpr (B * W <= native_bytes || W == 1)
    return any_bits(m.v);
  else
    return any(m.lo | m.hi);
}

//===-- vec ----------------------------------------------------------------===//

template <class T, int W, bool Leaf = is_leaf<T, W>> struct vec;

template <class To, class From, int W, bool Leaf>
vec<To, W> convert(vec<From, W, Leaf> a);
template <class T, int W> void store(T *p, vec<T, W> a);
template <int W, class T> vec<T, W> load(const T *p);
template <class T, int W> vec<T, W> quotient(vec<T, W> a, vec<T, W> b);
template <class T, int W> vec<T, W> remainder_of(vec<T, W> a, vec<T, W> b);

template <class T, int W> struct vec<T, W, true> {
  using lane = T;
  using mask_type = mask<sizeof(T), W>;
  using arithmetic = native<wrapped_t<T>, W>;
  native<T, W> v;

  vec() = default;
  COLONNADE_INLINE explicit vec(native<T, W> lanes) : v(lanes) {}
  COLONNADE_INLINE vec(T all) : v(splat_lanes<native<T, W>>(all, std::make_integer_sequence<int, W>())) {}
  COLONNADE_INLINE arithmetic w() const { return (arithmetic)v; }
  COLONNADE_INLINE T operator[](int i) const { return v[i]; }

#define COLONNADE_VEC_OP(OP)                                                                       \
  friend COLONNADE_INLINE vec operator OP(vec a, vec b) { return vec((native<T, W>)(a.w() OP b.w())); }
  COLONNADE_VEC_OP(+)
  COLONNADE_VEC_OP(-)
  COLONNADE_VEC_OP(*)
#undef COLONNADE_VEC_OP
#define COLONNADE_VEC_OP(OP)                                                                       \
  friend COLONNADE_INLINE vec operator OP(vec a, vec b) { return vec(a.v OP b.v); }
  COLONNADE_VEC_OP(&)
  COLONNADE_VEC_OP(|)
  COLONNADE_VEC_OP(^)
  COLONNADE_VEC_OP(>>)
#undef COLONNADE_VEC_OP
  friend COLONNADE_INLINE vec operator/(vec a, vec b) {
    if constexpr (std::is_floating_point<T>::value)
      return vec(a.v / b.v);
    else
      return quotient(a, b);
  }
  friend COLONNADE_INLINE vec operator%(vec a, vec b) { return remainder_of(a, b); }
  friend COLONNADE_INLINE vec operator<<(vec a, vec b) {
    return vec((native<T, W>)(a.w() << (arithmetic)b.v));
  }
  friend COLONNADE_INLINE vec shift_left(vec a, int n) { return vec((native<T, W>)(a.w() << n)); }
  friend COLONNADE_INLINE vec shift_right(vec a, int n) { return vec(a.v >> n); }
  friend COLONNADE_INLINE vec operator-(vec a) { return vec((native<T, W>)(-a.w())); }
  friend COLONNADE_INLINE vec operator~(vec a) { return vec(~a.v); }
#define COLONNADE_VEC_CMP(OP)                                                                      \
  friend COLONNADE_INLINE mask_type operator OP(vec a, vec b) {                                    \
    return mask_type((native<signed_bits<T>, W>)(a.v OP b.v));                                     \
  }
  COLONNADE_VEC_CMP(==)
  COLONNADE_VEC_CMP(!=)
  COLONNADE_VEC_CMP(<)
  COLONNADE_VEC_CMP(<=)
  COLONNADE_VEC_CMP(>)
  COLONNADE_VEC_CMP(>=)
#undef COLONNADE_VEC_CMP
  /// Per lane: m ? a : b.
  friend COLONNADE_INLINE vec select(mask_type m, vec a, vec b) {
    return vec(m.v < 0 ? a.v : b.v);
  }
};

template <class T, int W> struct vec<T, W, false> {
  using lane = T;
  using mask_type = mask<sizeof(T), W>;
  using half = vec<T, W / 2>;
  half lo, hi;

  vec() = default;
  COLONNADE_INLINE vec(half l, half h) : lo(l), hi(h) {}
  COLONNADE_INLINE vec(T all) : lo(all), hi(all) {}
  COLONNADE_INLINE T operator[](int i) const { return i < W / 2 ? lo[i] : hi[i - W / 2]; }

#define COLONNADE_VEC_OP(OP)                                                                       \
  friend COLONNADE_INLINE vec operator OP(vec a, vec b) { return {a.lo OP b.lo, a.hi OP b.hi}; }
  COLONNADE_VEC_OP(+)
  COLONNADE_VEC_OP(-)
  COLONNADE_VEC_OP(*)
  COLONNADE_VEC_OP(/)
  COLONNADE_VEC_OP(%)
  COLONNADE_VEC_OP(&)
  COLONNADE_VEC_OP(|)
  COLONNADE_VEC_OP(^)
  COLONNADE_VEC_OP(<<)
  COLONNADE_VEC_OP(>>)
#undef COLONNADE_VEC_OP
  friend COLONNADE_INLINE vec shift_left(vec a, int n) {
    return {shift_left(a.lo, n), shift_left(a.hi, n)};
  }
  friend COLONNADE_INLINE vec shift_right(vec a, int n) {
    return {shift_right(a.lo, n), shift_right(a.hi, n)};
  }
  friend COLONNADE_INLINE vec operator-(vec a) { return {-a.lo, -a.hi}; }
  friend COLONNADE_INLINE vec operator~(vec a) { return {~a.lo, ~a.hi}; }
#define COLONNADE_VEC_CMP(OP)                                                                      \
  friend COLONNADE_INLINE mask_type operator OP(vec a, vec b) {                                    \
    return {a.lo OP b.lo, a.hi OP b.hi};                                                           \
  }
  COLONNADE_VEC_CMP(==)
  COLONNADE_VEC_CMP(!=)
  COLONNADE_VEC_CMP(<)
  COLONNADE_VEC_CMP(<=)
  COLONNADE_VEC_CMP(>)
  COLONNADE_VEC_CMP(>=)
#undef COLONNADE_VEC_CMP
  friend COLONNADE_INLINE vec select(mask_type m, vec a, vec b) {
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
  }
};

/// Per lane on truth values.
template <int B, int W> COLONNADE_INLINE mask<B, W> select(mask<B, W> m, mask<B, W> a, mask<B, W> b) {
  return (m & a) | (!m & b);
}

//===-- halves and conversions -----------------------------------------------===//

template <int First, class V, int... I>
COLONNADE_INLINE auto take_lanes(V v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, (First + I)...);
}
template <class V, int... I> COLONNADE_INLINE auto join_lanes(V a, V b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, I...);
}

template <class T, int W> COLONNADE_INLINE vec<T, W / 2> lower(vec<T, W> a) {
  if constexpr (is_leaf<T, W>)
    return vec<T, W / 2>((native<T, W / 2>)take_lanes<0>(a.v, std::make_integer_sequence<int, W / 2>()));
  else
    return a.lo;
}
template <class T, int W> COLONNADE_INLINE vec<T, W / 2> upper(vec<T, W> a) {
  if constexpr (is_leaf<T, W>)
    return vec<T, W / 2>((native<T, W / 2>)take_lanes<W / 2>(a.v, std::make_integer_sequence<int, W / 2>()));
  else
    return a.hi;
}
template <class T, int H> COLONNADE_INLINE vec<T, 2 * H> combine(vec<T, H> a, vec<T, H> b) {
  if constexpr (is_leaf<T, 2 * H>)
    return vec<T, 2 * H>((native<T, 2 * H>)join_lanes(a.v, b.v, std::make_integer_sequence<int, 2 * H>()));
  else
    return {a, b};
}

template <int First, class V, int... I>
COLONNADE_INLINE auto zip_lanes(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int width = sizeof...(I);
  return __builtin_shufflevector(a, b, (First + I / 2 + (I % 2) * width)...);
}
/// a0 b0 a1 b1 … in two registers.
template <class T, int W>
COLONNADE_INLINE void zip(vec<T, W> a, vec<T, W> b, vec<T, W> &first, vec<T, W> &second) {
  using all = std::make_integer_sequence<int, W>;
  const auto lo = zip_lanes<0>(a.v, b.v, all()), hi = zip_lanes<W / 2>(a.v, b.v, all());
  first = vec<T, W>((native<T, W>)lo);
  second = vec<T, W>((native<T, W>)hi);
}

#if COLONNADE_ISA >= 2
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

// Conversions between integer widths in one instruction, where compilers take
// several: widening and, with AVX-512, narrowing (maskz forms, because g++ 12
// warns about the undefined operand of the others). Sizes are those of the wider
// side, in bytes.
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
  COLONNADE_WIDEN(2, 4, 64, _mm512_maskz_cvtepi16_epi32, _mm512_maskz_cvtepu16_epi32, -1, (__m256i)v)
  COLONNADE_WIDEN(4, 8, 64, _mm512_maskz_cvtepi32_epi64, _mm512_maskz_cvtepu32_epi64, -1, (__m256i)v)
  COLONNADE_WIDEN(1, 4, 64, _mm512_maskz_cvtepi8_epi32, _mm512_maskz_cvtepu8_epi32, -1, (__m128i)v)
  COLONNADE_NARROW(2, 1, 64, _mm512_maskz_cvtepi16_epi8(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(4, 2, 64, _mm512_maskz_cvtepi32_epi16(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(8, 4, 64, _mm512_maskz_cvtepi64_epi32(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(4, 1, 64, _mm512_maskz_cvtepi32_epi8(-1, (__m512i)v), (native<To, W>))
  COLONNADE_NARROW(2, 1, 32, _mm256_maskz_cvtepi16_epi8(-1, (__m256i)v), (native<To, W>))
  COLONNADE_NARROW(4, 2, 32, _mm256_maskz_cvtepi32_epi16(-1, (__m256i)v), (native<To, W>))
  COLONNADE_NARROW(8, 4, 32, _mm256_maskz_cvtepi64_epi32(-1, (__m256i)v), (native<To, W>))
  COLONNADE_NARROW(4, 1, 32, _mm256_maskz_cvtepi32_epi8(-1, (__m256i)v), (from_low_register<native<To, W>>))
  COLONNADE_NARROW(2, 1, 16, _mm_maskz_cvtepi16_epi8(-1, (__m128i)v), (from_low_register<native<To, W>>))
  COLONNADE_NARROW(4, 2, 16, _mm_maskz_cvtepi32_epi16(-1, (__m128i)v), (from_low_register<native<To, W>>))
  COLONNADE_NARROW(8, 4, 16, _mm_maskz_cvtepi64_epi32(-1, (__m128i)v), (from_low_register<native<To, W>>))
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

/// Conversions that are not between integers, for whole registers.
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

/// The C conversion of every lane. Steps of at most a factor two between integer
/// widths, because compilers split larger ones into scalars; narrow integers meet
/// floats by way of int32_t, which is exact.
template <class To, class From, int W, bool Leaf>
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
    return convert<To>(convert<step>(a));
  } else if constexpr (integers && 2 * to < from) {
    return convert<To>(convert<typename int_of_bytes<from / 2>::u>(a));
  } else if constexpr (is_leaf<From, W> && is_leaf<To, W>) {
    if constexpr (integers)
      return vec<To, W>(convert_integers<To, From, W>(a.v));
    else
      return vec<To, W>(convert_floats<To, From, W>(a.v));
  } else {
    return combine(convert<To>(lower(a)), convert<To>(upper(a)));
  }
}

// No instruction set here divides integers. Quotients of up to 16 bits are exact
// in float and of up to 32 bits in double, once truncated: a quotient that is no
// integer is further below the next one than rounding can reach.
template <class T, int W> COLONNADE_INLINE vec<T, W> quotient(vec<T, W> a, vec<T, W> b) {
  if constexpr (sizeof(T) <= 2) {
    return convert<T>(convert<int32_t>(convert<float>(a) / convert<float>(b)));
  } else if constexpr (sizeof(T) == 4) {
    using wide = std::conditional_t<std::is_signed<T>::value, int32_t, int64_t>;
    return convert<T>(convert<wide>(convert<double>(a) / convert<double>(b)));
  } else {
    T x[W], y[W];
    store(x, a);
    store(y, b);
    for (int i = 0; i < W; ++i)
      x[i] = static_cast<T>(x[i] / y[i]);
    return load<W>(static_cast<const T *>(x));
  }
}
template <class T, int W> COLONNADE_INLINE vec<T, W> remainder_of(vec<T, W> a, vec<T, W> b) {
  return a - quotient(a, b) * b;
}

/// The same bits as another type of the same width.
template <class To, class From, int W> COLONNADE_INLINE vec<To, W> reinterpret(vec<From, W> a) {
  static_assert(sizeof(To) == sizeof(From), "reinterpret keeps the width");
  if constexpr (is_leaf<From, W>)
    return vec<To, W>((native<To, W>)a.v);
  else
    return {reinterpret<To>(a.lo), reinterpret<To>(a.hi)};
}

/// a * b where both are below 2^32: one instruction instead of three.
template <class T, int W> COLONNADE_INLINE vec<T, W> multiply_low_halves(vec<T, W> a, vec<T, W> b) {
  static_assert(sizeof(T) == 8 && std::is_unsigned<T>::value, "of 64-bit lanes");
  if constexpr (!is_leaf<T, W>)
    return {multiply_low_halves(a.lo, b.lo), multiply_low_halves(a.hi, b.hi)};
#if COLONNADE_ISA == 3
  else if constexpr (sizeof(a.v) == 64)
    return vec<T, W>((native<T, W>)_mm512_maskz_mul_epu32(0xff, (__m512i)a.v, (__m512i)b.v));
#endif
#if COLONNADE_ISA >= 2
  else if constexpr (sizeof(a.v) == 32)
    return vec<T, W>((native<T, W>)_mm256_mul_epu32((__m256i)a.v, (__m256i)b.v));
#endif
#if defined(__SSE2__)
  else if constexpr (sizeof(a.v) == 16)
    return vec<T, W>((native<T, W>)_mm_mul_epu32((__m128i)a.v, (__m128i)b.v));
#endif
  else
    return a * b;
}

/// Upper halves of 32 x 32 bit products, of unsigned lanes.
template <int W> COLONNADE_INLINE vec<uint32_t, W> multiply_high(vec<uint32_t, W> a, uint32_t b) {
  if constexpr (!is_leaf<uint32_t, W>) {
    return {multiply_high(a.lo, b), multiply_high(a.hi, b)};
  } else if constexpr (W >= 4) {
    // Even and odd lanes apart, as 64-bit products.
    using pairs = vec<uint64_t, W / 2>;
    const pairs even((native<uint64_t, W / 2>)a.v), factor(static_cast<uint64_t>(b));
    const pairs low = shift_right(multiply_low_halves(even, factor), 32);
    const pairs high = multiply_low_halves(shift_right(even, 32), factor) &
                       pairs(~uint64_t{0xffffffff});
    return vec<uint32_t, W>((native<uint32_t, W>)(low | high).v);
  } else {
    return convert<uint32_t>(shift_right(convert<uint64_t>(a) * vec<uint64_t, W>(uint64_t{b}), 32));
  }
}

/// a / Divisor, |Divisor| >= 2, by multiplication and shifts (T. Granlund and
/// P. Montgomery, "Division by invariant integers using multiplication", 1994,
/// figures 4.2 and 5.2).
template <int64_t Divisor, class T, int W> COLONNADE_INLINE vec<T, W> divide(vec<T, W> a) {
  if constexpr (sizeof(T) < 4) {
    return convert<T>(divide<Divisor>(convert<int32_t>(a)));
  } else if constexpr (sizeof(T) > 4) {
    return quotient(a, vec<T, W>(static_cast<T>(Divisor)));
  } else {
    constexpr uint64_t d = Divisor < 0 ? uint64_t{0} - static_cast<uint64_t>(Divisor) : Divisor;
    constexpr int l = d <= 2 ? 1 : 64 - __builtin_clzll(d - 1); // ceil(log2 d)
    if constexpr (std::is_signed<T>::value) {
      constexpr uint32_t m = static_cast<uint32_t>((uint64_t{1} << (31 + l)) / d + 1);
      const vec<T, W> sign = shift_right(a, 31);
      // The factor is m - 2^32 < 0: the signed upper half, plus a, is the unsigned
      // one where a >= 0, and that less m where a < 0.
      const vec<uint32_t, W> unsigned_half = multiply_high(reinterpret<uint32_t>(a), m);
      const vec<uint32_t, W> sum =
          unsigned_half - (reinterpret<uint32_t>(sign) & vec<uint32_t, W>(m));
      const vec<T, W> q = shift_right(reinterpret<T>(sum), l - 1) - sign;
      return Divisor < 0 ? -q : q;
    } else {
      constexpr uint32_t m =
          static_cast<uint32_t>(((uint64_t{1} << 32) * ((uint64_t{1} << l) - d)) / d + 1);
      const vec<uint32_t, W> t = multiply_high(a, m);
      return shift_right(t + shift_right(a - t, 1), l - 1);
    }
  }
}
template <int64_t Divisor, class T, int W> COLONNADE_INLINE vec<T, W> modulo(vec<T, W> a) {
  return a - divide<Divisor>(a) * vec<T, W>(static_cast<T>(Divisor));
}

template <int B, int W> COLONNADE_INLINE auto mask_lanes(mask<B, W> m) {
  using lane = typename int_of_bytes<B>::s;
  if constexpr (B * W <= native_bytes || W == 1)
    return vec<lane, W>(m.v);
  else
    return vec<lane, W>(mask_lanes(m.lo), mask_lanes(m.hi));
}
template <int B, int W> COLONNADE_INLINE mask<B, W> lanes_mask(vec<typename int_of_bytes<B>::s, W> a) {
  if constexpr (B * W <= native_bytes || W == 1)
    return mask<B, W>(a.v);
  else
    return {lanes_mask<B>(a.lo), lanes_mask<B>(a.hi)};
}
template <int B, int W>
template <int C, std::enable_if_t<C != B, int>>
COLONNADE_INLINE mask<B, W, true>::mask(mask<C, W> other)
    : mask(lanes_mask<B>(convert<typename int_of_bytes<B>::s>(mask_lanes(other)))) {}
template <int B, int W>
template <int C, std::enable_if_t<C != B, int>>
COLONNADE_INLINE mask<B, W, false>::mask(mask<C, W> other)
    : mask(lanes_mask<B>(convert<typename int_of_bytes<B>::s>(mask_lanes(other)))) {}

/// 0 or 1 per lane, as C's conversion from bool.
template <class To, int B, int W> COLONNADE_INLINE vec<To, W> to_number(mask<B, W> m) {
  return select(mask<sizeof(To), W>(m), vec<To, W>(To(1)), vec<To, W>(To(0)));
}

//===-- memory ---------------------------------------------------------------===//

template <int W, class T> COLONNADE_INLINE vec<T, W> load(const T *p) {
  if constexpr (is_leaf<T, W>) {
    native<T, W> v;
    __builtin_memcpy(&v, p, sizeof v);
    return vec<T, W>(v);
  } else {
    return {load<W / 2>(p), load<W / 2>(p + W / 2)};
  }
}
template <class T, int W> COLONNADE_INLINE void store(T *p, vec<T, W> a) {
  if constexpr (is_leaf<T, W>) {
    __builtin_memcpy(p, &a.v, sizeof a.v);
  } else {
    store(p, a.lo);
    store(p + W / 2, a.hi);
  }
}
/// Cells of type bool are bytes 0 and 1.
template <int W> COLONNADE_INLINE mask<1, W> load(const bool *p) {
  return load<W>(reinterpret_cast<const uint8_t *>(p)) != vec<uint8_t, W>(uint8_t{0});
}
template <int B, int W> COLONNADE_INLINE void store(bool *p, mask<B, W> m) {
  store(reinterpret_cast<uint8_t *>(p), to_number<uint8_t>(m));
}

/// Index of the first set lane; W if none.
template <int B, int W> COLONNADE_INLINE int first_lane(mask<B, W> m) {
  uint8_t lanes[W];
  store(lanes, to_number<uint8_t>(m));
  int i = 0;
  while (i < W && !lanes[i])
    ++i;
  return i;
}

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade

#include <colonnade/simd/math.hpp>
#endif
