//===- DocTest.cpp - The examples of docs/ir.md ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DocPath.h"
#include "IRText.h"

#include "IR/Interpreter.h"

#include <fstream>
#include <sstream>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// The fenced blocks of the page.
std::vector<std::string> blocks() {
  std::ifstream page(COLONNADE_DOCS "/ir.md");
  std::vector<std::string> found;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside)
        found.emplace_back();
    } else if (inside) {
      found.back() += line + "\n";
    }
  }
  return found;
}

TEST(Doc, ExamplesAreValid) {
  std::vector<std::string> examples = blocks();
  ASSERT_EQ(examples.size(), 7u);
  for (const std::string &example : examples) {
    Module module = parsed(example);
    EXPECT_EQ(verifyError(module), "");
    std::string once = printed(module, {true});
    EXPECT_EQ(printed(parsed(once), {true}), once);
  }
}

TEST(Doc, ExamplesDoWhatTheirCommentSays) {
  std::vector<std::string> examples = blocks();
  auto run = [&](size_t index, std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars) {
    Module module = parsed(examples[index]);
    auto error = interpret(module, module.functions[0], arrays, scalars);
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
  };
  auto s32 = [](int value) { return makeInt(ScalarType::S32, value); };
  std::vector<ArrayData> sums = {{{0x3f800000, 0x40000000}, {}}}; // 1, 2
  run(0, sums, s32(2));
  EXPECT_EQ(sums[0].cells[1], 0x40400000u); // 3
  std::vector<ArrayData> found = {{{7, 8, 9}, {}}};
  run(1, found, {s32(3), s32(9), s32(0)});
  EXPECT_EQ(found[1].cells[0], 2u);
  std::vector<ArrayData> count = {{{0}, {}}};
  run(2, count, makeInt(ScalarType::U64, 6));
  EXPECT_EQ(count[0].cells[0], 8u);
}

} // namespace
