//===- SpellingTest.cpp - What a misspelt name may mean -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Spelling.h"

#include <gtest/gtest.h>

using namespace colonnade;

namespace {

const std::set<std::string> known = {"count", "n", "table", "weights"};

TEST(Spelling, ProposesTheNearestName) {
  EXPECT_EQ(didYouMean("cout", known), "; did you mean 'count'?");
  EXPECT_EQ(didYouMean("wieghts", known), "; did you mean 'weights'?");
}

TEST(Spelling, ProposesNoNameThatDiffersInMost) {
  EXPECT_EQ(didYouMean("m", known), "");
  EXPECT_EQ(didYouMean("length", known), "");
  EXPECT_EQ(didYouMean("x", {}), "");
}

} // namespace
