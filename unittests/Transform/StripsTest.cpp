//===- StripsTest.cpp - Rows of a table in strips, in one thread ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random nests as of dynamic programming, with rolling rows, whole tables, rows in turn, values
// that rows and columns carry, and stores in branches, give what the canonical function gives,
// however many rows are done together. What is refused is wrong if it is done all the same; a store
// or a carried value that is left out is found.
//
//===----------------------------------------------------------------------===//

#include "TableText.h"
#include "TileKernels.h"

#include "Transform/Strips/CellReuse.h"
#include "Transform/Strips/FuseRows.h"
#include "Transform/Strips/NestOrder.h"
#include "Transform/Strips/Reductions.h"
#include "Transform/Strips/StripPlan.h"

#include <map>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Empty, or what is not as the canonical function has it, on some random cells.
std::string runStrips(const Module &module, const Function &kernel, unsigned seed) {
  for (unsigned run = 0; run < 3; ++run) {
    std::vector<ArrayData> arrays = randomCells(module.functions[0], 1, 3 * seed + run);
    const std::vector<ArrayData> expected = oneByOne(module, arrays, 1);
    arrays.resize(kernel.arrays.size());
    std::string error;
    llvm::handleAllErrors(interpret(module, kernel, arrays, {}),
                          [&](const InterpreterError &e) { error = e.text; });
    for (size_t a = 0; a < expected.size() && error.empty(); ++a)
      if (kernel.arrays[a].isPassed() && arrays[a].cells != expected[a].cells)
        error = "cells of '" + kernel.arrays[a].name + "' differ";
    if (!error.empty())
      return error;
  }
  return "";
}

std::vector<OpId> innermostLoops(const Function &kernel) {
  std::vector<OpId> loops;
  for (size_t o = 0; o < kernel.ops.size(); ++o)
    if (kernel.ops[o].unrolling.kind == Unrolling::Kind::Times && kernel.ops[o].unrolling.times > 1)
      loops.push_back(OpId(o));
  return loops;
}

/// Runs the kernel without each store of its strips, one at a time.
void dropStores(const Module &module, const Function &kernel, unsigned seed, Planted &dropped) {
  for (OpId loop : innermostLoops(kernel))
    for (OpId id : kernel.region(kernel.op(loop).regions[0]).ops) {
      if (kernel.op(id).opcode != Opcode::Store)
        continue;
      ++dropped.number;
      dropped.found += !runStrips(module, without(kernel, id), seed).empty();
    }
}

/// Runs the kernel with each two neighbours of what its strips carry the wrong way round.
void swapCarried(const Module &module, const Function &kernel, unsigned seed, Planted &swapped) {
  for (OpId loop : innermostLoops(kernel)) {
    const OpId yield = kernel.region(kernel.op(loop).regions[0]).ops.back();
    for (size_t c = 0; c + 1 < kernel.op(yield).operands.size(); ++c) {
      Function wrong = kernel;
      std::swap(wrong.op(yield).operands[c], wrong.op(yield).operands[c + 1]);
      ++swapped.number;
      swapped.found += !runStrips(module, wrong, seed).empty();
    }
  }
}

StripNest onlyNest(const Function &kernel) {
  const std::vector<StripNest> nests = findStripNests(kernel);
  EXPECT_EQ(nests.size(), 1U);
  return nests.empty() ? StripNest() : nests.front();
}

