//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// finite.hpp: whether a number is finite, by its bits, which no option of a compiler can change.
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

} // namespace colonnade::detail
