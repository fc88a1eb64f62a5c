//===- LiveCellsTest.cpp - Copies of live cells alone ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cells that kernels of teams copy are those that the canonical function, interpreted, reads
// before it writes them, and those that it writes. That kernels are right is tested wherever they
// are run (RowKernels.h); here that a cell too few is found.
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

#include "Transform/LiveCopies.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

constexpr unsigned Side = 16;

/// Of i < j: a[i][j] += a[i][j - 1] + w[j][i].
std::string triangle(const std::string &branch = "", const std::string &end = "") {
  const std::string cells = std::to_string(Side * Side);
  return "func \"f\" canonical mangled \"f\" {\narray @a : u32[" + cells +
         "] parameter instance reads writes of a\narray @w : u32[" + cells +
         "] parameter instance const reads of w\nbody() {\n%one = const 1 : s64\n"
         "%zero = const 0 : s64\n%n = const " +
         std::to_string(Side) +
         " : s64\nfor %j : s64 = %one lt %n step %one () {\n"
         "for %i : s64 = %zero lt %j step %one () {\n"
         "%in = mul %i, %n : s64\n%ij = add %in, %j : s64\n%before = sub %ij, %one : s64\n"
         "%jn = mul %j, %n : s64\n%ji = add %jn, %i : s64\n"
         "%x = load @a[%before] access 0 : u32\n%y = load @w[%ji] access 1 : u32\n"
         "%s = add %x, %y : u32\n" +
         branch + "store @a[%ij], %s access 2\n" + end +
         "yield\n} -> %d : s64\nyield\n} -> %e : s64\nreturn\n}\n}\n";
}

/// Where data decides whether the cell is written.
std::string perhaps() {
  return triangle("%c = lt %x, %y : bool\nif %c {\n", "yield\n} else {\nyield\n}\n");
}

TeamPlan planned(const Module &module) {
  EXPECT_EQ(verifyError(module), "");
  TeamPlan plan = planTeams(kernelOf(module), {4u}, {});
  EXPECT_EQ(plan.reason, "");
  return plan;
}

struct Live {
  std::vector<bool> loaded, stored; // by cell
};

/// Of one array, of the canonical function on some cells.
Live interpreted(const Module &module, size_t array, uint64_t seed) {
  const Function &function = module.functions[0];
  Live live;
  live.loaded.resize(*function.arrays[array].constantCells());
  live.stored = live.loaded;
  std::vector<ArrayData> arrays = randomCells(function, 1, unsigned(seed));
  InterpreterOptions options;
  options.onAccess = [&](const AccessEvent &event) {
    if (event.array.index != array)
      return;
    const auto cell = size_t(event.cell);
    if (event.isStore)
      live.stored[cell] = true;
    else if (!live.stored[cell])
      live.loaded[cell] = true;
  };
  llvm::cantFail(interpret(module, function, arrays, {}, options));
  return live;
}

/// Of the copies of one array.
Live copied(const Function &kernel, size_t array) {
  const uint64_t cells = *kernel.arrays[array].constantCells();
  Live live{std::vector<bool>(cells), std::vector<bool>(cells)};
  for (OpId id : kernel.region(kernel.body).ops) {
    const Op &op = kernel.op(id);
    if (op.opcode != Opcode::Stage)
      continue;
    const bool isStore = op.arrays[0].index == array;
    if (isStore || op.arrays[1].index == array)
      for (uint64_t cell : copiedCells(op, cells))
        (isStore ? live.stored : live.loaded)[cell] = true;
  }
  return live;
}

/// The kernel, with one cell fewer in one of its copies, for each of these.
std::vector<Function> withACellTooFew(const Function &kernel) {
  std::vector<Function> all;
  for (size_t o = 0; o < kernel.ops.size(); ++o) {
    if (kernel.ops[o].live.empty())
      continue;
    for (uint64_t cell : copiedCells(kernel.ops[o], 0)) {
      std::vector<bool> live(Side * Side);
      for (uint64_t each : copiedCells(kernel.ops[o], 0))
        live[each] = each != cell;
      all.push_back(kernel);
      all.back().ops[o].live = rangesOf(live);
    }
  }
  return all;
}

