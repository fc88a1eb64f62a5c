//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Montgomery multiplication of 256-bit numbers, 32-bit limbs, least significant
// first: product = a * b * 2^-256 mod m, for a, b < m and odd m. The operand
// scanning is interleaved with the reduction, limb by limb. Class A: the final
// subtraction chooses by a mask, not by a branch.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

namespace {

constexpr int num_limbs = 8;

// sum + x*y + carry never exceeds 64 bits: (2^32-1) + (2^32-1)^2 + (2^32-1) < 2^64.
inline uint32_t multiply_add(uint32_t sum, uint32_t x, uint32_t y, uint32_t &carry) {
  uint64_t wide = uint64_t(x) * y + sum + carry;
  carry = uint32_t(wide >> 32);
  return uint32_t(wide);
}

} // namespace

// modulus_inverse = -1/m mod 2^32. The modulus is the same for all instances.
COLONNADE_BULK
void montgomery_multiply(const uint32_t a[num_limbs], const uint32_t b[num_limbs],
                         COLONNADE_UNIFORM const uint32_t modulus[num_limbs],
                         uint32_t modulus_inverse, uint32_t product[num_limbs]) {
  uint32_t t[num_limbs + 2] = {};
  for (int i = 0; i < num_limbs; i++) {
    uint32_t carry = 0;
    for (int j = 0; j < num_limbs; j++)
      t[j] = multiply_add(t[j], a[j], b[i], carry);
    uint64_t top = uint64_t(t[num_limbs]) + carry;
    t[num_limbs] = uint32_t(top);
    t[num_limbs + 1] = uint32_t(top >> 32);

    uint32_t factor = t[0] * modulus_inverse;
    carry = 0;
    multiply_add(t[0], factor, modulus[0], carry);
    for (int j = 1; j < num_limbs; j++)
      t[j - 1] = multiply_add(t[j], factor, modulus[j], carry);
    top = uint64_t(t[num_limbs]) + carry;
    t[num_limbs - 1] = uint32_t(top);
    t[num_limbs] = t[num_limbs + 1] + uint32_t(top >> 32);
  }

  // t < 2m: subtract m, and keep t where that borrows.
  uint32_t difference[num_limbs];
  uint32_t borrow = 0;
  for (int j = 0; j < num_limbs; j++) {
    uint64_t wide = uint64_t(t[j]) - modulus[j] - borrow;
    difference[j] = uint32_t(wide);
    borrow = uint32_t(wide >> 32) & 1;
  }
  uint32_t keep = 0u - uint32_t(t[num_limbs] < borrow);
  for (int j = 0; j < num_limbs; j++)
    product[j] = (t[j] & keep) | (difference[j] & ~keep);
}
