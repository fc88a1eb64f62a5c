//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scalar_ops.hpp: scalar operations of generated code that C++17 lacks or leaves
// undefined: bit_cast, and wrapping arithmetic.
//
// In: any operands. Out: a value; for operands of which C++ defines the result, that
// result. Invariant: no operand is undefined behaviour. Generated code computes addresses
// also for instances that would not have reached them, where operands can be anything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

namespace colonnade::runtime {

template <class To, class From> COLONNADE_HOST_DEVICE To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast between types of equal size");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

namespace wrapping {

/// The unsigned type to compute in; at least 32 bits, as narrower ones are promoted to int, which
/// may overflow.
template <class T>
using unsigned_of = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class T> COLONNADE_HOST_DEVICE T add(T a, T b) {
  return static_cast<T>(static_cast<unsigned_of<T>>(a) + static_cast<unsigned_of<T>>(b));
}
template <class T> COLONNADE_HOST_DEVICE T sub(T a, T b) {
  return static_cast<T>(static_cast<unsigned_of<T>>(a) - static_cast<unsigned_of<T>>(b));
}
template <class T> COLONNADE_HOST_DEVICE T mul(T a, T b) {
  return static_cast<T>(static_cast<unsigned_of<T>>(a) * static_cast<unsigned_of<T>>(b));
}
template <class T> COLONNADE_HOST_DEVICE T neg(T a) { return sub<T>(0, a); }
/// a / b; 0 where b is 0, and a where the quotient would overflow (the least value by -1).
template <class T> COLONNADE_HOST_DEVICE T div(T a, T b) {
  if (b == 0)
    return 0;
  if (std::is_signed<T>::value && b == static_cast<T>(-1))
    return neg<T>(a);
  return static_cast<T>(a / b);
}
template <class T> COLONNADE_HOST_DEVICE T rem(T a, T b) {
  if (b == 0 || (std::is_signed<T>::value && b == static_cast<T>(-1)))
    return 0;
  return static_cast<T>(a % b);
}
template <class T, class N> COLONNADE_HOST_DEVICE T shl(T a, N n) {
  const unsigned count = static_cast<unsigned>(n) & (sizeof(T) * 8 - 1);
  return static_cast<T>(static_cast<unsigned_of<T>>(a) << count);
}
template <class T, class N> COLONNADE_HOST_DEVICE T shr(T a, N n) {
  return static_cast<T>(a >> (static_cast<unsigned>(n) & (sizeof(T) * 8 - 1)));
}
/// Conversion of a floating-point value; 0 where the integer type cannot hold it, or it is NaN.
template <class To, class From> COLONNADE_HOST_DEVICE To to_integer(From a) {
  constexpr From limit = static_cast<From>(uint64_t{1} << (sizeof(To) * 8 - 1)) * 2;
  constexpr From high = std::is_signed<To>::value ? limit / 2 : limit;
  constexpr From low = std::is_signed<To>::value ? -limit / 2 : From(0);
  return (a >= low || a > low - 1) && a < high ? static_cast<To>(a) : To(0);
}

} // namespace wrapping
} // namespace colonnade::runtime
