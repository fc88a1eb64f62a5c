//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_method.hpp: the methods of the thesis, and their options.
//
// In: nothing. Out: matching_method_options. Invariant: results do not depend on them, except the
// number of rejected hits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

enum class matching_method : uint8_t {
  cooperative,        // CRK, scans of 2x2 matrices and of their inverses
  cooperative_affine, // CRK, one scan of affine pairs
  divide,             // DRK, modulo a prime
  divide_32,          // DRK without modulo, 32 bits: length * character_bits <= 32
  divide_64,          // DRK without modulo, 64 bits: length * character_bits <= 64
  hybrid,             // HRK: up to 512 characters
  two_stage,          // DRK-2S
};

struct matching_method_options {
  matching_method method = matching_method::two_stage;
  /// Of a character, 1 to 8: the lowest ones of a byte, of which fingerprints are made.
  uint32_t character_bits = 8;
  /// Chooses the prime, between 2^29 and 2^30, and the subpattern of two_stage.
  uint64_t seed = 1;
  /// Of cooperative methods, which cut the text into portions.
  uint64_t most_temporary_bytes = uint64_t{4} << 30;
  /// If not null, the number of positions whose fingerprints are the pattern's and whose characters
  /// are not is added to it. Not of find_first_by, which does not look at all of them.
  uint64_t *d_num_rejected = nullptr;
};

} // namespace colonnade
