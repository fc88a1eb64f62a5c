//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplits within a warp and within a block on the host, against a stable
// counting sort: every number of valid items, ids out of range, few and many
// buckets; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "planted.hpp"

#include <colonnade/detail/multisplit/block_split.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

struct expected {
  std::vector<uint32_t> place, start; // start: one more than buckets
};

expected reference(const std::vector<uint32_t> &ids, uint32_t m, uint32_t valid) {
  expected e{std::vector<uint32_t>(ids.size()), std::vector<uint32_t>(m + 1)};
  for (uint32_t i = 0; i < valid; ++i)
    ++e.start[std::min(ids[i], m - 1) + 1];
  for (uint32_t b = 0; b < m; ++b)
    e.start[b + 1] += e.start[b];
  std::vector<uint32_t> next(e.start.begin(), e.start.end());
  for (uint32_t i = 0; i < ids.size(); ++i)
    e.place[i] = i < valid ? next[std::min(ids[i], m - 1)]++ : i;
  return e;
}

std::vector<uint32_t> some_ids(size_t n, uint32_t below, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> ids(n);
  for (uint32_t &id : ids)
    id = random() % below;
  return ids;
}

/// Every warp of two blocks splits the same items; the exchanged ones are its ids.
template <uint32_t M, uint32_t Items>
std::string warp_case(const std::vector<uint32_t> &ids, uint32_t valid, unsigned seed,
                      faults planted = {}) {
  const expected e = reference(ids, M, valid);
  std::string wrong;
  host_grid grid(seed, 2, planted);
  grid.run(
      2, 64, 2 * 32 * Items * sizeof(uint32_t), [&](const host_machine &machine, char *shared) {
        uint32_t mine[Items], places[Items];
        for (uint32_t k = 0; k < Items; ++k)
          mine[k] = ids[32 * k + machine.lane()];
        const auto buckets = warp_places<M>(machine, mine, places, valid);
        const auto counted = warp_counts<M>(machine, mine, valid);
        for (uint32_t k = 0; k < Items; ++k)
          if (places[k] != e.place[32 * k + machine.lane()])
            wrong += "place ";
        for (uint32_t r = 0; r < buckets.rows; ++r) {
          const uint32_t b = 32 * r + machine.lane();
          if (b < M && (buckets.start[r] != e.start[b] ||
                        buckets.start[r] + buckets.count[r] != e.start[b + 1] ||
                        counted.start[r] != e.start[b] || counted.count[r] != buckets.count[r]))
            wrong += "bucket ";
        }
        uint32_t *tile = reinterpret_cast<uint32_t *>(shared) + machine.warp() * 32 * Items;
        warp_exchange(machine, mine, places, tile);
        for (uint32_t k = 0; k < Items; ++k) {
          const uint32_t place = 32 * k + machine.lane();
          const auto from = std::find(e.place.begin(), e.place.end(), place) - e.place.begin();
          if (mine[k] != ids[static_cast<size_t>(from)])
            wrong += "exchange ";
        }
      });
  return wrong + grid.all_complaints();
}

template <uint32_t Threads, uint32_t M, uint32_t Items>
std::string block_case(const std::vector<uint32_t> &ids, uint32_t valid, unsigned seed,
                       faults planted = {}) {
  using storage = block_split_storage<Threads, M>;
  const expected e = reference(ids, M, valid);
  std::string wrong;
  host_grid grid(seed, 2, planted);
  constexpr size_t tile_at = (sizeof(storage) + 15) / 16 * 16;
  grid.run(
      2, Threads, tile_at + Threads * Items * 4, [&](const host_machine &machine, char *shared) {
        storage &s = *reinterpret_cast<storage *>(shared);
        const uint32_t first = 32 * Items * machine.warp() + machine.lane();
        uint32_t mine[Items], places[Items];
        for (int trial = 0; trial < 2; ++trial) { // the storage can be used again
          for (uint32_t k = 0; k < Items; ++k)
            mine[k] = ids[first + 32 * k];
          block_split<Threads, M, Items, host_machine>(machine, s, valid).run(mine, places);
          for (uint32_t k = 0; k < Items; ++k)
            if (places[k] != e.place[first + 32 * k])
              wrong += "place ";
          for (uint32_t b = 0; b <= M; ++b)
            if (s.start[b] != e.start[b])
              wrong += "start ";
          block_exchange(machine, mine, places, reinterpret_cast<uint32_t *>(shared + tile_at));
          for (uint32_t k = 0; k < Items; ++k) {
            const auto from = std::find(e.place.begin(), e.place.end(), first + 32 * k);
            if (mine[k] != ids[static_cast<size_t>(from - e.place.begin())])
              wrong += "exchange ";
          }
          machine.block_sync();
        }
      });
  return wrong + grid.all_complaints();
}

