//===- BalanceTest.cpp - Every planted loss is noticed --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "Normalize/Balance.h"
#include "Normalize/Simplify.h"
#include "Normalize/Walk/Walk.h"

#include "gtest/gtest.h"

namespace colonnade::canonical {
namespace {

/// Each kind of operation that must not be lost: in arrays and in variables, under conditions
/// that are kept and that are decided, in loops that are kept and that run once.
constexpr const char *Sample = R"(
!0 = s32
!1 = struct "Pair" {"a" !0, "b" !0}
!2 = ptr !0
!3 = ptr !1
func "f" raw mangled "f" returns s32 spelt "int" {
  param x : ptr !0 count [8]
  param p : ptr !1 count [8]
  param k : s32
  body(%x : ptr, %p : ptr, %k : s32) {
    %v = object mem !0 text "v" : ptr
    %zero = const 0 : s32
    %one = const 1 : s64
    %yes = const true : bool
    %no = const false : bool
    ptr.store %v, %zero mem !0
    %s = object mem !1 text "s" : ptr
    ptr.copy %s, %p, %one mem !1
    %next = ptr.index %p, %one mem !1 : ptr
    ptr.copy %next, %p, %one mem !1
    %byte = const 0 : u8
    ptr.fill %p, %byte, %one mem !1
    %a = ptr.load %x mem !0 : s32
    %positive = gt %a, %zero : bool
    if %positive {
      ptr.store %x, %k mem !0
      ptr.store %v, %a mem !0
      yield
    } else {
      %t = ptr.load %v mem !0 : s32
      ptr.store %x, %t mem !0
      yield
    }
    if %no {
      ptr.store %x, %zero mem !0
      yield
    } else {
      %u = ptr.load %x mem !0 : s32
      %small = lt %u, %k : bool
      check %small text "it is small"
      yield
    }
    check %yes text "it holds"
    loop () {
      %w = ptr.load %x mem !0 : s32
      %more = gt %w, %zero : bool
      test %more
    } do () {
      ptr.store %x, %zero mem !0
      %again = const true : bool
      yield %again
    }
    loop () {
      %first = const true : bool
      test %first
    } do () {
      call %x callee "g"
      %end = const false : bool
      yield %end
    }
    %r = ptr.load %v mem !0 : s32
    unsupported text "goto"
    return %r
  }
}
func "g" raw {
  param y : ptr !0
  body(%y : ptr) {
    %old = ptr.load %y mem !0 : s32
    %c = const 1 : s32
    %new = add %old, %c : s32
    ptr.store %y, %new mem !0
    return
  }
}
)";

class BalanceTest : public testing::Test {
protected:
  explicit BalanceTest(const char *sample = Sample) : module(ir::parsed(sample)) {
    const ir::Function &raw = module.function(FunctionId(0));
    walked.name = raw.name;
    walked.stage = ir::Stage::Canonical;
    walked.returnType = raw.returnType;
    walked.body = RegionId(0);
    walked.regions.emplace_back();
    Walk walk(module, FunctionId(0), {}, decisions, walked);
    llvm::Error error = walk.run();
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    account = walk.account();
  }
  std::vector<Loss> lost(const Account &of) {
    return lostByWalk(module, FunctionId(0), of, walked);
  }
  /// The account without the notes that `drop` chooses.
  Account without(llvm::function_ref<bool(const Note &)> drop) const {
    Account rest;
    for (const Note &note : account.notes())
      if (!drop(note)) {
        AtSite at(rest, note.site);
        rest.add(note.deed, note.made, note.path);
      }
    return rest;
  }
  const ir::Op &rawOp(Site site) const {
    return module.function(FunctionId(site.path ? 1 : 0)).op(OpId(site.op));
  }

