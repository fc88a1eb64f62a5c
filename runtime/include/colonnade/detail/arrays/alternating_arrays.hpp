//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// alternating_arrays.hpp: between which arrays the rounds of a radix sort move the items.
//
// The last round writes the output (or, double-buffered, one of the two arrays);
// rounds before it alternate between two arrays so that this comes out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade::detail {

/// Whether round `round` of `num_rounds` writes the output, rather than the spare.
constexpr bool writes_output(uint32_t round, uint32_t num_rounds) {
  return (num_rounds - 1 - round) % 2 == 0;
}

/// The two arrays of a round; the first round reads the caller's input.
template <class T> struct round_arrays {
  T *output, *spare;
  T *to(uint32_t round, uint32_t num_rounds) const {
    return writes_output(round, num_rounds) ? output : spare;
  }
  const T *from(uint32_t round, uint32_t num_rounds) const {
    return writes_output(round, num_rounds) ? spare : output;
  }
};

} // namespace colonnade::detail
