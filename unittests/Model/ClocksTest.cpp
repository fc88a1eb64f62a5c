//===- ClocksTest.cpp - Stepwise and pipelined time -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Clocks.h"

#include "Model/Stages.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace colonnade::model;

namespace {

/// k(j, i), written out.
using Table = std::vector<std::vector<uint64_t>>;

struct Times {
  uint64_t stepwise, pipelined;
};

Times times(const Table &table, uint64_t latency) {
  auto stages = [&](uint64_t step, uint64_t warp) { return table[step][warp]; };
  const BulkSteps steps{table.size(), table.empty() ? 0 : table[0].size(), stages};
  return {stepwiseTime(steps, latency), pipelinedTime(steps, latency)};
}

/// The rules of section II time unit by time unit: each starts one dispatch, or none.
uint64_t unitByUnit(const Table &table, uint64_t latency) {
  const size_t warps = table[0].size();
  std::vector<size_t> step(warps);
  std::vector<uint64_t> completion(warps);
  uint64_t busyUntil = 0, end = 0;
  size_t turn = 0;
  auto skipIdle = [&](size_t warp) {
    while (step[warp] < table.size() && table[step[warp]][warp] == 0)
      ++step[warp];
    return step[warp] < table.size();
  };
  auto isLeft = [&] {
    for (size_t warp = 0; warp < warps; ++warp)
      if (skipIdle(warp))
        return true;
    return false;
  };
  for (uint64_t now = 1; isLeft(); ++now) {
    if (now <= busyUntil)
      continue;
    for (size_t k = 0; k < warps; ++k) {
      const size_t warp = (turn + k) % warps;
      if (!skipIdle(warp) || completion[warp] >= now)
        continue;
      busyUntil = now + table[step[warp]++][warp] - 1;
      end = completion[warp] = busyUntil + latency - 1;
      turn = warp + 1;
      break;
    }
  }
  return end;
}

/// Section II, figure 4: w = 4, l = 5, W(0) = 7, 5, 15, 0 and W(1) = 10, 11, 8, 9.
TEST(Clocks, ThePapersExample) {
  for (auto [model, time] : {std::pair(MemoryModel::Umm, 8u), {MemoryModel::Dmm, 7u}}) {
    const MemoryMachine machine{model, 4, 4, 5, false};
    const Table table = {{stages(machine, {7, 5, 15, 0}), stages(machine, {10, 11, 8, 9})}};
    EXPECT_EQ(times(table, 5).pipelined, time);
    EXPECT_EQ(times(table, 5).stepwise, time);
  }
}

TEST(Clocks, EqualStagesHaveAClosedForm) {
  for (uint64_t latency : {1, 5, 40, 600})
    for (uint64_t k : {1, 2, 8, 32})
      for (uint64_t warps : {1, 3, 4, 31, 700})
        for (uint64_t t : {1, 2, 7}) {
          const Times all = times(Table(t, std::vector<uint64_t>(warps, k)), latency);
          EXPECT_EQ(all.stepwise, t * (warps * k + latency - 1));
          EXPECT_EQ(all.pipelined, pipelinedTimeOfEqual(t, warps, k, latency))
              << latency << " " << k << " " << warps << " " << t;
        }
}

TEST(Clocks, NothingTakesNoTime) {
  EXPECT_EQ(times({}, 5).pipelined, 0u);
  EXPECT_EQ(times({{0, 0}, {0, 0}}, 5).pipelined, 0u);
  EXPECT_EQ(times({{0, 0}, {0, 0}}, 5).stepwise, 0u);
  EXPECT_EQ(pipelinedTimeOfEqual(0, 3, 1, 5), 0u);
  EXPECT_EQ(pipelinedTimeOfEqual(3, 3, 0, 5), 0u);
}

/// Warps with masked accesses, too: k = 0 is not dispatched.
TEST(Clocks, FollowTheRulesOnRandomSteps) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const size_t warps = 1 + random() % 5, t = 1 + random() % 6;
    const uint64_t latency = 1 + random() % 9;
    Table table(t, std::vector<uint64_t>(warps));
    uint64_t sum = 0, longest = 0;
    for (auto &step : table)
      for (uint64_t &k : step)
        sum += k = random() % 4;
    for (size_t i = 0; i < warps; ++i) {
      uint64_t own = 0;
      for (const auto &step : table)
        own += step[i] ? step[i] + latency - 1 : 0;
      longest = std::max(longest, own);
    }
    const Times all = times(table, latency);
    ASSERT_EQ(all.pipelined, unitByUnit(table, latency)) << "round " << round;
    EXPECT_LE(all.pipelined, all.stepwise);
    EXPECT_GE(all.pipelined, sum > 0 ? std::max(sum + latency - 1, longest) : 0);
  }
}

