//===- PassesTest.cpp - Passes over cells that stay in registers ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorting networks and transforms have their passes fused, and give what the canonical function
// gives. What are no passes is refused.
//
//===----------------------------------------------------------------------===//

#include "PassKernels.h"
#include "PassNetwork.h"

#include "Transform/Teams/CounterBits.h"
#include "Transform/Teams/TeamPlan.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// What is fused of a text with so many bits, run by a team.
std::optional<FusedPasses> fusedOf(const std::string &text, unsigned bits) {
  const Module module = parsed(text);
  EXPECT_EQ(verifyError(module), "") << text;
  WalkBudget budget;
  std::optional<FusedPasses> fused = fusePasses(kernelOf(module), bits, budget);
  if (!fused)
    return std::nullopt;
  const Function teams = teamKernel(teamOf(fused->kernel, 4, true));
  EXPECT_EQ(verifyError(module, teams), "") << textOf(teams);
  EXPECT_EQ(runRows(module, teams, 5, 1), "") << textOf(teams);
  return fused;
}

/// Batcher's bitonic sort of 64 keys.
const std::string Bitonic = R"(func "f" canonical mangled "f" {
array @a : u32[64] parameter instance reads writes of a
body() {
  %two = const 2 : s64
  %n = const 64 : s64
  %zero = const 0 : s64
  %one = const 1 : s64
  loop (%r : s64 = %two) {
    %more = le %r, %n : bool
    test %more, %r
  } do (%run : s64) {
    %half = div %run, %two : s64
    loop (%d : s64 = %half) {
      %isLeft = gt %d, %zero : bool
      test %isLeft, %d
    } do (%distance : s64) {
      for %i : s64 = %zero lt %n step %one () {
        %partner = xor %i, %distance : s64
        %isBefore = lt %partner, %i : bool
        if %isBefore {
          yield
        } else {
          %bits = and %i, %run : s64
          %ascends = eq %bits, %zero : bool
          if %ascends {
            %u = load @a[%partner] access 0 : u32
            %v = load @a[%i] access 1 : u32
            %less = lt %u, %v : bool
            yield %less
          } else {
            %u2 = load @a[%i] access 2 : u32
            %v2 = load @a[%partner] access 3 : u32
            %less2 = lt %u2, %v2 : bool
            yield %less2
          } -> %swaps : bool
          if %swaps {
            %x = load @a[%i] access 4 : u32
            %y = load @a[%partner] access 5 : u32
            store @a[%i], %y access 6
            store @a[%partner], %x access 7
            yield
          } else {
            yield
          }
          yield
        }
        yield
      } -> %endI : s64
      %next = div %distance, %two : s64
      %true = const true : bool
      yield %true, %next
    } -> %endD : s64
    %twice = mul %run, %two : s64
    %true2 = const true : bool
    yield %true2, %twice
  } -> %endR : s64
  return
}
}
)";

TEST(Passes, BitonicSort) {
  for (const auto &[bits, groups] : {std::pair(2u, 10u), {3u, 6u}, {4u, 4u}}) {
    const std::optional<FusedPasses> fused = fusedOf(Bitonic, bits);
    ASSERT_TRUE(fused);
    EXPECT_EQ(fused->passes, 21u);
    EXPECT_EQ(fused->groups, groups);
    EXPECT_GT(fused->mirrored, 0u);
    EXPECT_EQ(fused->units, uint64_t(1) << (6 - bits));
  }
}

/// In both directions the same, or not: a > b is b < a, but a <= b is not a < b.
TEST(Passes, Mirrored) {
  const auto mirrored = [](const std::string &text) { return fusedOf(text, 3)->mirrored; };
  const std::string less = "%less2 = lt %u2, %v2";
  EXPECT_GT(mirrored(replaced(Bitonic, less, "%less2 = gt %v2, %u2")), 0u);
  EXPECT_EQ(mirrored(replaced(Bitonic, less, "%less2 = le %u2, %v2")), 0u);
  EXPECT_EQ(mirrored(replaced(Bitonic, less, "%less2 = lt %v2, %u2")), 0u);
  EXPECT_EQ(mirrored(replaced(Bitonic, "store @a[%partner], %x", "store @a[%partner], %y")), 0u);
}

TEST(Passes, NoPass) {
  const std::string partner = "%partner = xor %i, %distance";
  EXPECT_TRUE(fusedOf(Bitonic, 3));
  EXPECT_FALSE(fusedOf(replaced(Bitonic, partner, "%partner = sub %i, %distance"), 3));
  EXPECT_FALSE(fusedOf(Bitonic, 5)) << "two units";
  Network neighbours(1, 6);
  const std::string d = neighbours.number(1);
  neighbours.pass(PassKind::Single, d, 0);
  neighbours.pass(PassKind::Next, d, 0);
  neighbours.pass(PassKind::Single, d, 0);
  EXPECT_FALSE(fusedOf(neighbours.text(), 3)) << "each group has one pass";
}

