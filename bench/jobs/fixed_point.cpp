//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fixed_point.cpp: numbers of 16 bits after the point: a polynomial of degree 8 by saturating
// products, and the sum of two numbers of 32 words.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

static int32_t fixed_product(int32_t a, int32_t b) {
  const int64_t product = static_cast<int64_t>(a) * b;
  const int64_t rounded = (product + 0x8000) >> 16;
  if (rounded > INT32_MAX)
    return INT32_MAX;
  return rounded < INT32_MIN ? INT32_MIN : static_cast<int32_t>(rounded);
}

COLONNADE_BULK
int32_t fixed_polynomial(const int32_t coefficients[9], COLONNADE_INSTANCE int32_t x) {
  int32_t sum = coefficients[8];
  for (int i = 7; i >= 0; --i)
    sum = static_cast<int32_t>(static_cast<uint32_t>(fixed_product(sum, x)) +
                               static_cast<uint32_t>(coefficients[i]));
  return sum;
}

COLONNADE_BULK
uint32_t long_sum(const uint32_t a[32], const uint32_t b[32], uint32_t sum[32]) {
  uint64_t carry = 0;
  for (int i = 0; i < 32; ++i) {
    carry += static_cast<uint64_t>(a[i]) + b[i];
    sum[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return static_cast<uint32_t>(carry);
}
