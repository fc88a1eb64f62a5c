//===- ChoiceTest.cpp - The plan that took the least time -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of given times and spills, which plan is taken for how many instances.
//
//===----------------------------------------------------------------------===//

#include "Tune/Choice.h"

#include <gtest/gtest.h>

namespace colonnade::tune {
namespace {

constexpr size_t Thread = 0, Staged = 1, Team = 2;

ListedJob job() {
  const auto hash = [](char c) { return std::string(64, c); };
  return {"f",
          {{"n", 16}},
          hash('0'),
          {{"thread", "f_thread", {hash('0'), hash('0')}},
           {"staged", "f_staged", {hash('1'), hash('2')}},
           {"team=8", "f_team_8", {hash('3'), ""}}},
          {"staged", "thread"}};
}

Measurement rows(size_t plan, double microseconds, uint64_t instances = 1000) {
  return {0, plan, MeasuredLayout::RowWise, instances, microseconds, true};
}
Measurement columns(size_t plan, MeasuredLayout layout, double microseconds) {
  return {0, plan, layout, 1000, microseconds, true};
}

const JobSpills NoSpills = {{0, 0}, {0, 0}, {0, 0}};

TuningEntries chosen(const std::vector<Measurement> &all, const JobSpills &spills = NoSpills) {
  auto entries = choosePlans({job()}, {spills}, {"a GPU", "", all});
  EXPECT_TRUE(bool(entries)) << llvm::toString(entries.takeError());
  return entries ? std::move(*entries) : TuningEntries();
}

TEST(Choice, TheLeastTimeIsTaken) {
  const TuningEntries entries = chosen({rows(Thread, 30), rows(Staged, 20), rows(Team, 10)});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].plan, "team=8");
  EXPECT_EQ(entries[0].plannedKernel, std::string(64, '3'));
  EXPECT_EQ(entries[0].kernel, std::string(64, '0'));
  EXPECT_EQ(entries[0].gpu, "a GPU");
  EXPECT_EQ(entries[0].modelPlan, "staged");
  EXPECT_EQ(entries[0].modelMicroseconds, 20);
  EXPECT_EQ(entries[0].microseconds, 10);
  EXPECT_EQ(entries[0].instances, (InstanceRange{1, std::nullopt}));
}

TEST(Choice, TheModelsChoiceStaysWhereOthersAreHardlyFaster) {
  EXPECT_EQ(chosen({rows(Staged, 10.1), rows(Team, 10)})[0].plan, "staged");
  EXPECT_EQ(chosen({rows(Staged, 10.3), rows(Team, 10)})[0].plan, "team=8");
}

TEST(Choice, APlanThatSpillsIsNotTaken) {
  const std::vector<Measurement> all = {rows(Thread, 30), rows(Staged, 20), rows(Team, 10)};
  const TuningEntries entries = chosen(all, {{0, 0}, {0, 0}, {8, 0}});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].plan, "staged");
  EXPECT_EQ(entries[0].spilling, std::vector<std::string>{"team=8"});
  // What a kernel for columns spills is not about rows.
  EXPECT_EQ(chosen(all, {{0, 0}, {0, 0}, {0, 8}})[0].plan, "team=8");
  EXPECT_TRUE(chosen(all, {{8, 0}, {8, 0}, {8, 0}}).empty());
}

TEST(Choice, NumbersOfInstancesStandForTheirNeighbours) {
  const TuningEntries entries = chosen({rows(Thread, 1, 1000), rows(Staged, 2, 1000),
                                        rows(Thread, 60, 9000), rows(Staged, 20, 9000)});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].plan, "thread");
  EXPECT_EQ(entries[0].instances, (InstanceRange{1, 3000}));
  EXPECT_EQ(entries[1].plan, "staged");
  EXPECT_EQ(entries[1].instances, (InstanceRange{3001, std::nullopt}));
}

TEST(Choice, ColumnsAreBothLayoutsOfThem) {
  using enum MeasuredLayout;
  // 10 and 40 have the geometric mean 20; 16 and 16 are less.
  const TuningEntries entries =
      chosen({columns(Thread, ColumnWise, 10), columns(Thread, Tiled, 40),
              columns(Staged, ColumnWise, 16), columns(Staged, Tiled, 16)});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].layouts, LayoutKind::Columns);
  EXPECT_EQ(entries[0].plan, "staged");
  EXPECT_EQ(entries[0].modelMicroseconds, 20);
  // One that a GPU has not run in both is none.
  EXPECT_EQ(chosen({columns(Thread, ColumnWise, 10), columns(Thread, Tiled, 40),
                    columns(Staged, Tiled, 1)})[0]
                .plan,
            "thread");
}

TEST(Choice, OtherResultsAreAnError) {
  Measurement wrong = rows(Team, 10);
  wrong.same = false;
  auto entries = choosePlans({job()}, {NoSpills}, {"a GPU", "", {rows(Thread, 30), wrong}});
  ASSERT_FALSE(bool(entries));
  EXPECT_TRUE(entries.errorIsA<DifferentResults>());
  EXPECT_EQ(llvm::toString(entries.takeError()),
            "'f': plan 'team=8' leaves other results than plan 'thread', which no plan may: please "
            "report it");
}

TEST(Choice, NumbersThatThereAreNotAreErrors) {
  const auto errorOf = [](const Measurement &m) {
    return llvm::toString(choosePlans({job()}, {NoSpills}, {"a GPU", "", {m, m}}).takeError());
  };
  EXPECT_EQ(errorOf(rows(3, 1)), "plan 3 of job 0 was measured, which plans.json does not have");
  EXPECT_EQ(errorOf(columns(Team, MeasuredLayout::Tiled, 1)), // which has no kernel for columns
            "plan 2 of job 0 was measured, which plans.json does not have");
  EXPECT_EQ(errorOf(rows(Team, 1)), "plan 2 of job 0 was measured twice");
  Measurement other = rows(Team, 1);
  other.job = 1;
  EXPECT_EQ(errorOf(other), "plan 2 of job 1 was measured, which plans.json does not have");
}

} // namespace
} // namespace colonnade::tune