/// What data may leave out is not done in registers.
TEST(Passes, DataEndsALoopAroundThem) {
  const auto rounds = [](const std::string &goesOn) {
    Network network(1, 5);
    network.raw("%first = load @c[%zero] access 1000 : u32\n%none = const 0 : u32\n%goesOn = " +
                goesOn + " : bool\nfor %stage : s64 = %zero lt %two step %one continue () {\n");
    network.pass(PassKind::Partners, network.number(1), 0);
    network.pass(PassKind::Partners, network.number(2), 0);
    network.raw("yield %goesOn\n} -> %stages : s64\n");
    return fusedOf(network.text(), 3);
  };
  EXPECT_TRUE(rounds("const true"));
  EXPECT_FALSE(rounds("ne %first, %none"));
}

/// A transform by halves, of which the cells' order is changed first.
const std::string Transform = R"(func "f" canonical mangled "f" {
array @a : u32[64] parameter instance reads writes of a
array @w : u32[32] parameter uniform reads of w
body() {
  %two = const 2 : s64
  %n = const 64 : s64
  %middle = const 32 : s64
  %zero = const 0 : s64
  %one = const 1 : s64
  for %i : s64 = %zero lt %n step %one (%j : s64 = %zero) {
    %isLess = lt %i, %j : bool
    if %isLess {
      %x = load @a[%i] access 0 : u32
      %y = load @a[%j] access 1 : u32
      store @a[%i], %y access 2
      store @a[%j], %x access 3
      yield
    } else {
      yield
    }
    loop (%b : s64 = %middle, %k : s64 = %j) {
      %own = and %b, %k : s64
      %isSet = ne %own, %zero : bool
      test %isSet, %b, %k
    } do (%bit : s64, %l : s64) {
      %without = xor %l, %bit : s64
      %lower = div %bit, %two : s64
      %true = const true : bool
      yield %true, %lower, %without
    } -> %last : s64, %rest : s64
    %following = xor %rest, %last : s64
    yield %following
  } -> %endI : s64, %endJ : s64
  loop (%h : s64 = %one) {
    %more = lt %h, %n : bool
    test %more, %h
  } do (%half : s64) {
    %step = mul %half, %two : s64
    %by = div %middle, %half : s64
    for %start : s64 = %zero lt %n step %step () {
      for %m : s64 = %zero lt %half step %one () {
        %top = add %start, %m : s64
        %bottom = add %top, %half : s64
        %at = mul %m, %by : s64
        %factor = load @w[%at] access 4 : u32
        %p = load @a[%top] access 5 : u32
        %q = load @a[%bottom] access 6 : u32
        %t = mul %q, %factor : u32
        %d = sub %p, %t : u32
        %s = add %p, %t : u32
        store @a[%bottom], %d access 7
        store @a[%top], %s access 8
        yield
      } -> %endM : s64
      yield
    } -> %endS : s64
    %true2 = const true : bool
    yield %true2, %step
  } -> %endH : s64
  return
}
}
)";

TEST(Passes, TransformsAreDealtOutWhole) {
  const Module module = parsed(Transform);
  ASSERT_EQ(verifyError(module), "");
  const TeamPlan plan = planTeams(kernelOf(module), TeamSizes, {});
  EXPECT_EQ(plan.note.substr(0, 12), "6 passes in ") << plan.note << plan.reason;
  const Function teams = teamKernel(plan);
  EXPECT_EQ(runRows(module, teams, 5, 1), "") << textOf(teams);
  const auto dealt = llvm::count(plan.choice.dealt, true);
  EXPECT_EQ(dealt, 3) << "the order, and two groups";
}

/// The order of bits, backwards, follows from the counter's bits; that of a generator of random
/// numbers does not.
TEST(Passes, CarriesNothing) {
  const auto loops = [](const std::string &text) {
    const Module module = parsed(text);
    EXPECT_EQ(verifyError(module), "");
    WalkBudget budget;
    const Function kernel = kernelOf(module);
    return teamLoops(carryNothing(kernel, budget).value_or(kernel)).outermost.size();
  };
  EXPECT_EQ(loops(Transform), 2u);
  const std::string random = "%five = const 5 : s64\n%some = mul %j, %five : s64\n"
                             "%other = add %some, %one : s64\n%following = rem %other, %n";
  EXPECT_EQ(loops(replaced(Transform, "%following = xor %rest, %last", random)), 1u);
}

} // namespace
