//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_packed_options.hpp: how characters of 1, 2 or 4 bits lie in a text, and what they
// are called in patterns.
//
// In: nothing. Out: packed_options, for a packed_matcher; two_bit_file, what .2bit files have.
// Invariant: they stay as they are as long as the matcher lives.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

/// What a byte of a pattern means.
enum class packed_letters : uint8_t {
  numbers, // the character itself: 0 to 2^bits - 1
  acgt,    // A C G T = 0 1 2 3; 2 bits
  tcag,    // T C A G = 0 1 2 3; 2 bits
};
/// Where the first character of a byte is.
enum class packed_order : uint8_t { lowest_bits_first, highest_bits_first };

struct packed_options {
  uint32_t bits = 2; // of a character: 1, 2 or 4
  packed_letters letters = packed_letters::acgt;
  packed_order order = packed_order::lowest_bits_first;
  /// Letters of a pattern may be small ones.
  bool fold_case = false;
};
constexpr packed_options two_bit_file{2, packed_letters::tcag, packed_order::highest_bits_first,
                                      true};

/// Characters that are not known, such as N in DNA: what touches one is no match.
struct unknown_characters {
  uint64_t begin, length;
};

} // namespace colonnade