TEST(Strips, RandomNests) {
  unsigned kept = 0, left = 0;
  StripTraits ofKept, ofRefused;
  Planted dropped, swapped;
  for (unsigned seed = 0; seed < 800 && !HasFailure(); ++seed) {
    const TableText table(seed);
    const Module module = parsed(table.text());
    ASSERT_EQ(verifyError(module), "") << table.text();
    const Function kernel = kernelOf(module);
    const StripNest nest = onlyNest(kernel);
    ASSERT_TRUE(nest.inner) << table.text();
    std::mt19937 random(seed);
    const uint64_t rows = 2 + random() % (nest.rows - 1);
    WalkBudget budget;
    const StripPlan plan = stripNest(kernel, nest, rows, budget);
    StripTraits &counts = plan.kernel ? ofKept : ofRefused;
    for (const auto &[trait, number] : table.traits())
      counts[trait] += number;
    if (!plan.kernel)
      continue;
    ASSERT_EQ(verifyError(module, *plan.kernel), "") << table.text() << textOf(*plan.kernel);
    ASSERT_EQ(textOf(parsed(textOf(*plan.kernel)).functions[0]), textOf(*plan.kernel));
    ASSERT_EQ(runStrips(module, *plan.kernel, seed), "") << rows << " rows\n"
                                                         << table.text() << textOf(*plan.kernel);
    ++kept;
    left += nest.rows % rows != 0;
    if (seed % 4 == 0) {
      dropStores(module, *plan.kernel, seed, dropped);
      swapCarried(module, *plan.kernel, seed, swapped);
    }
  }
  for (const char *trait : {"behind a row", "choice", "columns backwards", "diagonal", "greatest",
                            "in turn", "left", "rolling", "row's first cell", "store in a branch",
                            "store in both branches", "sum", "temporary", "whole"})
    EXPECT_GT(ofKept[trait], 20U) << trait;
  EXPECT_GT(ofRefused["on the right"], 50U);
  EXPECT_EQ(ofKept["order matters"], 0U);
  EXPECT_GT(kept, 350U);
  EXPECT_GT(left, 200U);
  EXPECT_GT(dropped.number, 200U);
  EXPECT_GT(dropped.found * 100, dropped.number * 95);
  EXPECT_GT(swapped.number, 500U);
  EXPECT_GT(swapped.found * 4, swapped.number * 3); // others are equal, or of a single column
}

/// Rows side by side without asking whether they may be: the order's test says when that is wrong.
TEST(Strips, BrokenDependences) {
  unsigned same = 0;
  Planted broken;
  for (unsigned seed = 0; seed < 600 && !HasFailure(); ++seed) {
    const TableText table(seed);
    const Module module = parsed(table.text());
    const Function kernel = kernelOf(module);
    const StripNest nest = onlyNest(kernel);
    const uint64_t rows = 2 + seed % (nest.rows - 1);
    const JammedNest jammed = jamNest(kernel, nest, rows);
    if (!jammed.kernel)
      continue;
    WalkBudget budget;
    const std::string reason = brokenDependence(kernel, nest, jammed, rows, budget);
    const std::string wrong = runStrips(module, *jammed.kernel, seed);
    if (reason.empty()) {
      ++same;
      ASSERT_EQ(wrong, "") << rows << " rows\n" << table.text() << textOf(*jammed.kernel);
    } else {
      ++broken.number;
      broken.found += !wrong.empty();
    }
  }
  EXPECT_GT(same, 200U);
  EXPECT_GT(broken.number, 150U);
  EXPECT_GT(broken.found * 10, broken.number * 9);
}

/// An edit distance of rows x columns bytes, with one row of its table.
std::string editDistance(unsigned rows, unsigned columns) {
  const auto number = [](const std::string &name, unsigned value, const char *type) {
    return "%" + name + " = const " + std::to_string(value) + " : " + type + "\n";
  };
  return "func \"f\" canonical mangled \"f\" {\n"
         "array @a : u8[" +
         std::to_string(rows) + "] parameter instance const reads of a\narray @b : u8[" +
         std::to_string(columns) + "] parameter instance const reads of b\narray @row : s32[" +
         std::to_string(columns + 1) +
         "] local instance reads writes\narray @out : s32[1] parameter instance writes of out\n"
         "body() {\n" +
         number("none", 0, "s64") + number("last", columns, "s64") + number("rows", rows, "s32") +
         number("columns", columns, "s32") + number("zero", 0, "s32") + number("one", 1, "s32") +
         R"(for %k : s32 = %zero le %columns step %one () {
%kk = cast %k : s64
store @row[%kk], %k access 0
yield
} -> %k_end : s32
for %i : s32 = %one le %rows step %one () {
%corner = load @row[%none] access 1 : s32
store @row[%none], %i access 2
for %j : s32 = %one le %columns step %one (%diagonal : s32 = %corner) {
%i1 = sub %i, %one : s32
%i2 = cast %i1 : s64
%x = load @a[%i2] access 3 : u8
%j1 = sub %j, %one : s32
%j2 = cast %j1 : s64
%y = load @b[%j2] access 4 : u8
%differ = ne %x, %y : bool
%cost = cast %differ : s32
%changed = add %diagonal, %cost : s32
%jj = cast %j : s64
%above = load @row[%jj] access 5 : s32
%left = load @row[%j2] access 6 : s32
%isAbove = lt %above, %left : bool
if %isAbove {
yield %above
} else {
yield %left
} -> %nearer : s32
%longer = add %nearer, %one : s32
%isChanged = lt %changed, %longer : bool
if %isChanged {
yield %changed
} else {
yield %longer
} -> %best : s32
store @row[%jj], %best access 7
yield %above
} -> %j_end : s32, %d_end : s32
yield
} -> %i_end : s32
%result = load @row[%last] access 8 : s32
store @out[%none], %result access 9
return
}
}
)";
}

