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
// In: a text of bytes or 16-bit characters, a pattern of at least one. Out: positions. Invariant:
// whatever the seed, by which the prime is chosen, the same positions: where fingerprints are
// equal, the characters are compared.
//
// Complexity: work O(n + m) and m for every match, on one thread.
//
// Source: R. Karp, M. Rabin, Efficient randomized pattern-matching algorithms (1987); S. Ashkiani,
// thesis (2017), 2.3.1 and 2.7.1: fingerprints of the first class, of 256 or 65,536 characters.
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
inline uint64_t find_prime(uint64_t seed) {
  std::mt19937_64 random(seed);
  uint64_t number = 0;
  while (!is_prime(number))
    number = (uint64_t{1} << 29) + random() % (uint64_t{1} << 29);
  return number;
}
inline uint64_t random_prime(uint64_t seed) {
  static const uint64_t of_default_seed =
      find_prime(1); // finding it takes longer than a short text
  return seed == 1 ? of_default_seed : find_prime(seed);
}

} // namespace detail

namespace detail {
template <class Character>
std::vector<uint64_t> rabin_karp(const Character *text, uint64_t num_items,
                                 const Character *pattern, uint64_t length, matcher_options options,
                                 uint64_t seed) {
  constexpr uint64_t base = uint64_t{1} << 8 * sizeof(Character);
  std::vector<uint64_t> positions;
  if (length == 0 || num_items < length)
    return positions;
  const uint64_t prime = random_prime(seed);
  const auto lower = [&](Character c) -> Character {
    return options.fold_case && c >= 'A' && c <= 'Z' ? static_cast<Character>(c + 32) : c;
  };
  const auto same = [&](Character a, Character b) { return lower(a) == lower(b); };
  uint64_t of_pattern = 0, of_window = 0, leaving = 1; // leaving: base^(m - 1)
  for (uint64_t i = 0; i < length; ++i) {
    of_pattern = (of_pattern * base + lower(pattern[i])) % prime;
    of_window = (of_window * base + lower(text[i])) % prime;
    if (i > 0)
      leaving = leaving * base % prime;
  }
  for (uint64_t at = 0;; ++at) {
    if (of_window == of_pattern && std::equal(pattern, pattern + length, text + at, same))
      positions.push_back(at);
    if (at + length == num_items)
      return positions;
    const uint64_t rest = of_window + prime - leaving * lower(text[at]) % prime;
    of_window = (rest * base + lower(text[at + length])) % prime;
  }
}
} // namespace detail

inline std::vector<uint64_t> host_find_matches(const uint8_t *text, uint64_t num_items,
                                               const uint8_t *pattern, uint64_t length,
                                               matcher_options options = {}, uint64_t seed = 1) {
  return detail::rabin_karp(text, num_items, pattern, length, options, seed);
}
inline std::vector<uint64_t> host_find_matches(const uint16_t *text, uint64_t num_items,
                                               const uint16_t *pattern, uint64_t length,
                                               matcher_options options = {}, uint64_t seed = 1) {
  return detail::rabin_karp(text, num_items, pattern, length, options, seed);
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
