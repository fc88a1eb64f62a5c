//===- KeepCallsTest.cpp - Calls that stay calls --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are written as they look when calls have been inlined: the location of each
// operation says which call it came from. The kernel that keeps calls must compute what the
// other one does.
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include "IR/Interpreter.h"
#include "Transform/Calls/KeepCalls.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

constexpr CallLimits Small = {
    .operations = 1, .enough = 1, .leastOperations = 2, .callOperations = 0};

/// `ops`, each at the same place of the function at "f.c":2, called at line `line`.
std::string inlined(const std::string &ops, int line, const std::string &outer = "") {
  std::string text;
  for (llvm::StringRef rest = ops; !rest.empty();) {
    auto [op, after] = rest.split('\n');
    const bool opens = op.ends_with("{") || op.starts_with("} else");
    text += op.str();
    if (!opens && !op.empty() && !op.starts_with("yield"))
      text += " loc(\"f.c\":3:1 at \"f.c\":" + std::to_string(line) + ":5" + outer + ")";
    text += "\n";
    rest = after;
  }
  return text;
}

/// to[at] = from[at] * factor + x, and the same as a value; names end in `line`.
std::string step(const std::string &from, const std::string &to, const std::string &at,
                 const std::string &factor, const std::string &x, int line,
                 const std::string &outer = "") {
  const std::string n = std::to_string(line);
  return inlined("%v" + n + " = load @" + from + "[" + at + "] : s32\n%p" + n + " = mul %v" + n +
                     ", " + factor + " : s32\n%q" + n + " = sub %p" + n + ", %one : s32\n%r" + n +
                     " = add %q" + n + ", " + x + " : s32\nstore @" + to + "[" + at + "], %r" + n +
                     "\n",
                 line, outer);
}

constexpr const char *CallArrays = "array @a : s32[4] parameter instance reads of a\n"
                                   "array @b : s32[4] parameter instance reads writes of b\n"
                                   "array @s : s32[4] local instance reads writes\n"
                                   "array @t : s32[9] local instance reads writes\n";
constexpr const char *CallStart =
    "%next = const 1 : s64\n%three = const 3 : s32\n%five = const 5 : s32\n"
    "%x = load @a[%cell] : s32\n%y = load @a[%next] : s32\n"
    "store @s[%cell], %x\nstore @s[%next], %y\n"
    "store @t[%cell], %y\nstore @t[%next], %x\n"
    "%at = cast %n : s64\n" // so that they are not in registers
    "store @s[%at], %x\nstore @t[%at], %y\n";

struct Kept {
  Lowered inlined;
  Function threads, lanes;

  explicit Kept(const std::string &ops, const CallLimits &limits = Small)
      : inlined(Lowered::of(CallArrays, CallStart + ops)),
        threads(keepCalls(inlined.threads, inlined.module, limits)),
        lanes(keepCalls(inlined.lanes, inlined.module, limits)) {
    compare(inlined.threads, threads);
    compare(inlined.lanes, lanes);
  }

  void compare(const Function &before, const Function &after) const {
    EXPECT_EQ(ir::verifyError(inlined.module, after), "") << textOf(after);
    const Module again = parsed(textOf(after));
    ASSERT_EQ(again.functions.size(), 1u);
    EXPECT_EQ(textOf(again.functions[0]), textOf(after));
    for (bool flag : {false, true})
      EXPECT_EQ(run(before, flag), run(after, flag)) << textOf(after);
  }

  std::vector<uint64_t> run(const Function &kernel, bool flag) const {
    std::vector<ArrayData> arrays = {{{11, 7, 5, 3}, {}}, {{0, 0, 0, 0}, {}}};
    const Scalar scalars[] = {makeInt(ScalarType::S32, 2), {ScalarType::Bool, flag}};
    llvm::Error error = interpret(inlined.module, kernel, arrays, scalars);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error)) << textOf(kernel);
    return arrays[1].cells;
  }

  /// Numbers of parts and of calls, the same for threads and lanes.
  std::pair<size_t, unsigned> numbers() const {
    EXPECT_EQ(threads.parts.size(), lanes.parts.size());
    EXPECT_EQ(count(threads, Opcode::CallPart), count(lanes, Opcode::CallPart));
    return {threads.parts.size(), count(threads, Opcode::CallPart)};
  }
};

using Numbers = std::pair<size_t, unsigned>;

TEST(KeepCalls, OnePartForCallsWithOtherArraysAndValues) {
  const Kept f(step("s", "t", "%cell", "%three", "%x", 10) +
               step("t", "s", "%cell", "%three", "%y", 11) +
               step("t", "t", "%cell", "%three", "%x", 12) + "store @b[%cell], %r12\n" +
               "store @b[%next], %r11\n");
  EXPECT_EQ(f.numbers(), Numbers(1, 3));
  const Part &part = f.threads.parts[0];
  EXPECT_EQ(part.arrays.size(), 2u);                              // from, to
  EXPECT_EQ(f.threads.region(part.body).args.size(), 1u);         // x; 3 is the same in all
  EXPECT_EQ(f.threads.terminator(part.body).operands.size(), 1u); // used behind two of them
}