std::vector<Function> inStrips(const Module &module, unsigned rows) {
  LoweringOptions options;
  options.plans.rows.kind = RowPlan::Kind::Strips;
  options.plans.rows.strip = rows;
  const Function &function = module.functions[0];
  return llvm::cantFail(
      lowerToThreads(module, function, verifyOblivious(module, function), options));
}

/// Whatever the sizes leave, in memory and with rows in shared memory.
TEST(Strips, EditDistances) {
  for (auto [rows, columns] : {std::pair(7U, 7U), {33, 33}, {100, 100}, {128, 65}, {2, 200}}) {
    const Module module = parsed(editDistance(rows, columns));
    ASSERT_EQ(verifyError(module), "");
    for (unsigned together : {0U, 6U}) {
      const std::vector<Function> kernels = inStrips(module, together);
      ASSERT_GE(kernels.size(), rows > 32 ? 2U : 1U);
      for (const Function &kernel : kernels) {
        ASSERT_EQ(verifyError(module, kernel), "") << textOf(kernel);
        ASSERT_EQ(textOf(parsed(textOf(kernel)).functions[0]), textOf(kernel));
        if (!kernel.runsTogether())
          EXPECT_EQ(runStrips(module, kernel, rows), "") << textOf(kernel);
        else
          EXPECT_EQ(runRows(module, kernel, 35, rows), "") << textOf(kernel);
      }
    }
  }
}

/// Each row's cells are loaded and stored once: of 32 rows, two accesses to a row a column.
TEST(Strips, CellsInRegisters) {
  const Module module = parsed(editDistance(128, 128));
  const Function kernel = inStrips(module, 32).front();
  const std::vector<OpId> loops = innermostLoops(kernel);
  ASSERT_EQ(loops.size(), 1U);
  unsigned ofRow = 0, ofBytes = 0;
  for (OpId id : kernel.region(kernel.op(loops[0]).regions[0]).ops)
    if (kernel.op(id).array.valid())
      ++(kernel.array(kernel.op(id).array).name == "row" ? ofRow : ofBytes);
  EXPECT_EQ(ofRow, 2U);
  EXPECT_EQ(ofBytes, 1U);
  // The cells on the left of 32 rows, and the one above the first of these.
  EXPECT_EQ(kernel.op(loops[0]).results.size(), 1U + 33U);
}

/// Sizes that are known at run time only keep the plan that they had.
TEST(Strips, UnknownSizes) {
  std::string text = editDistance(128, 128);
  const std::string constant = "%rows = const 128 : s32\n", body = "body()";
  text.erase(text.find(constant), constant.size());
  text.replace(text.find(body), body.size(), "body(%rows : s32) scalar %rows rows");
  const Module module = parsed(text);
  ASSERT_EQ(verifyError(module), "");
  EXPECT_TRUE(findStripNests(kernelOf(module)).empty());
}

struct GatherCase {
  const char *type, *body;
  bool isFree;
};

/// A loop that carries %s, and its body, which ends with %t.
bool isFreeToOrder(const GatherCase &each) {
  const std::string type = each.type;
  const Module module =
      parsed("func \"f\" canonical mangled \"f\" {\narray @x : " + type +
             "[8] parameter instance reads of x\narray @out : " + type +
             "[8] parameter instance writes of out\nbody() {\n"
             "%n0 = const 0 : s64\n%n1 = const 1 : s64\n%n8 = const 8 : s64\n%none = const 0" +
             (type == "f32" ? ".0" : "") + " : " + type +
             "\nfor %i : s64 = %n0 lt %n8 step %n1 (%s : " + type +
             " = %none) {\n%x = load @x[%i] access 0 : " + type + "\n" + each.body +
             "yield %t\n} -> %end : s64, %all : " + type +
             "\nstore @out[%n0], %all access 1\nreturn\n}\n}\n");
  EXPECT_EQ(verifyError(module), "") << each.body;
  const Function &function = module.functions[0];
  for (size_t o = 0; o < function.ops.size(); ++o)
    if (function.ops[o].opcode == Opcode::For)
      return isReduction(function, OpId(o), 0);
  ADD_FAILURE() << "no loop";
  return false;
}

