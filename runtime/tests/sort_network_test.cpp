//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sorting networks, by the 0-1 principle: a network sorts everything if it sorts
// all sequences of zeros and ones. All of them for lengths up to 24; beyond, each
// merging stage on all pairs of sorted halves. A word holds the bits of 64 sequences,
// so a comparator is an AND and an OR.
//
//===----------------------------------------------------------------------===//

#include "zero_one.hpp"

#include <colonnade/detail/sort_network/exchange.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>

using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

template <class Network> class SortNetwork : public ::testing::Test {};
using networks = ::testing::Types<bitonic_network, odd_even_network>;
TYPED_TEST_SUITE(SortNetwork, networks);

TYPED_TEST(SortNetwork, SortsAllZerosAndOnesUpTo24) {
  for (uint32_t n = 0; n <= 24; ++n)
    EXPECT_TRUE(sorts_all_zeros_and_ones(comparators_of<TypeParam>(n), n)) << n;
}

/// A lone comparator less, and some sequence is not sorted: the test can fail.
TYPED_TEST(SortNetwork, NeedsEveryComparatorOfItsLastStep) {
  const auto all = comparators_of<TypeParam>(13);
  for (size_t k = all.size() - 5; k < all.size(); ++k) {
    auto fewer = all;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(k));
    EXPECT_FALSE(sorts_all_zeros_and_ones(fewer, 13)) << k;
  }
}

std::vector<uint32_t> merged_lengths() {
  std::vector<uint32_t> lengths;
  for (uint32_t n = 2; n <= 160; ++n)
    lengths.push_back(n);
  for (uint32_t n : {255, 256, 257, 512, 777, 1023, 1024, 1025, 2048, 2049, 4095, 4096})
    lengths.push_back(n);
  return lengths;
}

/// With the test below, every length up to 4096: powers of two are among these.
TYPED_TEST(SortNetwork, EveryStageMergesAllSortedHalves) {
  for (uint32_t n : merged_lengths())
    EXPECT_TRUE(merges_all_sorted_halves(stage_comparators<TypeParam>(ceil_log2(n) - 1, n), n))
        << n;
}

/// A shorter list is that of the next power of two without what reaches beyond it: the
/// larger item always goes up, so items larger than all others stay behind the end, and
/// leaving out their comparators changes nothing.
TYPED_TEST(SortNetwork, LargerItemsGoUp) {
  for (uint32_t k = 0; k < num_steps(4096); ++k)
    for (uint32_t low = 0; low < 4096; ++low)
      if (const uint32_t high = TypeParam::high(step_at(k), low); high < 4096) {
        ASSERT_LT(low, high) << k;
      }
  for (uint32_t n = 2; n <= 4096; ++n) {
    const uint32_t stage = ceil_log2(n) - 1;
    static comparator_list whole;
    if (n == 2 || n - 1 == 1u << stage)
      whole = stage_comparators<TypeParam>(stage, 2u << stage);
    auto next = whole.begin();
    for (const auto &c : stage_comparators<TypeParam>(stage, n)) {
      while (next != whole.end() && next->second >= n)
        ++next;
      ASSERT_TRUE(next != whole.end() && *next == c) << n;
      ++next;
    }
    ASSERT_TRUE(std::all_of(next, whole.end(), [&](const auto &c) { return c.second >= n; })) << n;
  }
}

/// So a stage of a longer network is that of a shorter one, block by block.
TYPED_TEST(SortNetwork, AStageIsTheSameInEveryBlock) {
  for (uint32_t n : {37u, 64u, 200u, 1000u})
    for (uint32_t stage = 0; stage < ceil_log2(n); ++stage) {
      const uint32_t block = 2u << stage;
      comparator_list blocks;
      for (uint32_t step = stage + 1; step-- > 0;)
        for (uint32_t first = 0; first < n; first += block)
          for (uint32_t low = 0; low < block; ++low)
            if (const uint32_t high = TypeParam::high({stage, step}, low);
                high < block && first + high < n)
              blocks.push_back({first + low, first + high});
      EXPECT_EQ(blocks, stage_comparators<TypeParam>(stage, n)) << n << " " << stage;
    }
}

TYPED_TEST(SortNetwork, NoStepTouchesAnItemTwice) {
  for (uint32_t n : {2u, 24u, 100u, 128u})
    for (uint32_t k = 0; k < num_steps(n); ++k) {
      std::vector<int> touched(n);
      for (uint32_t low = 0; low < n; ++low)
        if (const uint32_t high = TypeParam::high(step_at(k), low); high < n) {
          EXPECT_TRUE(low < high && ++touched[low] == 1 && ++touched[high] == 1)
              << n << " " << k << " " << low;
        }
    }
}

