//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The comparators that the kernels of the bulk sort run, on the host: proved by the 0-1
// principle, or the same as those of a network that is.
//
//===----------------------------------------------------------------------===//

#include "host_bulk_sort.hpp"
#include "zero_one.hpp"

#include <gtest/gtest.h>

#include <numeric>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

/// Each stage of what the passes run merges; the first sorts pieces of 2^Bits.
template <uint32_t Bits> void prove(uint32_t n) {
  SCOPED_TRACE(::testing::Message() << n << ", " << Bits << " bits");
  using arrays = bulk_arrays<uint32_t, no_value, no_value>;
  std::vector<uint32_t> keys(n);
  std::iota(keys.begin(), keys.end(), 0u);
  std::vector<comparator_list> stages;
  sort_in_several<runtime::column_wise_layout, Bits>(
      bulk_sort_arguments<arrays, recorder>{
          {keys.data(), keys.data(), nullptr, nullptr, nullptr, nullptr}, 1, n, 0, {}, {&stages}},
      [&](const column_pass &pass) {
        if (pass.sorts || pass.mirrored)
          stages.emplace_back();
      });
  ASSERT_EQ(stages.size(), 1 + (ceil_log2(n) > Bits ? ceil_log2(n) - Bits : 0));
  for (uint32_t s = 0; s < stages.size(); ++s)
    for (uint32_t block = 1u << (Bits + s), first = 0; first < n; first += block) {
      const uint32_t length = std::min(block, n - first);
      comparator_list list;
      for (const auto &[low, high] : stages[s])
        if (low >= first && low < first + length)
          list.push_back({low - first, high - first});
      const bool right = s == 0 ? sorts_all_zeros_and_ones(list, length)
                                : length <= block / 2 || merges_all_sorted_halves(list, length);
      EXPECT_TRUE(right) << s << " " << first;
    }
}

/// Of array `column` of a block: no comparator crosses arrays, and each sorts its own.
template <uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits> void prove_block(uint32_t n) {
  SCOPED_TRACE(::testing::Message() << n << " of " << (1u << Log2Rows));
  using arrays = bulk_arrays<uint32_t, no_value, no_value>;
  const uint32_t count = 1u << Log2Columns;
  std::vector<uint32_t> keys(n * count);
  std::iota(keys.begin(), keys.end(), 0u);
  std::vector<comparator_list> all(1);
  EXPECT_EQ((sort_in_blocks<runtime::column_wise_layout, Log2Rows, Log2Columns, Bits>(
                bulk_sort_arguments<arrays, recorder>{
                    {keys.data(), keys.data(), nullptr, nullptr, nullptr, nullptr},
                    count,
                    n,
                    0,
                    {},
                    {&all}},
                n)),
            "");
  for (uint32_t column = 0; column < count; ++column) {
    comparator_list list;
    for (const auto &[low, high] : all[0]) {
      ASSERT_EQ(low % count, high % count);
      if (low % count == column)
        list.push_back({low / count, high / count});
    }
    if (n <= 20) {
      EXPECT_TRUE(sorts_all_zeros_and_ones(list, n)) << column;
    }
    // The first items of a register each, then the bitonic stages, in every array alike.
    comparator_list right;
    for (uint32_t first = 0; first < n; first += 1u << Bits)
      for (const auto &[low, high] :
           comparators_of<odd_even_network>(std::min(1u << Bits, n - first)))
        right.push_back({first + low, first + high});
    for (uint32_t stage = Bits; stage < Log2Rows; ++stage)
      for (const auto &c : stage_comparators<bitonic_network>(stage, n))
        right.push_back(c);
    EXPECT_EQ(in_order(list, n), in_order(right, n)) << column;
  }
}

TEST(BulkSort, TheComparatorsOfBlocksSort) {
  for (uint32_t n : {1u, 3u, 4u, 5u, 13u, 16u, 17u, 20u, 31u, 32u})
    prove_block<5, 2, 2>(n);
  for (uint32_t n : {33u, 50u, 63u, 64u})
    prove_block<6, 3, 3>(n);
}

/// Of 16 arrays in two threads' registers each; no places beyond the end.
template <uint32_t N> void prove_pair() {
  SCOPED_TRACE(N);
  using arrays = bulk_arrays<uint32_t, no_value, no_value>;
  std::vector<uint32_t> keys(N * 16);
  std::iota(keys.begin(), keys.end(), 0u);
  std::vector<comparator_list> all(1);
  EXPECT_EQ(
      (sort_in_pairs<runtime::column_wise_layout, N, N>(
          bulk_sort_arguments<arrays, recorder>{
              {keys.data(), keys.data(), nullptr, nullptr, nullptr, nullptr}, 16, N, 0, {}, {&all}},
          N)),
      "");
  for (uint32_t column = 0; column < 16; ++column) {
    comparator_list list;
    for (const auto &[low, high] : all[0]) {
      ASSERT_EQ(low % 16, high % 16);
      if (low % 16 == column)
        list.push_back({low / 16, high / 16});
    }
    EXPECT_TRUE(sorts_all_zeros_and_ones(list, N)) << column;
  }
}

TEST(BulkSort, TheComparatorsOfPairsSort) {
  prove_pair<4>();
  prove_pair<8>();
  prove_pair<12>();
  prove_pair<16>();
  prove_pair<20>();
}

TEST(BulkSort, ItsComparatorsSort) {
  for (uint32_t n = 1; n <= 70; ++n) {
    prove<2>(n);
    prove<3>(n);
  }
  for (uint32_t n : {100, 127, 128, 129, 255, 256, 257, 600, 1024}) {
    prove<3>(n);
    prove<4>(n);
  }
}

} // namespace
