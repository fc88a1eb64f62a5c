//===- PipelineTest.cpp - Malformed IR is refused, never judged ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "Driver/Pipeline.h"
#include "Support/Diagnostics.h"

#include "gtest/gtest.h"

namespace colonnade {
namespace {

/// `store` of f's value to x[0], then a call of g, whose addition has operands of type `ADDEND`.
ir::Module sample(llvm::StringRef storedType, llvm::StringRef addend) {
  std::string text = R"(
!0 = s32
!1 = ptr !0
func "f" raw mangled "f" loc("f.c":1:6) {
  param x : ptr !0 count [1]
  body(%x : ptr) {
    %v = const 7 : STORED
    ptr.store %x, %v mem !0 loc("f.c":2:3)
    call %x callee "g" loc("f.c":3:3)
    return
  }
}
func "g" raw loc("f.c":9:6) {
  param y : ptr !0
  body(%y : ptr) {
    %a = ptr.load %y mem !0 : s32
    %b = const 1 : ADDEND
    %c = add %a, %b : s32 loc("f.c":11:5)
    ptr.store %y, %c mem !0
    return
  }
}
)";
  auto replace = [&](llvm::StringRef name, llvm::StringRef by) {
    text.replace(text.find(name.str()), name.size(), by.str());
  };
  replace("STORED", storedType);
  replace("ADDEND", addend);
  return ir::parsed(text);
}

struct Judged {
  VerdictClass verdict;
  std::vector<Finding> findings;
  std::string place; // of the first finding
  bool saysNothingVaries;
};

Judged judged(ir::Module module) {
  llvm::Expected<CheckedFunction> checked = checkFunction(module, FunctionId(0), {});
  if (!checked) {
    ADD_FAILURE() << llvm::toString(checked.takeError());
    return {};
  }
  const std::vector<Finding> &findings = checked->verdict.findings;
  return {checked->verdict.verdict, findings,
          findings.empty() ? "" : module.sources.str(findings[0].loc),
          !checked->verdict.anyVarying};
}

TEST(Pipeline, WellFormedIrIsJudged) {
  EXPECT_EQ(judged(sample("s32", "s32")).verdict, VerdictClass::A);
}

TEST(Pipeline, AMalformedEntryIsUnsupportedAtItsPlace) {
  Judged j = judged(sample("f32", "s32"));
  EXPECT_EQ(j.verdict, VerdictClass::U);
  ASSERT_EQ(j.findings.size(), 1u);
  EXPECT_STREQ(std::string(j.findings[0].id).c_str(), "OBL305");
  EXPECT_EQ(j.place, "f.c:2:3");
  EXPECT_NE(j.findings[0].message.find("please report it"), std::string::npos);
  EXPECT_FALSE(j.saysNothingVaries); // nobody knows what the function reads
}

TEST(Pipeline, AMalformedCalleeIsUnsupportedAtItsPlace) {
  Judged j = judged(sample("s32", "f32"));
  EXPECT_EQ(j.verdict, VerdictClass::U);
  ASSERT_EQ(j.findings.size(), 1u);
  EXPECT_STREQ(std::string(j.findings[0].id).c_str(), "OBL305");
  EXPECT_EQ(j.place, "f.c:11:5");
}

TEST(Pipeline, FaultsOfThisToolAreKnownById) {
  EXPECT_FALSE(isOwnFault("OBL301"));
  for (const char *id : {"OBL304", "OBL305", "OBL306"})
    EXPECT_TRUE(isOwnFault(id)) << id;
}

} // namespace
} // namespace colonnade
