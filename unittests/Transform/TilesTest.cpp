//===- TilesTest.cpp - Members of a team lie in a grid --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of grids give what the canonical function gives, wherever the walk finds that iterations
// of a nest do not depend on each other. Where they do, and where a barrier is dropped, the
// interpreter finds it.
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// What a random function has.
struct Traits {
  bool hasLoop = false, hasBranch = false, hasTriangle = false;
};

/// for (k …) of some nests for (i …) for (j …), whose bounds may depend on k; they load cells at
/// (i, j), (i, k), (k, j) and others, may sum along a row and a column, and store.
class GridNest {
public:
  explicit GridNest(unsigned seed) : random_(seed), n_(3 + draw(6)) {
    const std::string cells = std::to_string(n_ * n_ + 4);
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    for (const char *array : {"a", "b", "c"})
      text_ += "array @" + std::string(array) + " : u32[" + cells +
               "] parameter instance reads writes of " + array + "\n";
    text_ += "body() {\n%one = const 1 : s64\n%zero = const 0 : s64\n%none = const 0 : u32\n%n = "
             "const " +
             std::to_string(n_) + " : s64\nfor %k : s64 = %zero lt %n step %one () {\n" +
             "%after = add %k, %one : s64\n";
    for (unsigned nests = 1 + draw(3); nests > 0; --nests)
      nest();
    text_ += "yield\n} -> %end : s64\nreturn\n}\n}\n";
  }
  const std::string &text() const { return text_; }
  const Traits &traits() const { return traits_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string define(const std::string &operation, const char *type = "s64") {
    const std::string name = "%v" + std::to_string(last_++);
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string at(const std::string &row, const std::string &column) {
    return define("add " + define("mul " + row + ", %n") + ", " + column);
  }
  std::string load(const std::string &cell) {
    const char *const arrays[] = {"a", "b", "c"};
    return define("load @" + std::string(arrays[draw(3)]) + "[" + cell + "] access " +
                      std::to_string(access_++),
                  "u32");
  }
  std::string anyLoad() {
    switch (draw(8)) {
    case 0:
      return load(at("%k", j_));
    case 1:
      return load(at(i_, "%k"));
    case 2:
      return load(at("%k", "%k"));
    case 3:
      return load(at(j_, i_));
    case 4:
      return load(define("add " + at(i_, j_) + ", " + define("const " + std::to_string(draw(4)))));
    default:
      return load(at(i_, j_));
    }
  }
  std::string counter(const char *name) {
    const std::string fresh = "%" + std::string(name) + std::to_string(last_++);
    const char *const lows[] = {"%zero", "%zero", "%after", "%k", "%one"}, *const highs[] = {
                                                                               "%n", "%n", "%k",
                                                                               "%after", "%n"};
    const unsigned low = draw(5), high = draw(5);
    traits_.hasTriangle |= low == 2 || high == 2;
    text_ += "for " + fresh + " : s64 = " + lows[low] + " lt " + highs[high] + " step %one () {\n";
    return fresh;
  }
  std::string sum() {
    traits_.hasLoop = true;
    const std::string number = std::to_string(last_++), s = "%s" + number, l = "%l" + number,
                      from = draw(2) ? "%none" : anyLoad();
    text_ += "for " + l + " : s64 = %zero lt " + (draw(2) ? "%n" : "%k") + " step %one (" + s +
             " : u32 = " + from + ") {\n";
    const std::string x = load(at(i_, l)), y = load(at(l, j_)),
                      xy = define("mul " + x + ", " + y, "u32");
    text_ += "yield " + define("add " + s + ", " + xy, "u32") + "\n} -> %e" + number +
             " : s64, %t" + number + " : u32\n";
    return "%t" + number;
  }
  void store(const std::string &value) {
    const char *const arrays[] = {"a", "b", "c"};
    const std::string cell = draw(6) == 0 ? at("%k", j_) : at(i_, j_);
    text_ += "store @" + std::string(arrays[draw(3)]) + "[" + cell + "], " + value + " access " +
             std::to_string(access_++) + "\n";
  }
  void statement() {
    const std::string x = draw(3) ? anyLoad() : sum(), y = anyLoad();
    const std::string value = define("add " + x + ", " + y, "u32");
    if (draw(3) != 0)
      return store(value);
    traits_.hasBranch = true;
    text_ += "if " + define("lt " + value + ", " + anyLoad(), "bool") + " {\n";
    store(draw(2) ? value : define("add " + value + ", " + anyLoad(), "u32"));
    text_ += "yield\n} else {\nyield\n}\n";
  }
  void nest() {
    i_ = counter("i");
    const std::string outer = std::to_string(last_++);
    j_ = counter("j");
    const std::string inner = std::to_string(last_++);
    for (unsigned statements = 1 + draw(2); statements > 0; --statements)
      statement();
    text_ += "yield\n} -> %e" + inner + " : s64\nyield\n} -> %e" + outer + " : s64\n";
  }

  std::mt19937 random_;
  unsigned n_;
  std::string text_, i_, j_;
  Traits traits_;
  unsigned last_ = 0, access_ = 0;
};

/// The nests of a function, whether iterations depend on each other or not.
TeamPlan forced(const Function &kernel, TeamGrid grid) {
  TeamTrial trial;
  const TeamLoops loops = teamLoops(kernel);
  for (const TeamLoop &outer : loops.all)
    if (outer.inner.size() == 1 && outer.enclosing.size() == 1)
      trial.choice.tiles.push_back({outer.loop, loops.all[outer.inner[0]].loop});
  trial.choice.team = grid.rows * grid.columns;
  trial.choice.grid = grid;
  trial.choice.dealt.resize(kernel.ops.size());
  trial.choice.common.assign(kernel.arrays.size(), true);
  WalkBudget budget;
  trial.run = walkTeam(kernel, trial.choice, budget);
  static constexpr TileExtent Most = {9, 9, false, false, false};
  trial.run.extents.assign(trial.choice.tiles.size(), Most);
  return planOf(kernel, std::move(trial), false);
}

/// Two of several warps, which take long to interpret.
constexpr TeamGrid TileGrids[] = {{1, 32}, {4, 8},  {8, 4}, {4, 4}, {2, 4},  {2, 2},
                                  {32, 1}, {16, 1}, {8, 1}, {4, 1}, {16, 4}, {64, 1}};

TEST(Tiles, RandomNests) {
  unsigned kept = 0, loops = 0, branches = 0, triangles = 0, own = 0, several = 0, rolled = 0,
           inParts = 0, direct = 0, refused = 0, numForced = 0, forcedFound = 0, ofWarps = 0;
  Planted dropped;
  ColumnKernels columns;
  for (unsigned seed = 0; seed < 1200 && !HasFailure(); ++seed) {
    const GridNest nest(seed);
    const Module module = parsed(nest.text());
    ASSERT_EQ(verifyError(module), "") << nest.text();
    std::mt19937 random(seed);
    const Function kernel = kernelOf(module);
    TeamGrid grid = TileGrids[random() % std::size(TileGrids)];
    if (random() % 2 == 0)
      grid.mostCells = 2 + random() % 5;
    WalkBudget budget;
    const std::vector<TiledNest> nests =
        tiledNests(kernel, grid.columns == 1 ? NestKind::OneLoop : NestKind::TwoLoops, budget);
    const uint64_t count = 1 + random() % 5;
    if (nests.empty()) {
      ++refused;
      if (grid.rows > 1 && grid.columns > 1) {
        ++numForced;
        forcedFound += !runRows(module, teamKernel(forced(kernel, grid)), count, seed).empty();
      }
      continue;
    }
    const TeamRun apart = walkApart(kernel, nests, {}, budget);
    TeamPlan plan =
        planOf(kernel, tryGrid(kernel, grid, nests, {}, apart, budget), random() % 2 == 0);
    if (plan.run.refusal == "a member has all rows of a nest with a loop" ||
        plan.run.refusal == "a member has more cells of a nest than registers")
      continue;
    ASSERT_EQ(plan.run.refusal, "") << nest.text();
    const Function teams = teamKernel(plan);
    ASSERT_EQ(verifyError(module, teams), "") << nest.text() << textOf(teams);
    ASSERT_EQ(textOf(parsed(textOf(teams)).functions[0]), textOf(teams));
    ASSERT_EQ(runRows(module, teams, count, seed), "") << "nest " << seed << "\n"
                                                       << nest.text() << textOf(teams);
    ++kept;
    ofWarps += grid.rows * grid.columns > LanesPerWarp;
    loops += nest.traits().hasLoop;
    branches += nest.traits().hasBranch;
    triangles += nest.traits().hasTriangle;
    several += nests.size() > 1;
    rolled += grid.rows == 1;
    const auto isInParts = [&](const TileExtent &extent) {
      return grid.rows > 1 && rowSlotsAtOnce(extent, grid) < grid.rowAxis().slots(extent.rows);
    };
    inParts += llvm::any_of(plan.run.extents, isInParts);
    const bool isDirect = llvm::any_of(teams.notes, [](const std::string &note) {
      return llvm::StringRef(note).ends_with("stored to where the caller has it");
    });
    direct += isDirect;
    own += llvm::any_of(teams.arrays, [](const Array &array) {
      return llvm::StringRef(array.name).ends_with("_own");
    });
    if (seed % 4 == 0)
      dropBarriers(module, plan, count, seed, dropped);
    if (seed % 8 == 1 || isDirect) {
      ASSERT_EQ(runColumns(module, plan, count, seed, columns, seed % 32 == 1), "") << nest.text();
    }
  }
  for (const auto &[what, number, least] :
       {std::tuple("kept", kept, 200u),
        {"with loops in them", loops, 50u},
        {"with branches", branches, 50u},
        {"with bounds by a counter", triangles, 50u},
        {"teams of several warps", ofWarps, 50u},
        {"with several nests", several, 50u},
        {"with own cells", own, 50u},
        {"with all rows", rolled, 10u},
        {"in parts", inParts, 20u},
        {"stored directly", direct, 3u},
        {"for columns", columns.run, 50u},
        {"for columns, not stored directly", columns.ofOthersPlan, 3u},
        {"refused", refused, 100u},
        {"forced", numForced, 50u},
        {"dropped barriers", dropped.number, 50u}}) {
    EXPECT_GT(number, least) << what;
    std::cout << what << ": " << number << "\n";
  }
  EXPECT_GT(dropped.found, dropped.number / 2);
  EXPECT_GT(forcedFound, numForced * 9 / 10);
  std::cout << "dropped and found: " << dropped.found << ", forced and found: " << forcedFound
            << "\n";
}

} // namespace
