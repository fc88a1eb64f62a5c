//===- StagesTest.cpp - Layouts, and the stages of warps ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/WarpStages.h"

#include <colonnade/bulk/layout.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace colonnade::model;

namespace {

MemoryMachine machine(MemoryModel model, int64_t width) { return {model, width, width, 5, false}; }

template <class RuntimeLayout> void expectRuntimeLayout(Layout layout) {
  const uint64_t cells = 7, count = 100;
  const Arrangement arrangement{layout, cells, count, 32};
  for (uint64_t instance = 0; instance < count; ++instance) {
    const auto view = RuntimeLayout::view(instance, cells, count);
    for (uint64_t cell = 0; cell < cells; ++cell)
      EXPECT_EQ(static_cast<uint64_t>(arrangement.address(static_cast<int64_t>(cell),
                                                          static_cast<int64_t>(instance))),
                view.base + cell * view.stride);
  }
}

TEST(Arrangement, IsTheRuntimesLayout) {
  expectRuntimeLayout<colonnade::runtime::row_wise_layout>(Layout::Row);
  expectRuntimeLayout<colonnade::runtime::column_wise_layout>(Layout::Column);
  expectRuntimeLayout<colonnade::runtime::tiled_layout<32>>(Layout::Tiled);
}

TEST(Arrangement, LayoutsAreFoundByTheirNames) {
  for (Layout layout : allLayouts())
    EXPECT_EQ(findLayout(name(layout)), layout);
  EXPECT_EQ(findLayout("diagonal"), std::nullopt);
}

/// Figure 4 of the paper: w = 4.
TEST(Stages, OfThePapersExample) {
  const MemoryMachine umm = machine(MemoryModel::Umm, 4), dmm = machine(MemoryModel::Dmm, 4);
  EXPECT_EQ(stages(umm, {7, 5, 15, 0}), 3u);
  EXPECT_EQ(stages(umm, {10, 11, 8, 9}), 1u);
  EXPECT_EQ(stages(dmm, {7, 5, 15, 0}), 2u);
  EXPECT_EQ(stages(dmm, {10, 11, 8, 9}), 1u);
}

TEST(Stages, OneAddressForAll) {
  MemoryMachine umm = machine(MemoryModel::Umm, 4), dmm = machine(MemoryModel::Dmm, 4);
  EXPECT_EQ(stages(umm, {6, 6, 6, 6}), 1u);
  EXPECT_EQ(stages(dmm, {6, 6, 6, 6}), 4u) << "as written";
  dmm.broadcast = true;
  EXPECT_EQ(stages(dmm, {6, 6, 6, 6}), 1u);
  EXPECT_EQ(stages(dmm, {6, 6, 2, 6}), 2u) << "another address of the same bank";
  EXPECT_EQ(stages(umm, {}), 0u);
  EXPECT_EQ(stages(dmm, {}), 0u);
}

TEST(Stages, OfAddressesBelowZero) {
  EXPECT_EQ(stages(machine(MemoryModel::Umm, 4), {-1, -4, 0, 3}), 2u);
  EXPECT_EQ(stages(machine(MemoryModel::Dmm, 4), {-1, 3, 7, 0}), 3u);
}

TEST(Stages, DoNotDependOnTheOrderOfLanes) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const int64_t width = int64_t(1) << (1 + random() % 5);
    std::vector<int64_t> addresses(static_cast<size_t>(width));
    for (int64_t &address : addresses)
      address = static_cast<int64_t>(random() % 64);
    std::vector<int64_t> shuffled = addresses;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm})
      for (bool broadcast : {false, true}) {
        const MemoryMachine m{model, width, width, 5, broadcast};
        EXPECT_EQ(stages(m, addresses), stages(m, shuffled));
      }
  }
}

/// Accesses under a mask: none active and all active are the ends, whatever lanes the data chooses.
TEST(Stages, FewerActiveLanesNeverTakeMore) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const int64_t width = int64_t(1) << (1 + random() % 5);
    std::vector<int64_t> all, active;
    for (int64_t lane = 0; lane < width; ++lane) {
      all.push_back(static_cast<int64_t>(random() % 64));
      if (random() % 2)
        active.push_back(all.back());
    }
    for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm})
      for (bool broadcast : {false, true}) {
        const MemoryMachine m{model, width, width, 5, broadcast};
        EXPECT_LE(stages(m, active), stages(m, all));
        EXPECT_EQ(stages(m, active) == 0, active.empty()) << "no request: not dispatched";
      }
  }
}

