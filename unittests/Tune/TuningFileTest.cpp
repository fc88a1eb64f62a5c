//===- TuningFileTest.cpp - Files for emit --tuning -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written is read; what is malformed is an error that names the place; and no bytes end
// the process.
//
//===----------------------------------------------------------------------===//

#include "Tune/TuningFile.h"

#include "Tune/PlanList.h"

#include <gtest/gtest.h>

#include <random>

namespace colonnade::tune {
namespace {

const std::string Hash(64, 'a'), OtherHash(64, 'b');

TuningEntry entryOf(const std::string &gpu, InstanceRange instances) {
  TuningEntry entry;
  entry.function = "f<float>";
  entry.sizes = {{"n", 16}};
  entry.kernel = Hash;
  entry.gpu = gpu;
  entry.layouts = LayoutKind::Columns;
  entry.instances = instances;
  entry.plan = "team=4x8";
  entry.plannedKernel = OtherHash;
  entry.measuredInstances = 1024;
  entry.microseconds = 12.5;
  entry.modelPlan = "best";
  entry.spilling = {"thread"};
  return entry;
}

std::string errorOf(const std::string &text) {
  auto entries = readTuning(text, "t.json");
  return entries ? "" : llvm::toString(entries.takeError());
}

/// A file with one entry, in which `from` is `to`.
std::string changed(const std::string &from, const std::string &to) {
  std::string text = tuningText({entryOf("a GPU", {1, 99})});
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TuningFile, WhatIsWrittenIsRead) {
  TuningEntry model = entryOf("a GPU", {1, 99});
  model.modelMicroseconds = 13.125;
  const TuningEntries entries = {model, entryOf("a GPU", {100, std::nullopt}),
                                 entryOf("another", {1, std::nullopt})};
  const std::string text = tuningText(entries);
  auto read = readTuning(text, "t.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(tuningText(*read), text);
  EXPECT_EQ((*read)[0].instances, (InstanceRange{1, 99}));
  EXPECT_EQ((*read)[0].modelMicroseconds, 13.125);
  EXPECT_EQ((*read)[1].instances.most, std::nullopt);
  EXPECT_EQ((*read)[1].modelMicroseconds, std::nullopt);
  EXPECT_EQ(errorOf(tuningText({})), "");
}

TEST(TuningFile, WhatIsMalformedIsNamedWithItsPlace) {
  EXPECT_EQ(errorOf(""), "t.json:1:0: unexpected EOF");
  EXPECT_EQ(errorOf("{\n \"schema\": 1,\n \"entries\": [}"), "t.json:3:14: invalid JSON value");
  EXPECT_EQ(errorOf("[]"), "t.json: expected an object");
  EXPECT_EQ(errorOf("{}"), "t.json: expected 1: this version reads no other at schema");
  EXPECT_EQ(errorOf(R"({"schema": 1})"), "t.json: missing at entries");
  EXPECT_EQ(errorOf(R"({"schema": 1, "entries": [], "more": 1})"), "t.json: unknown field at more");
  EXPECT_EQ(errorOf("{\"schema\": 1,\n\"schema\": 1, \"entries\": []}"),
            "t.json:2: 'schema' is there a second time");
  EXPECT_EQ(errorOf(changed("team=4x8", "team=5")), "t.json: expected a plan at entries[0].plan");
  EXPECT_EQ(errorOf(changed(Hash, "aa")), "t.json: expected a hash at entries[0].kernel");
  EXPECT_EQ(errorOf(changed("12.500", "-1")),
            "t.json: expected a time above 0 at entries[0].microseconds");
  EXPECT_EQ(errorOf(changed("\"least\": 1", "\"least\": 0")),
            "t.json: expected a whole number from 1 on at entries[0].instances.least");
  EXPECT_EQ(errorOf(changed("\"most\": 99", "\"most\": 0.5")),
            "t.json: expected a whole number from 1 on at entries[0].instances.most");
  EXPECT_EQ(errorOf(changed("\"least\": 1", "\"least\": 100")),
            "t.json: less than the least at entries[0].instances.most");
  EXPECT_EQ(errorOf(changed("\"columns\"", "\"tiles\"")),
            "t.json: expected rows or columns at entries[0].layout");
  EXPECT_EQ(errorOf(changed("\"n\": 16", "\"n\": \"16\"")),
            "t.json: expected a whole number at entries[0].sizes.n");
  EXPECT_EQ(errorOf(changed("\"gpu\"", "\"GPU\"")), "t.json: unknown field at entries[0].GPU");
  EXPECT_EQ(errorOf(changed("\"a GPU\"", "\"\"")), "t.json: expected a text at entries[0].gpu");
}

TEST(TuningFile, NoTwoEntriesAreAboutTheSameLaunches) {
  const TuningEntry one = entryOf("a GPU", {1, 99});
  EXPECT_EQ(errorOf(tuningText({one, entryOf("a GPU", {99, std::nullopt})})),
            "t.json: is about launches that an entry before is about at entries[1]");
  EXPECT_EQ(errorOf(tuningText({one, entryOf("a GPU", {100, std::nullopt})})), "");
  EXPECT_EQ(errorOf(tuningText({one, entryOf("another", {1, 99})})), "");
}

TEST(TuningFile, DeepNestingIsAnError) {
  EXPECT_EQ(errorOf(std::string(1'000'000, '[')), "t.json:1: nested too deep");
  EXPECT_EQ(errorOf("\n{\"a\":" + std::string(20, '[')), "t.json:2: nested too deep");
  // Brackets in texts are none.
  EXPECT_EQ(errorOf(changed("a GPU", std::string(20, '['))), "");
}

TEST(TuningFile, MergingReplacesWhatIsAboutTheSame) {
  TuningEntry otherSize = entryOf("a GPU", {1, std::nullopt});
  otherSize.sizes["n"] = 8;
  otherSize.kernel = OtherHash;
  const TuningEntry otherGpu = entryOf("another", {1, std::nullopt});
  TuningEntry stale = entryOf("a GPU", {1, 99}); // of the same function, before it changed
  stale.kernel = std::string(64, 'c');
  const TuningEntry found = entryOf("a GPU", {1, std::nullopt});
  EXPECT_EQ(tuningText(merged({stale, otherSize, entryOf("a GPU", {1, 99}), otherGpu}, {found})),
            tuningText({otherSize, otherGpu, found}));
}

/// A byte, a piece or a number is another one.
std::string mutated(std::string text, std::mt19937 &random) {
  const auto below = [&](size_t end) { return random() % end; };
  static const char Bytes[] = "{}[]\",:-0123456789.eE\\ntfu \n\t\xff\x80";
  for (size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes)
    switch (below(4)) {
    case 0:
      text[below(text.size())] = Bytes[below(sizeof Bytes)];
      break;
    case 1:
      text.erase(below(text.size()), 1 + below(20));
      break;
    case 2:
      text.insert(below(text.size()), text.substr(below(text.size()), 1 + below(40)));
      break;
    default:
      text.resize(below(text.size() + 1));
    }
  return text;
}

/// Whatever the bytes, there are entries, which can be written and read again, or an error.
TEST(TuningFile, NoBytesEndTheProcess) {
  const std::string files[] = {
      tuningText({entryOf("a GPU", {1, 99}), entryOf("a GPU", {100, std::nullopt})}),
      planListText(
          {{"f", {{"n", 4}}, Hash, {{"thread", "f_0", {Hash, ""}}}, {"thread", "staged"}}})};
  std::mt19937 random(2026);
  unsigned read = 0, refused = 0;
  for (int run = 0; run < 20'000; ++run) {
    const std::string text = mutated(files[run % 2], random);
    auto entries = readTuning(text, "t.json");
    auto jobs = readPlanList(text, "p.json");
    if (jobs)
      EXPECT_TRUE(bool(readPlanList(planListText(*jobs), "p.json"))) << text;
    else
      EXPECT_NE(llvm::toString(jobs.takeError()).rfind("p.json:", 0), std::string::npos);
    ++(entries ? read : refused);
    if (entries)
      EXPECT_EQ(errorOf(tuningText(*entries)), "") << text;
    else
      EXPECT_EQ(llvm::toString(entries.takeError()).rfind("t.json:", 0), 0u);
  }
  EXPECT_GT(read, 50u);
  EXPECT_GT(refused, 10'000u);
}

} // namespace
} // namespace colonnade::tune
