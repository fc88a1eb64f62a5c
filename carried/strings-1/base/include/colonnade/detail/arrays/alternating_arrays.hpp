//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// alternating_arrays.hpp: between which arrays the passes of a sort move the items.
//
// In: an output and a spare array, the number of a pass and of all passes. Out: the arrays that
// the pass reads and writes; the first pass reads the caller's input. Invariant: passes alternate
// so that the last one writes the output.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Whether pass `pass` of `num_passes` writes the output, rather than the spare.
constexpr COLONNADE_HOST_DEVICE bool writes_output(uint32_t pass, uint32_t num_passes) {
  return (num_passes - 1 - pass) % 2 == 0;
}

/// The two arrays of a pass; the first pass reads the caller's input.
template <class T> struct alternating_arrays {
  T *output, *spare;
  COLONNADE_HOST_DEVICE T *to(uint32_t pass, uint32_t num_passes) const {
    return writes_output(pass, num_passes) ? output : spare;
  }
  COLONNADE_HOST_DEVICE const T *from(uint32_t pass, uint32_t num_passes) const {
    return writes_output(pass, num_passes) ? spare : output;
  }
};

} // namespace colonnade::detail
