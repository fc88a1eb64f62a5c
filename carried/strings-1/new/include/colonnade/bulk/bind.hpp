//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bind.hpp: what generated code needs to pass typed arguments as type-erased ones.
//
// In: a scalar argument, or the extent of an array as an expression over scalars.
// Out: the scalar's bits, and back; the extent as int64_t, or -1.
// Invariant: an extent that overflows on the way, or divides by zero, is -1, never a
// wrapped number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace colonnade::runtime {

/// The value's bits, zero-extended.
template <class T> inline scalar_bits bits_of(T value) {
  static_assert(std::is_arithmetic<T>::value, "a uniform scalar");
  scalar_bits bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The value whose bits bits_of gave.
template <class T> inline T from_bits(scalar_bits bits) {
  static_assert(std::is_arithmetic<T>::value, "a uniform scalar");
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// An extent while it is computed. Overflow and division by zero make it invalid, and so
/// everything computed from it; value() of an invalid extent is -1.
class checked_extent {
public:
  template <class T> explicit checked_extent(T value) : value_(static_cast<int64_t>(value)) {
    if (std::is_unsigned<T>::value && sizeof(T) == 8 &&
        static_cast<uint64_t>(value) > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      valid_ = false;
  }
  int64_t value() const { return valid_ ? value_ : -1; }

  friend checked_extent operator+(checked_extent a, checked_extent b) {
    return a.with(b, __builtin_add_overflow(a.value_, b.value_, &a.value_));
  }
  friend checked_extent operator-(checked_extent a, checked_extent b) {
    return a.with(b, __builtin_sub_overflow(a.value_, b.value_, &a.value_));
  }
  friend checked_extent operator*(checked_extent a, checked_extent b) {
    return a.with(b, __builtin_mul_overflow(a.value_, b.value_, &a.value_));
  }
  friend checked_extent operator/(checked_extent a, checked_extent b) {
    if (b.value_ == 0 || b.value_ == -1)
      return b.value_ == 0 ? a.with(b, true) : checked_extent(0) - a;
    a.value_ /= b.value_;
    return a.with(b, false);
  }
  friend checked_extent operator%(checked_extent a, checked_extent b) {
    if (b.value_ == 0)
      return a.with(b, true);
    a.value_ = b.value_ == -1 ? 0 : a.value_ % b.value_;
    return a.with(b, false);
  }
  friend checked_extent max(checked_extent a, checked_extent b) {
    return (a.value_ < b.value_ ? b : a).with(a, !b.valid_);
  }
  friend checked_extent min(checked_extent a, checked_extent b) {
    return (b.value_ < a.value_ ? b : a).with(a, !b.valid_);
  }

private:
  checked_extent with(checked_extent other, bool failed) const {
    checked_extent result = *this;
    result.valid_ = valid_ && other.valid_ && !failed;
    return result;
  }
  int64_t value_;
  bool valid_ = true;
};

} // namespace colonnade::runtime