/// Schedules are those of the standard's generator: more numbers than it has words, twice.
TEST(HostMachine, NumbersAreThoseOfTheStandard) {
  for (const uint32_t seed : {0u, 1u, 12345u, ~0u}) {
    std::mt19937 right(seed);
    mersenne_twister random(seed);
    for (uint32_t i = 0; i < 2000; ++i)
      ASSERT_EQ(random(), right()) << seed << ", " << i;
  }
}

TEST(WarpMultisplit, EveryNumberOfValidItems) {
  for (uint32_t valid = 0; valid <= 96; ++valid) {
    EXPECT_EQ((warp_case<5, 3>(some_ids(96, 5, valid), valid, valid)), "") << valid;
    EXPECT_EQ((warp_case<40, 3>(some_ids(96, 40, valid), valid, valid)), "") << valid;
  }
}

TEST(WarpMultisplit, OneTo256Buckets) {
  EXPECT_EQ((warp_case<1, 4>(some_ids(128, 1, 1), 128, 1)), "");
  EXPECT_EQ((warp_case<2, 4>(some_ids(128, 2, 1), 128, 2)), "");
  EXPECT_EQ((warp_case<31, 4>(some_ids(128, 31, 1), 128, 3)), "");
  EXPECT_EQ((warp_case<32, 4>(some_ids(128, 32, 1), 128, 4)), "");
  EXPECT_EQ((warp_case<33, 4>(some_ids(128, 33, 1), 128, 5)), "");
  EXPECT_EQ((warp_case<100, 4>(some_ids(128, 100, 1), 128, 6)), "");
  EXPECT_EQ((warp_case<256, 4>(some_ids(128, 256, 1), 128, 7)), "");
}

TEST(WarpMultisplit, IdsOutOfRangeAndOneBucket) {
  EXPECT_EQ((warp_case<5, 3>(some_ids(96, 1000, 1), 90, 1)), "");
  EXPECT_EQ((warp_case<50, 3>(some_ids(96, ~0u, 1), 96, 2)), "");
  EXPECT_EQ((warp_case<8, 3>(std::vector<uint32_t>(96, 3), 96, 3)), "");
}

TEST(BlockMultisplit, EveryNumberOfValidItems) {
  for (uint32_t valid = 0; valid <= 192; valid += valid % 32 == 30 ? 1 : 3)
    EXPECT_EQ((block_case<64, 6, 3>(some_ids(192, 6, valid), valid, valid)), "") << valid;
}

TEST(BlockMultisplit, FewAndManyBuckets) { // more than threads as well
  EXPECT_EQ((block_case<64, 1, 3>(some_ids(192, 1, 1), 192, 1)), "");
  EXPECT_EQ((block_case<64, 64, 3>(some_ids(192, 64, 1), 192, 2)), "");
  EXPECT_EQ((block_case<64, 65, 3>(some_ids(192, 65, 1), 190, 3)), "");
  EXPECT_EQ((block_case<64, 300, 3>(some_ids(192, 300, 1), 191, 4)), "");
  EXPECT_EQ((block_case<96, 32, 2>(some_ids(192, ~0u, 1), 192, 5)), "");
}

TEST(BlockMultisplit, ManySchedules) {
  const auto ids = some_ids(192, 12, 5);
  for (unsigned seed = 0; seed < 100; ++seed)
    ASSERT_EQ((block_case<64, 12, 3>(ids, 180, seed)), "") << seed;
}

TEST(CollectiveMultisplits, PlantedFaultsAreSeen) {
  const auto ids = some_ids(192, 12, 5);
  const auto warp = [&](faults f) {
    return [&, f](unsigned seed) { return warp_case<12, 6>(ids, 192, seed, f); };
  };
  const auto block = [&](faults f) {
    return [&, f](unsigned seed) { return block_case<64, 12, 3>(ids, 192, seed, f); };
  };
  faults no_warp_sync, no_block_sync;
  no_warp_sync.drop_warp_sync = true;
  no_block_sync.drop_block_sync = true;
  expect_caught("multisplit", "dropped_warp_sync_warp_collective", warp(no_warp_sync), warp({}));
  expect_caught("multisplit", "dropped_warp_sync_block_collective", block(no_warp_sync), block({}));
  expect_caught("multisplit", "dropped_block_sync_block_collective", block(no_block_sync),
                block({}));
}

} // namespace
