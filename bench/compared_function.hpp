//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compared_function.hpp: a generated function, the original over many instances, and when results
// agree.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

/// The description of generated code; compared_function.cpp names the function.
const colonnade::bulk::function_info &compared_function();

/// The original (sequential.cpp), one instance after the other. arrays: row-wise, one an array of
/// the function; step: bytes from an instance to the next, 0 if all share it; scalars: bits.
void sequential_all(void *const *arrays, const uint64_t *scalars, const uint64_t *step,
                    uint64_t count);

/// A floating-point cell; 0 of other types.
inline double number_in(colonnade::bulk::cell_type type, const void *cell) {
  float f = 0;
  double d = 0;
  if (type == colonnade::bulk::cell_type::f32)
    std::memcpy(&f, cell, 4);
  else if (type == colonnade::bulk::cell_type::f64)
    std::memcpy(&d, cell, 8);
  return type == colonnade::bulk::cell_type::f32 ? static_cast<double>(f) : d;
}

/// Whether cells that differ in their bits agree: two NaNs do; if `inexact`, numbers within the
/// bound of --verify.
inline bool agree(const colonnade::bulk::function_info &f, bool inexact, double got,
                  double wanted) {
  const double of_size = f.inexact_floats ? 1e-4 : 1e-10;
  const double bound = inexact ? of_size : -1;
  return (got != got && wanted != wanted) ||
         std::fabs(got - wanted) <= bound * std::max({1.0, std::fabs(got), std::fabs(wanted)});
}