TEST(Strips, Reductions) {
  const GatherCase cases[] = {
      {"s32", "%t = add %s, %x : s32\n", true},
      {"f32", "%t = add %s, %x : f32\n", false},
      {"u32", "%t = mul %x, %s : u32\n", true},
      {"u32", "%t = sub %s, %x : u32\n", false},
      {"u32", "%u = xor %s, %x : u32\n%t = xor %u, %x : u32\n", true},
      {"u32", "%u = xor %s, %x : u32\n%t = add %u, %x : u32\n", false},
      {"u32", "%t = add %s, %s : u32\n", false},
      {"s32", "%c = gt %x, %s : bool\nif %c {\nyield %x\n} else {\nyield %s\n} -> %t : s32\n",
       true},
      {"s32", "%c = lt %x, %s : bool\n%t = select %c, %s, %x : s32\n", true},
      {"f32", "%c = gt %x, %s : bool\nif %c {\nyield %x\n} else {\nyield %s\n} -> %t : f32\n",
       false},
      // The greatest, then the least.
      {"s32",
       "%c = gt %x, %s : bool\n%u = select %c, %x, %s : s32\n"
       "%d = lt %x, %u : bool\n%t = select %d, %x, %u : s32\n",
       false},
      {"s32",
       "%c = gt %x, %s : bool\n%u = select %c, %x, %s : s32\n%y = mul %x, %x : s32\n"
       "%d = gt %y, %u : bool\n%t = select %d, %y, %u : s32\n",
       true},
      // Compared with one number, replaced by another.
      {"s32", "%y = mul %x, %x : s32\n%c = gt %x, %s : bool\n%t = select %c, %y, %s : s32\n",
       false},
      // Sometimes.
      {"s32",
       "%c = lt %x, %none : bool\nif %c {\n%u = add %s, %x : s32\nyield %u\n} else {\nyield "
       "%s\n} -> %t : s32\n",
       true},
      {"s32",
       "%c = lt %s, %none : bool\nif %c {\n%u = add %s, %x : s32\nyield %u\n} else {\nyield "
       "%s\n} -> %t : s32\n",
       false},
      // Somebody else sees it.
      {"s32", "store @out[%i], %s access 2\n%t = add %s, %x : s32\n", false},
      {"s32", "%t = add %s, %x : s32\nstore @out[%i], %t access 2\n", false},
  };
  for (const GatherCase &each : cases)
    EXPECT_EQ(isFreeToOrder(each), each.isFree) << each.type << "\n" << each.body;
}

