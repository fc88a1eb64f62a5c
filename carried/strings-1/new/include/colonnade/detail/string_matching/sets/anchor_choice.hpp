//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// anchor_choice.hpp: which 8 bytes of a pattern are its anchor.
//
// In: the members of a set, and one of them. Out: where its anchor is. Invariant: a member has an
// anchor if it has 8 bytes that are not those that are left out.
//
// Which bytes are rare in a text is not known; those are taken that are rare in the patterns, of
// which many come from such texts: an anchor's first four bytes are those that members have in the
// fewest places, and among such its 7 pairs of bytes have the least product of these numbers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/build.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

namespace colonnade::detail {

/// How often members have two and four bytes (these by a hash): 8 times the binary logarithm.
class byte_weights {
public:
  explicit byte_weights(const set_builder &set)
      : pairs_(1u << 16),
        fours_(std::clamp<size_t>(std::bit_ceil(set.bytes.size()), 1u << 10, 1u << 20)) {
    std::vector<uint32_t> times(pairs_.size()), times_of_fours(fours_.size());
    for (uint32_t i = 0; i < set.members.size(); ++i) {
      const std::string_view bytes = set.view(i);
      for (size_t k = 0; k + 1 < bytes.size(); ++k)
        ++times[pair_at(bytes, k)];
      for (size_t k = 0; k + 3 < bytes.size(); ++k)
        ++times_of_fours[four_at(bytes, k)];
    }
    weigh(times, pairs_);
    weigh(times_of_fours, fours_);
  }
  uint32_t of_pair(std::string_view bytes, size_t at) const { return pairs_[pair_at(bytes, at)]; }
  uint32_t of_four(std::string_view bytes, size_t at) const { return fours_[four_at(bytes, at)]; }

private:
  static uint32_t pair_at(std::string_view bytes, size_t at) {
    uint16_t pair;
    std::memcpy(&pair, bytes.data() + at, 2);
    return pair;
  }
  uint32_t four_at(std::string_view bytes, size_t at) const {
    uint32_t four;
    std::memcpy(&four, bytes.data() + at, 4);
    return four * 0x9e3779b1u >> (32 - std::countr_zero(fours_.size()));
  }
  static void weigh(const std::vector<uint32_t> &times, std::vector<uint8_t> &weights) {
    for (size_t i = 0; i < times.size(); ++i)
      if (times[i]) // of most there are none
        weights[i] = static_cast<uint8_t>(8 * std::log2(1.0 + times[i]));
  }
  std::vector<uint8_t> pairs_, fours_;
};
/// Where its first of 8 bytes is, and how frequent they are.
struct anchor_choice {
  uint32_t offset = 0;
  uint64_t score = 0;
};
/// Of a member of 8 bytes and more: the least frequent, the first of such. None that is one byte
/// eight times, of which run_word has four (0: no byte).
inline anchor_choice best_anchor(std::string_view bytes, const byte_weights &weights,
                                 uint32_t run_word) {
  constexpr uint32_t factor = 20; // so the first four bytes decide, nearly always
  anchor_choice best{0, ~uint64_t{0}};
  uint64_t pairs = 0;
  size_t others = 0; // behind the last byte that is another
  for (size_t end = 0; end < bytes.size(); ++end) {
    if (run_word == 0 || static_cast<uint8_t>(bytes[end]) != (run_word & 0xff))
      others = end + 1;
    if (end >= 1)
      pairs += weights.of_pair(bytes, end - 1);
    if (end >= 8)
      pairs -= weights.of_pair(bytes, end - 8);
    if (end < 7 || others + 7 <= end)
      continue;
    const uint64_t score = pairs + factor * weights.of_four(bytes, end - 7);
    if (score < best.score)
      best = {static_cast<uint32_t>(end - 7), score};
  }
  return best;
}

} // namespace colonnade::detail
