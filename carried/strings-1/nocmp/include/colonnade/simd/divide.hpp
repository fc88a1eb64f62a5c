//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// divide.hpp: divides integer lanes, and computes the wide products that this takes.
// Part of vec.hpp.
//
// In: lanes; divisors are not 0, and no quotient overflows. Out: the quotient rounded
// towards zero and the remainder. Invariant: every lane has the bits that C++ gives for a scalar.
//
//===----------------------------------------------------------------------===//

namespace colonnade {
namespace simd {
namespace COLONNADE_ISA_NAMESPACE {

// None of these instruction sets divides integers, so floats do. The truncated quotient of
// integers of up to 16 bits is exact in float, and of up to 32 bits in double: where the
// quotient is not an integer, it is further below the next integer than rounding can move it.
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

/// The 64-bit product of the lower 32 bits of each lane: one instruction instead of three.
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
    return (a & vec<T, W>(T{0xffffffff})) * (b & vec<T, W>(T{0xffffffff}));
}

/// The upper halves of products of unsigned lanes, of 16 x 16 or 32 x 32 bits.
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
    // Even and odd lanes separately, as 64-bit products of lower halves.
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

/// a / Divisor for |Divisor| >= 2, by multiplication and shifts (T. Granlund and P. Montgomery,
/// "Division by invariant integers using multiplication", 1994, figures 4.2 and 5.2). 8-bit lanes
/// are divided as 16-bit ones, 64-bit lanes one by one.
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
      // Granlund and Montgomery's factor is m - 2^n, which is negative, and they add a to the
      // upper half of the signed product. With an unsigned product instead the sum is its upper
      // half where a >= 0, and m less where a < 0.
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
