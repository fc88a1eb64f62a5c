//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// order.hpp: the orders that sorts with a comparator take by default.
//
// A comparator is a functor, __device__ const, trivially copyable, pure: whether a
// comes before b, a strict weak order.
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
