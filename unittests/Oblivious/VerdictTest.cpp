//===- VerdictTest.cpp - Classes, findings and certificates ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Maker.h"

using namespace colonnade;

namespace {

const SizeExpr n; // unknown: the interpreter takes what it is given

TEST(Verdict, PrefixSumsAreObliviousAsWritten) {
  Maker m;
  ArrayId array = m.instance("b", n);
  ValueId size = m.scalar("n");
  m.each(m.num(1), size, [&](ValueId i) {
    ValueId left = m.load(array, m.sub(i, m.num(1)));
    ValueId right = m.load(array, i);
    m.store(array, i, m.add(left, right));
  });
  Verdict v = m.verify();
  EXPECT_EQ(v.verdict, VerdictClass::A);
  EXPECT_TRUE(v.findings.empty());
  EXPECT_EQ(m.trace(v.certificate, {3}, {{0, 0, 0}}),
            (Strings{"b:0", "b:1", "b:1", "b:1", "b:2", "b:2"}));
}

TEST(Verdict, IndexFromDataIsNamedWithItsPath) {
  Maker m;
  ArrayId x = m.instance("x", n), out = m.instance("out", n);
  ValueId j = m.named(m.load(x, m.num(0)), "j");
  m.store(x, m.num(0), m.narrow(m.num(0)));
  m.store(out, m.wide(j), j);
  Verdict v = m.verify();
  ASSERT_EQ(ids(v), Strings{"OBL201"});
  EXPECT_EQ(v.verdict, VerdictClass::N);
  EXPECT_NE(v.findings[0].message.find("'out[j]'"), std::string::npos);
  ASSERT_EQ(v.findings[0].path.size(), 1u);
  EXPECT_EQ(v.findings[0].path[0].message, "'x[0]' is instance data, loaded here");
}

TEST(Verdict, BranchOnDataIsPredicatedAndBothArmsFollow) {
  Maker m;
  ArrayId x = m.instance("x", n);
  ValueId c = m.less(x, m.num(0), m.num(1));
  m.branch(
      c,
      [&] {
        m.store(x, m.num(2), m.load(x, m.num(3)));
        return std::vector<ValueId>();
      },
      [&] {
        m.store(x, m.num(4), m.narrow(m.num(1)));
        return std::vector<ValueId>();
      });
  Verdict v = m.verify();
  EXPECT_EQ(v.verdict, VerdictClass::P);
  EXPECT_EQ(ids(v), Strings{"OBL101"});
  EXPECT_EQ(m.trace(v.certificate, {}, {{0, 0, 0, 0, 0}}),
            (Strings{"x:0", "x:1", "x:3", "x:2", "x:4"}));
}

TEST(Verdict, MaskedAddressOutsideItsExtentIsNoErrorInTheCertificate) {
  Maker m;
  ArrayId x = m.instance("x", n);
  m.when(m.less(x, m.num(0), m.num(1)),
         [&] { m.store(x, m.sub(m.num(0), m.num(1)), m.narrow(m.num(1))); });
  Verdict v = m.verify();
  EXPECT_EQ(v.verdict, VerdictClass::P);
  EXPECT_EQ(m.trace(v.certificate, {}, {{0, 0}}), (Strings{"x:0", "x:1", "x:-1"}));
}

TEST(Verdict, ValueChosenByABranchOnDataIsVarying) {
  for (bool same : {false, true}) {
    Maker m;
    ArrayId x = m.instance("x", n), out = m.instance("out", n);
    ValueId k = m.scalar("k"), l = m.scalar("l");
    ValueId c = m.less(x, m.num(0), m.num(1));
    auto j = m.branch(c, [&] { return std::vector{k}; }, [&] { return std::vector{same ? k : l}; });
    m.named(j[0], "j");
    m.store(out, j[0], m.narrow(k));
    Verdict v = m.verify();
    EXPECT_EQ(v.verdict, same ? VerdictClass::P : VerdictClass::N);
    if (same) {
      EXPECT_EQ(m.trace(v.certificate, {2, 1}, {{0, 0}, {0, 0, 0}}),
                (Strings{"x:0", "x:1", "out:2"}));
    }
  }
}

TEST(Verdict, UniformBranchKeepsItsValuesUniform) {
  Maker m;
  ArrayId out = m.instance("out", n);
  ValueId k = m.scalar("k"), l = m.scalar("l");
  auto j = m.branch(m.lt(k, l), [&] { return std::vector{k}; }, [&] { return std::vector{l}; });
  m.store(out, j[0], m.narrow(k));
  Verdict v = m.verify();
  EXPECT_EQ(v.verdict, VerdictClass::A);
  EXPECT_EQ(m.trace(v.certificate, {2, 1}, {{0, 0, 0}}), Strings{"out:1"});
}

TEST(Verdict, CounterOfADataExitIsVaryingAfterTheLoop) {
  for (bool useCounter : {false, true}) {
    Maker m;
    ArrayId x = m.instance("x", n), out = m.instance("out", n);
    ValueId size = m.scalar("n");
    auto r = m.loop(
        m.num(0), size, {},
        [&](ValueId i, llvm::ArrayRef<ValueId>) { return std::vector{m.less(x, i, m.num(0))}; },
        true);
    m.store(out, useCounter ? r[0] : size, m.narrow(size));
    Verdict v = m.verify();
    EXPECT_EQ(v.verdict, useCounter ? VerdictClass::N : VerdictClass::P);
    EXPECT_EQ(ids(v), useCounter ? (Strings{"OBL102", "OBL201"}) : Strings{"OBL102"});
    if (!useCounter) {
      EXPECT_EQ(m.trace(v.certificate, {2}, {{0, 0}, {0, 0, 0}}),
                (Strings{"x:0", "x:0", "x:1", "x:0", "out:2"}));
    }
  }
}

TEST(Verdict, UniformLocalArrayOfIndices) {
  for (bool data : {false, true}) {
    Maker m;
    ArrayId x = m.instance("x", n), t = m.local("t", 4);
    m.each(m.num(0), m.num(4),
           [&](ValueId i) { m.store(t, i, data ? m.load(x, i) : m.narrow(m.sub(m.num(3), i))); });
    m.each(m.num(0), m.num(4), [&](ValueId i) { m.load(x, m.wide(m.load(t, i))); });
    m.store(x, m.num(0), m.narrow(m.num(0)));
    Verdict v = m.verify();
    EXPECT_EQ(v.verdict, data ? VerdictClass::N : VerdictClass::A);
    if (data)
      continue;
    EXPECT_EQ(m.trace(v.certificate, {}, {{0, 0, 0, 0}})[5], "x:3");
    EXPECT_FALSE(v.uniformity.arrayVarying[t.index]);
  }
}

TEST(Verdict, LocalArrayStoredUnderAMaskIsVaryingAfterwards) {
  for (bool after : {false, true}) {
    Maker m;
    ArrayId x = m.instance("x", n), t = m.local("t", 2);
    m.store(t, m.num(0), m.narrow(m.num(0)));
    ValueId c = m.less(x, m.num(0), m.num(1));
    m.when(c, [&] {
      m.store(t, m.num(0), m.narrow(m.num(1)));
      if (!after)
        m.load(x, m.wide(m.load(t, m.num(0))));
    });
    if (after)
      m.load(x, m.wide(m.load(t, m.num(0))));
    m.store(x, m.num(0), m.narrow(m.num(1)));
    Verdict v = m.verify();
    EXPECT_EQ(v.verdict, after ? VerdictClass::N : VerdictClass::P);
    EXPECT_EQ(v.uniformity.arrayVarying[t.index], after);
  }
}

TEST(Verdict, SecondArmSeesWhatTheFirstOneWrote) {
  Maker m;
  ArrayId x = m.instance("x", n), t = m.local("t", 2);
  m.store(t, m.num(0), m.narrow(m.num(0)));
  ValueId c = m.less(x, m.num(0), m.num(1));
  m.branch(
      c,
      [&] {
        m.store(t, m.num(0), m.narrow(m.num(1)));
        return std::vector<ValueId>();
      },
      [&] {
        m.load(x, m.wide(m.load(t, m.num(0))));
        return std::vector<ValueId>();
      });
  EXPECT_EQ(m.verify().verdict, VerdictClass::N);
}

TEST(Verdict, MaskedStoreIntoALaneArrayIsVaryingAtOnce) {
  // t is needed per lane because of the last load, so the load under the mask
  // could not read any lane's copy.
  Maker m;
  ArrayId x = m.instance("x", n), t = m.local("t", 2);
  ValueId c = m.less(x, m.num(0), m.num(1));
  m.when(c, [&] {
    m.store(t, m.num(0), m.narrow(m.num(1)));
    m.load(x, m.wide(m.load(t, m.num(0))));
  });
  m.store(x, m.num(0), m.load(t, m.num(0)));
  EXPECT_EQ(m.verify().verdict, VerdictClass::N);
}

TEST(Verdict, CarriedIndexTurnsVaryingInALaterIteration) {
  Maker m;
  ArrayId x = m.instance("x", n);
  ValueId size = m.scalar("n");
  m.loop(m.num(0), size, {m.num(0), m.num(0)}, [&](ValueId, llvm::ArrayRef<ValueId> carried) {
    ValueId data = m.wide(m.load(x, carried[0]));
    return std::vector{carried[1], data}; // data reaches the index one iteration later
  });
  m.store(x, m.num(0), m.narrow(size));
  Verdict v = m.verify();
  EXPECT_EQ(v.verdict, VerdictClass::N);
}

TEST(Verdict, TripCounts) {
  for (bool writes : {false, true}) {
    Maker m;
    ArrayId x = m.instance("x", n), len = m.instance("len", SizeExpr::constant(1));
    m.function.array(len).writes = writes;
    ValueId hi = m.wide(m.load(len, m.num(0)));
    m.each(m.num(0), hi, [&](ValueId i) { m.load(x, i); });
    if (writes)
      m.store(len, m.num(0), m.narrow(m.num(0)));
    Verdict v = m.verify();
    EXPECT_EQ(v.verdict, writes ? VerdictClass::T : VerdictClass::K);
    EXPECT_EQ(ids(v), writes ? Strings{"OBL203"} : Strings{"OBL210"});
  }
}

TEST(Verdict, WhileOnDataHasNoBound) {
  Maker m;
  ArrayId x = m.instance("x", n);
  m.next();
  OpId id = m.b.createLoop({m.num(0)});
  // createLoop was given a constant made before it.
  auto regions = m.function.op(id).regions;
  {
    ir::InsertionScope scope(m.b);
    m.b.setRegion(regions[0]);
    ValueId i = m.function.region(regions[0]).args[0];
    m.b.test(m.lt(m.load(x, m.num(1)), m.narrow(m.num(3))), {i});
    m.b.setRegion(regions[1]);
    ValueId j = m.function.region(regions[1]).args[0];
    m.store(x, m.num(1), m.narrow(j));
    m.b.yield({m.b.constantBool(true), m.add(j, m.num(1))});
  }
  Verdict v = m.verify();
  EXPECT_EQ(ids(v), Strings{"OBL205"});
  EXPECT_EQ(v.verdict, VerdictClass::T);
}

TEST(Verdict, SmallArraysAndTables) {
  Maker m;
  ArrayId x = m.instance("x", n), t = m.local("t", 16), u = m.uniform("u", n);
  ValueId j = m.wide(m.load(x, m.num(0)));
  m.store(t, j, m.load(u, j));
  m.store(x, m.num(0), m.narrow(j));
  Verdict v = m.verify();
  EXPECT_EQ(ids(v), (Strings{"OBL208", "OBL207"}));
  EXPECT_EQ(v.verdict, VerdictClass::R);
}

TEST(Verdict, UniformArraysAndTheirContents) {
  Maker m;
  ArrayId x = m.instance("x", n), perm = m.uniform("perm", n);
  ValueId size = m.scalar("n");
  m.each(m.num(0), size, [&](ValueId i) { m.load(x, m.wide(m.load(perm, i))); });
  Verdict v = m.verify();
  EXPECT_EQ(v.verdict, VerdictClass::A);
  EXPECT_EQ(m.trace(v.certificate, {2}, {{0, 0}, {1, 0}}),
            (Strings{"perm:0", "x:1", "perm:1", "x:0"}));
}

TEST(Verdict, LostSource) {
  Maker m;
  m.instance("b");
  m.b.unsupported("a read", std::nullopt);
  m.function.ops.back().index = 1;
  Verdict v = m.verify();
  EXPECT_EQ(ids(v), Strings{"OBL304"});
  EXPECT_EQ(v.verdict, VerdictClass::U);
}

TEST(Verdict, StoreToUniformArrayAndUnsupported) {
  Maker m;
  ArrayId u = m.uniform("u", n);
  m.store(u, m.num(0), m.narrow(m.num(1)));
  m.next();
  m.b.unsupported("'goto'", std::nullopt);
  Verdict v = m.verify();
  EXPECT_EQ(ids(v), (Strings{"OBL302", "OBL301"}));
  EXPECT_EQ(v.verdict, VerdictClass::U);
}

TEST(Verdict, UninitialisedValuesAreVarying) {
  Maker m;
  ArrayId x = m.instance("x", n);
  m.next();
  ValueId k = m.named(m.b.undef(ir::ScalarType::S64), "k");
  m.store(x, k, m.narrow(m.num(0)));
  Verdict v = m.verify();
  EXPECT_EQ(ids(v), (Strings{"OBL104", "OBL201"}));
}

} // namespace
