//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_string_matching.hpp: where one string is in another, on the host: the serial method of
// Rabin and Karp, the reference of string_matching.cuh.
//
//   host_find_matches     as find_matches of string_matching.cuh: all positions, ascending
//   host_non_overlapping  of such positions those that match_selection::non_overlapping leaves
//
// In: a text, a pattern of at least one byte. Out: positions. Invariant: whatever the seed, by
// which the prime is chosen, the same positions: where fingerprints are equal, the bytes are
// compared.
//
// Complexity: work O(n + m) and m for every match, on one thread.
//
// Source: R. Karp, M. Rabin, Efficient randomized pattern-matching algorithms (1987); S. Ashkiani,
// thesis (2017), 2.3.1 and 2.7.1: fingerprints of the first class, of 256 characters.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_options.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace colonnade {

namespace detail {

constexpr bool is_prime(uint64_t number) {
  for (uint64_t d = 2; d * d <= number; ++d)
    if (number % d == 0)
      return false;
  return number > 1;
}
/// Between 2^29 and 2^30, so that products with it fit 64 bits.
inline uint64_t random_prime(uint64_t seed) {
  std::mt19937_64 random(seed);
  uint64_t number = 0;
  while (!is_prime(number))
    number = (uint64_t{1} << 29) + random() % (uint64_t{1} << 29);
  return number;
}

} // namespace detail

inline std::vector<uint64_t> host_find_matches(const uint8_t *text, uint64_t num_items,
                                               const uint8_t *pattern, uint64_t length,
                                               matcher_options options = {}, uint64_t seed = 1) {
  std::vector<uint64_t> positions;
  if (length == 0 || num_items < length)
    return positions;
  const uint64_t prime = detail::random_prime(seed);
  const auto byte = [&](uint8_t b) -> uint8_t {
    return options.fold_case && b >= 'A' && b <= 'Z' ? static_cast<uint8_t>(b + 32) : b;
  };
  const auto same = [&](uint8_t a, uint8_t b) { return byte(a) == byte(b); };
  uint64_t of_pattern = 0, of_window = 0, leaving = 1; // leaving: 256^(m - 1)
  for (uint64_t i = 0; i < length; ++i) {
    of_pattern = (of_pattern * 256 + byte(pattern[i])) % prime;
    of_window = (of_window * 256 + byte(text[i])) % prime;
    if (i > 0)
      leaving = leaving * 256 % prime;
  }
  for (uint64_t at = 0;; ++at) {
    if (of_window == of_pattern && std::equal(pattern, pattern + length, text + at, same))
      positions.push_back(at);
    if (at + length == num_items)
      return positions;
    const uint64_t rest = of_window + prime - leaving * byte(text[at]) % prime;
    of_window = (rest * 256 + byte(text[at + length])) % prime;
  }
}

/// positions: ascending, of a pattern of this length.
inline std::vector<uint64_t> host_non_overlapping(const std::vector<uint64_t> &positions,
                                                  uint64_t length) {
  std::vector<uint64_t> chosen;
  for (const uint64_t at : positions)
    if (chosen.empty() || at - chosen.back() >= length)
      chosen.push_back(at);
  return chosen;
}

} // namespace colonnade