/// k of one warp, from its threads' addresses.
uint64_t oneByOne(const MemoryMachine &m, const Arrangement &a, int64_t cell, int64_t warp) {
  std::vector<int64_t> addresses;
  for (int64_t j = warp * m.warp; j < std::min(a.count, (warp + 1) * m.warp); ++j)
    addresses.push_back(a.address(cell, j));
  return stages(m, addresses);
}

/// One period of warps says it for all of them: any p, n, base, and groups that differ from the
/// warp, as sectors do.
TEST(WarpStages, AreThoseOfEachWarp) {
  for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm})
    for (auto [warp, group] : {std::pair<int64_t, int64_t>{2, 2},
                               {4, 4},
                               {8, 8},
                               {32, 32},
                               {32, 8},
                               {32, 4},
                               {4, 128},
                               {3, 5}})
      for (int64_t count : {warp, 3 * warp, 31 * warp, 3 * warp + 1, int64_t(1)})
        for (int64_t cells : {1, 3, 8, 33})
          for (int64_t base : {0, 1})
            for (Layout layout : allLayouts()) {
              const MemoryMachine m{model, warp, group, 5, false};
              const Arrangement a{layout, cells, count, warp, base};
              const int64_t cell = cells / 2;
              const WarpStages all = warpStages(m, a, cell);
              ASSERT_EQ(all.numWarps(), static_cast<uint64_t>((count + warp - 1) / warp));
              uint64_t sum = 0, most = 0;
              for (uint64_t i = 0; i < all.numWarps(); ++i) {
                const uint64_t k = oneByOne(m, a, cell, static_cast<int64_t>(i));
                ASSERT_EQ(all.of(i), k) << name(layout) << " " << warp << " " << group << " "
                                        << count << " " << cells << " " << base << " warp " << i;
                sum += k;
                most = std::max(most, k);
              }
              EXPECT_EQ(all.sum(), sum);
              EXPECT_EQ(all.most(), most);
            }
}

/// Section III: for w | p, aligned bases, cell = word.
TEST(WarpStages, ClosedForms) {
  for (int64_t w : {2, 4, 8, 32})
    for (int64_t p : {w, 3 * w, 31 * w})
      for (int64_t n : {int64_t(1), w - 1, w, w + 1, 2 * w, 5 * w + 3})
        for (int64_t cell = 0; cell < n; ++cell) {
          auto k = [&](MemoryModel model, Layout layout) {
            return warpStages(machine(model, w), {layout, n, p, w}, cell).common();
          };
          EXPECT_EQ(k(MemoryModel::Umm, Layout::Column), 1u);
          EXPECT_EQ(k(MemoryModel::Umm, Layout::Tiled), 1u);
          EXPECT_EQ(k(MemoryModel::Umm, Layout::Row), static_cast<uint64_t>(std::min(n, w)));
          EXPECT_EQ(k(MemoryModel::Dmm, Layout::Column), 1u);
          EXPECT_EQ(k(MemoryModel::Dmm, Layout::Row), static_cast<uint64_t>(std::gcd(n, w)));
        }
}

/// Doubling p doubles every S_j; doubling w halves it column-wise and leaves it row-wise while
/// n >= 2w.
TEST(WarpStages, ScaleAsTheTheoremsSay) {
  for (int64_t w : {2, 4, 8, 16, 32})
    for (int64_t p : {2 * w, 6 * w, 62 * w}) {
      auto sum = [&](int64_t width, Layout layout, int64_t n, int64_t count,
                     MemoryModel model = MemoryModel::Umm) {
        return warpStages(machine(model, width), {layout, n, count, width}, n / 2).sum();
      };
      for (Layout layout : allLayouts())
        for (int64_t n : {w / 2, w - 1, w, w + 1, 2 * w, 5 * w})
          for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm}) {
            EXPECT_EQ(2 * sum(w, layout, n, p, model), sum(w, layout, n, 2 * p, model));
            EXPECT_EQ(2 * sum(w, layout, n, p / 2, model), sum(w, layout, n, p, model));
          }
      for (int64_t n : {2 * w, 2 * w + 1, 5 * w}) {
        EXPECT_EQ(sum(w, Layout::Column, n, p), 2 * sum(2 * w, Layout::Column, n, p));
        EXPECT_EQ(sum(w, Layout::Row, n, p), sum(2 * w, Layout::Row, n, p));
      }
    }
}

} // namespace
