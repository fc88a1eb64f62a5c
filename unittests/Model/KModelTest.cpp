//===- KModelTest.cpp - Sorts on the K-model ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BitonicStream.h"
#include "QuicksortStream.h"

#include <colonnade/bitonic_sort_tuning.hpp>
#include <colonnade/detail/bitonic_sort/plan.hpp>
#include <colonnade/detail/sort_network/window.hpp>

#include "llvm/ADT/IntEqClasses.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

using namespace colonnade;
using namespace colonnade::bench;

namespace {

std::vector<uint32_t> shuffledKeys(unsigned log2Keys) {
  std::vector<uint32_t> keys(size_t(1) << log2Keys);
  std::iota(keys.begin(), keys.end(), 0u);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(log2Keys));
  return keys;
}

TEST(KModel, QueuesAndSegments) {
  EXPECT_EQ(model::longestQueue(4, {0, 1, 2, 3}), 1u);
  EXPECT_EQ(model::longestQueue(4, {7, 5, 15, 0}), 2u);
  EXPECT_EQ(model::longestQueue(4, {6, 6, 6, 6}), 4u) << "as written";
  EXPECT_EQ(model::longestQueue(4, {6, 6, 6, 6}, true), 1u);
  EXPECT_EQ(model::segments(4, {4, 5, 6, 7}), 1u);
  EXPECT_EQ(model::segments(4, {7, 8, 9, 10}), 2u) << "not aligned";
  EXPECT_EQ(model::segments(4, {0, 4, 8, 12}), 4u);
}

/// Merging the pairs of the steps in a set gives 2^(x - |set|) parts of 2^|set| keys.
TEST(KModel, Claim1) {
  constexpr unsigned x = 7;
  for (unsigned set = 0; set < 1u << x; ++set) {
    llvm::IntEqClasses classes(1u << x);
    std::vector<unsigned> steps;
    for (unsigned c = 0; c < x; ++c)
      if (set >> c & 1) {
        steps.push_back(c);
        for (unsigned i = 0; i < 1u << x; ++i)
          classes.join(i, i ^ 1u << c);
      }
    classes.compress();
    std::map<unsigned, std::set<uint64_t>> parts;
    for (unsigned i = 0; i < 1u << x; ++i)
      parts[classes[i]].insert(i);
    ASSERT_EQ(parts.size(), 1u << (x - steps.size()));
    const StepPartition partition(steps);
    std::set<std::set<uint64_t>> expected, found;
    for (const auto &[number, part] : parts)
      expected.insert(part);
    for (uint64_t part = 0; part < parts.size(); ++part) {
      std::set<uint64_t> keys;
      for (uint64_t place = 0; place < partition.partSize(); ++place)
        keys.insert(partition.index(part, place));
      ASSERT_EQ(keys.size(), size_t(1) << steps.size());
      found.insert(keys);
    }
    ASSERT_EQ(found, expected);
  }
}

/// n >= sigma >= k: the programme, instruction by instruction, against the closed forms.
TEST(KModel, BitonicSort) {
  for (unsigned log2Units : {0, 1, 2, 4, 5})
    for (unsigned log2Part = log2Units + 1; log2Part <= 9; log2Part += 2)
      for (unsigned log2Keys = log2Part; log2Keys <= 12; ++log2Keys) {
        const SortShape shape{log2Keys, log2Part, log2Units};
        std::vector<uint32_t> keys = shuffledKeys(log2Keys);
        const StreamCost cost = bitonicSort(keys, shape);
        ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end()));
        EXPECT_EQ(cost.transactions, bitonicTransactions(shape));
        EXPECT_EQ(cost.length, bitonicLength(shape));
        EXPECT_EQ(cost.latency, bitonicLatency(shape));
        EXPECT_EQ(cost.longestQueue, log2Units == 0 ? 1u : 2u);
        EXPECT_LE(cost.length, cost.latency << log2Units);
      }
}

/// Algorithm 2's queues: 2 for c < log k, else 1. With the runtime's slots there are none.
TEST(KModel, QueuesOfBitonicSort) {
  for (unsigned log2Units : {1, 2, 4, 5})
    for (unsigned c = 0; c < 10; ++c)
      for (uint64_t first = 0; first < 512; first += 1u << log2Units)
        for (uint64_t x : {0, 1}) {
          std::vector<int64_t> addresses;
          for (uint64_t id = 0; id < 1u << log2Units; ++id)
            addresses.push_back(static_cast<int64_t>(insertBit(first + id, x, c)));
          EXPECT_EQ(model::longestQueue(1 << log2Units, addresses), c < log2Units ? 2u : 1u);
        }
  constexpr uint32_t Bits = 4;
  for (uint32_t bottom = 0; bottom + Bits <= 13; ++bottom)
    for (uint32_t warp = 0; warp < 1u << (13 - Bits); warp += 32)
      for (uint32_t r = 0; r < 1u << Bits; ++r) {
        std::vector<int64_t> slots;
        for (uint32_t lane = 0; lane < 32; ++lane) {
          const colonnade::detail::register_window<Bits> window(bottom, false, warp + lane);
          slots.push_back(colonnade::detail::shared_slot<Bits>(window.place(r)));
        }
        ASSERT_EQ(model::longestQueue(32, slots), 1u);
      }
}