/// Rows of which each is computed from @above, and then becomes it, by a loop of its own.
class CopiedText {
public:
  explicit CopiedText(unsigned seed) : random_(seed) {
    const unsigned rows = 2 + draw(9), columns = 2 + draw(9), low = draw(3),
                   high = columns + draw(3);
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    for (const char *array : {"a", "b", "row", "above"})
      text_ += "array @" + std::string(array) + " : u32[24] parameter instance " +
               (array[1] ? "reads writes" : "const reads") + " of " + array + "\n";
    text_ += "body() {\n";
    for (auto [name, value] : {std::pair("n0", 0U),
                               {"n1", 1U},
                               {"n2", 2U},
                               {"low", low},
                               {"high", high},
                               {"rows", rows},
                               {"columns", columns + 1}})
      text_ += "%" + std::string(name) + " = const " + std::to_string(value) + " : s64\n";
    text_ += "for %i : s64 = %n0 lt %rows step %n1 () {\n%mark = load @a[%i] access 90 : u32\n"
             "for %j : s64 = %n1 lt %columns step %n1 () {\n";
    text_ += index("before", "sub %j, %n1") + index("behind", "add %j, %n1");
    std::string sum = "%mark";
    for (unsigned term = 0; term < 3; ++term) {
      const char *const cells[] = {"above[%j]", "above[%before]", "row[%before]", "b[%j]",
                                   "above[%j]", "above[%behind]", "row[%behind]"};
      const std::string name = "%x" + std::to_string(term), next = "%y" + std::to_string(term);
      text_ += name + " = load @" + cells[draw(draw(3) ? 5 : 7)] + " access " +
               std::to_string(term) + " : u32\n" + next + " = " + (draw(2) ? "add " : "xor ") +
               sum + ", " + name + " : u32\n";
      sum = next;
    }
    text_ += "%z = mul " + sum +
             ", %mark : u32\nstore @row[%j], %z access 4\nyield\n} -> %j_end : s64\n";
    text_ += "for %k : s64 = %low lt %high step %n1 () {\n";
    const bool isFar = draw(4) == 0, isBack = draw(4) == 0 && low > 0;
    text_ += index("from", isFar ? "add %k, %n1" : isBack ? "sub %k, %n1" : "add %k, %n0");
    text_ += "%c = load @row[%from] access 5 : u32\n%d = add %c, %mark : u32\n"
             "store @above[%k], %d access 6\nyield\n} -> %k_end : s64\nyield\n} -> %i_end : s64\n"
             "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  static std::string index(const std::string &name, const std::string &operation) {
    return "%" + name + " = " + operation + " : s64\n";
  }

  std::mt19937 random_;
  std::string text_;
};

unsigned numLoops(const Function &kernel) {
  unsigned loops = 0;
  for (const Region &region : kernel.regions)
    for (OpId id : region.ops)
      loops += kernel.op(id).opcode == Opcode::For;
  return loops;
}

TEST(Strips, CopiedRows) {
  unsigned fused = 0, kept = 0;
  for (unsigned seed = 0; seed < 600 && !HasFailure(); ++seed) {
    const CopiedText rows(seed);
    const Module module = parsed(rows.text());
    ASSERT_EQ(verifyError(module), "") << rows.text();
    WalkBudget budget;
    const Function kernel = fuseRows(kernelOf(module), budget);
    ASSERT_EQ(verifyError(module, kernel), "") << textOf(kernel);
    ASSERT_EQ(runStrips(module, kernel, seed), "") << rows.text() << textOf(kernel);
    if (numLoops(kernel) == 3)
      continue;
    ++fused;
    const StripNest nest = onlyNest(kernel);
    const StripPlan plan = stripNest(kernel, nest, 2 + seed % (nest.rows - 1), budget);
    if (!plan.kernel)
      continue;
    ++kept;
    ASSERT_EQ(runStrips(module, *plan.kernel, seed), "") << rows.text() << textOf(*plan.kernel);
  }
  EXPECT_GT(fused, 120U);
  EXPECT_GT(kept, 80U);
}

/// A loop that is walked once, as nobody knows its end: the second iteration finds another value.
TEST(Strips, UnknownLoops) {
  const auto loads = [](const std::string &end) {
    const Module module = parsed(
        "func \"f\" canonical mangled \"f\" {\narray @s : u32[1] local instance reads writes\n"
        "array @out : u32[1] parameter instance writes of out\nbody(%n : s64) scalar %n n {\n"
        "%n0 = const 0 : s64\n%n1 = const 1 : s64\n%c = const 7 : u32\n"
        "store @s[%n0], %c access 0\nfor %i : s64 = %n0 lt " +
        end +
        " step %n1 () {\n%x = load @s[%n0] access 1 : u32\nstore @out[%n0], %x access 2\n"
        "%y = add %x, %c : u32\nstore @s[%n0], %y access 3\nyield\n} -> %e : s64\n"
        "return\n}\n}\n");
    EXPECT_EQ(verifyError(module), "");
    WalkBudget budget;
    const Function &function = module.functions[0];
    const auto reuse =
        findCellReuse(function, {}, std::vector<bool>(function.ops.size(), true), budget);
    return llvm::count_if(*reuse,
                          [](const CellReuse &each) { return each.kind != CellReuse::Kind::None; });
  };
  EXPECT_EQ(loads("%n"), 0);
  EXPECT_EQ(loads("%n1"), 1); // it is the first one
}

} // namespace
