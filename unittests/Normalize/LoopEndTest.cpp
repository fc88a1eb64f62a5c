//===- LoopEndTest.cpp - Where its counter ends a loop --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopEnd.h"

#include "gtest/gtest.h"

namespace colonnade::canonical {
namespace {

using ir::Predicate;

bool holds(Predicate predicate, Scalar a, Scalar b) {
  const bool isSigned = ir::isSigned(a.type);
  const bool less = isSigned ? ir::asInt64(a) < ir::asInt64(b) : a.bits < b.bits;
  const bool same = a.bits == b.bits;
  switch (predicate) {
  case Predicate::Lt:
    return less;
  case Predicate::Le:
    return less || same;
  case Predicate::Gt:
    return !less && !same;
  case Predicate::Ge:
    return !less;
  case Predicate::Ne:
    return !same;
  }
  return false;
}

struct Ran {
  Scalar counter;
  uint64_t iterations = 0;
};

/// Nullopt: it overflows, or runs for long.
std::optional<Ran> run(Predicate predicate, Scalar start, Scalar limit, Scalar step) {
  Ran ran = {start};
  while (holds(predicate, ran.counter, limit)) {
    int64_t next = 0; // of unsigned counters a pattern of bits
    const bool overflows =
        __builtin_add_overflow(ir::asInt64(ran.counter), ir::asInt64(step), &next);
    ran.counter = ir::makeInt(start.type, next);
    const bool isWide = ir::bitWidth(start.type) >= 32;
    if (ir::isSigned(start.type) && isWide && (overflows || ir::asInt64(ran.counter) != next))
      return std::nullopt;
    if (++ran.iterations > 600)
      return std::nullopt;
  }
  return ran;
}

class LoopEndTest : public testing::TestWithParam<ScalarType> {
protected:
  static ir::Function empty() {
    ir::Function function;
    function.body = RegionId(0);
    function.regions.emplace_back();
    return function;
  }
  ir::Function out_ = empty();
  Folder fold_{out_};
};

TEST_P(LoopEndTest, IsWhatTheLoopDoes) {
  const ScalarType type = GetParam();
  const int64_t least = ir::isSigned(type) ? int64_t(-1) << (ir::bitWidth(type) - 1) : 0;
  std::vector<int64_t> ends;
  for (int64_t near : {int64_t(0), int64_t(100), least, least - 1}) // least - 1: the greatest
    for (int64_t offset = -5; offset <= 5; ++offset)
      ends.push_back(int64_t(uint64_t(near) + uint64_t(offset)));
  unsigned known = 0, counted = 0;
  for (Predicate predicate :
       {Predicate::Lt, Predicate::Le, Predicate::Gt, Predicate::Ge, Predicate::Ne})
    for (int64_t step : {1, -1, 2, -2, 3, -3, 7})
      for (int64_t from : ends)
        for (int64_t to : ends) {
          const Scalar start = ir::makeInt(type, from), limit = ir::makeInt(type, to),
                       by = ir::makeInt(type, step);
          const std::optional<Ran> ran = run(predicate, start, limit, by);
          if (!ran)
            continue;
          const LoopEnd end(fold_, predicate, fold_.constant(start), fold_.constant(limit), by);
          const auto what = [&] {
            return testing::Message() << "predicate " << int(predicate) << " step " << step
                                      << " from " << from << " to " << to;
          };
          EXPECT_EQ(fold_.constantOf(end.runs())->bits, ran->iterations > 0) << what();
          if (end.counter()) {
            ++known;
            ASSERT_TRUE(fold_.constantOf(end.counter())) << what();
            EXPECT_EQ(fold_.constantOf(end.counter())->bits, ran->counter.bits) << what();
          }
          if (end.iterations() && ran->iterations > 0) {
            ++counted;
            ASSERT_TRUE(fold_.constantOf(end.iterations())) << what();
            EXPECT_EQ(fold_.constantOf(end.iterations())->bits, ran->iterations) << what();
          }
        }
  EXPECT_GT(known, 3000U);
  EXPECT_GT(counted, 500U);
}

INSTANTIATE_TEST_SUITE_P(Types, LoopEndTest,
                         testing::Values(ScalarType::S8, ScalarType::U8, ScalarType::S32,
                                         ScalarType::U32, ScalarType::S64, ScalarType::U64));

} // namespace
} // namespace colonnade::canonical
