//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// planes.hpp: bytes as planes of bits: where 32 of them differ from another byte, and how often.
//
// In: 32 bytes of text, bytes of a pattern. Out: words of which bit i is of byte i, or of position
// i. Invariant: a counter that has run over stays so.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/mismatches/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// Of each byte that is counted, for each bit: all ones or none. In shared memory.
struct byte_masks {
  sixteen_bytes of[most_counted][2];

  template <class Machine>
  COLONNADE_KERNEL_CODE void fill(const Machine &machine, const mismatch_job &job) {
    for (uint32_t i = machine.thread(); i < job.part * 8; i += machine.num_threads())
      of[i / 8][i / 4 % 2].word[i % 4] =
          0u - (job.pattern[job.choice.offset + i / 8] >> i % 8 & 1u);
    machine.block_sync();
  }
};

/// One bit of each of 32 counters in a word.
struct mismatch_counts {
  uint32_t ones, twos, fours, eights, over; // over: more than the most

  /// over: those that need not be counted.
  COLONNADE_KERNEL_CODE void start(uint32_t most, uint32_t others) {
    ones = bits_of(most, 0), twos = bits_of(most, 1);
    fours = bits_of(most, 2), eights = bits_of(most, 3);
    over = others;
  }

  COLONNADE_KERNEL_CODE void add(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t two = add_two(ones, a, b), other_two = add_two(ones, c, d),
                   four = add_two(twos, two, other_two), eight = fours & four;
    fours ^= four;
    over |= eights & eight;
    eights ^= eight;
  }

private:
  COLONNADE_KERNEL_CODE static uint32_t bits_of(uint32_t most, uint32_t bit) {
    return 0u - ((15 - most) >> bit & 1);
  }
  /// What is carried.
  COLONNADE_KERNEL_CODE static uint32_t add_two(uint32_t &sum, uint32_t a, uint32_t b) {
    const uint32_t carry = (sum & a) | (sum & b) | (a & b);
    sum ^= a ^ b;
    return carry;
  }
};

/// Word b: bit b of each of 32 bytes.
struct byte_planes {
  uint32_t word[8];

  COLONNADE_KERNEL_CODE void take(const sixteen_bytes &low, const sixteen_bytes &high) {
    // Word k: bytes k, 8 + k, 16 + k, 24 + k.
    put_columns(0, low.word[0], low.word[2], high.word[0], high.word[2]);
    put_columns(4, low.word[1], low.word[3], high.word[1], high.word[3]);
    swap_bits<1>(0x55555555u);
    swap_bits<2>(0x33333333u);
    swap_bits<4>(0x0f0f0f0fu);
  }
  /// Where they are not the byte that has these masks.
  COLONNADE_KERNEL_CODE uint32_t differ(const sixteen_bytes &low, const sixteen_bytes &high) const {
    uint32_t bits = word[0] ^ low.word[0];
    COLONNADE_UNROLL
    for (uint32_t b = 1; b < 4; ++b)
      bits |= word[b] ^ low.word[b];
    COLONNADE_UNROLL
    for (uint32_t b = 0; b < 4; ++b)
      bits |= word[4 + b] ^ high.word[b];
    return bits;
  }

private:
  /// Two bytes of each: of the first `from` and `from` + 1, then of the second.
  template <uint32_t From> COLONNADE_KERNEL_CODE static uint32_t paired(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __byte_perm(a, b, From == 0 ? 0x5140 : 0x7362);
#else
    const uint32_t x = a >> 8 * From, y = b >> 8 * From;
    return (x & 0xff) | (y & 0xff) << 8 | (x >> 8 & 0xff) << 16 | (y >> 8 & 0xff) << 24;
#endif
  }
  /// The low halves of both, or the high ones.
  template <uint32_t High> COLONNADE_KERNEL_CODE static uint32_t halves(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
    return __byte_perm(a, b, High ? 0x7632 : 0x5410);
#else
    return High ? a >> 16 | (b & 0xffff0000u) : (a & 0xffff) | b << 16;
#endif
  }
  COLONNADE_KERNEL_CODE void put_columns(uint32_t to, uint32_t a, uint32_t b, uint32_t c,
                                         uint32_t d) {
    const uint32_t ab = paired<0>(a, b), cd = paired<0>(c, d), more_ab = paired<2>(a, b),
                   more_cd = paired<2>(c, d);
    word[to] = halves<0>(ab, cd);
    word[to + 1] = halves<1>(ab, cd);
    word[to + 2] = halves<0>(more_ab, more_cd);
    word[to + 3] = halves<1>(more_ab, more_cd);
  }
  /// Bit Distance of the words' numbers changes places with that of the bits' numbers.
  template <uint32_t Distance> COLONNADE_KERNEL_CODE void swap_bits(uint32_t mask) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 8; ++k)
      if ((k & Distance) == 0) {
        const uint32_t a = word[k], b = word[k + Distance];
        word[k] = (a & mask) | (b << Distance & ~mask);
        word[k + Distance] = (a >> Distance & mask) | (b & ~mask);
      }
  }
};

} // namespace colonnade::detail