  ir::Module module;
  Decisions decisions;
  ir::Function walked;
  Account account;
};

bool isEffect(const ir::Op &op) {
  return op.opcode == Opcode::Load || op.opcode == Opcode::Store || op.opcode == Opcode::Check ||
         op.opcode == Opcode::Unsupported;
}

/// Calls `visit(region, position)` for every operation below the body.
template <class Visit> void forEachPlace(const ir::Function &f, RegionId region, Visit visit) {
  for (size_t i = 0; i < f.region(region).ops.size(); ++i) {
    visit(region, i);
    for (RegionId inner : f.op(f.region(region).ops[i]).regions)
      forEachPlace(f, inner, visit);
  }
}

/// `function` without the operation there; of an If its first arm stays, of a loop its body.
ir::Function dropped(ir::Function function, RegionId region, size_t position) {
  std::vector<OpId> &ops = function.region(region).ops;
  const ir::Op op = function.op(ops[position]);
  ops.erase(ops.begin() + position);
  if (!op.regions.empty()) {
    std::vector<OpId> inner = function.region(op.regions[0]).ops;
    inner.pop_back();
    ops.insert(ops.begin() + position, inner.begin(), inner.end());
  }
  return function;
}

bool hasEffects(const ir::Function &function, const ir::Op &op) {
  bool any = isEffect(op);
  for (RegionId inner : op.regions)
    for (OpId id : function.region(inner).ops)
      any |= hasEffects(function, function.op(id));
  return any;
}

TEST_F(BalanceTest, NothingIsLostByTheWalk) { EXPECT_TRUE(lost(account).empty()); }

TEST_F(BalanceTest, WhatTheWalkForgetsIsNoticed) {
  using ir::Opcode;
  std::set<Opcode> seen;
  std::set<Site> sites;
  for (const Note &note : account.notes())
    sites.insert(note.site);
  for (Site site : sites) {
    const ir::Op &op = rawOp(site);
    if (op.opcode == Opcode::Object)
      continue; // a variable that comes to exist is no access
    EXPECT_FALSE(lost(without([&](const Note &note) { return note.site == site; })).empty())
        << site.path << ' ' << site.op;
    seen.insert(op.opcode);
  }
  std::set<Opcode> all = {Opcode::PtrLoad, Opcode::PtrStore,   Opcode::PtrCopy, Opcode::PtrFill,
                          Opcode::If,      Opcode::Loop,       Opcode::Call,    Opcode::Check,
                          Opcode::Return,  Opcode::Unsupported};
  EXPECT_EQ(seen, all);
}

TEST_F(BalanceTest, AFieldThatIsNotCopiedIsNoticed) {
  unsigned copies = 0;
  for (size_t i = 0; i < account.notes().size(); ++i) {
    const Note &one = account.notes()[i];
    if (rawOp(one.site).opcode != ir::Opcode::PtrCopy)
      continue;
    ++copies;
    EXPECT_FALSE(lost(without([&](const Note &note) { return &note == &one; })).empty());
  }
  EXPECT_EQ(copies, 8u); // two copies of two fields each, read and written
}

/// Copies of what has no cells: of variables, whose values are unknown, and in memory, which is
/// refused.
class BalanceOutsideTest : public BalanceTest {
protected:
  BalanceOutsideTest()
      : BalanceTest(R"(
!0 = s32
!1 = struct "<union 'U'>" {}
!2 = struct "Tagged" {"u" !1, "tag" !0}
func "f" raw mangled "f" {
  param p : ptr !2 count [8]
  body(%p : ptr) {
    %one = const 1 : s64
    %byte = const 0 : u8
    %s = object mem !2 text "s" : ptr
    %t = object mem !2 text "t" : ptr
    ptr.fill %s, %byte, %one mem !2
    ptr.copy %t, %s, %one mem !2
    ptr.copy %p, %t, %one mem !2
    ptr.fill %p, %byte, %one mem !2
    return
  }
}
)") {}
};

TEST_F(BalanceOutsideTest, NothingIsLostByTheWalk) { EXPECT_TRUE(lost(account).empty()); }

TEST_F(BalanceOutsideTest, ACopyThatMakesNoAccessIsNoticed) {
  unsigned refused = 0, unknown = 0;
  std::set<Site> seen;
  for (const Note &one : account.notes()) {
    const ir::Opcode opcode = rawOp(one.site).opcode;
    const bool isOfVariable = !one.made && one.deed == Deed::Write;
    if ((opcode != ir::Opcode::PtrCopy && opcode != ir::Opcode::PtrFill) ||
        (one.deed != Deed::Refused && !isOfVariable) || !seen.insert(one.site).second)
      continue;
    ++(one.deed == Deed::Refused ? refused : unknown);
    // As it was: the walk went on as if there were nothing to copy.
    bool isFirst = true;
    EXPECT_FALSE(lost(without([&](const Note &note) {
                   const bool isPlanted = note.site == one.site && note.deed == one.deed && isFirst;
                   isFirst &= !isPlanted;
                   return isPlanted;
                 })).empty())
        << one.site.op;
  }
  EXPECT_EQ(refused, 2u);
  EXPECT_EQ(unknown, 2u);
}

TEST_F(BalanceTest, WhatIsAppendedAndTakenAwayIsNoticed) {
  const ir::Function whole = walked;
  unsigned planted = 0;
  forEachPlace(whole, whole.body, [&](RegionId region, size_t position) {
    if (!hasEffects(whole, whole.op(whole.region(region).ops[position])))
      return;
    walked = dropped(whole, region, position);
    EXPECT_FALSE(lost(account).empty()) << region.index << ' ' << position;
    ++planted;
  });
  EXPECT_GT(planted, 20u);
}

TEST_F(BalanceTest, PassesLoseNothing) {
  Inventory inventory(walked);
  LeftOut leftOut;
  ir::Function done = simplify(countLoops(walked, leftOut), leftOut);
  EXPECT_TRUE(inventory.missingFrom(done, leftOut).empty());
  unsigned planted = 0;
  forEachPlace(done, done.body, [&](RegionId region, size_t position) {
    if (!hasEffects(done, done.op(done.region(region).ops[position])))
      return;
    EXPECT_FALSE(inventory.missingFrom(dropped(done, region, position), leftOut).empty())
        << region.index << ' ' << position;
    ++planted;
  });
  EXPECT_GT(planted, 20u);
}

TEST_F(BalanceTest, AnArmThatNeverRunsMayBeLeftOut) {
  ir::Function known = ir::parsed(R"(
func "f" canonical {
  array @a : s32[2] parameter instance
  body() {
    %i = const 0 : s64
    %yes = const true : bool
    if %yes {
      %v = load @a[%i] : s32
      store @a[%i], %v
      yield
    } else {
      %w = load @a[%i] : s32
      yield
    }
    return
  }
}
)")
                           .functions[0];
  Inventory inventory(known);
  LeftOut leftOut;
  ir::Function done = simplify(known, leftOut);
  EXPECT_TRUE(inventory.missingFrom(done, leftOut).empty());
  EXPECT_EQ(inventory.missingFrom(done, {}).size(), 2u); // the If, and the read in its second arm
}

/// A loop whose test is `%test`, which goes on under `%more`: constants, or a bit of the data.
ir::Function loopThat(llvm::StringRef test, llvm::StringRef more) {
  return ir::parsed((R"(
func "f" canonical {
  array @a : s32[2] parameter instance
  body() {
    %i = const 0 : s64
    %no = const false : bool
    %yes = const true : bool
    %v = const 1 : s32
    %first = load @a[%i] : s32
    %data = eq %first, %v : bool
    loop (%u : s32 = %v) {
      %w = load @a[%i] : s32
      test )" + test +
                     R"(, %w
    } do (%x : s32) {
      store @a[%i], %x
      yield )" + more +
                     R"(, %v
    } -> %end : s32
    store @a[%i], %end
    return
  }
}
)")
                        .str())
      .functions[0];
}

