//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_statistics.hpp: what stands in the chains of a slab hash.
//
// In: counts of all chains. Out: utilisation and lengths. Invariant: slabs of the pool that are in
// no chain do not count.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace colonnade {

struct slab_statistics {
  static constexpr uint32_t num_lengths = 16;

  uint64_t num_pairs = 0;
  uint64_t num_tombstones = 0; // erased pairs whose slots are still taken
  uint64_t num_slabs = 0;      // in chains, the first ones among them
  uint64_t longest_chain = 0;  // in slabs
  /// Of so many slabs, less one; the last: or more.
  uint64_t chains_of_length[num_lengths] = {};

  /// The share of the memory of these slabs that holds pairs. pair_bytes: 8, or 16 where a key or a
  /// value has 64 bits.
  double utilisation(uint64_t pair_bytes = 8) const {
    return num_slabs
               ? static_cast<double>(num_pairs * pair_bytes) / static_cast<double>(num_slabs * 128)
               : 0;
  }
};

} // namespace colonnade
