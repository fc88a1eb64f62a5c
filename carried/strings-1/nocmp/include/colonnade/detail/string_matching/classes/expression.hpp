//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// expression.hpp: a pattern of character classes is read.
//
// In: what is written, and how (string_matching_classes_options.hpp). Out: for each class the bytes
// that are in it. Invariant: nothing but the bytes given is read; an expression that is wrong, or
// has no class or more than 64, gives none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_classes_options.hpp>

#include <bitset>
#include <string_view>
#include <vector>

namespace colonnade::detail {

using byte_class = std::bitset<256>;

class class_reader {
public:
  class_reader(const void *expression, uint64_t length, const class_options &options)
      : rest_(static_cast<const char *>(expression), length), options_(options) {}

  std::vector<byte_class> read() {
    std::vector<byte_class> classes;
    while (!rest_.empty() && classes.size() < most_classes) {
      byte_class one;
      const bool good = options_.letters == class_letters::iupac ? read_code(one) : read_one(one);
      if (!good)
        return {};
      if (options_.fold_case)
        fold(one);
      classes.push_back(one);
    }
    return rest_.empty() ? classes : std::vector<byte_class>{};
  }

private:
  uint8_t take() {
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  bool next_is(char byte) const { return !rest_.empty() && rest_.front() == byte; }

  bool read_one(byte_class &one) {
    const uint8_t byte = take();
    if (byte == '[')
      return read_brackets(one);
    if (byte == '.')
      return one.set(), true;
    return set_range(one, byte, byte);
  }
  /// A byte that may stand behind a backslash.
  bool set_range(byte_class &one, uint8_t first, uint8_t last) {
    if (first == '\\' && first == last) {
      if (rest_.empty())
        return false;
      first = last = take();
    }
    for (uint32_t b = first; b <= last; ++b)
      one.set(b);
    return first <= last;
  }
  /// The bracket is read.
  bool read_brackets(byte_class &one) {
    const bool other = next_is('^');
    if (other)
      take();
    for (bool first = true; !rest_.empty(); first = false) {
      if (next_is(']') && !first) {
        take();
        if (other) {
          if (options_.fold_case) // what equals one of these is none of the others
            fold(one);
          one.flip();
        }
        return true;
      }
      if (!read_range(one))
        return false;
    }
    return false; // not closed
  }
  bool read_range(byte_class &one) {
    const bool quoted = next_is('\\');
    uint8_t from = take();
    if (quoted) {
      if (rest_.empty())
        return false;
      from = take();
    }
    if (rest_.size() < 2 || rest_[0] != '-' || rest_[1] == ']')
      return one.set(from), true;
    take();
    uint8_t to = take();
    if (to == '\\') {
      if (rest_.empty())
        return false;
      to = take();
    }
    for (uint32_t b = from; b <= to; ++b)
      one.set(b);
    return from <= to;
  }
  bool read_code(byte_class &one) {
    const uint8_t byte = take();
    const bool small = options_.fold_case && byte >= 'a' && byte <= 'z';
    constexpr std::string_view codes = "ACGTURYSWKMBDHVN";
    constexpr uint8_t bases[] = {1, 2, 4, 8, 8, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 15};
    const size_t code = codes.find(static_cast<char>(small ? byte - 32 : byte));
    if (code == codes.npos)
      return false;
    for (uint32_t i = 0; i < 4; ++i)
      if (bases[code] >> i & 1)
        one.set(static_cast<uint8_t>("ACGT"[i]));
    if (bases[code] & 8)
      one.set('U');
    return true;
  }
  static void fold(byte_class &one) {
    for (uint32_t b = 'A'; b <= 'Z'; ++b)
      if (one[b] || one[b + 32])
        one.set(b).set(b + 32);
  }

  std::string_view rest_;
  const class_options options_;
};

inline std::vector<byte_class> read_classes(const void *expression, uint64_t length,
                                            const class_options &options) {
  return class_reader(expression, length, options).read();
}

/// Of each byte: bit m - 1 - j, whether it is in class j of m.
inline std::vector<uint64_t> masks_of(const std::vector<byte_class> &classes) {
  std::vector<uint64_t> masks(256);
  for (size_t j = 0; j < classes.size(); ++j)
    for (uint32_t b = 0; b < 256; ++b)
      masks[b] |= uint64_t{classes[j][b]} << (classes.size() - 1 - j);
  return masks;
}

} // namespace colonnade::detail