TEST_F(BalanceTest, ALoopThatRunsAtMostOnceIsAnIf) {
  using ir::Opcode;
  using Ops = std::vector<Opcode>;
  struct Case {
    const char *test, *more;
    Ops kept;
  } const cases[] = {
      {"%no", "%data", {Opcode::Load, Opcode::Load, Opcode::Store}},
      {"%yes", "%no", {Opcode::Load, Opcode::Load, Opcode::Store, Opcode::Store}},
      {"%data", "%no", {Opcode::Load, Opcode::Load, Opcode::If, Opcode::Store, Opcode::Store}},
      {"%data", "%data", {Opcode::Load, Opcode::Loop, Opcode::Load, Opcode::Store, Opcode::Store}},
  };
  for (const Case &each : cases) {
    ir::Function once = loopThat(each.test, each.more);
    Inventory inventory(once);
    LeftOut leftOut;
    ir::Function done = simplify(simplify(once, leftOut), leftOut);
    EXPECT_TRUE(inventory.missingFrom(done, leftOut).empty()) << each.test;
    EXPECT_EQ(inventory.missingFrom(done, {}).empty(), each.kept[1] == Opcode::Loop) << each.test;
    Ops kept;
    forEachPlace(done, done.body, [&](RegionId region, size_t position) {
      const ir::Op &op = done.op(done.region(region).ops[position]);
      if (!hasEffects(done, op))
        return;
      kept.push_back(op.opcode);
      EXPECT_FALSE(inventory.missingFrom(dropped(done, region, position), leftOut).empty());
    });
    EXPECT_EQ(kept, each.kept) << each.test;
  }
}

} // namespace
} // namespace colonnade::canonical
