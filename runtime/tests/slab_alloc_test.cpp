//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_alloc_test.cpp: warps and threads take slabs from a pool on the host machine and give them
// back: no slab is handed out twice, as many are as there are, planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "host_dictionary.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

struct taking {
  uint32_t slabs, blocks, turns;
  bool gives_back; // half of what was taken, at random
};

/// Whether slabs are held by one thread at a time, and how many are in the end.
struct holders {
  std::vector<int> of_slab;
  uint32_t held = 0, refused = 0;
  std::vector<std::string> complaints;

  explicit holders(uint32_t slabs) : of_slab(slabs) {}
  void take(uint32_t slab) {
    if (slab == detail::no_slab) {
      ++refused;
    } else if (slab >= of_slab.size() || ++of_slab[slab] > 1) {
      complaints.push_back("a slab that there is not, or that somebody has");
    } else {
      ++held;
    }
  }
  void give_back(uint32_t slab) {
    --of_slab[slab];
    --held;
  }
};

/// Odd blocks take slabs one thread at a time, even ones by warps.
holders take_slabs(const taking &t, unsigned seed, slab_faults planted) {
  host_slab_map map(1, t.slabs);
  holders h(t.slabs);
  std::mt19937 random(seed);
  host_grid grid(seed, t.blocks);
  grid.run(t.blocks, 32, 0, [&](const host_machine &m, char *) {
    const host_slab_machine machine(m, planted);
    detail::pool_claims<host_slab_machine, detail::light_pool_view> claims(machine, map.table.pool);
    for (uint32_t turn = 0; turn < t.turns; ++turn) {
      const bool wants = random() % 2;
      uint32_t slab = detail::no_slab;
      if (m.block() % 2 == 0)
        slab = claims.take(wants);
      else if (wants)
        slab = claims.take_alone();
      if (!wants)
        continue;
      h.take(slab);
      if (slab != detail::no_slab && t.gives_back && random() % 2) {
        h.give_back(slab);
        map.table.pool.give_back(machine, slab);
      }
    }
  });
  h.complaints.insert(h.complaints.end(), grid.complaints.begin(), grid.complaints.end());
  return h;
}

std::string run(const taking &t, unsigned seed, slab_faults planted) {
  const holders h = take_slabs(t, seed, planted);
  std::string all = joined(h.complaints);
  if (!t.gives_back && h.refused && h.held < t.slabs)
    all += "refused, though there is a slab\n";
  return all;
}

TEST(SlabAlloc, OnesAreChosen) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random() & random() | (i % 3 ? 0 : random()));
    uint32_t lower = 0, rank = 0;
    for (uint32_t place = 0; place < 32; ++place)
      if (bits >> place & 1) {
        ASSERT_EQ(detail::place_of_one<host_machine>(bits, rank), place) << bits;
        ASSERT_EQ(detail::lowest_ones<host_machine>(bits, rank), lower) << bits;
        lower |= 1u << place;
        ++rank;
      }
    ASSERT_EQ(detail::lowest_ones<host_machine>(bits, rank), bits);
    ASSERT_EQ(detail::lowest_ones<host_machine>(bits, 32), bits);
  }
  EXPECT_EQ(detail::lowest_ones<host_machine>(~0u, 32), ~0u);
}

TEST(SlabAlloc, NoSlabIsHandedOutTwice) {
  for (unsigned seed = 0; seed < 100; ++seed)
    for (const uint32_t slabs : {0u, 1u, 33u, 1024u, 5000u})
      for (const bool gives_back : {false, true})
        ASSERT_EQ(run({slabs, 4, 3, gives_back}, seed, {}), "") << seed << ", " << slabs;
}

TEST(SlabAlloc, AllAreHandedOut) {
  for (const uint32_t slabs : {1u, 40u, 1023u, 1024u, 1025u, 3000u}) {
    const holders h = take_slabs({slabs, 4, slabs / 32 + 1, false}, slabs, {});
    EXPECT_EQ(h.held, slabs);
    EXPECT_GT(h.refused, 0u);
    EXPECT_TRUE(h.complaints.empty());
  }
}

TEST(SlabAlloc, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, [](unsigned seed, slab_faults planted) {
    return run({60, 4, 2, false}, seed, planted);
  });
  runs.expect("split_claim", [](slab_faults &f) { f.split_claim = true; });
  runs.expect("sweep_cut_short", [](slab_faults &f) { f.refuses_early = true; });
}

} // namespace
