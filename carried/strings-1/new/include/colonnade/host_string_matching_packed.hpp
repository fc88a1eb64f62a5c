//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_string_matching_packed.hpp: where one string is in another on the host, if characters are
// of 1, 2 or 4 bits: the reference of string_matching_packed.cuh.
//
//   host_find_packed_matches  all positions, ascending
//   host_pack                 numbers of characters to bytes of a text
//
// In: a packed text, a pattern of a byte a character. Out: positions, as find_matches gives them;
// none if a character of the pattern is outside of the alphabet. Invariant: no byte behind the
// text is read.
//
// Complexity: work O(n + m) and m for every match, memory of a byte a character, on one thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/packed/alphabet.hpp>
#include <colonnade/host_string_matching.hpp>

namespace colonnade {

namespace detail {
/// How far the character is from the lowest bit of its byte.
inline uint32_t shift_in_byte(uint64_t character, const packed_options &options) {
  const uint32_t shift = static_cast<uint32_t>(character * options.bits % 8);
  return options.order == packed_order::lowest_bits_first ? shift : 8 - options.bits - shift;
}
} // namespace detail

inline std::vector<uint8_t> host_pack(const std::vector<uint8_t> &numbers,
                                      const packed_options &options) {
  std::vector<uint8_t> bytes((numbers.size() * options.bits + 7) / 8);
  for (uint64_t i = 0; i < numbers.size(); ++i)
    bytes[i * options.bits / 8] |=
        static_cast<uint8_t>(numbers[i] << detail::shift_in_byte(i, options));
  return bytes;
}

inline std::vector<uint64_t>
host_find_packed_matches(const uint8_t *text, uint64_t num_items, const uint8_t *pattern,
                         uint64_t length, const packed_options &options,
                         const std::vector<unknown_characters> &unknown = {}) {
  const std::vector<uint8_t> wanted = detail::numbers_of(pattern, length, options);
  std::vector<uint8_t> numbers(num_items);
  for (uint64_t i = 0; i < num_items; ++i)
    numbers[i] =
        static_cast<uint8_t>(text[i * options.bits / 8] >> detail::shift_in_byte(i, options) &
                             ((1u << options.bits) - 1));
  std::vector<uint64_t> positions =
      host_find_matches(numbers.data(), num_items, wanted.data(), wanted.size());
  std::erase_if(positions, [&](uint64_t at) {
    return std::any_of(unknown.begin(), unknown.end(), [&](const unknown_characters &u) {
      return u.begin < at + length && at < u.begin + u.length;
    });
  });
  return positions;
}

} // namespace colonnade
