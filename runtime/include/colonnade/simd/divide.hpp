//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// divide.hpp: division of integer lanes, and the wide products it takes. Part of
// vec.hpp.
//
//===----------------------------------------------------------------------===//

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

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

/// Upper halves of 16 x 16 and 32 x 32 bit products, of unsigned lanes.
template <int W> COLONNADE_INLINE vec<uint16_t, W> multiply_high(vec<uint16_t, W> a, uint16_t b) {
  [[maybe_unused]] const vec<uint16_t, W> factor(b);
  if constexpr (!is_leaf<uint16_t, W>)
    return {multiply_high(a.lo, b), multiply_high(a.hi, b)};
#if COLONNADE_ISA == 3
  else if constexpr (W == 32)
    return vec<uint16_t, W>(
        (native<uint16_t, W>)_mm512_maskz_mulhi_epu16(-1, (__m512i)a.v, (__m512i)factor.v));
#endif
#if COLONNADE_ISA >= 2
  else if constexpr (W == 16)
    return vec<uint16_t, W>(
        (native<uint16_t, W>)_mm256_mulhi_epu16((__m256i)a.v, (__m256i)factor.v));
#endif
#if defined(__SSE2__)
  else if constexpr (W == 8)
    return vec<uint16_t, W>((native<uint16_t, W>)_mm_mulhi_epu16((__m128i)a.v, (__m128i)factor.v));
#endif
  else
    return convert<uint16_t>(shift_right(convert<uint32_t>(a) * vec<uint32_t, W>(uint32_t{b}), 16));
}
template <int W> COLONNADE_INLINE vec<uint32_t, W> multiply_high(vec<uint32_t, W> a, uint32_t b) {
  if constexpr (!is_leaf<uint32_t, W>) {
    return {multiply_high(a.lo, b), multiply_high(a.hi, b)};
  } else if constexpr (W >= 4) {
    // Even and odd lanes apart, as 64-bit products.
    using pairs = vec<uint64_t, W / 2>;
    const pairs even((native<uint64_t, W / 2>)a.v), factor(static_cast<uint64_t>(b));
    const pairs low = shift_right(multiply_low_halves(even, factor), 32);
    const pairs high =
        multiply_low_halves(shift_right(even, 32), factor) & pairs(~uint64_t{0xffffffff});
    return vec<uint32_t, W>((native<uint32_t, W>)(low | high).v);
  } else {
    return convert<uint32_t>(shift_right(convert<uint64_t>(a) * vec<uint64_t, W>(uint64_t{b}), 32));
  }
}

/// a / Divisor, |Divisor| >= 2, by multiplication and shifts (T. Granlund and
/// P. Montgomery, "Division by invariant integers using multiplication", 1994,
/// figures 4.2 and 5.2).
template <int64_t Divisor, class T, int W> COLONNADE_INLINE vec<T, W> divide(vec<T, W> a) {
  if constexpr (sizeof(T) == 1) {
    return convert<T>(divide<Divisor>(convert<int16_t>(a)));
  } else if constexpr (sizeof(T) > 4) {
    return quotient(a, vec<T, W>(static_cast<T>(Divisor)));
  } else {
    using bits = unsigned_bits<T>;
    constexpr int n = 8 * sizeof(T);
    constexpr uint64_t d = Divisor < 0 ? uint64_t{0} - static_cast<uint64_t>(Divisor) : Divisor;
    constexpr int l = d <= 2 ? 1 : 64 - __builtin_clzll(d - 1); // ceil(log2 d)
    if constexpr (std::is_signed<T>::value) {
      constexpr bits m = static_cast<bits>((uint64_t{1} << (n - 1 + l)) / d + 1);
      const vec<T, W> sign = shift_right(a, n - 1);
      // The factor is m - 2^n < 0: the signed upper half, plus a, is the unsigned
      // one where a >= 0, and that less m where a < 0.
      const vec<bits, W> unsigned_half = multiply_high(reinterpret<bits>(a), m);
      const vec<bits, W> sum = unsigned_half - (reinterpret<bits>(sign) & vec<bits, W>(m));
      const vec<T, W> q = shift_right(reinterpret<T>(sum), l - 1) - sign;
      return Divisor < 0 ? -q : q;
    } else {
      constexpr bits m = static_cast<bits>(((uint64_t{1} << n) * ((uint64_t{1} << l) - d)) / d + 1);
      const vec<bits, W> t = multiply_high(a, m);
      return shift_right(t + shift_right(a - t, 1), l - 1);
    }
  }
}
template <int64_t Divisor, class T, int W> COLONNADE_INLINE vec<T, W> modulo(vec<T, W> a) {
  return a - divide<Divisor>(a) * vec<T, W>(static_cast<T>(Divisor));
}

} // namespace COLONNADE_ISA_NAMESPACE
} // namespace simd
} // namespace colonnade
