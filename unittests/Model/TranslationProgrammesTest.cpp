//===- TranslationProgrammesTest.cpp - Programmes on the VAT machine ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programmes whose arrays say which cell they access, held against the bounds of section 2.4 of
// "Virtual Address Translation and GPU Convex Hull".
//
//===----------------------------------------------------------------------===//

#include "TranslationSequences.h"

#include <cmath>
#include <numeric>

using namespace colonnade::model;

namespace {

struct Machine {
  uint64_t cellsOfPage; // P
  uint64_t fanout;      // K
  uint64_t cache;       // W
  unsigned depthOf(uint64_t n) const {
    return depthFor((n + cellsOfPage - 1) / cellsOfPage, fanout);
  }
  double kappa() const { return std::log2(static_cast<double>(fanout)); }
};

/// An array of n numbers that notes the page of every access.
class TracedArray {
public:
  TracedArray(const Machine &machine, uint64_t n, unsigned seed)
      : machine_(machine), cells_(n), random_(seed) {
    std::iota(cells_.begin(), cells_.end(), uint64_t(0));
    std::shuffle(cells_.begin(), cells_.end(), random_);
  }

  uint64_t size() const { return cells_.size(); }
  uint64_t read(uint64_t i) {
    pages_.push_back(i / machine_.cellsOfPage);
    return cells_[i];
  }
  void write(uint64_t i, uint64_t value) {
    pages_.push_back(i / machine_.cellsOfPage);
    cells_[i] = value;
  }
  void swap(uint64_t i, uint64_t j) {
    const uint64_t a = read(i), b = read(j);
    write(i, b);
    write(j, a);
  }
  uint64_t random(uint64_t end) { return random_() % end; }

  double insertionsBy(Replacement policy) const {
    return static_cast<double>(
        insertions({machine_.fanout, machine_.depthOf(size())}, machine_.cache, policy, pages_));
  }
  const std::vector<uint64_t> &cells() const { return cells_; }

private:
  Machine machine_;
  std::vector<uint64_t> cells_, pages_;
  std::mt19937_64 random_;
};

void sift(TracedArray &array, uint64_t i, uint64_t end) {
  for (uint64_t child; (child = 2 * i + 1) < end; i = child) {
    if (child + 1 < end && array.read(child + 1) < array.read(child))
      ++child;
    if (array.read(i) <= array.read(child))
      return;
    array.swap(i, child);
  }
}

void heapify(TracedArray &array) {
  for (uint64_t i = array.size() / 2; i-- > 0;)
    sift(array, i, array.size());
}

void quicksort(TracedArray &array, int64_t low, int64_t high) {
  if (low >= high)
    return;
  const uint64_t pivot = array.read(static_cast<uint64_t>(low + (high - low) / 2));
  int64_t i = low, j = high;
  while (i <= j) {
    while (array.read(static_cast<uint64_t>(i)) < pivot)
      ++i;
    while (array.read(static_cast<uint64_t>(j)) > pivot)
      --j;
    if (i <= j)
      array.swap(static_cast<uint64_t>(i++), static_cast<uint64_t>(j--));
  }
  quicksort(array, low, j);
  quicksort(array, i, high);
}

double log2(uint64_t a) { return std::log2(static_cast<double>(a)); }
double number(uint64_t a) { return static_cast<double>(a); }

/// Every policy; any base; W from d + 1 on.
TEST(TranslationProgrammes, SequentialAccessIsExact) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const uint64_t page = 1 + random() % 9, b = random() % 500, n = random() % 300;
    const uint64_t fanout = 2 + random() % 4;
    const TranslationTree tree{fanout, depthFor((b + n) / page + 1, fanout)};
    std::vector<uint64_t> pages;
    for (uint64_t i = 0; i < n; ++i)
      pages.push_back((b + i) / page);
    for (Replacement policy : allReplacements())
      for (uint64_t cache : {tree.depth + 1, tree.depth + 4})
        EXPECT_EQ(insertions(tree, cache, policy, pages), sequentialInsertions(tree, page, b, n))
            << "seed " << seed << " " << name(policy);
  }
}

/// Lemma 2.27: between (n / kappa) log(n / PW) and (n / kappa) (1 + log(n / P)), by LRU and ISLRU;
/// policies that know the future take up to 2 % less.
TEST(TranslationProgrammes, RandomScan) {
  unsigned below = 0;
  for (const Machine &machine : {Machine{16, 2, 32}, Machine{16, 4, 32}, Machine{64, 16, 8}})
    for (uint64_t n : {uint64_t(1) << 12, uint64_t(1) << 14, uint64_t(1) << 16}) {
      TracedArray array(machine, n, 1);
      for (uint64_t i = 0; i < n; ++i)
        array.read(array.random(n));
      const double scale = number(n) / machine.kappa();
      const double least = scale * log2(n / (machine.cellsOfPage * machine.cache));
      for (Replacement policy : allReplacements()) {
        const bool isOnline = policy == Replacement::Lru || policy == Replacement::IsLru;
        const double found = array.insertionsBy(policy);
        EXPECT_GE(found, least * (isOnline ? 1 : 0.98)) << n << ' ' << name(policy);
        EXPECT_LE(found, scale * (1 + log2(n / machine.cellsOfPage))) << n << ' ' << name(policy);
        below += policy == Replacement::Min && found < least;
      }
    }
  EXPECT_GT(below, 0u);
}

