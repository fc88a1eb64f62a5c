//===- Lowering.h - Lowers small sources for the tests ---------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: sources and the functions to lower. Out: the raw IR, verified and printed.
// Invariant: an error is the text then, with `failed` set.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_FRONTEND_LOWERING_H
#define COLONNADE_UNITTESTS_FRONTEND_LOWERING_H

#include "IR/Function.h"

#include "gtest/gtest.h"

#include <functional>

#include <string>
#include <utility>
#include <vector>

namespace colonnade::test {

struct Lowered {
  std::string text; // printed module, or the error
  std::string ledger;
  bool failed = false;
};

/// The text of a file in Inputs.
std::string input(const std::string &name);

/// Sources with the suffix of their file.
Lowered lower(
    const std::vector<std::pair<std::string, const char *>> &sources,
    std::vector<std::string> functions,
    std::function<void(ir::Module &, llvm::function_ref<unsigned(FunctionId)>)> beforeLedger = {});
Lowered lowerC(const std::string &source, const std::string &function = "f");
Lowered lowerCxx(const std::string &source, const std::string &function = "f");

bool contains(const Lowered &lowered, const std::string &text);

#define EXPECT_SUPPORTED(lowered)                                                                  \
  do {                                                                                             \
    Lowered result_ = (lowered);                                                                   \
    EXPECT_FALSE(result_.failed) << result_.text;                                                  \
    EXPECT_FALSE(contains(result_, "unsupported")) << result_.text;                                \
  } while (false)
#define EXPECT_UNSUPPORTED(lowered, what)                                                          \
  do {                                                                                             \
    Lowered result_ = (lowered);                                                                   \
    EXPECT_FALSE(result_.failed) << result_.text;                                                  \
    EXPECT_TRUE(contains(result_, "unsupported")) << result_.text;                                 \
    EXPECT_TRUE(contains(result_, what)) << result_.text;                                          \
  } while (false)

} // namespace colonnade::test

#endif // COLONNADE_UNITTESTS_FRONTEND_LOWERING_H