TEST(LiveCells, OfColumns) {
  for (const std::string &text : {triangle(), perhaps()}) {
    const Module module = parsed(text);
    const std::optional<Function> kernel = teamKernelForColumns(planned(module));
    ASSERT_TRUE(kernel);
    for (unsigned seed = 0; seed < 4; ++seed)
      EXPECT_EQ(runRows(module, *kernel, 9, seed), "");
    std::vector<bool> triangleCells;
    for (unsigned cell = 0; cell < Side * Side; ++cell)
      triangleCells.push_back(cell / Side < cell % Side);
    EXPECT_EQ(copied(*kernel, 0).stored, triangleCells);
    EXPECT_EQ(copied(*kernel, 1).loaded, interpreted(module, 1, 0).loaded);
    // What is written surely is not loaded; what is so perhaps is.
    std::vector<bool> loaded = interpreted(module, 0, 0).loaded;
    if (text == perhaps())
      for (unsigned cell = 0; cell < Side * Side; ++cell)
        loaded[cell] = loaded[cell] || triangleCells[cell];
    EXPECT_EQ(copied(*kernel, 0).loaded, loaded);
  }
}

/// Sectors of eight cells: of the first array all that are written are loaded, too, where others of
/// their cells are not.
TEST(LiveCells, OfRows) {
  const Module module = parsed(triangle());
  const Function kernel = teamKernel(planned(module));
  const Live a = copied(kernel, 0), w = copied(kernel, 1), aCells = interpreted(module, 0, 0),
             wCells = interpreted(module, 1, 0);
  for (unsigned first = 0; first < Side * Side; first += 8) {
    const auto has = [first](const std::vector<bool> &cells, bool value) {
      return std::find(cells.begin() + first, cells.begin() + first + 8, value) !=
             cells.begin() + first + 8;
    };
    const bool isStored = has(aCells.stored, true);
    EXPECT_EQ(has(a.stored, true), isStored) << first;
    EXPECT_NE(has(a.stored, true), has(a.stored, false)) << first;
    EXPECT_EQ(has(a.loaded, true),
              has(aCells.loaded, true) || (isStored && has(aCells.stored, false)))
        << first;
    EXPECT_EQ(has(w.loaded, true), has(wCells.loaded, true)) << first;
  }
  EXPECT_TRUE(llvm::is_contained(w.loaded, false));
  EXPECT_EQ(runRows(module, kernel, 9, 1), "");
}

TEST(LiveCells, ACellTooFewIsFound) {
  for (const std::string &text : {triangle(), perhaps()}) {
    const Module module = parsed(text);
    unsigned planted = 0, found = 0;
    for (const Function &fault : withACellTooFew(*teamKernelForColumns(planned(module)))) {
      ++planted;
      found += !runRows(module, fault, 40, planted).empty();
    }
    EXPECT_GT(planted, 3 * Side * (Side - 1) / 4);
    EXPECT_EQ(found, planted);
  }
}

/// Nothing is loaded of what is written before it is read; then there is no copy.
TEST(LiveCells, NoneIsLive) {
  const Module module = parsed(
      "func \"f\" canonical mangled \"f\" {\narray @a : u32[40] parameter instance reads writes of "
      "a\nbody() {\n%zero = const 0 : s64\n%one = const 1 : s64\n%n = const 20 : s64\n"
      "for %i : s64 = %zero lt %n step %one () {\n%x = cast %i : u32\n"
      "store @a[%i], %x access 0\n%y = load @a[%i] access 1 : u32\n%z = add %x, %y : u32\n"
      "store @a[%i], %z access 2\nyield\n} -> %e : s64\nreturn\n}\n}\n");
  const std::optional<Function> kernel = teamKernelForColumns(planned(module));
  ASSERT_TRUE(kernel);
  const Live live = copied(*kernel, 0);
  EXPECT_FALSE(llvm::is_contained(live.loaded, true));
  EXPECT_EQ(llvm::count(live.stored, true), 20);
  EXPECT_EQ(runRows(module, *kernel, 9, 1), "");
}

/// Where few cells are dead all are copied.
TEST(LiveCells, FewAreDead) {
  const auto isWhole = [](unsigned first) {
    const std::string text =
        "func \"f\" canonical mangled \"f\" {\narray @a : u32[40] parameter instance reads writes "
        "of a\nbody() {\n%one = const 1 : s64\n%n = const 40 : s64\n%first = const " +
        std::to_string(first) +
        " : s64\nfor %i : s64 = %first lt %n step %one () {\n"
        "%x = load @a[%i] access 1 : u32\n%z = add %x, %x : u32\n"
        "store @a[%i], %z access 2\nyield\n} -> %e : s64\nreturn\n}\n}\n";
    const Module module = parsed(text);
    const Function kernel = *teamKernelForColumns(planned(module));
    EXPECT_EQ(runRows(module, kernel, 9, 1), "");
    return llvm::all_of(kernel.ops, [](const Op &op) { return op.live.empty(); });
  };
  EXPECT_FALSE(isWhole(5));
  EXPECT_TRUE(isWhole(4));
}

