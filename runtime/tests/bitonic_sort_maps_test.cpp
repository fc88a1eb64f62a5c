//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The address maps of the bitonic sort: bank conflicts of shared memory and lines of global
// memory are counted, and the passes of the plan, beside the K-model's.
//
//===----------------------------------------------------------------------===//

#include <colonnade/detail/bitonic_sort/plan.hpp>
#include <colonnade/detail/sort_network/window.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

using namespace colonnade::detail;

namespace {

/// Accesses beyond the first that the banks of shared memory need for a warp.
uint32_t conflicts(const std::vector<uint32_t> &slots) {
  std::array<uint32_t, 32> in_bank{};
  for (uint32_t slot : slots)
    ++in_bank[slot % 32];
  return *std::max_element(in_bank.begin(), in_bank.end()) - 1;
}

struct conflict_count {
  uint64_t ours = 0, straight = 0; // straight: the slot is the place
};

template <uint32_t Bits> conflict_count count_conflicts(uint32_t log2_part) {
  conflict_count count;
  const uint32_t threads = 1u << (log2_part - Bits);
  for (uint32_t bottom = 0; bottom + Bits <= log2_part; ++bottom)
    for (const bool mirrored : {false, true}) {
      std::vector<bool> taken(size_t{1} << log2_part);
      for (uint32_t warp = 0; warp < threads; warp += 32)
        for (uint32_t r = 0; r < 1u << Bits; ++r) {
          std::vector<uint32_t> slots(32), places(32);
          for (uint32_t lane = 0; lane < 32; ++lane) {
            const register_window<Bits> w(bottom, mirrored, warp + lane);
            uint32_t slot[1u << Bits];
            w.slots(slot);
            slots[lane] = slot[r] / 4;
            places[lane] = w.place(r);
            EXPECT_EQ(slot[r], 4 * shared_slot<Bits>(w.place(r)));
            EXPECT_FALSE(taken.at(slot[r] / 4)) << "two places in one slot";
            taken[slot[r] / 4] = true;
          }
          count.ours += conflicts(slots);
          count.straight += conflicts(places);
        }
    }
  return count;
}

TEST(BitonicSortMaps, NoBankConflicts) {
  for (uint32_t log2_part = 10; log2_part <= 15; ++log2_part) {
    EXPECT_EQ(count_conflicts<1>(log2_part).ours, 0u);
    EXPECT_EQ(count_conflicts<2>(log2_part).ours, 0u);
    EXPECT_EQ(count_conflicts<3>(log2_part).ours, 0u);
    EXPECT_EQ(count_conflicts<4>(log2_part).ours, 0u);
    EXPECT_EQ(count_conflicts<5>(log2_part).ours, 0u);
    EXPECT_GT(count_conflicts<1>(log2_part).straight, 0u); // Algorithm 2's: two-way
    EXPECT_GT(count_conflicts<4>(log2_part).straight, 0u);
  }
}

/// The indices of one register in a warp's lanes are one line of 32 items.
template <uint32_t Bits>
void expect_whole_lines(const part_map &map, uint32_t log2_part, uint32_t bottom, bool mirrored,
                        std::vector<bool> &taken) {
  for (uint32_t warp = 0; warp < 1u << (log2_part - Bits); warp += 32)
    for (uint32_t r = 0; r < 1u << Bits; ++r) {
      std::set<uint64_t> lines;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        const uint32_t place = register_window<Bits>(bottom, mirrored, warp + lane).place(r);
        const uint64_t index =
            map.base + map.offset(place) + (place >> (log2_part - 1) ? map.second_half : 0);
        lines.insert(index / 32);
        ASSERT_FALSE(taken.at(index));
        taken[index] = true;
      }
      ASSERT_EQ(lines.size(), 1u);
    }
}

TEST(BitonicSortMaps, EveryPassMovesEveryLineOnce) {
  constexpr uint32_t log2_part = 10, bits = 3;
  const bitonic_plan plan{1u << 17, log2_part, bits};
  plan.for_each_pass([&](const bitonic_pass &pass) {
    for (const uint32_t bottom : {log2_part - bits, lane_bits}) { // loads; stores of tiles
      if (bottom == lane_bits && pass.bottom != 0)
        continue;
      std::vector<bool> taken(plan.num_items);
      for (uint64_t part = 0; part < plan.num_parts(pass); ++part)
        expect_whole_lines<bits>(part_map::of(pass, part, log2_part), log2_part, bottom,
                                 pass.mirrored() && bottom != lane_bits, taken);
      EXPECT_EQ(std::count(taken.begin(), taken.end(), false), 0);
    }
    return true;
  });
}

/// The K-model's G: 2 n / k transactions a pass, k = 32.
uint64_t model_passes(uint32_t log2_n, uint32_t log2_part) {
  uint64_t passes = 1;
  for (uint32_t s = log2_part + 1; s <= log2_n; ++s)
    passes += (s - log2_part + log2_part - 5 - 1) / (log2_part - 5) + 1;
  return passes;
}

TEST(BitonicSortMaps, AsManyPassesAsTheModelSays) {
  for (uint32_t log2_part : {7, 10, 12, 13, 14, 15})
    for (uint32_t log2_n = 0; log2_n <= 34; ++log2_n)
      for (uint32_t bits : {2, 3, 4, 5}) {
        const bitonic_plan plan{uint64_t{1} << log2_n, log2_part, bits};
        EXPECT_EQ(plan.num_passes(), model_passes(log2_n, log2_part)) << log2_n << " " << log2_part;
      }
}

} // namespace