TEST(SortNetworkSizes, Comparators) {
  const auto count = [](auto network, uint32_t n) {
    return comparators_of<decltype(network)>(n).size();
  };
  EXPECT_EQ(count(bitonic_network{}, 32), 240u);
  EXPECT_EQ(count(odd_even_network{}, 16), 63u);
  EXPECT_EQ(count(odd_even_network{}, 32), 191u);
  EXPECT_EQ(count(odd_even_network{}, 64), 543u);
  EXPECT_EQ(count(odd_even_network{}, 128), 1471u);
}

/// What kernels run in registers is the list that the proofs look at.
template <class Network, uint32_t N, uint32_t Certain> void expect_registers_run_the_list() {
  for (uint32_t length = Certain; length <= N; ++length) {
    uint32_t items[N];
    for (uint32_t i = 0; i < N; ++i)
      items[i] = i;
    comparator_list run;
    sort_registers<Network, Certain>(items, length,
                                     [&](uint32_t &low, uint32_t &high, bool active) {
                                       if (active)
                                         run.push_back({low, high});
                                     });
    EXPECT_EQ(run, comparators_of<Network>(length)) << N << " " << length;
  }
}
TYPED_TEST(SortNetwork, RegistersRunTheList) {
  expect_registers_run_the_list<TypeParam, 1, 1>();
  expect_registers_run_the_list<TypeParam, 2, 2>();
  expect_registers_run_the_list<TypeParam, 17, 17>();
  expect_registers_run_the_list<TypeParam, 24, 17>();
  expect_registers_run_the_list<TypeParam, 32, 32>();
}

struct key_and_place {
  uint8_t key[5];
  friend bool operator==(const key_and_place &, const key_and_place &) = default;
};
struct by_first_byte {
  bool operator()(const key_and_place &a, const key_and_place &b) const {
    return a.key[0] < b.key[0];
  }
};

TEST(Exchange, WithPlacesItIsStable) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    sort_item<key_and_place, uint16_t> items[29];
    std::vector<key_and_place> keys;
    for (uint16_t i = 0; i < 29; ++i) {
      items[i] = {{{static_cast<uint8_t>(random() % 4), static_cast<uint8_t>(i), 3, 4, 5}}, i};
      keys.push_back(items[i].key);
    }
    sort_registers<odd_even_network>(items, exchange_by_key_and_value<by_first_byte>{});
    std::stable_sort(keys.begin(), keys.end(), by_first_byte{});
    for (int i = 0; i < 29; ++i)
      ASSERT_EQ(items[i].key, keys[i]) << i;
  }
}

/// Whatever a broken order says (NaN among floats), nothing is lost.
TEST(Exchange, KeepsItemsUnderABrokenOrder) {
  sort_item<float, no_value> items[16];
  for (int i = 0; i < 16; ++i)
    items[i].key =
        i % 3 == 1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(16 - i);
  sort_registers<bitonic_network>(items, exchange_by_key<std::less<float>>{});
  double sum = 0;
  int nans = 0;
  for (const auto &item : items)
    item.key != item.key ? ++nans : sum += item.key;
  EXPECT_EQ(nans, 5);
  EXPECT_EQ(sum, 136 - (15 + 12 + 9 + 6 + 3));
}

/// The bitonic sequences of zeros and ones are those that change twice at most.
template <uint32_t N> void prove_merge() {
  for (uint32_t from = 0; from <= N; ++from)
    for (uint32_t to = from; to <= N; ++to)
      for (bool inside : {false, true}) {
        bool items[N];
        for (uint32_t i = 0; i < N; ++i)
          items[i] = (i >= from && i < to) == inside;
        merge_registers(items, [](bool &low, bool &high, bool) {
          const bool a = low, b = high;
          low = a && b;
          high = a || b;
        });
        EXPECT_TRUE(std::is_sorted(items, items + N)) << N << ": " << from << " to " << to;
      }
}

TEST(MergeRegisters, SortsAllBitonicZerosAndOnes) {
  prove_merge<1>();
  prove_merge<3>();
  prove_merge<4>();
  prove_merge<5>();
  prove_merge<6>();
  prove_merge<8>();
  prove_merge<12>();
  prove_merge<14>();
  prove_merge<16>();
  prove_merge<24>();
  prove_merge<28>();
  prove_merge<32>();
  prove_merge<80>();
  prove_merge<96>();
  prove_merge<112>();
  prove_merge<128>();
}

} // namespace
