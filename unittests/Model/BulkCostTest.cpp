//===- BulkCostTest.cpp - Bulk executions on the UMM and the DMM ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BulkCost.h"

#include "IRText.h"
#include "Model/Clocks.h"

#include <numeric>
#include <random>

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// Lemma 1's loop: read b[i], write b[i], for all i.
const char *const PrefixSums = R"(func "prefix" canonical mangled "prefix" {
  array @b : f32[n] parameter instance reads writes of b
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    for %i#3 : s64 = %1 lt %n#0 step %2 () {
      %4 = load @b[%i#3] access 0 : f32
      store @b[%i#3], %4 access 1
      yield
    } -> %5 : s64
    return
  }
}
)";

/// Algorithm OPT of section IV, its counters as it has them; M[i, j] in a matrix of (n-1)^2 cells.
const char *const Triangulation = R"(func "opt" canonical mangled "opt" {
  array @c : f32[n*n] parameter instance const reads of c
  array @m : f32[n*n] parameter instance reads writes of m
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 1 : s64
    %2 = const 2 : s64
    %3 = const -1 : s64
    %4 = const 0.0 : f32
    for %i#5 : s64 = %1 lt %n#0 step %1 () {
      %6 = mul %i#5, %n#0 : s64
      %7 = add %6, %i#5 : s64
      store @m[%7], %4 access 0
      yield
    } -> %8 : s64
    %9 = sub %n#0, %2 : s64
    for %i#10 : s64 = %9 ge %1 step %3 () {
      %11 = add %i#10, %1 : s64
      for %j#12 : s64 = %11 lt %n#0 step %1 () {
        for %k#13 : s64 = %i#10 lt %j#12 step %1 () {
          %14 = mul %i#10, %n#0 : s64
          %15 = add %14, %k#13 : s64
          %16 = load @m[%15] access 1 : f32
          %17 = add %k#13, %1 : s64
          %18 = mul %17, %n#0 : s64
          %19 = add %18, %j#12 : s64
          %20 = load @m[%19] access 2 : f32
          yield
        } -> %21 : s64
        %22 = sub %i#10, %1 : s64
        %23 = mul %22, %n#0 : s64
        %24 = add %23, %j#12 : s64
        %25 = load @c[%24] access 3 : f32
        %26 = mul %i#10, %n#0 : s64
        %27 = add %26, %j#12 : s64
        store @m[%27], %4 access 4
        yield
      } -> %28 : s64
      yield
    } -> %29 : s64
    return
  }
}
)";

AccessProfile profileOf(const char *text, int64_t n, uint64_t period,
                        const WalkLimits &limits = {}) {
  const ir::Module module = ir::parsed(text);
  std::vector<ir::ArrayData> arrays(module.functions[0].arrays.size());
  const std::vector<ir::Scalar> scalars = {{ir::ScalarType::S64, static_cast<uint64_t>(n)}};
  auto profile = walk(module, module.functions[0], arrays, scalars, period, limits);
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return {};
}

BulkCost costOf(const MemoryMachine &machine, Layout layout, const AccessProfile &profile,
                const std::vector<ModelArray> &arrays, int64_t count) {
  auto cost = bulkCost(machine, layout, {profile, arrays, count});
  if (cost)
    return *cost;
  ADD_FAILURE() << llvm::toString(cost.takeError());
  return {};
}

/// The simulator, from addresses: S_j and T_p without any summing up. `active`: which instances
/// make their accesses.
BulkCost simulated(const MemoryMachine &machine, Layout layout, const AccessProfile &profile,
                   const std::vector<ModelArray> &arrays, int64_t count,
                   const std::vector<bool> *active = nullptr) {
  std::vector<std::vector<uint64_t>> table;
  for (const Step &step : *profile.steps) {
    const ModelArray &array = arrays[profile.sites[step.site].array.index];
    std::vector<uint64_t> k;
    for (int64_t first = 0; first < count; first += machine.warp) {
      std::vector<int64_t> addresses;
      for (int64_t j = first; j < std::min(count, first + machine.warp); ++j)
        if (!active || (*active)[static_cast<size_t>(j)])
          addresses.push_back(
              Arrangement{layout, array.cells, count, machine.warp}.address(step.residue, j));
      k.push_back(stages(machine, addresses));
    }
    table.push_back(std::move(k));
  }
  auto of = [&](uint64_t step, uint64_t warp) { return table[step][warp]; };
  const BulkSteps steps{table.size(), table.empty() ? 0 : table[0].size(), of};
  const auto latency = static_cast<uint64_t>(machine.latency);
  BulkCost cost;
  cost.stepwise = stepwiseTime(steps, latency);
  cost.pipelined.low = cost.pipelined.high = pipelinedTime(steps, latency);
  for (const auto &step : table)
    cost.stages += std::accumulate(step.begin(), step.end(), uint64_t(0));
  return cost;
}

