//===- WithinExtentsTest.cpp - Accesses that need no check ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each access or loop that needs no check before a launch has a twin that does.
//
//===----------------------------------------------------------------------===//

#include "Maker.h"

#include "Oblivious/Certificate/WithinExtents.h"

using namespace colonnade;

namespace {

struct Found {
  bool holds;
  uint64_t accesses;
  friend bool operator==(const Found &, const Found &) = default;
};
const Found No = {false, 0};

void PrintTo(const Found &found, std::ostream *out) {
  *out << found.holds << ' ' << found.accesses;
}

/// Of the operation that was made last in the body. `loadedArrays`: their contents are needed.
Found lastOf(Maker &m, std::vector<uint32_t> loadedArrays = {}) {
  std::vector<bool> loaded(m.function.arrays.size());
  for (uint32_t array : loadedArrays)
    loaded[array] = true;
  const OpId last = m.function.region(m.function.body).ops.back();
  const WithinExtents within = withinExtents(m.function, loaded);
  return {within.holds[last.index], within.accesses[last.index]};
}

/// for (i = lo; i < hi; i++) with `body`, as the last operation.
Found loop(int64_t lo, int64_t hi, const std::function<void(Maker &, ArrayId, ValueId)> &body,
           int64_t cells = 8) {
  Maker m;
  const ArrayId t = m.local("t", cells);
  m.each(m.num(lo), m.num(hi), [&](ValueId i) { body(m, t, i); });
  return lastOf(m);
}

void loadHere(Maker &m, ArrayId t, ValueId i) { m.load(t, i); }

TEST(WithinExtents, ConstantAddresses) {
  for (int64_t cell : {-1, 0, 7, 8}) {
    Maker m;
    m.load(m.local("t", 8), m.num(cell));
    EXPECT_EQ(lastOf(m), (cell == 0 || cell == 7 ? Found{true, 1} : No)) << cell;
  }
}

TEST(WithinExtents, OnlyWhatNoCallerPasses) {
  Maker m;
  m.load(m.instance("b", SizeExpr::constant(8)), m.num(3));
  EXPECT_EQ(lastOf(m), No);
  m.load(m.array("t", ir::ArrayRole::Table, ir::Sharing::Uniform, SizeExpr::constant(8)), m.num(3));
  EXPECT_EQ(lastOf(m), (Found{true, 1}));
  m.load(m.array("v", ir::ArrayRole::Local, ir::Sharing::Instance, SizeExpr::name("n")), m.num(0));
  EXPECT_EQ(lastOf(m), No);
}

TEST(WithinExtents, CountersOfLoops) {
  EXPECT_EQ(loop(0, 8, loadHere), (Found{true, 8}));
  EXPECT_EQ(loop(0, 9, loadHere), No);
  EXPECT_EQ(loop(-1, 8, loadHere), No);
  EXPECT_EQ(loop(3, 8, [](Maker &m, ArrayId t, ValueId i) { m.load(t, m.sub(i, m.num(3))); }),
            (Found{true, 5}));
  EXPECT_EQ(loop(3, 8, [](Maker &m, ArrayId t, ValueId i) { m.load(t, m.sub(i, m.num(4))); }), No);
  EXPECT_EQ(loop(0, 3, [](Maker &m, ArrayId t, ValueId i) { m.load(t, m.mul(i, m.num(3))); }),
            (Found{true, 3}));
  EXPECT_EQ(loop(0, 4, [](Maker &m, ArrayId t, ValueId i) { m.load(t, m.mul(i, m.num(3))); }), No);
}

TEST(WithinExtents, SizesAreNotKnown) {
  Maker m;
  const ArrayId t = m.local("t", 8);
  const ValueId n = m.scalar("n");
  m.each(m.num(0), n, [&](ValueId) { m.load(t, m.num(2)); });
  EXPECT_EQ(lastOf(m), No); // how many accesses it makes
  m.load(t, n);
  EXPECT_EQ(lastOf(m), No);
}

TEST(WithinExtents, NestedLoopsMultiply) {
  auto nest = [](int64_t inner) {
    return loop(0, 8, [&](Maker &m, ArrayId t, ValueId i) {
      m.load(t, i);
      m.each(m.num(0), m.num(inner), [&](ValueId j) { m.load(t, j); });
    });
  };
  EXPECT_EQ(nest(4), (Found{true, 40}));
  EXPECT_EQ(nest(9), No);
}

TEST(WithinExtents, ArmsMakeTheSameNumber) {
  for (bool both : {true, false}) {
    Maker m;
    const ArrayId t = m.local("t", 8);
    const ValueId condition = m.lt(m.scalar("n"), m.num(3));
    m.branch(
        condition,
        [&] {
          m.load(t, m.num(1));
          return std::vector<ValueId>();
        },
        [&] {
          if (both)
            m.load(t, m.num(2));
          return std::vector<ValueId>();
        });
    EXPECT_EQ(lastOf(m), (both ? Found{true, 1} : No));
  }
}

TEST(WithinExtents, AStoreThatDecidesAddressesIsAnEffect) {
  Maker m;
  const ArrayId t = m.local("t", 8);
  m.each(m.num(0), m.num(8), [&](ValueId i) { m.store(t, i, m.narrow(i)); });
  EXPECT_EQ(lastOf(m), (Found{true, 8}));
  EXPECT_EQ(lastOf(m, {t.index}), No);
}

/// A counter that could leave its type may come back below where it began.
TEST(WithinExtents, CountersThatLeaveTheirType) {
  for (auto [high, holds] : {std::pair(126, true), std::pair(127, true), std::pair(128, false)}) {
    Maker m;
    const ArrayId t = m.local("t", 200);
    const ValueId lo = m.b.constantInt(ir::ScalarType::S8, 0);
    const ValueId hi = m.b.constantInt(ir::ScalarType::S16, high);
    const ValueId one = m.b.constantInt(ir::ScalarType::S8, 1);
    m.next();
    const OpId id = m.b.createFor(lo, hi, one, ir::Predicate::Lt, false, {});
    {
      ir::InsertionScope scope(m.b);
      const RegionId body = m.function.op(id).regions[0];
      m.b.setRegion(body);
      m.load(t, m.wide(m.function.region(body).args[0]));
      m.b.yield({});
    }
    EXPECT_EQ(lastOf(m), (holds ? Found{true, static_cast<uint64_t>(high)} : No)) << high;
  }
}

/// Where the test comes behind the body, or data end the loop, the counter's range is no proof.
TEST(WithinExtents, OtherLoops) {
  for (bool postTest : {false, true})
    for (bool hasContinueFlag : {false, true}) {
      Maker m;
      const ArrayId t = m.local("t", 8);
      m.loop(
          m.num(0), m.num(8), {},
          [&](ValueId i, llvm::ArrayRef<ValueId>) {
            m.load(t, i);
            return hasContinueFlag ? std::vector<ValueId>{m.b.constantBool(true)}
                                   : std::vector<ValueId>();
          },
          hasContinueFlag);
      m.function.op(m.function.region(m.function.body).ops.back()).postTest = postTest;
      EXPECT_EQ(lastOf(m), (postTest || hasContinueFlag ? No : Found{true, 8}));
    }
}

} // namespace
