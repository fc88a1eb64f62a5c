//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// corner_walk.hpp: checks all addresses of a loop nest by looking at its corners alone.
//
// An address that is linear in each loop counter takes its smallest and its largest
// value where every counter is at its first or its last value: a corner of the nest. So
// the corners decide whether all iterations stay within the array.
//
// In: the address computations of an oblivious function, as generated code calls them
// here. Out: the number of accesses of an instance, and whether every corner is within
// its array.
// Invariant: if `exact` holds at the end, no operation at a corner overflowed or lost
// bits; being linear in each counter, none did in any other iteration.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace colonnade::runtime::detail {

struct corner_walk {
  uint64_t accesses = 0; // of all iterations
  uint64_t weight = 1;   // iterations that the present corner stands for
  bool exact = true;

  template <class T> T add(T a, T b) {
    return noted<T>([&](T *r) { return __builtin_add_overflow(a, b, r); });
  }
  template <class T> T sub(T a, T b) {
    return noted<T>([&](T *r) { return __builtin_sub_overflow(a, b, r); });
  }
  template <class T> T mul(T a, T b) {
    return noted<T>([&](T *r) { return __builtin_mul_overflow(a, b, r); });
  }
  template <class T> T neg(T a) { return sub<T>(0, a); }
  /// a << count for a constant count, checked as the product a * 2^count.
  template <class T> T shl(T a, unsigned count) {
    if (count >= static_cast<unsigned>(std::numeric_limits<T>::digits)) {
      exact = false;
      return a;
    }
    return mul<T>(a, static_cast<T>(T{1} << count));
  }
  template <class T, class From> T convert(From a) {
    const T result = static_cast<T>(a);
    exact &= static_cast<From>(result) == a && (result < T{}) == (a < From{});
    return result;
  }
  /// Notes accesses at addresses that need no look.
  void count(uint64_t within) {
    if (__builtin_mul_overflow(within, weight, &within) ||
        __builtin_add_overflow(accesses, within, &accesses))
      accesses = UINT64_MAX;
  }
  /// Notes one access; false ends the walk without a verdict: the index is outside the array,
  /// or the walk is not exact. Generated code then walks over every iteration.
  bool access(int64_t index, uint64_t num_cells) {
    count(1);
    return exact && index >= 0 && static_cast<uint64_t>(index) < num_cells;
  }

private:
  template <class T, class Operation> T noted(Operation operation) {
    T result;
    if (operation(&result))
      exact = false;
    return result;
  }
};

enum class loop_test : uint8_t { lt, le, gt, ge, ne };

/// Visits the first and the last iteration of a counted loop. A loop that does not end by
/// stepping onto or past its bound (it wraps, or the step is 0) makes the walk inexact.
/// The first visit stands for all iterations but the last, which counts for itself.
template <class T> class corner_loop {
public:
  corner_loop(corner_walk &walk, T low, T high, T step, loop_test test)
      : counter(low), walk_(walk), outer_(walk.weight) {
    const bool up =
        test == loop_test::lt || test == loop_test::le || (test == loop_test::ne && step == T{1});
    const bool closed = test == loop_test::le || test == loop_test::ge;
    using bits = std::make_unsigned_t<T>;
    // Two's complement: an unsigned step of -2 is the distance 2 downwards.
    const uint64_t size =
        up ? static_cast<bits>(step) : static_cast<bits>(bits{0} - static_cast<bits>(step));
    const bool unit = test != loop_test::ne || step == T{1} || step == static_cast<T>(-1);
    if (size == 0 || size >= (uint64_t{1} << (sizeof(T) * 8 - 1)) || !unit) {
      walk_.exact = false;
      return;
    }
    if (test == loop_test::ne && (up ? high < low : low < high)) {
      walk_.exact = false; // it wraps, if it ends at all
      return;
    }
    if (up ? (closed ? high < low : high <= low) : (closed ? low < high : low <= high))
      return; // no iteration
    const uint64_t distance = up ? widened(high) - widened(low) : widened(low) - widened(high);
    const uint64_t steps = (closed ? distance : distance - 1) / size;
    if (steps == UINT64_MAX) {
      walk_.exact = false;
      return;
    }
    iterations_ = steps + 1;
    last_ = static_cast<T>(up ? widened(low) + steps * size : widened(low) - steps * size);
    T beyond;
    if (up ? __builtin_add_overflow(last_, static_cast<T>(size), &beyond)
           : __builtin_sub_overflow(last_, static_cast<T>(size), &beyond))
      walk_.exact = false; // the step that should end it wraps
  }

  /// Sets `counter` to the first value, then to the last; false after that.
  bool next() {
    const uint64_t others = iterations_ > 1 ? iterations_ - 1 : iterations_;
    if (visited_ == 0 && iterations_ > 0) {
      if (__builtin_mul_overflow(outer_, others, &walk_.weight))
        walk_.weight = UINT64_MAX;
    } else if (visited_ == 1 && iterations_ > 1) {
      counter = last_;
      walk_.weight = outer_;
    } else {
      walk_.weight = outer_;
      return false;
    }
    ++visited_;
    return true;
  }

  T counter;

private:
  static uint64_t widened(T value) {
    return static_cast<uint64_t>(
        static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value));
  }

  corner_walk &walk_;
  uint64_t outer_;
  uint64_t iterations_ = 0;
  T last_{};
  unsigned visited_ = 0;
};

} // namespace colonnade::runtime::detail
