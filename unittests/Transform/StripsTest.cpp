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

/// What a random function has, for counts.
using StripTraits = std::map<std::string, unsigned>;

/// A table whose row is computed from the one above, on u32. Cells of the array @t are at
/// %w * row + column: w is 0 for a rolling row, the row's length for a whole table, and rows are
/// taken modulo two for two of them in turn.
class TableText {
public:
  explicit TableText(unsigned seed) : random_(seed) {
    rows_ = 2 + draw(12);
    columns_ = 1 + draw(12);
    storage_ = draw(3);
    hasLeft_ = draw(4) == 0;
    const unsigned cells = storage();
    count(storage_ == 0 ? "rolling" : storage_ == 1 ? "in turn" : "whole");
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    array("a", rows_ + 2, "parameter instance const reads of a");
    array("b", columns_ + 2, "parameter instance const reads of b");
    array("out", cells + rows_ + 2 + 4, "parameter instance reads writes of out");
    isLocal_ = draw(3) != 0;
    array("t", cells,
          isLocal_ ? "local instance reads writes" : "parameter instance reads writes of t");
    array("s", 4, "local instance reads writes");
    text_ += "body() {\n";
    number("w", columns_ + 2);
    number("two", 2);
    for (unsigned k = 0; k < 4; ++k)
      number("n" + std::to_string(k), k);
    for (unsigned k = 0; k < 3; ++k)
      line("%c" + std::to_string(k) + " = const " + std::to_string(7 * k + 3) + " : u32");
    line("%odd = const 2654435761 : u32\n%half = const 2147483648 : u32");
    fill("t", cells);
    fill("s", 4);
    nest();
    if (isLocal_)
      copyOut(cells);
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }
  const StripTraits &traits() const { return traits_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  void count(const std::string &trait) { traits_[trait] = 1; }
  void line(const std::string &text) { text_ += text + "\n"; }
  void number(const std::string &name, unsigned value) {
    line("%" + name + " = const " + std::to_string(value) + " : s64");
  }
  void array(const std::string &name, unsigned cells, const std::string &rest) {
    line("array @" + name + " : u32[" + std::to_string(cells) + "] " + rest);
  }
  std::string define(const std::string &operation, const char *type) {
    const std::string name = "%v" + std::to_string(last_++);
    line(name + " = " + operation + " : " + type);
    return name;
  }
  std::string index(const std::string &operation) { return define(operation, "s64"); }
  std::string load(const std::string &array, const std::string &cell) {
    return define("load @" + array + "[" + cell + "] access " + std::to_string(access_++), "u32");
  }
  void store(const std::string &array, const std::string &cell, const std::string &value) {
    line("store @" + array + "[" + cell + "], " + value + " access " + std::to_string(access_++));
  }
  void fill(const std::string &array, unsigned cells) {
    number("end_of_" + array, cells);
    line("for %k_" + array + " : s64 = %n0 lt %end_of_" + array + " step %n1 () {");
    const std::string value = define("cast %k_" + array, "u32");
    store(array, "%k_" + array, define("mul " + value + ", %c2", "u32"));
    line("yield\n} -> %last_" + array + " : s64");
  }
  void copyOut(unsigned cells) {
    number("cells", cells);
    line("for %k : s64 = %n0 lt %cells step %n1 () {");
    store("out", "%k", load("t", "%k"));
    line("yield\n} -> %end_k : s64");
  }

  /// The table's cell, so many rows above and columns to the left of (i, j); j may be "".
  std::string cell(int above, int left) {
    std::string row = above ? index("sub %i, %n" + std::to_string(above)) : "%i";
    if (storage_ == 0)
      row = "%n0";
    else if (storage_ == 1)
      row = index("rem " + row + ", %two");
    const std::string column = left == 0  ? "%j"
                               : left < 0 ? index("add %j, %n1")
                                          : index("sub %j, %n" + std::to_string(left));
    const std::string before = index("mul " + row + ", %w");
    return index("add " + before + ", " + column);
  }
  std::string computed(const std::string &x, const std::string &y) {
    const char *const operations[] = {"add ", "sub ", "mul ", "xor ", "add "};
    return define(operations[draw(5)] + x + ", " + y, "u32");
  }
  /// As often true as false.
  std::string undecided(const std::string &x, const std::string &y) {
    const std::string both = define("add " + x + ", " + y, "u32");
    const std::string mixed = define("mul " + both + ", %odd", "u32");
    return define("lt " + mixed + ", %half", "bool");
  }
  std::string chosen(const std::string &x, const std::string &y) {
    if (draw(2))
      return computed(x, y);
    count("choice");
    const std::string result = "%r" + std::to_string(last_++), condition = undecided(x, y);
    line("if " + condition + " {");
    const std::string own = draw(2) ? x : computed(x, "%c1");
    line("yield " + own + "\n} else {\nyield " + y + "\n} -> " + result + " : u32");
    return result;
  }
  /// What an iteration may need, most often legal.
  std::string neighbour() {
    switch (draw(9)) {
    case 0:
      count("diagonal");
      return storage_ == 0 ? "%diagonal" : load("t", cell(1, 1));
    case 1:
    case 2:
      count("left");
      return load("t", cell(0, 1));
    case 3:
      if (draw(3) == 0) {
        count("on the right");
        return load("t", cell(storage_ == 0 ? 0 : 1, -1));
      }
      return load("t", cell(storage_ == 0 ? 0 : 1, 0));
    case 4:
      return load("a", "%i");
    case 5:
      return load("b", "%j");
    case 6:
      return "%c0";
    default:
      return load("t", cell(storage_ == 0 ? 0 : 1, 0));
    }
  }
  void body(std::string &carried, std::string &gathered) {
    std::string x = chosen(neighbour(), neighbour());
    if (draw(2))
      x = chosen(x, neighbour());
    if (draw(4) == 0) { // a cell that each iteration uses anew
      count("temporary");
      store("s", "%n1", x);
      x = computed(load("s", "%n1"), neighbour());
    }
    // Values that hardly ever agree: where one is wrong, it shows.
    x = define("add " + x + ", " + define("mul %mark, " + load("b", "%j"), "u32"), "u32");
    if (draw(4) != 0)
      x = define("add " + x + ", %diagonal", "u32");
    carried = draw(2) ? load("t", cell(storage_ == 0 ? 0 : 1, 0)) : computed("%diagonal", x);
    const unsigned way = draw(5);
    if (way == 0) {
      count("store in a branch");
      const std::string other = neighbour(), condition = undecided(x, other);
      line("if " + condition + " {");
      store("t", cell(0, 0), x);
      line("yield\n} else {");
      if (draw(2)) {
        count("store in both branches");
        store("t", cell(0, 0), other);
      }
      line("yield\n}");
    } else {
      store("t", cell(0, 0), x);
    }
    gathered = gather(x);
  }
  /// %best goes through all iterations: in any order, or it must not.
  std::string gather(const std::string &x) {
    const std::string result = "%g" + std::to_string(last_++);
    switch (draw(4)) {
    case 0:
      count("sum");
      return define("add %best, " + x, "u32");
    case 1: {
      count("greatest");
      const std::string condition = define("gt " + x + ", %best", "bool");
      line("if " + condition + " {\nyield " + x + "\n} else {\nyield %best\n} -> " + result +
           " : u32");
      return result;
    }
    case 2:
      count("order matters");
      return define("sub " + x + ", %best", "u32");
    default:
      return "%best";
    }
  }
  void nest() {
    isFalling_ = draw(4) == 0;
    if (isFalling_)
      count("columns backwards");
    const unsigned low = 1 + draw(2);
    number("low", low);
    number("rows", rows_ + 2);
    number("columns", columns_ + 1);
    number("down", columns_);
    line("%minus = const -1 : s64");
    line("for %i : s64 = %low lt %rows step %n1 (%all : u32 = %c1, %total : u32 = %c2, "
         "%line : u32 = %c0) {");
    const std::string next = define("add %line, %c2", "u32");
    line("%mark = mul " + next + ", " + next + " : u32");
    before();
    const std::string first = draw(2) ? "%c2" : load("a", "%i");
    line(isFalling_ ? "for %j : s64 = %down ge %n1 step %minus (%diagonal : u32 = " + first +
                          ", %best : u32 = %all) {"
                    : "for %j : s64 = %n1 lt %columns step %n1 (%diagonal : u32 = " + first +
                          ", %best : u32 = %all) {");
    std::string carried, gathered;
    body(carried, gathered);
    line("yield " + carried + ", " + gathered);
    line("} -> %end_j : s64, %last_of_row : u32, %best_of_row : u32");
    std::string total = "%total";
    if (draw(2)) {
      count("behind a row");
      total = define("xor %total, %last_of_row", "u32");
      total = define("mul " + total + ", %line", "u32");
    }
    line("yield %best_of_row, " + total + ", " + next);
    line("} -> %end_i : s64, %all_rows : u32, %total_rows : u32, %lines : u32");
    for (auto [k, value] : {std::pair(1, "%all_rows"), {2, "%total_rows"}, {3, "%lines"}}) {
      const std::string at = "%place" + std::to_string(k);
      number("place" + std::to_string(k), storage() + static_cast<unsigned>(k));
      store("out", at, value);
    }
  }
  /// Rows have room for a column on each side.
  unsigned storage() const {
    const unsigned width = columns_ + 2;
    return storage_ == 0 ? width : storage_ == 1 ? 2 * width : (rows_ + 2) * width;
  }
  /// A row's first cell.
  void before() {
    if (!hasLeft_)
      return;
    count("row's first cell");
    std::string row = storage_ == 0 ? "%n0" : storage_ == 1 ? index("rem %i, %two") : "%i";
    const std::string at = index("mul " + row + ", %w");
    store("t", at, computed(load("t", at), "%line"));
  }

  std::mt19937 random_;
  unsigned rows_ = 0, columns_ = 0, storage_ = 0;
  bool hasLeft_ = false, isLocal_ = true, isFalling_ = false;
  std::string text_;
  StripTraits traits_;
  unsigned last_ = 0, access_ = 0;
};

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
