//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter_kernels.hpp: which numbers of bits of an id share a kernel of the scatter pass.
//
// Kernels cost the caller time to compile. One for several numbers of bits has the tile of the
// most of them, and code for each where ballots are taken. Keys alone share less: their kernels
// are smaller, and lose more by it. What sharing costs at run time, and for which numbers of
// buckets that was measured, is in docs/decisions/0011-multisplit.md.
//
// In: a policy. Out: ranked_bits of each number of bits; nothing beyond max_buckets.
// Invariant: a kernel serves every number of bits that it names, and one serves each.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/warp_rank.hpp>
#include <colonnade/detail/scatter/scatter_ranks.hpp>

namespace colonnade::detail {

template <class Policy, bool Discards, bool HasValues> class scatter_kernels {
public:
  static constexpr uint32_t most_bits =
      Policy::max_buckets < 256 ? bits_of_ids(Policy::max_buckets + Discards) : 8;

private:
  /// The bits by whose code ids of `bits` bits are ranked.
  static constexpr uint32_t ranked(uint32_t bits) {
    const uint32_t rounded = Policy::round_up_bits(bits);
    return HasValues && rounded == 1 ? 2 : rounded;
  }
  /// The most bits of the kernel with that code: two and three share one.
  static constexpr uint32_t kernel_of(uint32_t bits) {
    return ranked(bits) == 2 ? 3 : ranked(bits);
  }

  struct range {
    uint32_t least, most;
  };
  /// Of the code that ids which come to the same kernel as ids of `bits` bits are ranked by.
  static constexpr range range_of(uint32_t bits) {
    range found{8, 1};
    for (uint32_t b = 1; b <= most_bits; ++b)
      if (kernel_of(b) == kernel_of(bits)) {
        found.least = ranked(b) < found.least ? ranked(b) : found.least;
        found.most = ranked(b) > found.most ? ranked(b) : found.most;
      }
    return found;
  }
  template <uint32_t Bits> struct checked {
    static_assert(Policy::round_up_bits(Bits) >= Bits && Policy::round_up_bits(Bits) <= 8,
                  "round_up_bits returns Bits to 8");
    using type = ranked_bits<range_of(Bits).least, range_of(Bits).most>;
  };

public:
  /// Of ids of `Bits` bits.
  template <uint32_t Bits> using of = typename checked<Bits>::type;
};

} // namespace colonnade::detail
