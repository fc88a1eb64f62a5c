//===- LoadsFirstTest.cpp - Loads of several iterations at once -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops in strips give what the canonical function gives, whatever the distance from a load to the
// store that it sees; strips of units begin where units of rows do.
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

#include "IR/Evaluate.h"
#include "Transform/LoadsFirst.h"
#include "Transform/LoopAccesses.h"

#include <iostream>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// for (i …): some cells near i of one array or another are loaded, and some are stored to.
class LoopText {
public:
  explicit LoopText(unsigned seed) : random_(seed) {
    const unsigned n = 8 + draw(90), by = 1 + draw(2);
    falls_ = draw(2);
    carries_ = draw(2);
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    for (const char *array : {"a", "b", "c"})
      text_ += "array @" + std::string(array) + " : u32[" + std::to_string(n + 40) +
               "] parameter instance reads writes of " + array + "\n";
    text_ += "body() {\n%none = const 0 : u32\n%low = const 20 : s64\n%high = const " +
             std::to_string(n + 20) + " : s64\n%step = const " +
             std::to_string(falls_ ? -int(by) : int(by)) +
             " : s64\nfor %i : s64 = " + (falls_ ? "%high ge %low" : "%low lt %high") +
             " step %step (" + (carries_ ? "%sum : u32 = %none" : "") + ") {\n";
    std::string sum = "%none";
    for (unsigned statements = 1 + draw(3); statements > 0; --statements)
      sum = statement();
    text_ += carries_
                 ? "yield " + sum + "\n} -> %end : s64, %all : u32\nstore @a[%low], %all access " +
                       std::to_string(access_) + "\n"
                 : "yield\n} -> %end : s64\n";
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }
  bool falls() const { return falls_; }
  bool carries() const { return carries_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string define(const std::string &operation, const char *type) {
    const std::string name = "%v" + std::to_string(last_++);
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  /// Mostly at i, or next to it; sometimes as far away as strips are long.
  std::string cell() {
    const int distances[] = {0, 0, 0, 0, 1, -1, 1, -1, 2, -2, 7, -7, 16, -16, 19, -19};
    const int distance = distances[draw(16)];
    return distance == 0
               ? "%i"
               : define("add %i, " + define("const " + std::to_string(distance), "s64"), "s64");
  }
  std::string array() { return std::string(1, "abc"[draw(3)]); }
  std::string load() {
    return define("load @" + array() + "[" + cell() + "] access " + std::to_string(access_++),
                  "u32");
  }
  std::string statement() {
    std::string value = carries_ ? define("add %sum, " + load(), "u32") : load();
    for (unsigned more = draw(3); more > 0; --more)
      value = define((draw(2) ? "add " : "mul ") + value + ", " + load(), "u32");
    text_ += "store @" + array() + "[" + cell() + "], " + value + " access " +
             std::to_string(access_++) + "\n";
    return value;
  }

  std::mt19937 random_;
  std::string text_;
  unsigned last_ = 0, access_ = 0;
  bool falls_ = false, carries_ = false;
};

TEST(LoadsFirst, RandomLoops) {
  unsigned strips = 0, same = 0, falls = 0, carries = 0, carried = 0;
  for (unsigned seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    const LoopText loop(seed);
    const Module module = parsed(loop.text());
    ASSERT_EQ(verifyError(module), "") << loop.text();
    Function kernel = kernelOf(module);
    WalkBudget budget;
    loadFirst(kernel, budget);
    ASSERT_EQ(verifyError(module, kernel), "") << loop.text() << textOf(kernel);
    if (kernel.notes.empty()) {
      ++same;
      continue;
    }
    ASSERT_EQ(textOf(parsed(textOf(kernel)).functions[0]), textOf(kernel));
    ASSERT_EQ(runRows(module, kernel, 2, seed), "") << loop.text() << textOf(kernel);
    ++strips;
    falls += loop.falls();
    carries += loop.carries();
    for (const Op &op : kernel.ops)
      if (op.opcode == Opcode::For && op.unrolling.kind != Unrolling::Kind::Fully)
        carried += op.operands.size() > (loop.carries() ? 4u : 3u);
  }
  for (const auto &[what, number] : {std::pair("in strips", strips),
                                     {"as they were", same},
                                     {"with counters that fall", falls},
                                     {"that carry a sum", carries},
                                     {"that carry what was stored", carried}}) {
    EXPECT_GT(number, 0u) << what;
    std::cout << what << ": " << number << "\n";
  }
}

/// What one iteration stores and the one after the next one loads is not loaded first.
TEST(LoadsFirst, Distances) {
  const auto loadsInStrips = [](int distance) {
    const std::string at = std::to_string(distance);
    const Module module = parsed(R"(func "f" canonical mangled "f" {
array @a : u32[200] parameter instance reads writes of a
array @b : u32[200] parameter instance reads writes of b
body() {
  %low = const 50 : s64
  %high = const 150 : s64
  %one = const 1 : s64
  %back = const )" + at + R"( : s64
  for %i : s64 = %low lt %high step %one () {
    %before = sub %i, %back : s64
    %x = load @a[%before] access 0 : u32
    %y = load @b[%i] access 1 : u32
    %z = add %x, %y : u32
    store @a[%i], %z access 2
    store @b[%i], %x access 3
    yield
  } -> %end : s64
  return
}
}
)");
    EXPECT_EQ(verifyError(module), "");
    Function kernel = kernelOf(module);
    WalkBudget budget;
    loadFirst(kernel, budget);
    EXPECT_EQ(runRows(module, kernel, 3, 1), "") << textOf(kernel);
    unsigned registers = 0;
    for (const Array &array : kernel.arrays)
      registers += array.space == Space::Registers;
    return registers;
  };
  EXPECT_EQ(loadsInStrips(1), 1u) << "a[i - 1] is carried";
  EXPECT_EQ(loadsInStrips(2), 1u) << "a[i - 2] is loaded behind the store";
  EXPECT_EQ(loadsInStrips(15), 1u);
  EXPECT_EQ(loadsInStrips(16), 2u) << "no strip is as long";
  EXPECT_EQ(loadsInStrips(-1), 2u) << "no iteration before has stored there";
}

TEST(LoadsFirst, RandomLoopsInUnits) {
  unsigned strips = 0, same = 0, units = 0, headless = 0;
  for (unsigned seed = 0; seed < 1500 && !HasFailure(); ++seed) {
    const LoopText loop(seed);
    const Module module = parsed(loop.text());
    Function kernel = kernelOf(module);
    const size_t before = kernel.ops.size();
    WalkBudget budget;
    loadUnits(kernel, budget);
    ASSERT_EQ(verifyError(module, kernel), "") << loop.text() << textOf(kernel);
    if (kernel.ops.size() == before) {
      ++same;
      continue;
    }
    ASSERT_EQ(runRows(module, kernel, 2, seed), "") << loop.text() << textOf(kernel);
    ++strips;
    units += llvm::is_contained(accessedInUnits(kernel, budget), true);
    const Op &first = kernel.op(*llvm::find_if(kernel.region(kernel.body).ops, [&](OpId id) {
      return kernel.op(id).opcode == Opcode::For;
    }));
    headless += first.unrolling.kind != Unrolling::Kind::Fully;
  }
  for (const auto &[what, number] :
       {std::pair("in strips of units", strips),
        {"as they were", same},
        {"that access an array by units", units},
        {"whose first iteration begins a unit, and has no loads", headless}}) {
    EXPECT_GT(number, 0u) << what;
    std::cout << what << ": " << number << "\n";
  }
}

/// The first unit of 16 bytes begins at cell 4 (or, where the loop descends, ends at cell 27).
TEST(LoadsFirst, UnitsBeginWhereRowsHaveThem) {
  const auto firstOfStrips = [](const char *low, const char *high, const char *step) {
    const Module module = parsed(std::string(R"(
func "f" canonical mangled "f" {
  array @a : u32[40] parameter instance reads writes of a
body() {
  %low = const )") + low + R"( : s64
  %high = const )" + high + R"( : s64
  %step = const )" + step + R"( : s64
  for %i : s64 = %low )" + (*step == '-' ? "gt" : "lt") +
                                 R"( %high step %step () {
    %x = load @a[%i] access 0 : u32
    %y = add %x, %x : u32
    store @a[%i], %y access 1
    yield
  } -> %end : s64
  return
}
}
)");
    EXPECT_EQ(verifyError(module), "");
    Function kernel = kernelOf(module);
    WalkBudget budget;
    loadUnits(kernel, budget);
    EXPECT_EQ(runRows(module, kernel, 3, 1), "") << textOf(kernel);
    EXPECT_TRUE(accessedInUnits(kernel, budget)[0]) << textOf(kernel);
    for (OpId id : kernel.region(kernel.body).ops)
      if (const Op &op = kernel.op(id);
          op.opcode == Opcode::For && op.unrolling.kind != Unrolling::Kind::Fully)
        return asInt64(*kernel.constant(op.operands[0]));
    return int64_t(-1);
  };
  EXPECT_EQ(firstOfStrips("1", "39", "1"), 4);
  EXPECT_EQ(firstOfStrips("4", "40", "1"), 4);
  EXPECT_EQ(firstOfStrips("30", "0", "-1"), 27);
  EXPECT_EQ(firstOfStrips("27", "-1", "-1"), 27);
}

} // namespace
