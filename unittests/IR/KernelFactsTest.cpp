//===- KernelFactsTest.cpp - What is known of a kernel's operations -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/KernelFacts.h"

#include "IR/Builder.h"

#include "gtest/gtest.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

std::optional<int64_t> iterationsOf(ScalarType type, int64_t low, Predicate predicate, int64_t high,
                                    int64_t step, bool postTest) {
  Function kernel;
  Builder builder(kernel);
  builder.setRegion(builder.createRegion());
  const OpId loop =
      builder.createFor(builder.constantInt(type, low), builder.constantInt(type, high),
                        builder.constantInt(type, step), predicate, false, {});
  kernel.op(loop).postTest = postTest;
  return constantIterations(kernel, kernel.op(loop));
}

bool holds(Predicate predicate, int64_t counter, int64_t high) {
  switch (predicate) {
  case Predicate::Lt:
    return counter < high;
  case Predicate::Le:
    return counter <= high;
  case Predicate::Gt:
    return counter > high;
  case Predicate::Ge:
    return counter >= high;
  case Predicate::Ne:
    return counter != high;
  }
  return false;
}

/// By running it; nullopt: it does not end soon.
std::optional<int64_t> run(int64_t low, Predicate predicate, int64_t high, int64_t step,
                           bool postTest) {
  int64_t iterations = 0;
  for (int64_t counter = low; postTest ? iterations == 0 || holds(predicate, counter, high)
                                       : holds(predicate, counter, high);
       counter += step)
    if (++iterations > 100)
      return std::nullopt;
  return iterations;
}

TEST(KernelFacts, IterationsAreThoseOfTheLoop) {
  unsigned known = 0;
  for (Predicate predicate :
       {Predicate::Lt, Predicate::Le, Predicate::Gt, Predicate::Ge, Predicate::Ne})
    for (int64_t low = -6; low <= 6; ++low)
      for (int64_t high = -6; high <= 6; ++high)
        for (int64_t step : {-4, -3, -2, -1, 1, 2, 3, 4})
          for (bool postTest : {false, true}) {
            const auto found = iterationsOf(ScalarType::S32, low, predicate, high, step, postTest);
            known += found.has_value();
            if (found) {
              EXPECT_EQ(found, run(low, predicate, high, step, postTest))
                  << low << " to " << high << " by " << step;
            }
          }
  EXPECT_GT(known, 5000u);
}

/// `i -= 1` of an unsigned counter is `i += 4294967295`.
TEST(KernelFacts, UnsignedCountersFall) {
  EXPECT_EQ(iterationsOf(ScalarType::U32, 5, Predicate::Gt, 0, -1, false), 5);
  EXPECT_EQ(iterationsOf(ScalarType::U32, 5, Predicate::Ge, 1, -2, false), 3);
  EXPECT_EQ(iterationsOf(ScalarType::U16, 9, Predicate::Ne, 0, -3, false), 3);
  EXPECT_EQ(iterationsOf(ScalarType::U32, 0, Predicate::Lt, 3'500'000'000, 3'000'000'000, false),
            2);
}

TEST(KernelFacts, FarBoundsAreNotCounted) {
  EXPECT_EQ(iterationsOf(ScalarType::S64, INT64_MIN, Predicate::Lt, INT64_MAX, 1, false),
            std::nullopt);
  EXPECT_EQ(iterationsOf(ScalarType::S64, 0, Predicate::Gt, INT64_MIN, -1, false), std::nullopt);
  EXPECT_EQ(iterationsOf(ScalarType::U64, -1, Predicate::Lt, 5, 1, false), std::nullopt);
  EXPECT_EQ(iterationsOf(ScalarType::S32, 0, Predicate::Lt, 5, 0, false), std::nullopt);
}

} // namespace
