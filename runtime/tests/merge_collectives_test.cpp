//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// k-way merge and partition in registers on the host (algorithms 9 and 10), one warp
// under random schedules: unequal and empty streams, equal keys, rows of every number;
// then the two-dimensional sort by the 0-1 principle.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"

#include <colonnade/detail/merge_sort/k_merge.hpp>
#include <colonnade/detail/merge_sort/k_partition.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade::testing;
using namespace colonnade::detail;

namespace {

struct by_tens {
  bool operator()(uint32_t a, uint32_t b) const { return a / 10 < b / 10; }
};

std::vector<uint32_t> random_keys(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> keys(n);
  for (uint32_t &k : keys)
    k = random() % 500;
  return keys;
}
std::string first_of(const std::vector<std::string> &complaints) {
  return complaints.empty() ? "" : complaints[0];
}

/// Empty if right.
template <uint32_t Ways, uint32_t Rows>
std::string merged(const std::vector<uint32_t> &sizes, unsigned seed) {
  std::vector<std::vector<uint32_t>> streams;
  std::vector<uint32_t> all;
  for (uint32_t s = 0; s < Ways; ++s) {
    streams.push_back(random_keys(sizes[s % sizes.size()], seed + s));
    std::stable_sort(streams[s].begin(), streams[s].end(), by_tens{});
    all.insert(all.end(), streams[s].begin(), streams[s].end());
  }
  std::vector<uint32_t> out(all.size() + 4, 7777);
  host_grid grid(seed);
  grid.run(1, 32, 0, [&](const host_machine &machine, char *) {
    const auto read = [&](uint32_t s, uint32_t i) { return streams.at(s).at(i); };
    const auto write = [&](uint32_t i, uint32_t item) { out[i] = item; };
    const uint32_t items =
        machine.lane() < Ways ? static_cast<uint32_t>(streams[machine.lane()].size()) : 99;
    k_merge<uint32_t, Ways, Rows, true, host_machine, decltype(read), decltype(write), by_tens>(
        machine, items, read, write, by_tens{})
        .run();
  });
  std::stable_sort(all.begin(), all.end(), by_tens{});
  all.resize(all.size() + 4, 7777);
  return out == all ? first_of(grid.complaints) : "wrong order";
}

TEST(MergeCollectives, KWayMerge) {
  const std::vector<uint32_t> shapes[] = {
      {0}, {1}, {0, 1}, {32}, {33, 0, 64}, {5, 200, 0, 31}, {100, 100, 3, 97}};
  for (const auto &sizes : shapes) {
    EXPECT_EQ((merged<2, 2>(sizes, 1)), "");
    EXPECT_EQ((merged<2, 5>(sizes, 2)), "");
    EXPECT_EQ((merged<4, 4>(sizes, 3)), "");
    EXPECT_EQ((merged<4, 8>(sizes, 4)), "");
    EXPECT_EQ((merged<8, 9>(sizes, 5)), "");
  }
}

template <uint32_t Ways, uint32_t Rows> std::string partitioned(uint32_t n, unsigned seed) {
  const auto keys = random_keys(n, seed);
  std::vector<uint32_t> pivots = random_keys(Ways - 1, seed + 1);
  std::sort(pivots.begin(), pivots.end(), by_tens{});
  const auto partition_of = [&](uint32_t key) {
    uint32_t p = 0;
    for (uint32_t pivot : pivots)
      p += !by_tens{}(key, pivot);
    return p;
  };
  std::vector<uint64_t> begins(Ways + 1), ends(Ways);
  for (uint32_t key : keys)
    ++begins[partition_of(key) + 1];
  for (uint32_t p = 0; p < Ways; ++p)
    begins[p + 1] += begins[p];
  std::vector<uint32_t> out(n + 4, 7777);
  host_grid grid(seed);
  grid.run(1, 32, 0, [&](const host_machine &machine, char *) {
    const uint32_t lane = machine.lane();
    uint64_t next = lane < Ways ? begins[lane] : 12345;
    const auto read = [&](uint32_t i) { return keys.at(i); };
    const auto write = [&](uint64_t i, uint32_t item) { out.at(i) = item; };
    k_partition<Ways, Rows, true>(machine, n, lane + 1 < Ways ? pivots[lane] : 0, next, read, write,
                                  by_tens{});
    if (lane < Ways)
      ends[lane] = next;
  });
  for (uint32_t p = 0; p < Ways; ++p) {
    if (ends[p] != begins[p + 1])
      return "end of a partition";
    for (uint64_t i = begins[p]; i < begins[p + 1]; ++i)
      if (partition_of(out[i]) != p)
        return "wrong partition";
  }
  auto got = std::vector<uint32_t>(out.begin(), out.begin() + n), wanted = keys;
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  return got == wanted && out[n] == 7777 ? first_of(grid.complaints) : "other items";
}

TEST(MergeCollectives, KWayPartition) {
  for (uint32_t n : {0, 1, 31, 32, 33, 255, 257, 600}) {
    EXPECT_EQ((partitioned<2, 1>(n, n)), "") << n;
    EXPECT_EQ((partitioned<5, 4>(n, n + 1)), "") << n;
    EXPECT_EQ((partitioned<31, 7>(n, n + 2)), "") << n;
  }
}

/// Columns of zeros over ones of random heights, and random 0-1 contents: a network that
/// sorts these has steps enough.
template <uint32_t Rows> std::string sorts_zeros_and_ones(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> bits(Rows * 32);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t height = random() % (Rows + 1);
    for (uint32_t r = 0; r < Rows; ++r)
      bits[r * 32 + lane] = seed % 2 ? random() % 2 : r >= height;
  }
  const auto zeros = std::count(bits.begin(), bits.end(), 0u);
  host_grid grid(seed);
  grid.run(1, 32, 0, [&](const host_machine &machine, char *) {
    uint32_t rows[Rows];
    for (uint32_t r = 0; r < Rows; ++r)
      rows[r] = bits[r * 32 + machine.lane()];
    sort_two_dimensional(machine, rows, [](uint32_t a, uint32_t b) { return a < b; });
    for (uint32_t r = 0; r < Rows; ++r)
      bits[r * 32 + machine.lane()] = rows[r];
  });
  return std::is_sorted(bits.begin(), bits.end()) &&
                 std::count(bits.begin(), bits.end(), 0u) == zeros
             ? first_of(grid.complaints)
             : "not sorted";
}

TEST(MergeCollectives, TwoDimensionalSort) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    EXPECT_EQ((sorts_zeros_and_ones<1>(seed)), "") << seed;
    EXPECT_EQ((sorts_zeros_and_ones<2>(seed)), "") << seed;
    EXPECT_EQ((sorts_zeros_and_ones<5>(seed)), "") << seed;
    EXPECT_EQ((sorts_zeros_and_ones<8>(seed)), "") << seed;
    EXPECT_EQ((sorts_zeros_and_ones<16>(seed)), "") << seed;
  }
}

} // namespace