/// Lemma 2.28, a search: at least log^2(n / 4PW) / 4 kappa; at most log(2n / P) log(2nd / W) /
/// kappa, which is what the proof has.
TEST(TranslationProgrammes, BinarySearch) {
  constexpr unsigned Searches = 500;
  for (const Machine &machine : {Machine{16, 2, 16}, Machine{16, 2, 128}, Machine{16, 4, 32}})
    for (unsigned x : {12u, 16u}) {
      const uint64_t n = (uint64_t(1) << x) - 1;
      TracedArray array(machine, n, 2);
      for (unsigned search = 0; search < Searches; ++search) {
        const uint64_t wanted = array.random(n);
        uint64_t low = 0, high = n;
        for (uint64_t middle; low < high && (middle = (low + high) / 2) != wanted;) {
          array.read(middle);
          (middle < wanted ? low : high) = middle < wanted ? middle + 1 : middle;
        }
        array.read(wanted);
      }
      const uint64_t d = machine.depthOf(n);
      const double least =
          std::pow(std::log2(number(n) / number(4 * machine.cellsOfPage * machine.cache)), 2) /
          (4 * machine.kappa());
      const double most = std::log2(2 * number(n) / number(machine.cellsOfPage)) *
                          std::log2(2 * number(n * d) / number(machine.cache)) / machine.kappa();
      EXPECT_GE(array.insertionsBy(Replacement::IsLru) / Searches, least);
      EXPECT_LE(array.insertionsBy(Replacement::Min) / Searches, most);
    }
}

/// tau (d + np / P) times something between two constants, with P = 2^p.
TEST(TranslationProgrammes, Heapify) {
  for (uint64_t p : {4, 5, 6})
    for (uint64_t x : {15, 16, 17}) {
      const Machine machine{uint64_t(1) << p, 16, 128};
      const uint64_t n = uint64_t(1) << x;
      TracedArray array(machine, n, 3);
      heapify(array);
      for (uint64_t i = 1; i < n; ++i)
        ASSERT_LT(array.cells()[(i - 1) / 2], array.cells()[i]);
      const double ratio = array.insertionsBy(Replacement::Lru) /
                           (machine.depthOf(n) + number(n * p) / number(machine.cellsOfPage));
      EXPECT_GE(ratio, 0.5) << p << " " << x;
      EXPECT_LE(ratio, 2) << p << " " << x;
    }
}

/// The paper has no bound: simulated. Beyond what the cache's pages hold, an item takes more
/// insertions the more items there are, and more than log n times what heapify's took.
TEST(TranslationProgrammes, Heapsort) {
  const Machine machine{16, 4, 32};
  double before = 0;
  for (uint64_t x : {12, 13, 14}) {
    const uint64_t n = uint64_t(1) << x;
    TracedArray array(machine, n, 6), heap(machine, n, 6);
    heapify(heap);
    heapify(array);
    for (uint64_t end = n; end-- > 1;) {
      array.swap(0, end);
      sift(array, 0, end);
    }
    for (uint64_t i = 0; i < n; ++i)
      ASSERT_EQ(array.cells()[i], n - 1 - i); // the least comes first out of the heap
    const double item = array.insertionsBy(Replacement::Lru) / number(n);
    EXPECT_GT(item, 1.05 * before) << x;
    EXPECT_GT(item * number(n), number(x) / 2 * heap.insertionsBy(Replacement::Lru)) << x;
    before = item;
  }
}

/// tau n d times something between two constants.
TEST(TranslationProgrammes, Permute) {
  for (uint64_t x : {12, 14, 16}) {
    const Machine machine{16, 2, 32};
    const uint64_t n = uint64_t(1) << x;
    TracedArray array(machine, n, 4);
    for (uint64_t i = n; i-- > 1;)
      array.swap(i, array.random(i + 1));
    const double ratio = array.insertionsBy(Replacement::Lru) / number(n * machine.depthOf(n));
    EXPECT_GE(ratio, 0.5) << x;
    EXPECT_LE(ratio, 2) << x;
  }
}

/// At most (n / P) log(n / P) times a constant.
TEST(TranslationProgrammes, Quicksort) {
  for (uint64_t x : {12, 14, 16}) {
    const Machine machine{16, 4, 32};
    const uint64_t n = uint64_t(1) << x;
    TracedArray array(machine, n, 5);
    quicksort(array, 0, static_cast<int64_t>(n) - 1);
    for (uint64_t i = 0; i < n; ++i)
      ASSERT_EQ(array.cells()[i], i);
    const uint64_t pages = n / machine.cellsOfPage;
    EXPECT_LE(array.insertionsBy(Replacement::Lru), 2 * number(pages) * log2(pages)) << x;
  }
}

} // namespace
