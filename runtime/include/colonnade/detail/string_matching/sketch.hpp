//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sketch.hpp: where a row of the text has the sketch of the pattern: one bit of each of its first
// characters, up to 32.
//
// In: a row of 512 bytes. Out: of each lane's positions those with the sketch. Invariant: wherever
// the pattern is, its sketch is; no byte outside of the text is read.
//
// Of a text of few letters, four bytes say little more than four of these bits; 32 of them take
// less to compare at every position than one candidate of each lane does.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// One bit of each of 16 bytes, the first byte's lowest.
COLONNADE_KERNEL_CODE uint32_t bit_of_each(const sixteen_bytes &bytes, uint32_t bit) {
  const uint32_t mask = 0x01010101u << bit;
#if defined(__CUDA_ARCH__)
  const uint32_t low = __dp4a(bytes.word[1] & mask, 0x80402010u,
                              __dp4a(bytes.word[0] & mask, 0x08040201u, 0u)),
                 high = __dp4a(bytes.word[3] & mask, 0x80402010u,
                               __dp4a(bytes.word[2] & mask, 0x08040201u, 0u));
  return low >> bit | high >> bit << 8;
#else
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 16; ++i)
    bits |= ((bytes.word[i / 4] & mask) >> (8 * (i % 4) + bit) & 1) << i;
  return bits;
#endif
}

/// Whether it may be asked for in so many rows from a position on: all bytes that are read are of
/// the text.
COLONNADE_KERNEL_CODE bool has_sketch(const matching_job &job, uint64_t position, uint32_t rows) {
  constexpr uint32_t before = 16, behind = 64; // the first vector, and the last one
  return position - before < job.num_positions &&
         position + (rows * row_bytes + behind) <= job.num_positions;
}
/// Of the 16 positions of each lane in each of the rows, of which the first one is `position`: bit
/// 16 row + i: the sketch is at the lane's i-th.
template <uint32_t Rows, class Machine>
COLONNADE_KERNEL_CODE uint64_t sketched(const Machine &machine, const matching_job &job,
                                        uint64_t position) {
  const uint32_t lane = machine.lane(),
                 shift =
                     static_cast<uint32_t>(reinterpret_cast<uintptr_t>(job.text + position)) % 16;
  const uint8_t *const from = job.text + position - shift + 16 * lane;
  uint32_t bits[Rows + 1];
  COLONNADE_UNROLL
  for (uint32_t k = 0; k <= Rows; ++k) // of the last row only what others reach into
    bits[k] = k < Rows || lane < 3
                  ? bit_of_each(aligned_vector(from + k * row_bytes), job.sketch.bit)
                  : 0;
  uint32_t there[4] = {};
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Rows; ++k) {
    const auto next = [&](uint32_t by) {
      return machine.shuffle(lane < by ? bits[k + 1] : bits[k], (lane + by) % 32);
    };
    const uint32_t low = bits[k] | next(1) << 16, second = next(2), high = second | next(3) << 16;
    const uint32_t first = bits_from(low, high, shift), last = high >> shift;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 16; ++i)
      there[k] |= uint32_t{((bits_from(first, last, i) ^ job.sketch.bits) & job.sketch.cared) == 0}
                  << i;
  }
  return there[0] | there[1] << 16 | uint64_t{there[2] | there[3] << 16} << 32;
}

} // namespace colonnade::detail