TEST(KeepCalls, ConstantsThatDifferAreArguments) {
  const Kept f(step("s", "t", "%cell", "%three", "%x", 10) +
               step("s", "t", "%next", "%five", "%x", 11) + "%z = load @t[%next] : s32\n" +
               "store @b[%cell], %z\n");
  EXPECT_EQ(f.numbers(), Numbers(1, 2));
  EXPECT_EQ(f.threads.region(f.threads.parts[0].body).args.size(), 3u); // cell, factor, x
}

TEST(KeepCalls, EqualBitsOfTwoTypesAreTwoArguments) {
  const Kept f(step("s", "t", "%cell", "%zero", "%x", 10) +
               step("s", "t", "%next", "%one", "%x", 11) + "%z = load @t[%next] : s32\n" +
               "store @b[%cell], %z\n");
  EXPECT_EQ(f.numbers(), Numbers(1, 2));
  EXPECT_EQ(f.threads.region(f.threads.parts[0].body).args.size(), 3u); // cell, factor, x
}

TEST(KeepCalls, OnlyWhatIsTheSame) {
  std::string other = step("s", "t", "%cell", "%three", "%x", 11);
  other.replace(other.find("sub"), 3, "xor");
  const Kept f(step("s", "t", "%cell", "%three", "%x", 10) + other +
               "%z = load @t[%cell] : s32\nstore @b[%cell], %z\n");
  EXPECT_EQ(f.numbers(), Numbers(0, 0));
}

TEST(KeepCalls, NotInASmallKernel) {
  const std::string ops = step("s", "t", "%cell", "%three", "%x", 10) +
                          step("t", "s", "%cell", "%three", "%y", 11) +
                          "%z = load @s[%cell] : s32\nstore @b[%cell], %z\n";
  const Kept f(ops, CallLimits());
  EXPECT_EQ(textOf(f.threads), textOf(f.inlined.threads));
  EXPECT_EQ(textOf(f.lanes), textOf(f.inlined.lanes));
  EXPECT_EQ(Kept(ops).numbers(), Numbers(1, 2));
}

TEST(KeepCalls, UntilTheKernelIsShortEnough) {
  std::string other = step("s", "t", "%next", "%five", "%x", 12);
  const std::string twin = step("t", "s", "%next", "%five", "%x", 13);
  const auto exchanged = [](std::string text) { return text.replace(text.find("sub"), 3, "xor"); };
  const std::string ops = step("s", "t", "%cell", "%three", "%x", 10) +
                          step("t", "s", "%cell", "%three", "%y", 11) + exchanged(other) +
                          exchanged(twin) + "%z = load @s[%cell] : s32\nstore @b[%cell], %z\n";
  std::set<size_t> numbers;
  for (uint64_t enough = 1; enough < 100; ++enough) {
    CallLimits limits = Small;
    limits.enough = enough;
    numbers.insert(Kept(ops, limits).lanes.parts.size());
  }
  EXPECT_EQ(numbers, (std::set<size_t>{0, 1, 2}));
}

/// A loop over `array`, and a store that only some instances make.
std::string loop(const std::string &array, int line) {
  const std::string n = std::to_string(line);
  return inlined("for %i" + n + " : s32 = %zero lt %n step %one (%acc" + n + " : s32 = %x) {\n" +
                     "%k" + n + " = cast %i" + n + " : s64\n%w" + n + " = load @" + array + "[%k" +
                     n + "] : s32\n%d" + n + " = lt %w" + n + ", %acc" + n + " : bool\n" + "if %d" +
                     n + " {\nstore @" + array + "[%k" + n + "], %acc" + n +
                     "\nyield\n} else {\nyield\n}\n%e" + n + " = sub %acc" + n + ", %w" + n +
                     " : s32\nyield %e" + n + "\n} -> %last" + n + " : s32, %sum" + n + " : s32\n",
                 line);
}

TEST(KeepCalls, LoopsAndMasksInside) {
  const Kept f(loop("s", 10) + loop("s", 11) +
               "%u = load @s[%cell] : s32\nstore @b[%cell], %u\nstore @b[%next], %sum11\n");
  EXPECT_EQ(f.numbers(), Numbers(1, 2));
  const Function &lanes = f.lanes;
  EXPECT_TRUE(llvm::any_of(lanes.ops, [](const Op &op) { return op.masked; }));
}

TEST(KeepCalls, CallsInBranches) {
  const Kept f("if %flag {\n" + step("s", "t", "%cell", "%three", "%x", 10) +
               "yield %r10\n} else {\n" + step("t", "s", "%cell", "%three", "%y", 11) +
               "yield %y\n} -> %z : s32\n" + "store @b[%cell], %z\n");
  EXPECT_EQ(f.numbers(), Numbers(1, 2));
}

/// outer() calls step() twice; the body calls both.
TEST(KeepCalls, PartsCallParts) {
  auto outer = [](const std::string &from, const std::string &to, int line) {
    const std::string at = " at \"f.c\":" + std::to_string(line) + ":9";
    return step(from, to, "%cell", "%three", "%x", line, at) +
           step(to, from, "%cell", "%three", "%y", line + 100, at);
  };
  const Kept f(outer("s", "t", 20) + outer("t", "s", 21) + outer("s", "t", 22) +
               step("s", "s", "%cell", "%three", "%y", 30) + "store @b[%cell], %r30\n");
  EXPECT_EQ(f.numbers(), Numbers(2, 6)); // 3 of outer(), 2 in it, 1 in the body
  EXPECT_EQ(count(f.threads, Opcode::Mul), 1u);
}

} // namespace
