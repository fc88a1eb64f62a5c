//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// order.hpp: ascending and descending order by operator<, the comparators that sorts know.
//
// In: two keys a and b. Out: whether a comes before b. Invariant of every comparator: it is a
// functor, __device__ const, trivially copyable and pure, and a strict weak order; these are one
// for all types for which operator< is one (not for floats with NaN).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

namespace colonnade {

struct ascending {
  template <class T> COLONNADE_HOST_DEVICE bool operator()(const T &a, const T &b) const {
    return a < b;
  }
};
struct descending {
  template <class T> COLONNADE_HOST_DEVICE bool operator()(const T &a, const T &b) const {
    return b < a;
  }
};

} // namespace colonnade
