//===- CountTest.cpp - Formulas of access counts --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas are compared with what the interpreter counts, at sizes at which loops run no iteration.
//
//===----------------------------------------------------------------------===//

#include "Maker.h"

#include <random>

using namespace colonnade;

namespace {

/// for (i = 1; i < n; i++) for (j = i + 2; j < m; j++) a[0];
class RandomNest {
public:
  /// `areSizes`: n and m are in an extent, and so never negative.
  RandomNest(unsigned seed, bool areSizes) : random_(seed), areSizes_(areSizes) {
    SizeExpr cells = SizeExpr::constant(1);
    if (areSizes)
      cells = cells + SizeExpr::name("n") + SizeExpr::name("m");
    a_ = maker.instance("a", cells);
    n_ = maker.scalar("n");
    m_ = maker.scalar("m");
    nest(1 + draw(3));
    if (draw(3) == 0)
      nest(1); // a second loop
    maker.load(a_, maker.num(0));
    verdict = maker.verify();
  }

  /// What the interpreter counts.
  int64_t counted(int64_t n, int64_t m) {
    const std::vector<int64_t> cells(areSizes_ ? 1 + n + m : 1);
    return static_cast<int64_t>(maker.trace(verdict.certificate, {n, m}, {cells}).size());
  }

  Maker maker;
  Verdict verdict;

private:
  unsigned draw(unsigned values) { return random_() % values; }

  ValueId bound() {
    const unsigned form = draw(around_.empty() ? 5 : 9);
    switch (form) {
    case 0:
    case 1:
      return maker.num(form);
    case 2:
      return n_;
    case 3:
      return m_;
    case 4:
      return maker.sub(n_, maker.num(1));
    default:
      return maker.add(around_.back(), maker.num(static_cast<int64_t>(form) - 7)); // i - 2 … i + 1
    }
  }

  void nest(unsigned depth) {
    const bool falls = draw(4) == 0;
    const int64_t step = falls ? -1 : draw(8) == 0 ? 2 : 1;
    const ValueId from = bound(), to = bound(), by = maker.num(step);
    maker.next();
    const ir::Predicate predicate = falls          ? ir::Predicate::Ge
                                    : draw(4) == 0 ? ir::Predicate::Le
                                                   : ir::Predicate::Lt;
    const OpId loop = maker.b.createFor(from, to, by, predicate, false, {});
    maker.function.op(loop).postTest = draw(10) == 0;
    const RegionId body = maker.function.op(loop).regions[0];
    ir::InsertionScope scope(maker.b);
    maker.b.setRegion(body);
    around_.push_back(maker.function.region(body).args[0]);
    maker.load(a_, maker.num(0));
    if (depth > 1)
      nest(depth - 1);
    around_.pop_back();
    maker.b.yield({});
  }

  std::mt19937 random_;
  bool areSizes_;
  ArrayId a_;
  ValueId n_, m_;
  std::vector<ValueId> around_; // counters
};

void confirm(RandomNest &nest, int64_t smallest) {
  for (int64_t n = smallest; n < 5; ++n)
    for (int64_t m = smallest; m < 5; ++m)
      EXPECT_EQ(nest.verdict.accesses().evaluate({{"n", n}, {"m", m}}), nest.counted(n, m))
          << nest.verdict.accesses().str() << " at n = " << n << ", m = " << m;
}

TEST(Count, FormulasAreExactWhereLoopsRunNoIteration) {
  unsigned withFormula = 0, withClamp = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const bool areSizes = seed % 2 == 0;
    RandomNest nest(seed, areSizes);
    ASSERT_EQ(nest.verdict.verdict, VerdictClass::A);
    if (!nest.verdict.accesses().known())
      continue;
    ++withFormula;
    withClamp += nest.verdict.accesses().str().find("max(") != std::string::npos;
    confirm(nest, areSizes ? 0 : -2);
    if (HasFailure())
      FAIL() << "seed " << seed;
  }
  EXPECT_GE(withFormula, 250u);
  EXPECT_GE(withClamp, 100u);
}

std::string countOf(const std::function<void(Maker &, ArrayId, ValueId)> &body) {
  Maker m;
  const ArrayId a = m.instance("a", SizeExpr::name("n"));
  const ValueId n = m.scalar("n");
  body(m, a, n);
  return m.verify().accesses().str();
}

TEST(Count, SaysMaxOnlyWhereItMatters) {
  EXPECT_EQ(countOf([](Maker &m, ArrayId a, ValueId n) {
              m.each(m.num(0), n, [&](ValueId) { m.load(a, m.num(0)); });
            }),
            "n");
  EXPECT_EQ(countOf([](Maker &m, ArrayId a, ValueId n) {
              m.each(m.num(1), n, [&](ValueId) { m.load(a, m.num(0)); });
            }),
            "max(n-1, 0)");
  // n * max(n-1, 0), which is the same at n = 0.
  EXPECT_EQ(countOf([](Maker &m, ArrayId a, ValueId n) {
              m.each(m.num(0), n,
                     [&](ValueId) { m.each(m.num(1), n, [&](ValueId) { m.load(a, m.num(0)); }); });
            }),
            "n*(n-1)");
  EXPECT_EQ(countOf([](Maker &m, ArrayId a, ValueId n) {
              m.each(m.num(0), n, [&](ValueId i) {
                m.each(m.num(1), i, [&](ValueId) { m.load(a, m.num(0)); });
              });
            }),
            "max(n-1, 0)*(max(n-1, 0)-1)/2");
}

} // namespace
