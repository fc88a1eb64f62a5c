//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rolling.hpp: divide and conquer: a lane makes the fingerprints of its windows one after the
// other, with modulo and without, from a tile of the text in shared memory.
//
// In: a job. Out: which windows have the fingerprint of the pattern, or of its subpattern.
// Invariant: no byte outside of the text is read; what is not there counts as zeros.
//
// Source: S. Ashkiani, thesis (2017), 2.6.2 and 2.7.1: here what leaves a window is taken away in
// the same remainder, and four characters come with one remainder before the first window is whole.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// The words of a block's windows. One is left free after each eight, so that the lanes' windows
/// begin in different banks.
class text_tile {
public:
  static COLONNADE_HOST_DEVICE uint64_t bytes_of(uint64_t windows, uint64_t part_length) {
    const uint64_t words = (windows + part_length + 14) / 16 * 4;
    return 4 * (words + words / 8 + 1);
  }
  /// words: shared memory, or null: characters are read from the text.
  COLONNADE_KERNEL_CODE text_tile(const method_job &job, uint32_t *words, uint64_t first_offset)
      : text_(job.text + job.part_offset, job.num_positions + job.part_length - 1), words_(words),
        first_offset_(first_offset), fold_(job.fold), mask_(job.character_mask() * 0x01010101u) {}

  COLONNADE_KERNEL_CODE uint64_t begin() const { return text_.begin; }
  /// By all threads of a block. Ends with a barrier.
  template <class Machine>
  COLONNADE_KERNEL_CODE void fill(const Machine &machine, uint64_t windows,
                                  uint64_t part_length) const {
    if (!words_)
      return;
    const uint64_t vectors = (windows + part_length + 14) / 16;
    for (uint64_t v = machine.thread(); v < vectors; v += machine.num_threads()) {
      const sixteen_bytes vector = text_.vector(first_offset_ + 16 * v);
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i)
        words_[4 * v + i + (4 * v + i) / 8] = as_characters(vector.word[i]);
    }
    machine.block_sync();
  }
  /// The four characters from an offset on that is a multiple of 4.
  COLONNADE_KERNEL_CODE uint32_t word(uint64_t offset) const {
    if (!words_)
      return as_characters(text_.word(offset));
    const auto w = static_cast<uint32_t>(offset - first_offset_) / 4;
    return words_[w + w / 8];
  }

private:
  COLONNADE_KERNEL_CODE uint32_t as_characters(uint32_t word) const {
    return folded(word, fold_) & mask_;
  }
  const window_text<1> text_;
  uint32_t *const words_;
  const uint64_t first_offset_;
  const uint32_t fold_, mask_;
};

/// Characters one after the other, from an offset on that is a multiple of 4.
class character_stream {
public:
  COLONNADE_KERNEL_CODE character_stream(const text_tile &tile, uint64_t offset)
      : tile_(tile), offset_(offset) {}
  COLONNADE_KERNEL_CODE uint32_t next() {
    if (offset_ % 4 == 0)
      word_ = tile_.word(offset_);
    const uint32_t character = word_ & 0xff;
    word_ >>= 8;
    ++offset_;
    return character;
  }

private:
  const text_tile &tile_;
  uint64_t offset_;
  uint32_t word_ = 0;
};

/// Bit i: the window i after `offset`, a multiple of 32, has the pattern's fingerprint modulo the
/// prime.
COLONNADE_KERNEL_CODE uint32_t rolling_modulo(const method_job &job, const text_tile &tile,
                                              uint64_t offset) {
  const uint32_t bits = job.character_bits, wanted = job.prints->number;
  character_stream entering(tile, offset), leaving(tile, offset);
  uint32_t print = 0;
  uint64_t i = 0;
  for (; i + 4 <= job.length; i += 4) {
    uint64_t four = print;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      four = four << bits | entering.next();
    print = job.mod.of(four);
  }
  for (; i < job.length; ++i)
    print = job.mod.of(uint64_t{print} << bits | entering.next());
  uint32_t hits = print == wanted;
  for (uint32_t k = 1; k < windows_per_lane; ++k) {
    print = job.mod.of((uint64_t{print} << bits) + entering.next() +
                       uint64_t{job.leaving} * leaving.next());
    hits |= uint32_t{print == wanted} << k;
  }
  return hits;
}

/// The same without modulo, of up to so many characters as fit a Number.
template <class Number>
COLONNADE_KERNEL_CODE uint32_t rolling_exact(const method_job &job, const text_tile &tile,
                                             uint64_t offset) {
  const uint32_t bits = job.character_bits,
                 all_bits = bits * static_cast<uint32_t>(job.part_length);
  const Number mask = static_cast<Number>(~Number{0}) >> (8 * sizeof(Number) - all_bits),
               wanted = static_cast<Number>(job.prints->exact);
  character_stream entering(tile, offset);
  Number print = 0;
  for (uint64_t i = 1; i < job.part_length; ++i)
    print = static_cast<Number>(print << bits | entering.next());
  uint32_t hits = 0;
  for (uint32_t k = 0; k < windows_per_lane; ++k) {
    print = static_cast<Number>(print << bits | entering.next()) & mask;
    hits |= uint32_t{print == wanted} << k;
  }
  return hits;
}

} // namespace colonnade::detail