/// w in {2, 4, 8, 32}, p in {w, 3w, 31w, 3w+1}, l in {1, 5, 40, 600}, n below, at and above w.
TEST(BulkCost, IsWhatTheSimulatorFinds) {
  for (int64_t w : {2, 4, 8, 32})
    for (int64_t n : {w - 1, w, w + 1, 3 * w})
      for (int64_t p : {w, 3 * w, 31 * w, 3 * w + 1}) {
        const AccessProfile profile = profileOf(PrefixSums, n, static_cast<uint64_t>(w));
        for (int64_t l : {1, 5, 40, 600})
          for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm})
            for (Layout layout : allLayouts()) {
              const MemoryMachine machine{model, w, w, l, false};
              const std::vector<ModelArray> arrays = {{n, false}};
              const BulkCost cost = costOf(machine, layout, profile, arrays, p);
              const BulkCost expected = simulated(machine, layout, profile, arrays, p);
              ASSERT_EQ(cost.stages, expected.stages) << w << " " << n << " " << p;
              ASSERT_EQ(cost.stepwise, expected.stepwise) << w << " " << n << " " << p;
              ASSERT_EQ(cost.pipelined, expected.pipelined) << w << " " << n << " " << p;
              // Theorem 3: in every layout.
              EXPECT_GE(cost.pipelined.low, cost.lowerBound);
              EXPECT_GE(cost.lowerBound, static_cast<uint64_t>(2 * n * l));
              EXPECT_GE(cost.lowerBound * static_cast<uint64_t>(w),
                        static_cast<uint64_t>(p * 2 * n));
            }
      }
}

/// What an activity of each warp takes: from nothing, if no lane is active, to all, if all are;
/// in between stepwise, whatever the data.
TEST(BulkCost, ActivityIsBetweenNoneAndAll) {
  std::mt19937 random(11);
  constexpr int64_t W = 8, P = 5 * W, L = 40;
  const AccessProfile profile = profileOf(PrefixSums, 9, W);
  for (Layout layout : allLayouts())
    for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm})
      for (int round = 0; round < 50; ++round) {
        const MemoryMachine machine{model, W, W, L, false};
        std::vector<bool> active(P);
        for (int64_t j = 0; j < P; ++j)
          active[static_cast<size_t>(j)] = round > 0 && random() % 3 > 0;
        const BulkCost some = simulated(machine, layout, profile, {{9, false}}, P, &active);
        const BulkCost all = costOf(machine, layout, profile, {{9, false}}, P);
        EXPECT_LE(some.stages, all.stages);
        EXPECT_LE(some.stepwise, all.stepwise);
        EXPECT_LE(some.pipelined.low, some.stepwise);
        EXPECT_EQ(some.stepwise == 0, llvm::count(active, true) == 0);
      }
}

/// Theorem 2: column-wise, any oblivious algorithm takes t(p/w + l - 1); doubling p doubles the
/// stages, row-wise and tiled, too.
TEST(BulkCost, Theorem2) {
  for (const char *algorithm : {PrefixSums, Triangulation})
    for (int64_t w : {2, 4, 8, 32})
      for (int64_t p : {w, 3 * w, 31 * w})
        for (int64_t n : {int64_t(3), w, 2 * w}) {
          const AccessProfile profile = profileOf(algorithm, n, static_cast<uint64_t>(w));
          const std::vector<ModelArray> arrays(2, {algorithm == PrefixSums ? n : n * n, false});
          for (int64_t l : {1, 5, 40, 600}) {
            const MemoryMachine umm{MemoryModel::Umm, w, w, l, false};
            EXPECT_EQ(costOf(umm, Layout::Column, profile, arrays, p).stepwise,
                      profile.total() * static_cast<uint64_t>(p / w + l - 1));
            for (Layout layout : allLayouts())
              EXPECT_EQ(2 * costOf(umm, layout, profile, arrays, p).stages,
                        costOf(umm, layout, profile, arrays, 2 * p).stages);
          }
        }
}

