//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pattern.hpp: what a matcher of packed characters knows of its pattern.
//
// In: the pattern's numbers, in host memory. Out: its words, and a job's part and period.
// Invariant: the part is wholly in the pattern, or the pattern is the part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/packed/alphabet.hpp>
#include <colonnade/detail/string_matching/packed/job.hpp>
#include <colonnade/detail/string_matching/period.hpp>

namespace colonnade::detail {

/// Without a text: where the part and the characters before it have the most different groups of
/// four bits, the first of several; of the first 4096 places.
inline uint64_t choose_part(const std::vector<uint8_t> &numbers, uint32_t bits, uint32_t width,
                            uint32_t before) {
  const uint32_t group = 4 / bits;
  uint64_t best = before;
  int most = 0;
  for (uint64_t offset = before; offset + width <= numbers.size() && offset < 4096; ++offset) {
    uint32_t kinds = 0; // a bit for each
    for (uint64_t i = offset - before; i + group <= offset + width; ++i) {
      uint32_t kind = 0;
      for (uint32_t k = 0; k < group; ++k)
        kind = kind << bits | numbers[i + k];
      kinds |= 1u << kind;
    }
    const int different = __builtin_popcount(kinds);
    if (different > most)
      most = different, best = offset;
  }
  return best;
}

/// The pattern's words, from a multiple of 16 bytes on to be at job.pattern. Of the job it fills in
/// what depends on the pattern alone.
inline std::vector<uint32_t> describe_pattern(std::vector<uint8_t> numbers,
                                              const packed_options &options, packed_job &job) {
  const uint32_t bits = options.bits, per_part = part_bits / bits;
  job.length = numbers.size();
  job.step = smallest_period(numbers.data(), numbers.size());
  job.period = 2 * uint64_t{job.step} <= job.length ? job.step : 0;
  job.every = 1;
  job.highest_first = options.order == packed_order::highest_bits_first;
  if (job.highest_first)
    for (uint8_t &number : numbers)
      number = reversed_bits(number, bits);
  const uint32_t width = job.length < per_part ? static_cast<uint32_t>(job.length) : per_part;
  job.unit_bits = job.length >= 64 / bits - 1 ? 32 : job.length >= 32 / bits - 1 ? 16 : 0;
  const uint32_t per_unit = job.unit_bits / bits;
  job.choice.offset = per_unit ? choose_part(numbers, bits, per_unit, per_unit - 1)
                               : choose_part(numbers, bits, width, 0);
  const uint32_t all_places = ~0u / ((1u << bits) - 1);
  for (uint32_t j = 0; j < per_part; ++j) {
    job.part_shifts[j] = j < width ? j * bits : 0;
    job.part_words[j] = numbers[job.choice.offset + (j < width ? j : 0)] * all_places;
  }
  std::vector<uint32_t> words(job.length * bits / 32 + 2);
  for (uint64_t i = 0; i < job.length; ++i)
    words[i * bits / 32] |= uint32_t{numbers[i]} << i * bits % 32;
  return words;
}

} // namespace colonnade::detail
