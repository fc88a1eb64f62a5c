//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sizing.hpp: how many chains a slab map needs for so many pairs and such a utilisation, and how
// many slabs its chains will take from the pool.
//
// Utilisation is the share of the memory of all slabs in chains that holds pairs; slabs still in
// the pool do not count. A hash throws n pairs on B chains, so a chain has a Poisson-distributed
// number of them, of mean n / B, and one slab more for every 15 of them (7 of 16
// bytes) that the ones before cannot hold.
//
// In: pairs and utilisation. Out: chains and slabs. Invariant: the number of slabs is an upper
// bound that is exceeded with a chance below 10^-9 where keys are distinct and the hash is good.
//
// Source: S. Ashkiani, thesis (2017), section 5.3.3.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace colonnade::detail {

struct chain_model {
  double slabs = 1;    // of a chain, expected: the one it begins with and those of the pool
  double variance = 0; // of that number
};

/// Chains of `mean` pairs each, in slabs of so many slots.
inline chain_model model_of_chains(double mean, int slots) {
  const double spread = 20 * std::sqrt(mean) + 50; // chances beyond it are nothing in a double
  const int least = static_cast<int>(std::max(mean - spread, 0.0)),
            most = static_cast<int>(mean + spread);
  double chance = std::exp(-mean + least * std::log(mean) - std::lgamma(least + 1.0));
  double expected = 0, squares = 0, left = 1; // left: the chance of more pairs than seen so far
  for (int pairs = 0; pairs <= most; ++pairs) {
    if (pairs > least)
      chance *= mean / pairs;
    if (pairs >= least)
      left -= chance;
    if (pairs > 0 && pairs % slots == 0) {
      const double more = std::max(left, 0.0), slab = pairs / slots; // the chance of slab + 1 slabs
      expected += more;
      squares += more * (2 * slab - 1);
    }
  }
  return {1 + expected, std::max(squares - expected * expected, 0.0)};
}
inline double utilisation_of_chains(double mean, int slots) {
  return mean / ((slots + 1) * model_of_chains(mean, slots).slabs); // the link is one pair more
}

/// The smallest mean number of pairs in a chain at which the utilisation is reached; it falls a
/// little where most chains get their second slab.
inline double pairs_per_chain(double utilisation, int slots) {
  double high = 0.2;
  while (high < 2000 && utilisation_of_chains(high, slots) < utilisation)
    high *= 1.02;
  double low = high / 1.02;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (utilisation_of_chains(middle, slots) < utilisation ? low : high) = middle;
  }
  return high;
}

struct slab_counts {
  uint32_t buckets, slabs;
};
inline slab_counts slabs_for(uint64_t num_pairs, double utilisation, int slots) {
  const double pairs = std::max(static_cast<double>(num_pairs), 1.0);
  const double chains = std::max(1.0, std::round(pairs / pairs_per_chain(utilisation, slots)));
  const chain_model model = model_of_chains(pairs / chains, slots);
  const double slabs = chains * (model.slabs - 1);
  const double margin = 7 * std::sqrt(chains * model.variance) + 32;
  return {static_cast<uint32_t>(std::min(chains, 4294966272.0)),
          static_cast<uint32_t>(std::min(std::ceil(slabs + margin), 4294966272.0))};
}

/// How many slabs operations that found none need. Each of their chains needs one at least, and how
/// many chains they are nobody knows.
struct slabs_wanted {
  uint64_t likely; // if two stand at each chain's end, or if half of all chains end full
  uint64_t least;  // if they are of few chains
};
inline slabs_wanted slabs_for_refused(uint64_t refused, uint32_t slots, uint32_t buckets) {
  const uint64_t least = refused / slots + 1;
  return {std::max(std::min(refused / 2 + 1, least + buckets / 2), least), least};
}

} // namespace colonnade::detail
