//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fingerprint.hpp: the two classes of fingerprints of Karp and Rabin.
//
// In: characters of up to 8 bits. Out: of a string x of m characters of b bits modulo a prime p:
//   numbers   sum of x_i 2^(b (m - 1 - i))
//   matrices  the product of K(x_i), in order; of a character it is the product of those of its
//             bits, the highest first, K(0) = (1 0; 1 1) and K(1) = (1 1; 0 1)
// Invariant: numbers and entries are less than the prime. All matrices have the determinant 1.
//
// Source: R. Karp, M. Rabin, Efficient randomized pattern-matching algorithms (1987); S. Ashkiani,
// thesis (2017), 2.3.1, 2.3.2 (affine pairs: G. Blelloch) and 2.7.1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Remainders by a multiplication; the prime is less than 2^30.
struct modulus {
  uint32_t prime;
  uint64_t reciprocal; // (2^64 - 1) / prime

  static modulus of_prime(uint32_t prime) { return {prime, ~uint64_t{0} / prime}; }
  COLONNADE_HOST_DEVICE uint32_t of(uint64_t x) const {
    // The quotient is right, or one too small.
    const auto quotient =
        static_cast<uint64_t>(static_cast<unsigned __int128>(x) * reciprocal >> 64);
    const auto rest = static_cast<uint32_t>(x - quotient * prime);
    return rest >= prime ? rest - prime : rest;
  }
  /// 2^exponent.
  COLONNADE_HOST_DEVICE uint32_t power_of_two(uint64_t exponent) const {
    uint64_t power = 1, square = 2;
    for (; exponent; exponent /= 2) {
      if (exponent % 2)
        power = of(power * square);
      square = of(square * square);
    }
    return static_cast<uint32_t>(power);
  }
};

/// Row by row.
struct alignas(16) matrix {
  uint32_t entry[4];
};
COLONNADE_HOST_DEVICE matrix product(const matrix &a, const matrix &b, const modulus &mod) {
  const auto sum = [&](uint32_t row, uint32_t column) {
    return mod.of(uint64_t{a.entry[2 * row]} * b.entry[column] +
                  uint64_t{a.entry[2 * row + 1]} * b.entry[2 + column]);
  };
  return {{sum(0, 0), sum(0, 1), sum(1, 0), sum(1, 1)}};
}
COLONNADE_HOST_DEVICE matrix inverse(const matrix &a, const modulus &mod) {
  const auto minus = [&](uint32_t x) { return x ? mod.prime - x : 0; };
  return {{a.entry[3], minus(a.entry[1]), minus(a.entry[2]), a.entry[0]}};
}
/// Of a character: a fundamental matrix. No entry is greater than 34, a Fibonacci number.
COLONNADE_HOST_DEVICE matrix fundamental_matrix(uint32_t character, uint32_t bits) {
  matrix m{{1, 0, 0, 1}};
  for (uint32_t b = bits; b-- > 0;)
    if (character >> b & 1) // times (1 1; 0 1)
      m = {{m.entry[0], m.entry[0] + m.entry[1], m.entry[2], m.entry[2] + m.entry[3]}};
    else // times (1 0; 1 1)
      m = {{m.entry[0] + m.entry[1], m.entry[1], m.entry[2] + m.entry[3], m.entry[3]}};
  return m;
}

/// The values that are scanned, in words, which warps exchange. combine(a, b): a is that of the
/// characters before those of b.
struct matrix_scan { // forward: K(x_0) ... K(x_i); backward: the inverse, A(x_i) ... A(x_0)
  struct value {
    uint32_t word[8];
    COLONNADE_HOST_DEVICE matrix forward() const { return {{word[0], word[1], word[2], word[3]}}; }
    COLONNADE_HOST_DEVICE matrix backward() const { return {{word[4], word[5], word[6], word[7]}}; }
  };
  COLONNADE_HOST_DEVICE static value both(const matrix &f, const matrix &b) {
    return {{f.entry[0], f.entry[1], f.entry[2], f.entry[3], b.entry[0], b.entry[1], b.entry[2],
             b.entry[3]}};
  }
  COLONNADE_HOST_DEVICE static value identity() { return {{1, 0, 0, 1, 1, 0, 0, 1}}; }
  COLONNADE_HOST_DEVICE static value combine(const value &a, const value &b, const modulus &mod) {
    return both(product(a.forward(), b.forward(), mod), product(b.backward(), a.backward(), mod));
  }
};
struct affine_scan { // x -> word[0] x + word[1]
  struct value {
    uint32_t word[2];
  };
  COLONNADE_HOST_DEVICE static value identity() { return {{1, 0}}; }
  COLONNADE_HOST_DEVICE static value combine(const value &a, const value &b, const modulus &mod) {
    return {{mod.of(uint64_t{a.word[0]} * b.word[0]),
             mod.of(uint64_t{a.word[1]} * b.word[0] + b.word[1])}};
  }
};

} // namespace colonnade::detail