/// Lemma 1: t = 2n, and n(p + l - 1) becomes n(p/w + l - 1).
TEST(BulkCost, Lemma1) {
  for (int64_t n : {32, 64, 100})
    for (int64_t p : {32, 320, 3200}) {
      const MemoryMachine umm{MemoryModel::Umm, 32, 32, 600, false};
      const AccessProfile profile = profileOf(PrefixSums, n, 32);
      EXPECT_EQ(profile.total(), static_cast<uint64_t>(2 * n));
      const auto time = [&](Layout layout) {
        return costOf(umm, layout, profile, {{n, false}}, p).stepwise;
      };
      EXPECT_EQ(time(Layout::Row), static_cast<uint64_t>(2 * n * (p + 599)));
      EXPECT_EQ(time(Layout::Column), static_cast<uint64_t>(2 * n * (p / 32 + 599)));
    }
}

/// Lemma 4: t = (n^3 - 4n + 3) / 3. Corollary 5: t(p + l - 1) and t(p/w + l - 1).
TEST(BulkCost, Lemma4AndCorollary5) {
  for (auto [n, t] : {std::pair<int64_t, uint64_t>{8, 161}, {64, 87'297}}) {
    const AccessProfile profile = profileOf(Triangulation, n, 32);
    EXPECT_EQ(profile.total(), t);
    EXPECT_EQ(t, static_cast<uint64_t>((n * n * n - 4 * n + 3) / 3));
    const MemoryMachine umm{MemoryModel::Umm, 32, 32, 600, false};
    const std::vector<ModelArray> arrays = {{n * n, false}, {n * n, false}};
    EXPECT_EQ(costOf(umm, Layout::Row, profile, arrays, 320).stepwise, t * (320 + 599));
    EXPECT_EQ(costOf(umm, Layout::Column, profile, arrays, 320).stepwise, t * (10 + 599));
  }
}

/// Warps that are not full and widths of any kind, with and without the order of the accesses:
/// without it, an interval holds what the simulation finds, and is it where the warps are as many
/// as l, or one.
TEST(BulkCost, AnyCountIsWhatTheSimulatorFinds) {
  for (const char *algorithm : {PrefixSums, Triangulation})
    for (int64_t w : {2, 4, 8, 32})
      for (int64_t n : {int64_t(4), w + 1}) {
        if (algorithm == Triangulation && n > 9)
          continue;
        const AccessProfile profile = profileOf(algorithm, n, static_cast<uint64_t>(w));
        AccessProfile unordered = profile;
        unordered.steps.reset();
        const std::vector<ModelArray> arrays(2, {algorithm == PrefixSums ? n : n * n - 3, false});
        for (int64_t p : {int64_t(1), w - 1, w + 1, 3 * w + 1, 4 * w - 1, 31 * w + w / 2, 45 * w})
          for (int64_t l : {1, 5, 40, 600})
            for (MemoryModel model : {MemoryModel::Umm, MemoryModel::Dmm})
              for (Layout layout : allLayouts()) {
                const MemoryMachine machine{model, w, w, l, p % 3 == 0};
                const BulkCost cost = costOf(machine, layout, profile, arrays, p);
                const BulkCost expected = simulated(machine, layout, profile, arrays, p);
                ASSERT_EQ(cost.pipelined, expected.pipelined)
                    << w << " " << n << " " << p << " " << l << " " << name(layout);
                const BulkCost any = costOf(machine, layout, unordered, arrays, p);
                EXPECT_LE(any.pipelined.low, cost.pipelined.low);
                EXPECT_GE(any.pipelined.high, cost.pipelined.low);
                const int64_t warps = (p + w - 1) / w;
                EXPECT_TRUE(any.pipelined.isExact() || (warps > 1 && warps < l))
                    << w << " " << n << " " << p << " " << l << " " << name(layout);
                EXPECT_EQ(any.stepwise, cost.stepwise);
              }
      }
}

/// Where all warps wait for their own requests, only what the last warp does last is not known.
TEST(BulkCost, WithoutTheOrderAsManyStagesAsTheLastWarpMayHave) {
  const std::vector<ModelArray> arrays = {{11, false}};
  AccessProfile profile = profileOf(PrefixSums, 11, 32);
  const MemoryMachine umm{MemoryModel::Umm, 32, 32, 600, false};
  const BulkCost exact = costOf(umm, Layout::Row, profile, arrays, 32 * 5 + 9);
  profile.steps.reset();
  const BulkCost any = costOf(umm, Layout::Row, profile, arrays, 32 * 5 + 9);
  EXPECT_LE(any.pipelined.high - any.pipelined.low, 9u);
  EXPECT_LE(any.pipelined.low, exact.pipelined.low);
  EXPECT_GE(any.pipelined.high, exact.pipelined.low);
  // One instance in the last warp has one stage, whatever cell it is.
  EXPECT_TRUE(costOf(umm, Layout::Row, profile, arrays, 32 * 5 + 1).pipelined.isExact());
}

/// Groups that do not divide what addresses grow by: warps differ.
TEST(BulkCost, WarpsOfSeveralKinds) {
  for (int64_t group : {8, 12, 32})
    for (int64_t n : {3, 5})
      for (int64_t p : {8, 8 * 6, 8 * 6 + 3})
        for (int64_t l : {1, 5, 40}) {
          const AccessProfile profile = profileOf(PrefixSums, n, static_cast<uint64_t>(group));
          const MemoryMachine machine{MemoryModel::Umm, 8, group, l, false};
          for (Layout layout : allLayouts())
            ASSERT_EQ(costOf(machine, layout, profile, {{n, false}}, p).pipelined,
                      simulated(machine, layout, profile, {{n, false}}, p).pipelined)
                << group << " " << n << " " << p << " " << l << " " << name(layout);
        }
}

/// An array that all instances share: one address for all lanes.
TEST(BulkCost, SharedArrays) {
  const AccessProfile profile = profileOf(PrefixSums, 5, 4);
  const std::vector<ModelArray> shared = {{5, true}};
  MemoryMachine machine{MemoryModel::Umm, 4, 4, 7, false};
  EXPECT_EQ(costOf(machine, Layout::Row, profile, shared, 12).stages, 10u * 3);
  machine.model = MemoryModel::Dmm;
  EXPECT_EQ(costOf(machine, Layout::Row, profile, shared, 12).stages, 10u * 12);
  machine.broadcast = true;
  EXPECT_EQ(costOf(machine, Layout::Row, profile, shared, 12).stages, 10u * 3);
}

TEST(BulkCost, NumbersThatDoNotFitAreAnError) {
  AccessProfile profile = profileOf(PrefixSums, 5, 4);
  profile.sites[0].counts[0] = uint64_t(1) << 40;
  const std::vector<ModelArray> arrays = {{5, false}};
  const MemoryMachine machine{MemoryModel::Umm, 4, 4, 7, false};
  auto cost = bulkCost(machine, Layout::Row, {profile, arrays, int64_t(1) << 40});
  EXPECT_EQ(llvm::toString(cost.takeError()),
            "the time does not fit 64 bits: give fewer instances");
}

TEST(Walk, SaysWhenItIsTooLong) {
  const ir::Module module = ir::parsed(PrefixSums);
  std::vector<ir::ArrayData> arrays(1);
  WalkLimits limits;
  limits.operations = 100;
  const std::vector<ir::Scalar> scalars = {{ir::ScalarType::S64, 1000}};
  auto profile = walk(module, module.functions[0], arrays, scalars, 4, limits);
  EXPECT_EQ(
      llvm::toString(profile.takeError()),
      "one instance takes more than 100 operations at these sizes: too many to walk one by one. "
      "Give smaller sizes, or compute the end of a loop before it");
}

} // namespace
