//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// finite.hpp: whether a number is finite, and how two of them compare, by their bits.
//
// In: numbers of any type of coordinates. Out: whether they are finite; their order. Invariant: no
// option of a compiler changes an answer (where subnormal numbers are flushed, the processor's own
// comparisons take them for zeros).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/exact/cross.hpp>

namespace colonnade::detail {

template <class T> COLONNADE_HOST_DEVICE bool is_finite(T number) {
  if constexpr (std::is_floating_point_v<T>) {
    using format = float_bits<T>;
    typename format::word bits;
    memcpy(&bits, &number, sizeof bits);
    constexpr int top = 8 * sizeof bits - 1;
    constexpr auto exponent = static_cast<typename format::word>(
        ((typename format::word{1} << (top - format::fraction_bits)) - 1) << format::fraction_bits);
    return (bits & exponent) != exponent;
  } else {
    return true;
  }
}
template <class T> COLONNADE_HOST_DEVICE bool is_finite(const point_of<T> &point) {
  return is_finite(point.x) && is_finite(point.y);
}

/// An integer that is in the order of the numbers; -0.0 has that of 0.0.
template <class T> COLONNADE_HOST_DEVICE auto in_order(T number) {
  if constexpr (std::is_floating_point_v<T>) {
    using word = typename float_bits<T>::word;
    using ordered = std::make_signed_t<word>;
    word bits;
    memcpy(&bits, &number, sizeof bits);
    constexpr word sign = word{1} << (8 * sizeof bits - 1);
    const ordered magnitude = static_cast<ordered>(bits & ~sign);
    return bits & sign ? static_cast<ordered>(-magnitude) : magnitude;
  } else {
    return number;
  }
}
template <class T> COLONNADE_HOST_DEVICE bool is_equal(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    typename float_bits<T>::word bits_a, bits_b;
    memcpy(&bits_a, &a, sizeof a);
    memcpy(&bits_b, &b, sizeof b);
    return bits_a == bits_b || static_cast<decltype(bits_a)>((bits_a | bits_b) << 1) == 0;
  } else {
    return a == b;
  }
}
template <class T> COLONNADE_HOST_DEVICE bool is_less(T a, T b) {
  return in_order(a) < in_order(b);
}
/// Whether a point is finite, and its x not less than this one, as that of the point before it.
template <class T> COLONNADE_HOST_DEVICE bool comes_after(T x, const point_of<T> &point) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) { // three comparisons that do not flush
    uint32_t comes;
    asm("{\n\t.reg .pred p;\n\t.reg .f32 x, y;\n\t"
        "abs.f32 x, %2;\n\tabs.f32 y, %3;\n\t"
        "setp.le.f32 p, %1, %2;\n\t"
        "setp.lt.and.f32 p, x, 0f7f800000, p;\n\t"
        "setp.lt.and.f32 p, y, 0f7f800000, p;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(comes)
        : "f"(x), "f"(point.x), "f"(point.y));
    return comes != 0;
  }
#endif
  return is_finite(point) && !is_less(point.x, x);
}

} // namespace colonnade::detail