/// A member's cell that another one has written is not loaded, if a barrier lies between.
TEST(LiveCells, BetweenMembers) {
  const std::string text =
      "func \"f\" canonical mangled \"f\" {\narray @a : u32[64] parameter instance reads writes of "
      "a\nbody() {\n%zero = const 0 : s64\n%one = const 1 : s64\n%n = const 16 : s64\n"
      "%last = const 15 : s64\n%there = const 32 : s64\n"
      "for %i : s64 = %zero lt %n step %one () {\n%x = cast %i : u32\n"
      "store @a[%i], %x access 0\nyield\n} -> %e : s64\n"
      "for %k : s64 = %zero lt %n step %one () {\n%m = sub %last, %k : s64\n"
      "%y = load @a[%m] access 1 : u32\n%t = add %k, %there : s64\n"
      "store @a[%t], %y access 2\nyield\n} -> %g : s64\nreturn\n}\n}\n";
  const Module module = parsed(text);
  const std::optional<Function> kernel = teamKernelForColumns(planned(module));
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(llvm::is_contained(copied(*kernel, 0).loaded, true));
  EXPECT_EQ(runRows(module, *kernel, 9, 1), "");
}

/// One thread an instance of eight cells.
std::string ofThreads(const std::string &body) {
  return R"(func "f" kernel threads 32 together column_wise {
  array @a : u32[8] parameter instance reads writes of a in memory
  array @t : u32[32, 8] local warp reads writes in shared pitch 9
  body() {
    %row = const 8 : s64
    %zero = const 0 : s64
    %one = const 1 : s64
    %two = const 2 : s64
    %five = const 5 : s64
    %lane = lane : varying s64
    %has = has.instance : varying bool
    stage @t from @a
    wait
    barrier warp
    if %has {
)" + body +
         R"(
      yield
    } else {
      yield
    }
    barrier warp
    stage @a from @t
    return
  }
}
)";
}

Live liveOf(const std::string &body) {
  Module module = parsed(ofThreads(body));
  EXPECT_EQ(verifyError(module), "");
  copyLiveCells(module.functions[0]);
  EXPECT_EQ(verifyError(module), "");
  return copied(module.functions[0], 0);
}

std::vector<bool> cellsBefore(unsigned end, unsigned first = 0) {
  std::vector<bool> cells(8);
  std::fill(cells.begin() + first, cells.begin() + end, true);
  return cells;
}

/// After the first iteration data may have ended the loop; what is behind it is sure again.
TEST(LiveCells, WhereDataEndsALoop) {
  const Live live = liveOf("for %i : s64 = %zero lt %five step %one continue () {\n"
                           "%x = cast %i : u32\nstore @t[%lane, %i; %row], %x access 0\n"
                           "%y = load @t[%lane, %zero; %row] access 1 : varying u32\n"
                           "%c = lt %y, %x : varying bool\nyield %c\n} -> %e : varying s64\n"
                           "%z = const 7 : u32\nstore @t[%lane, %five; %row], %z access 2");
  EXPECT_EQ(live.stored, cellsBefore(6));
  EXPECT_EQ(live.loaded, cellsBefore(5, 1));
}

/// A loop that data keeps going is not followed: nothing is known.
TEST(LiveCells, WhereDataDecidesHowLong) {
  const std::string last = "store @t[%lane, %one; %row], %w access 9";
  const Live known = liveOf("%w = const 7 : u32\n" + last),
             unknown = liveOf("%w = load @t[%lane, %zero; %row] access 0 : varying u32\n"
                              "%n = cast %w : varying s64\n"
                              "for %i : s64 = %zero lt %n step %one () {\nyield\n"
                              "} -> %e : varying s64\n" +
                              last);
  EXPECT_EQ(known.stored, cellsBefore(2, 1));
  EXPECT_EQ(known.loaded, cellsBefore(0));
  EXPECT_EQ(unknown.stored, cellsBefore(8));
  EXPECT_EQ(unknown.loaded, cellsBefore(8));
}

/// The cell follows from data: it may be any.
TEST(LiveCells, WhereDataDecidesWhich) {
  const Live live = liveOf("%w = load @t[%lane, %zero; %row] access 0 : varying u32\n"
                           "%k = cast %w : varying s64\n%m = rem %k, %two : varying s64\n"
                           "store @t[%lane, %m; %row], %w access 1");
  EXPECT_EQ(live.stored, cellsBefore(8));
  EXPECT_EQ(live.loaded, cellsBefore(8));
}

} // namespace
