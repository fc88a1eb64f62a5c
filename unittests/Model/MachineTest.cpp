//===- MachineTest.cpp - What is known of a machine -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built-in machines are read as files are, and a file in the wrong form says what is wrong.
//
//===----------------------------------------------------------------------===//

#include "Model/Machine.h"

#include <gtest/gtest.h>

namespace colonnade::model {
namespace {

constexpr const char *Warp =
    R"("warp": {"value": 32, "unit": "threads", "origin": "vendor", "source": "guide"})";

std::string file(const std::string &fields) {
  return R"({"name": "m", "real": true, "fields": {)" + fields + "}}";
}

std::string errorOf(const std::string &text) {
  llvm::Expected<Machine> machine = parseMachine(text, "m.json");
  return machine ? "" : llvm::toString(machine.takeError());
}

TEST(Machine, BuiltinMachinesAreRead) {
  ASSERT_EQ(builtinMachineNames().size(), 5u);
  for (const std::string &name : builtinMachineNames()) {
    llvm::Expected<Machine> machine = readMachine(name);
    ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
    EXPECT_EQ(machine->name, name);
    EXPECT_EQ(machine->isReal, name != "paper-w4-l5");
  }
}

TEST(Machine, FieldsHaveAnOriginOrAreAbsent) {
  const Machine h200 = llvm::cantFail(readMachine("h200"));
  EXPECT_EQ(h200.values.at("dram").origin, Origin::Measured);
  EXPECT_EQ(h200.values.at("l1").origin, Origin::Vendor);
  EXPECT_EQ(h200.residentThreads(), 132 * 2048);
  EXPECT_EQ(h200.find("depth"), std::nullopt);
  const Machine paper = llvm::cantFail(readMachine("paper-w4-l5"));
  EXPECT_EQ(paper.findWhole("latency"), 5);
  EXPECT_EQ(paper.residentThreads(), std::nullopt);
}

TEST(Machine, WrongFilesSayWhatIsWrong) {
  EXPECT_EQ(errorOf(file(Warp)), "");
  EXPECT_EQ(errorOf("{").rfind("m.json: no JSON: ", 0), 0u);
  EXPECT_EQ(
      errorOf("[]"),
      "m.json: a machine has 'name', 'real' (true or false), 'fields' and perhaps 'measured'");
  EXPECT_EQ(errorOf(R"({"name": "", "real": true, "fields": {)" + std::string(Warp) + "}}"),
            "m.json: a machine's 'name' is empty");
  EXPECT_EQ(errorOf(R"({"name": "a\nb", "real": true, "fields": {)" + std::string(Warp) + "}}"),
            "m.json: a machine's 'name' is one line of text");
  EXPECT_EQ(errorOf(file("")), "m.json: a machine needs the field 'warp'");
  EXPECT_EQ(errorOf(file(R"("warps": 32)")), "m.json: unknown field 'warps'");
  EXPECT_EQ(errorOf(file(R"("warp": 32)")), "m.json: 'warp' needs value, unit, origin and source");
}

TEST(Machine, SaysWhenItWasMeasured) {
  EXPECT_EQ(llvm::cantFail(readMachine("h200")).measured.size(), 10u);
  EXPECT_EQ(llvm::cantFail(readMachine("paper-w4-l5")).measured, "");
  auto with = [](const std::string &value) {
    return errorOf(R"({"name": "m", "real": true, "measured": )" + value + R"(, "fields": {)" +
                   Warp + "}}");
  };
  EXPECT_EQ(with("\"2026-11-28\""), "");
  for (const char *wrong : {"\"2026-11-2\"", "\"yesterday!\"", "\"2026/11/28\"", "20261128"})
    EXPECT_EQ(with(wrong), "m.json: 'measured' is no date such as \"2026-11-28\"") << wrong;
}

TEST(Machine, WrongValuesSayWhatIsWrong) {
  auto with = [](std::string from, const std::string &to) {
    std::string text = Warp;
    text.replace(text.find(from), from.size(), to);
    return errorOf(file(text));
  };
  const std::string range = "m.json: 'warp' is no whole number from 1 to 1024";
  EXPECT_EQ(with("32", "0"), range);
  EXPECT_EQ(with("32", "1025"), range);
  EXPECT_EQ(with("32", "1.5"), range);
  EXPECT_EQ(with("32", "\"32\""), range);
  EXPECT_EQ(with("\"threads\"", "\"lanes\""), "m.json: 'warp' is in threads");
  EXPECT_EQ(with("vendor", "rumour"),
            "m.json: the origin of 'warp' is none of measured, vendor, paper");
  EXPECT_EQ(with("guide", ""), "m.json: 'warp' needs a source: who measured or published it");
  EXPECT_EQ(with("\"unit\"", "\"note\": 1, \"unit\""), "m.json: 'warp' has no 'note'");
}

/// What makes times 0, infinite or not a number is a slip.
TEST(Machine, ValuesAreOfThisWorld) {
  auto with = [](const std::string &value) {
    return errorOf(file(std::string(Warp) + R"(, "dram": {"value": )" + value +
                        R"(, "unit": "GB/s", "origin": "measured", "source": "me"})"));
  };
  for (const char *right : {"0.001", "4288", "4288.5", "1000000"})
    EXPECT_EQ(with(right), "") << right;
  for (const char *wrong : {"1e-300", "0", "-0.0", "-1", "0.0009", "1000001", "1e300", "1e308"})
    EXPECT_EQ(with(wrong), "m.json: 'dram' is no number from 0.001 to 1000000") << wrong;
  EXPECT_NE(with("1e999"), "");
  EXPECT_NE(with("NaN"), "");
}

TEST(Machine, FieldsAreThereOnce) {
  const std::string warp = Warp;
  EXPECT_EQ(errorOf(file(warp + ",\n" + warp)), "m.json: line 2: 'warp' is there a second time");
  EXPECT_EQ(
      errorOf("{\n\"name\": \"a\",\n\"name\": \"b\", \"real\": true, \"fields\": {" + warp + "}}"),
      "m.json: line 3: 'name' is there a second time");
  std::string twice = warp;
  twice.insert(twice.find("\"unit\""), "\n\"\\u0075nit\" : \"threads\", ");
  EXPECT_EQ(errorOf(file(twice)), "m.json: line 2: 'unit' is there a second time");
  // Of two objects, or in a text, it is another.
  std::string quoted = warp;
  quoted.replace(quoted.find("guide"), 5, R"(\"warp\": {\"warp\": 1)");
  EXPECT_EQ(errorOf(file(quoted)), "");
}

} // namespace
} // namespace colonnade::model
