//===- SizesTest.cpp - Derived extents and access counts ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Maker.h"

using namespace colonnade;

namespace {

std::string extent(const Maker &m, ArrayId array) {
  return m.function.array(array).extents[0].str();
}

TEST(Sizes, PrefixSums) {
  Maker m;
  ArrayId b = m.instance("b");
  ValueId n = m.scalar("n", ir::ScalarType::S32);
  m.each(m.b.constantInt(ir::ScalarType::S32, 1), n, [&](ValueId i) {
    ValueId one = m.b.constantInt(ir::ScalarType::S32, 1);
    ValueId left = m.load(b, m.wide(m.sub(i, one)));
    ValueId right = m.load(b, m.wide(i));
    m.store(b, m.wide(i), m.add(left, right));
  });
  Verdict v = m.verify();
  EXPECT_EQ(extent(m, b), "n");
  EXPECT_EQ(v.accesses().str(), "3*max(n-1, 0)");
  EXPECT_TRUE(v.findings.empty());
}

TEST(Sizes, TriangleAndSquare) {
  Maker m;
  ArrayId a = m.instance("a"), t = m.instance("t");
  ValueId n = m.scalar("n");
  m.each(m.num(0), n, [&](ValueId i) {
    m.each(m.num(0), i, [&](ValueId j) {
      m.load(a, m.add(m.mul(j, n), i));
      // Packed: i*(i-1)/2 + j
      ValueId row = m.b.binary(ir::Opcode::Div, m.mul(i, m.sub(i, m.num(1))), m.num(2));
      m.load(t, m.add(row, j));
    });
  });
  Verdict v = m.verify();
  EXPECT_EQ(extent(m, a), "n*(n-1)");
  EXPECT_EQ(m.function.array(t).extents[0].evaluate({{"n", 5}}), 10);
  EXPECT_EQ(v.accesses().evaluate({{"n", 5}}), 20);
}

TEST(Sizes, ConditionsBoundAnIndex) {
  Maker m;
  ArrayId b = m.instance("b"), c = m.instance("c");
  ValueId n = m.scalar("n");
  m.each(m.num(0), n, [&](ValueId i) {
    ValueId next = m.add(i, m.num(1));
    m.when(m.lt(next, n), [&] { m.load(b, next); });
    m.branch(
        m.lt(i, m.num(1)), [] { return std::vector<ValueId>(); },
        [&] {
          m.load(c, m.sub(i, m.num(1)));
          return std::vector<ValueId>();
        });
  });
  Verdict v = m.verify();
  EXPECT_EQ(extent(m, b), "n");
  EXPECT_EQ(extent(m, c), "n-1");
  EXPECT_EQ(v.accesses().str(), "?");
}

TEST(Sizes, SteppedAndBackwardLoops) {
  Maker m;
  ArrayId b = m.instance("b"), c = m.instance("c");
  ValueId n = m.scalar("n");
  auto For = [&](ValueId lo, ValueId hi, int64_t step, ir::Predicate p, ArrayId a) {
    ValueId s = m.num(step);
    m.next();
    OpId id = m.b.createFor(lo, hi, s, p, false, {});
    ir::InsertionScope scope(m.b);
    RegionId region = m.function.op(id).regions[0];
    m.b.setRegion(region);
    m.load(a, m.add(m.function.region(region).args[0], m.num(1)));
    m.b.yield({});
  };
  For(m.num(0), n, 2, ir::Predicate::Lt, b);
  For(m.sub(n, m.num(2)), m.num(0), -1, ir::Predicate::Ge, c);
  Verdict v = m.verify();
  for (int64_t size = 1; size < 9; ++size) {
    EXPECT_EQ(m.function.array(b).extents[0].evaluate({{"n", size}}), (size - 1) / 2 * 2 + 2);
    EXPECT_EQ(v.accesses().evaluate({{"n", size}}), (size + 1) / 2 + size - 1);
  }
  EXPECT_EQ(extent(m, c), "n");
}

TEST(Sizes, TableOfIndicesNeedsADeclaredExtent) {
  Maker m;
  ArrayId b = m.instance("b"), perm = m.uniform("perm");
  ValueId n = m.scalar("n");
  m.each(m.num(0), n, [&](ValueId i) { m.load(b, m.wide(m.load(perm, i))); });
  Verdict v = m.verify();
  EXPECT_EQ(extent(m, b), "?");
  EXPECT_EQ(extent(m, perm), "n");
  EXPECT_EQ(ids(v), Strings{"OBL103"});
  EXPECT_EQ(v.verdict, VerdictClass::A);
  EXPECT_EQ(v.accesses().str(), "n");
}

TEST(Sizes, AccessesThatMustLeaveTheirArray) {
  for (int64_t last : {0, 1}) {
    Maker m;
    SizeExpr n = SizeExpr::name("n");
    ArrayId b = m.instance("b", n);
    ValueId size = m.scalar("n");
    m.each(m.num(0), m.add(size, m.num(last)), [&](ValueId i) { m.load(b, i); });
    Verdict v = m.verify();
    EXPECT_EQ(ids(v), last ? Strings{"OBL303"} : Strings{});
    EXPECT_EQ(v.verdict, last ? VerdictClass::U : VerdictClass::A);
    if (last) {
      EXPECT_NE(v.findings[0].message.find("cell n, outside its extent of n"), std::string::npos);
    }
  }
}

TEST(Sizes, ConditionalAccessesAreNotReported) {
  Maker m;
  ArrayId b = m.instance("b", SizeExpr::constant(4));
  ValueId k = m.scalar("k");
  m.when(m.lt(k, m.num(0)), [&] { m.load(b, m.num(4)); });
  EXPECT_TRUE(m.verify().findings.empty());
}

} // namespace