/// k(j, i) of runs of warps, written out.
Table unrolled(const Table &ofRuns, const std::vector<uint64_t> &warps) {
  Table table(ofRuns.size());
  for (size_t j = 0; j < ofRuns.size(); ++j)
    for (size_t run = 0; run < warps.size(); ++run)
      table[j].insert(table[j].end(), warps[run], ofRuns[j][run]);
  return table;
}

uint64_t timeOfRuns(const Table &ofRuns, const std::vector<uint64_t> &warps, uint64_t latency) {
  auto stages = [&](uint64_t step, size_t run) { return ofRuns[step][run]; };
  return pipelinedTime(BulkRuns{ofRuns.size(), warps, stages}, latency);
}

/// Full warps and a last one, which may have fewer or more stages: the grid of the issue.
TEST(Clocks, RunsAreWhatTheSimulatorFinds) {
  std::mt19937 random(19);
  for (uint64_t w : {2, 4, 8, 32})
    for (uint64_t full : {1, 3, 31})
      for (uint64_t latency : {1, 5, 40, 600})
        for (int round = 0; round < 20; ++round) {
          const size_t t = 1 + random() % 40;
          Table ofRuns(t, std::vector<uint64_t>(2));
          for (auto &step : ofRuns) {
            step[0] = round == 0 ? w : 1 + random() % w;
            step[1] = round < 10 ? 1 + random() % step[0] : 1 + random() % w;
          }
          const std::vector<uint64_t> warps = {full, 1};
          const Table table = unrolled(ofRuns, warps);
          ASSERT_EQ(timeOfRuns(ofRuns, warps, latency), times(table, latency).pipelined)
              << w << " " << full << " " << latency << " " << round;
        }
}

/// Any runs, any steps.
TEST(Clocks, RunsAreWhatTheSimulatorFindsOfRandomSteps) {
  std::mt19937 random(23);
  for (int round = 0; round < 5000; ++round) {
    const size_t runs = 1 + random() % 4, t = 1 + random() % 12;
    const uint64_t latency = 1 + random() % (round % 2 ? 12 : 90);
    std::vector<uint64_t> warps(runs);
    for (uint64_t &of : warps)
      of = 1 + random() % (round % 3 ? 4 : 20);
    Table ofRuns(t, std::vector<uint64_t>(runs));
    const uint64_t most = 1 + random() % 9;
    for (auto &step : ofRuns)
      for (uint64_t &k : step)
        k = 1 + random() % most;
    const Table table = unrolled(ofRuns, warps);
    ASSERT_EQ(timeOfRuns(ofRuns, warps, latency), times(table, latency).pipelined) << round;
    if (round % 10 == 0) {
      ASSERT_EQ(timeOfRuns(ofRuns, warps, latency), unitByUnit(table, latency)) << round;
    }
  }
  EXPECT_EQ(timeOfRuns({}, {3, 1}, 5), 0u);
  EXPECT_EQ(timeOfRuns({}, {}, 5), 0u);
}

TEST(Clocks, ThePlaceOfAWarpDoesNotMatterStepwise) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    Table table(4, std::vector<uint64_t>(6));
    for (auto &step : table)
      for (uint64_t &k : step)
        k = random() % 4;
    std::vector<size_t> order(6);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Table permuted = table;
    for (size_t j = 0; j < table.size(); ++j)
      for (size_t i = 0; i < order.size(); ++i)
        permuted[j][i] = table[j][order[i]];
    EXPECT_EQ(times(table, 5).stepwise, times(permuted, 5).stepwise);
  }
}

} // namespace