TEST(KModel, InsertedBits) { EXPECT_EQ(insertBit(7, 0, 1), 13u); }

/// What bitonic_sort_profile prints: G = 2 (n/32) passes, of the runtime's own plan.
TEST(KModel, TransactionsOfTheRuntimesBitonicSort) {
  for (unsigned log2Keys = 13; log2Keys <= 30; ++log2Keys) {
    const uint64_t n = uint64_t(1) << log2Keys;
    const auto tuning =
        n < colonnade::bitonic_sort_policy::large
            ? colonnade::bitonic_sort_policy::tuning(colonnade::gpu_architecture::sm_90, 1)
            : colonnade::bitonic_sort_policy::large_tuning(colonnade::gpu_architecture::sm_90, 1);
    ASSERT_EQ(tuning.log2_part, 13u);
    const colonnade::detail::bitonic_plan plan{n, tuning.log2_part, tuning.log2_items};
    EXPECT_EQ(bitonicPasses({log2Keys, 13, 5}), plan.num_passes());
    EXPECT_EQ(bitonicTransactions({log2Keys, 13, 5}), 2 * (n / 32) * plan.num_passes());
  }
}

/// Kernel by kernel, beside the paper's formulas of a level.
TEST(KModel, Quicksort) {
  for (unsigned log2Units : {3, 4, 5})
    for (unsigned log2Part : {8, 10}) {
      std::vector<uint32_t> keys = shuffledKeys(15);
      const QuicksortCost cost = quicksort(keys, {15, log2Part, log2Units});
      ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end()));
      const uint64_t k = uint64_t(1) << log2Units, reads = (cost.split + k - 1) / k;
      EXPECT_EQ(cost.count.length, cost.split) << "W: n a level";
      EXPECT_EQ(cost.scatter.length, cost.split);
      // T: n/k, and an instruction more at the end of a sequence.
      EXPECT_GE(cost.count.latency, reads);
      EXPECT_LE(cost.count.latency, reads + cost.sequences);
      EXPECT_EQ(cost.scatter.latency, cost.count.latency);
      // G of the scatter: n for the writes at most, and about as many, as the paper says.
      EXPECT_LE(cost.scatter.transactions, cost.split + 2 * (reads + cost.sequences));
      EXPECT_GE(cost.scatter.transactions, cost.split * 3 / 4);
      EXPECT_GT(cost.divergent, reads * 3 / 4);
      EXPECT_GE(cost.levels, 15u - log2Part);
    }
}

/// A level that splits n keys into halves, kernel by kernel: the paper's G, but for a flush of two
/// counters for each k^2 keys in kernel 1. Two scans of n/k counters go up and down: 4 (n/k - 1)
/// sums, twice the paper's W; and its T, 4 log(n/k), as long as an instruction holds a sweep.
TEST(KModel, QuicksortLevel) {
  for (unsigned log2Units : {3, 4, 5}) {
    std::vector<uint32_t> keys = shuffledKeys(15);
    const uint64_t n = keys.size(), k = uint64_t(1) << log2Units;
    for (uint64_t place : {uint64_t(0), n / 2, n - 1}) // the pivot is their median
      std::iter_swap(keys.begin() + static_cast<ptrdiff_t>(place),
                     std::find(keys.begin(), keys.end(), static_cast<uint32_t>(place)));
    const QuicksortCost cost = quicksort(keys, {15, 14, log2Units});
    ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    ASSERT_EQ(cost.sequences, 1u);
    EXPECT_EQ(cost.count.transactions, n / k + 2 * n / (k * k));
    EXPECT_EQ(cost.count.latency, n / k);
    EXPECT_EQ(cost.scan.transactions, 4 * n / (k * k));
    EXPECT_EQ(cost.scan.length, 4 * (n / k - 1));
    EXPECT_EQ(cost.scan.latency, 4 * (n / (k * k) - 1 + log2Units));
    EXPECT_EQ(cost.scan.longestQueue, 1u);
    EXPECT_GE(cost.scan.latency, 4 * (15 - log2Units)) << "T: 4 log(n/k)";
  }
}

/// The overall formulas are the sums of the three kernels', log n times.
TEST(KModel, QuicksortForms) {
  for (unsigned log2Units : {4, 5})
    for (unsigned log2Keys : {10, 20, 24}) {
      const double n = double(uint64_t(1) << log2Keys), k = 1 << log2Units;
      const double kernels[3][3] = {{n / k + 2, n, n / k},
                                    {4 * n / (k * k), 2 * n / k, 4 * std::log2(n / k)},
                                    {n / k + n, n, n / k}};
      double sums[3] = {};
      for (const auto &kernel : kernels)
        for (int column = 0; column < 3; ++column)
          sums[column] += kernel[column] * log2Keys;
      const QuicksortForms forms = quicksortForms(log2Keys, log2Units);
      EXPECT_DOUBLE_EQ(forms.transactions, sums[0]);
      EXPECT_DOUBLE_EQ(forms.length, sums[1]);
      EXPECT_DOUBLE_EQ(forms.latency, sums[2]);
    }
}

} // namespace
