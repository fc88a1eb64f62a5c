//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// text.hpp: words of a text whose characters are of 1, 2 or 4 bits.
//
// In: the text, of any alignment, and the first character that is of interest. Out: words of
// characters, the lowest bits first, by offsets from a character of an aligned vector of 16 bytes.
// Invariant: no byte outside of the text is read; in its place there is a zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/packed/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// Reverses the bits of each byte.
COLONNADE_KERNEL_CODE uint32_t reversed_in_bytes(uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __brev(__byte_perm(word, 0, 0x0123));
#else
  word = (word & 0x55555555u) << 1 | (word >> 1 & 0x55555555u);
  word = (word & 0x33333333u) << 2 | (word >> 2 & 0x33333333u);
  return (word & 0x0f0f0f0fu) << 4 | (word >> 4 & 0x0f0f0f0fu);
#endif
}

template <uint32_t Bits> class packed_words : packed_shape<Bits> {
  using packed_shape<Bits>::per_byte;
  using packed_shape<Bits>::per_word;

public:
  /// Offset `begin` is character `first`.
  COLONNADE_KERNEL_CODE packed_words(const packed_job &job, uint64_t first)
      : highest_first_(job.highest_first) {
    constexpr uint32_t per_vector = 16 * per_byte;
    const uint32_t lead = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(job.text)) % 16;
    const uint64_t at = uint64_t{lead} * per_byte + first, skipped = at / per_vector * 16;
    begin = at % per_vector;
    const uint64_t bytes = (job.num_positions + job.length - 1 + per_byte - 1) / per_byte;
    base_ = job.text - lead + skipped;
    first_byte_ = skipped ? 0 : lead;
    last_byte_ = lead + bytes - skipped;
  }

  uint64_t begin;

  /// The byte of this character.
  COLONNADE_KERNEL_CODE const uint8_t *at(uint64_t offset) const {
    return base_ + offset / per_byte;
  }
  /// Whether all of these bytes may be read.
  COLONNADE_KERNEL_CODE bool holds(uint64_t offset, uint32_t bytes) const {
    const uint64_t from = offset / per_byte;
    return from >= first_byte_ && from + bytes <= last_byte_;
  }
  /// The bits of the highest character first are not yet reversed.
  COLONNADE_KERNEL_CODE uint32_t ordered(uint32_t word) const {
    return highest_first_ ? reversed_in_bytes(word) : word;
  }
  /// From a multiple of per_word on.
  COLONNADE_KERNEL_CODE uint32_t word(uint64_t offset) const {
    if (holds(offset, 4))
      return ordered(aligned_word(at(offset)));
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; ++i)
      if (holds(offset + i * per_byte, 1))
        word |= uint32_t{at(offset)[i]} << 8 * i;
    return ordered(word);
  }
  /// From any character on.
  COLONNADE_KERNEL_CODE uint32_t window(uint64_t offset) const {
    const uint64_t aligned = offset / per_word * per_word;
    const uint32_t between = static_cast<uint32_t>(offset - aligned);
    const uint32_t low = word(aligned), high = between ? word(aligned + per_word) : 0;
    return bits_from(low, high, between * Bits);
  }

private:
  bool highest_first_;
  const uint8_t *base_;
  uint64_t first_byte_, last_byte_; // that may be read
};

} // namespace colonnade::detail
