//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_sizing_test.cpp: what is expected of the chains of a slab map, against the sums by which it
// is defined: each chance by itself, where sizing.hpp makes it of the one before.
//
//===----------------------------------------------------------------------===//
#include <colonnade/detail/slab_hash/sizing.hpp>

#include <gtest/gtest.h>

using namespace colonnade::detail;

namespace {

double chance_of(int pairs, double mean) {
  return std::exp(-mean + pairs * std::log(mean) - std::lgamma(pairs + 1.0));
}
int slabs_of(int pairs, int slots) { return pairs <= slots ? 1 : (pairs + slots - 1) / slots; }

TEST(SlabSizing, ModelIsThatOfThePoissonDistribution) {
  for (const int slots : {7, 15, 30})
    for (double mean = 0.05; mean < 2000; mean *= 1.1) {
      double expected = 0, squares = 0;
      for (int pairs = 0; pairs < 4000; ++pairs) {
        const double slabs = slabs_of(pairs, slots), chance = chance_of(pairs, mean);
        expected += chance * slabs;
        squares += chance * slabs * slabs;
      }
      const chain_model model = model_of_chains(mean, slots);
      EXPECT_NEAR(model.slabs, expected, 1e-9 * expected) << mean << " in slabs of " << slots;
      EXPECT_NEAR(model.variance, squares - expected * expected, 1e-9 * squares)
          << mean << " in slabs of " << slots;
    }
}

TEST(SlabSizing, UtilisationIsReached) {
  for (const int slots : {7, 15})
    for (const double utilisation : {0.05, 0.5, 0.65, 0.85}) {
      const double pairs = pairs_per_chain(utilisation, slots);
      EXPECT_NEAR(utilisation_of_chains(pairs, slots), utilisation, 1e-9);
      EXPECT_LT(utilisation_of_chains(pairs * 0.999, slots), utilisation);
    }
}

TEST(SlabSizing, APoolGrowsByWhatRefusedOperationsNeed) {
  EXPECT_EQ(slabs_for_refused(1, 15, 1000).likely, 1u);
  EXPECT_EQ(slabs_for_refused(100, 15, 1000).likely, 51u) << "two of each chain";
  EXPECT_EQ(slabs_for_refused(15000, 15, 1000).likely, 1501u) << "half of all chains end full";
  EXPECT_EQ(slabs_for_refused(15000, 15, 1).likely, 1001u) << "one chain";
  for (const uint64_t refused : {1u, 14u, 15u, 16u, 1000u, 4000000000u})
    for (const uint32_t slots : {7u, 15u})
      for (const uint32_t buckets : {1u, 30u, 4000000000u}) {
        const slabs_wanted wanted = slabs_for_refused(refused, slots, buckets);
        EXPECT_GE(wanted.least * slots, refused) << "as if they were of one chain";
        EXPECT_GE(wanted.likely, wanted.least);
        EXPECT_LE(wanted.likely, refused);
      }
}

} // namespace
