//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rounding.hpp: operations on doubles, each rounded to nearest once.
//
// In: two doubles. Out: their sum, difference or product as IEEE 754 rounds it. Invariant: no
// option of the compiler (contraction, flushing of subnormal numbers, fast-math) changes a result;
// where a host compiler may reorder sums, exact_rounding is false and nobody may rely on them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace colonnade::detail {

#if defined(__FAST_MATH__) && !defined(__CUDA_ARCH__)
constexpr bool exact_rounding = false;
#else
constexpr bool exact_rounding = true;
#endif

#if defined(__CUDA_ARCH__)
constexpr bool keeps_subnormal_doubles = true;
COLONNADE_HOST_DEVICE double rounded_difference(double a, double b) { return __dsub_rn(a, b); }
COLONNADE_HOST_DEVICE double rounded_sum(double a, double b) { return __dadd_rn(a, b); }
COLONNADE_HOST_DEVICE double rounded_product(double a, double b) { return __dmul_rn(a, b); }
COLONNADE_HOST_DEVICE double rounded_fma(double a, double b, double c) { return __fma_rn(a, b, c); }
/// Of floats, too, without the .ftz that -ftz=true would add.
COLONNADE_HOST_DEVICE float rounded_difference(float a, float b) {
  float difference;
  asm("sub.rn.f32 %0, %1, %2;" : "=f"(difference) : "f"(a), "f"(b));
  return difference;
}
COLONNADE_HOST_DEVICE float rounded_product(float a, float b) {
  float product;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  return product;
}
COLONNADE_HOST_DEVICE double widened(float value) {
  double wide;
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(value));
  return wide;
}
#else
constexpr bool keeps_subnormal_doubles = false; // a processor may have been told to flush them
COLONNADE_HOST_DEVICE double rounded_difference(double a, double b) { return a - b; }
COLONNADE_HOST_DEVICE double rounded_sum(double a, double b) { return a + b; }
/// std::fma, since a plain product may be joined with a sum that takes it.
COLONNADE_HOST_DEVICE double rounded_product(double a, double b) { return std::fma(a, b, -0.0); }
COLONNADE_HOST_DEVICE double rounded_fma(double a, double b, double c) { return std::fma(a, b, c); }
/// Subnormal numbers by their bits, since the processor may have been told to read them as zeros.
COLONNADE_HOST_DEVICE double widened(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (bits & 0x7f80'0000u)
    return value;
  const double magnitude = 0x1p-149 * (bits & 0x7f'ffffu);
  return bits >> 31 ? -magnitude : magnitude;
}
#endif
COLONNADE_HOST_DEVICE double widened(double value) { return value; }

} // namespace colonnade::detail
