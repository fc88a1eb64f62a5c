//===- TeamsTest.cpp - Several threads run an instance --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of teams give what the canonical function gives, whichever loops are dealt out to
// whatever teams, wherever the walk finds no dependence that breaks. What it refuses, and barriers
// that are dropped, the interpreter finds.
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

#include "Transform/Teams/CollapseNests.h"
#include "Transform/Teams/SkewNests.h"
#include "Transform/Teams/TeamLoops.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// A team's plan with these loops dealt out; local arrays in common where own copies do not do.
TeamPlan planOf(const Function &kernel, unsigned team, std::vector<bool> dealt, bool isSkewed) {
  TeamPlan plan;
  WalkBudget budget;
  plan.choice = {team, std::move(dealt), {}};
  for (const Array &array : kernel.arrays)
    plan.choice.common.push_back(array.isPassed());
  plan.run = walkTeam(kernel, plan.choice, budget);
  for (size_t a = 0; a < kernel.arrays.size(); ++a)
    if (kernel.arrays[a].isLocal() && !plan.run.ownCopies[a])
      plan.choice.common[a] = true;
  plan.run = walkTeam(kernel, plan.choice, budget);
  plan.isSkewed = isSkewed;
  plan.kernel = kernel;
  return plan;
}

/// Nests of loops over three arrays and a local one, some of which carry a sum or are triangular;
/// branches on data.
class TeamNest {
public:
  explicit TeamNest(unsigned seed) : random_(seed) {
    text_ = "func \"f\" canonical mangled \"f\" {\n"
            "array @a : u32[24] parameter instance reads writes of a\n"
            "array @b : u32[24] parameter instance reads writes of b\n"
            "array @c : u64[10] parameter instance reads writes of c\n"
            "array @w : u32[9] local instance reads writes\nbody() {\n"
            "%one = const 1 : s64\n%none = const 0 : u32\n";
    for (unsigned c = 0; c < 9; ++c) // or it would be read before it is written
      text_ += "%w" + std::to_string(c) + " = const " + std::to_string(c) + " : s64\nstore @w[%w" +
               std::to_string(c) + "], %none access " + std::to_string(access_++) + "\n";
    for (unsigned nests = 1 + draw(2); nests > 0; --nests)
      loop(1 + draw(3));
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string define(const std::string &operation, const char *type = "s64") {
    const std::string name = "%v" + std::to_string(last_++);
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string number(unsigned value) { return define("const " + std::to_string(value)); }

  /// (i * c + j * d + e) mod cells
  std::string subscript(unsigned cells) {
    std::string sum = number(draw(5));
    for (const std::string &counter : counters_)
      if (draw(4) != 0)
        sum = define("add " + sum + ", " + define("mul " + counter + ", " + number(draw(4))));
    return define("rem " + sum + ", " + number(cells));
  }
  std::string load() {
    switch (draw(4)) {
    case 0:
      return define("load @a[" + subscript(24) + "] access " + std::to_string(access_++), "u32");
    case 1:
      return define("load @b[" + subscript(24) + "] access " + std::to_string(access_++), "u32");
    case 2:
      return define("load @w[" + subscript(9) + "] access " + std::to_string(access_++), "u32");
    default:
      return define(
          "cast " +
              define("load @c[" + subscript(10) + "] access " + std::to_string(access_++), "u64"),
          "u32");
    }
  }
  void store(const std::string &value) {
    const std::string id = std::to_string(access_++);
    switch (draw(4)) {
    case 0:
    case 1:
      text_ += "store @a[" + subscript24_ + "], " + value + " access " + id + "\n";
      return;
    case 2:
      text_ += "store @w[" + subscript9_ + "], " + value + " access " + id + "\n";
      return;
    default:
      text_ += "store @c[" + subscript10_ + "], " + wide_ + " access " + id + "\n";
    }
  }
  void statement() {
    const std::string x = load(), y = load();
    const std::string sum = define("add " + x + ", " + y, "u32");
    subscript24_ = subscript(24);
    subscript9_ = subscript(9);
    subscript10_ = subscript(10);
    wide_ = define("cast " + sum, "u64");
    if (draw(4) != 0)
      return store(sum);
    text_ += "if " + define("lt " + x + ", " + y, "bool") + " {\n";
    store(sum);
    text_ += "yield\n} else {\nyield\n}\n";
  }
  void loop(unsigned depth) {
    const bool carries = draw(4) == 0, isTriangular = !counters_.empty() && draw(4) == 0;
    const std::string begin = isTriangular ? counters_.back() : number(draw(2)),
                      end = number(1 + draw(11)), name = std::to_string(last_++),
                      counter = "%i" + name;
    text_ += "for " + counter + " : s64 = " + begin + " lt " + end + " step %one (" +
             (carries ? "%s" + name + " : u32 = %none" : "") + ") {\n";
    counters_.push_back(counter);
    for (unsigned items = 1 + draw(2); items > 0; --items)
      if (depth > 1 && draw(3) != 0)
        loop(depth - 1);
      else
        statement();
    if (carries)
      text_ += "yield " + define("add %s" + name + ", " + load(), "u32") + "\n";
    else
      text_ += "yield\n";
    text_ += "} -> %e" + name + " : s64" + (carries ? ", %t" + name + " : u32" : "") + "\n";
    counters_.pop_back();
  }

  std::mt19937 random_;
  std::string text_, subscript24_, subscript9_, subscript10_, wide_;
  std::vector<std::string> counters_;
  unsigned last_ = 0, access_ = 0;
};

std::vector<bool> thatCarryNothing(const Function &kernel) {
  std::vector<bool> loops;
  for (const Op &op : kernel.ops)
    loops.push_back(op.opcode == Opcode::For && kernel.region(op.regions[0]).args.size() == 1);
  return loops;
}

/// Some of the loops that carry nothing, none within another.
void deal(const Function &kernel, RegionId region, std::mt19937 &random, std::vector<bool> &dealt) {
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    if (op.opcode == Opcode::For && kernel.region(op.regions[0]).args.size() == 1 &&
        random() % 2 == 0) {
      dealt[id.index] = true;
      continue;
    }
    for (RegionId inner : op.regions)
      deal(kernel, inner, random, dealt);
  }
}

TEST(Teams, RandomNests) {
  unsigned kept = 0, withBarriers = 0, commonLocals = 0, turns = 0, refused = 0, refusedFound = 0,
           collapsed = 0, ofWarps = 0;
  Planted dropped;
  ColumnKernels columns;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const TeamNest nest(seed);
    const Module module = parsed(nest.text());
    ASSERT_EQ(verifyError(module), "") << nest.text();
    std::mt19937 random(seed);
    Function kernel = kernelOf(module);
    if (const std::optional<Function> other = collapseNests(kernel, thatCarryNothing(kernel));
        other && random() % 2 == 0) {
      ASSERT_EQ(verifyError(module, *other), "") << nest.text() << textOf(*other);
      kernel = *other;
      ++collapsed;
    }
    std::vector<bool> dealt(kernel.ops.size());
    deal(kernel, kernel.body, random, dealt);
    if (llvm::none_of(dealt, [](bool each) { return each; }))
      continue;
    const unsigned team = 2u << random() % 7;
    TeamPlan plan = planOf(kernel, team, dealt, random() % 2 == 0);
    const uint64_t count = 1 + random() % 5;
    const Function teams = teamKernel(plan);
    ASSERT_EQ(verifyError(module, teams), "") << nest.text() << textOf(teams);
    ASSERT_EQ(textOf(parsed(textOf(teams)).functions[0]), textOf(teams));
    const std::string outcome = runRows(module, teams, count, seed);
    if (!plan.run.refusal.empty()) {
      ++refused;
      refusedFound += !outcome.empty();
      continue;
    }
    ASSERT_EQ(outcome, "") << "nest " << seed << "\n" << nest.text() << textOf(teams);
    ++kept;
    ofWarps += team > LanesPerWarp;
    const auto isSet = [](bool each) { return each; };
    withBarriers += llvm::any_of(plan.run.barrierBefore, isSet);
    commonLocals += llvm::any_of(teams.arrays, [](const Array &array) {
      return array.name == "w" && array.space == Space::Shared;
    });
    turns += llvm::any_of(llvm::seq(dealt.size()),
                          [&](size_t op) { return dealt[op] && !plan.run.isOneTurn[op]; });
    if (seed % 8 == 0)
      dropBarriers(module, plan, count, seed, dropped);
    if (seed % 4 == 0) {
      ASSERT_EQ(runColumns(module, plan, count, seed, columns, seed % 8 == 0), "") << nest.text();
    }
  }
  for (const auto &[what, number, least] :
       {std::tuple("kept", kept, 200u),
        {"for columns", columns.run, 50u},
        {"dropped barriers of a block", columns.dropped.number, 50u},
        {"with barriers", withBarriers, 50u},
        {"common locals", commonLocals, 5u},
        {"several turns", turns, 20u},
        {"refused", refused, 200u},
        {"collapsed", collapsed, 50u},
        {"teams of several warps", ofWarps, 50u},
        {"dropped barriers", dropped.number, 20u}}) {
    EXPECT_GT(number, least) << what;
    std::cout << what << ": " << number << "\n";
  }
  // The others were not in the way of the first fault, or stood beside one that does as well.
  EXPECT_GT(refusedFound, refused * 9 / 10);
  EXPECT_GT(dropped.found, dropped.number / 2);
  EXPECT_GT(columns.dropped.found, columns.dropped.number / 2);
}

std::vector<TeamShape> allShapes(const Module &module) {
  WalkBudget budget;
  std::vector<TeamShape> shapes = teamShapes(kernelOf(module), budget);
  for (size_t s = 0, numShapes = shapes.size(); s < numShapes; ++s)
    if (std::optional<TeamShape> collapsed = collapsedShape(shapes[s], budget))
      shapes.push_back(std::move(*collapsed));
  return shapes;
}

/// Every shape, with what can be dealt out in it to a random team.
unsigned expectSameInShapes(const Module &module, unsigned seed) {
  std::mt19937 random(seed);
  unsigned tried = 0;
  for (const TeamShape &shape : allShapes(module)) {
    EXPECT_EQ(verifyError(module, shape.kernel), "") << textOf(shape.kernel);
    for (const std::vector<OpId> &dealt : shape.dealable) {
      WalkBudget budget;
      TeamTrial trial = tryTeam(shape.kernel, 2u << random() % 7, dealt, budget);
      if (!trial.run.refusal.empty()) // members of a smaller team have other iterations
        continue;
      TeamPlan plan;
      plan.choice = std::move(trial.choice);
      plan.run = std::move(trial.run);
      plan.kernel = shape.kernel;
      const Function teams = teamKernel(plan);
      EXPECT_EQ(verifyError(module, teams), "") << textOf(teams);
      EXPECT_EQ(runRows(module, teams, 1 + random() % 9, seed), "") << "seed " << seed << "\n"
                                                                    << textOf(teams);
      ++tried;
    }
  }
  return tried;
}

TEST(Teams, RandomShapes) {
  unsigned tried = 0;
  for (unsigned seed = 5000; seed < 5300 && !HasFailure(); ++seed)
    tried += expectSameInShapes(parsed(TeamNest(seed).text()), seed);
  EXPECT_GT(tried, 150u);
}

/// d[i][j] = min(d[i][j], d[i][k] + d[k][j]), where d[k][k] may shorten the way.
std::string shortestPaths(unsigned n) {
  const std::string cells = std::to_string(n * n);
  return "func \"f\" canonical mangled \"f\" {\narray @d : s32[" + cells +
         "] parameter instance reads writes of d\nbody() {\n%zero = const 0 : s64\n"
         "%one = const 1 : s64\n%off = const 50 : s32\n%n = const " +
         std::to_string(n) +
         " : s64\nfor %k : s64 = %zero lt %n step %one () {\n"
         "for %i : s64 = %zero lt %n step %one () {\n"
         "for %j : s64 = %zero lt %n step %one () {\n"
         "%in = mul %i, %n : s64\n%kn = mul %k, %n : s64\n%ik = add %in, %k : s64\n"
         "%kj = add %kn, %j : s64\n%ij = add %in, %j : s64\n"
         "%x = load @d[%ik] access 0 : s32\n%y = load @d[%kj] access 1 : s32\n"
         "%z = load @d[%ij] access 2 : s32\n%t = add %x, %y : s32\n"
         "%s = sub %t, %off : s32\n%c = lt %s, %z : bool\nif %c {\n"
         "store @d[%ij], %s access 3\nyield\n} else {\nyield\n}\n"
         "yield\n} -> %e : s64\nyield\n} -> %g : s64\nyield\n} -> %h : s64\nreturn\n}\n}\n";
}

/// What an iteration needs of the one at the outer counter alone: the loop is split there.
TEST(Teams, SplitAtTheOuterCounter) {
  for (unsigned n : {4u, 5u, 7u}) {
    const Module module = parsed(shortestPaths(n));
    const std::vector<TeamShape> shapes = allShapes(module);
    ASSERT_EQ(shapes.size(), 3u); // as it is, in parts, and collapsed
    EXPECT_TRUE(shapes[0].dealable.empty());
    EXPECT_EQ(shapes[0].reason,
              "an iteration needs a cell of d that another one has stored or loaded");
    for (unsigned seed = 0; seed < 4; ++seed)
      EXPECT_GE(expectSameInShapes(module, seed), 3u);
  }
}

/// for (i = 1 … n - 1) for (j = low … high) c[i][j] = the sum of itself and the cells at `needs`,
/// which are so many rows and columns away.
std::string table(unsigned n, const std::string &low, const std::string &high,
                  std::initializer_list<std::pair<int, int>> needs, unsigned rounds = 2) {
  std::string text = "func \"f\" canonical mangled \"f\" {\narray @c : u32[" +
                     std::to_string(n * n) +
                     "] parameter instance reads writes of c\nbody() {\n%zero = const 0 : s64\n"
                     "%one = const 1 : s64\n%n = const " +
                     std::to_string(n) + " : s64\n%last = const " + std::to_string(n - 1) +
                     " : s64\n%rounds = const " + std::to_string(rounds) +
                     " : s64\nfor %r : s64 = %zero lt %rounds step %one () {\n"
                     "for %i : s64 = %one lt %last step %one () {\n%next = add %i, %one : s64\n"
                     "for %j : s64 = " +
                     low + " lt " + high +
                     " step %one () {\n"
                     "%in = mul %i, %n : s64\n%ij = add %in, %j : s64\n"
                     "%v0 = load @c[%ij] access 0 : u32\n";
  unsigned access = 1;
  for (auto [rows, columns] : needs) {
    const std::string k = std::to_string(access);
    text += "%d" + k + " = const " + std::to_string(rows * static_cast<int>(n) + columns) +
            " : s64\n%a" + k + " = add %ij, %d" + k + " : s64\n%x" + k + " = load @c[%a" + k +
            "] access " + k + " : u32\n%v" + k + " = add %v" + std::to_string(access - 1) + ", %x" +
            k + " : u32\n";
    ++access;
  }
  return text + "store @c[%ij], %v" + std::to_string(access - 1) + " access " +
         std::to_string(access) +
         "\nyield\n} -> %e : s64\nyield\n} -> %g : s64\nyield\n} -> %h : s64\nreturn\n}\n}\n";
}

/// Steps of a wavefront, by how far the next row's iterations are behind.
TEST(Teams, Wavefronts) {
  using Needs = std::initializer_list<std::pair<int, int>>;
  const Needs above = {{-1, 0}, {0, -1}}, corners = {{-1, -1}, {-1, 0}, {0, -1}, {-1, 1}},
              around = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
  for (const Needs &needs : {above, corners, around})
    for (unsigned n : {5u, 9u}) {
      const Module module = parsed(table(n, "%one", "%last", needs));
      EXPECT_GT(allShapes(module).size(), 1u);
      EXPECT_GT(expectSameInShapes(module, n), 0u);
    }
  // A row begins behind its diagonal.
  for (unsigned n : {5u, 9u})
    EXPECT_GT(expectSameInShapes(parsed(table(n, "%next", "%n", {{0, -1}, {-1, 0}})), n), 0u);
}

/// A step that needs a cell of a later one is none.
TEST(Teams, WavefrontsKeepTheOrder) {
  const auto isKept = [](std::initializer_list<std::pair<int, int>> needs, unsigned slope) {
    const Module module = parsed(table(9, "%one", "%last", needs));
    const Function kernel = kernelOf(module);
    const TeamLoops loops = teamLoops(kernel);
    EXPECT_EQ(loops.all.size(), 3u);
    WalkBudget budget;
    return skewNest(kernel, loops.all[1].loop, loops.all[0].loop, slope, budget).has_value();
  };
  for (unsigned slope : {0u, 1u, 2u}) {
    EXPECT_TRUE(isKept({{-1, 0}, {0, -1}}, slope));
    EXPECT_EQ(isKept({{-1, 1}, {0, -1}}, slope), slope >= 1);
    EXPECT_EQ(isKept({{-1, 2}, {0, -1}}, slope), slope >= 2);
    EXPECT_FALSE(isKept({{-1, 3}, {0, -1}}, slope));
  }
}

/// A plan that would take too long is none, and says so.
TEST(Teams, NoStepsLeft) {
  const Module module = parsed(shortestPaths(5));
  WalkBudget budget{100};
  const TeamTrial trial = tryTeam(kernelOf(module), 8, {}, budget);
  EXPECT_EQ(trial.run.refusal, "there are too many operations to follow");
  EXPECT_EQ(budget.left, 0u);
}

/// A counter of 8 bits would begin anew a team's iterations beyond its end.
TEST(Teams, NarrowCounters) {
  const auto refusal = [](unsigned cells, unsigned team) {
    const Module module =
        parsed("func \"f\" canonical mangled \"f\" {\narray @b : u32[" + std::to_string(cells) +
               "] parameter instance reads writes of b\nbody() {\n%zero = const 0 : u8\n"
               "%one = const 1 : u8\n%n = const " +
               std::to_string(cells) +
               " : u8\nfor %i : u8 = %zero lt %n step %one () {\n%k = cast %i : s64\n"
               "%x = load @b[%k] access 0 : u32\n%y = add %x, %x : u32\n"
               "store @b[%k], %y access 1\nyield\n} -> %e : u8\nreturn\n}\n}\n");
    const Function kernel = kernelOf(module);
    WalkBudget budget;
    TeamPlan plan;
    TeamTrial trial = tryTeam(kernel, team, {teamLoops(kernel).all[0].loop}, budget);
    if (!trial.run.refusal.empty())
      return trial.run.refusal;
    plan.choice = std::move(trial.choice);
    plan.run = std::move(trial.run);
    plan.kernel = kernel;
    return runRows(module, teamKernel(plan), 3, 1);
  };
  EXPECT_EQ(refusal(223, 32), "");
  EXPECT_EQ(refusal(224, 32), "the counter of a loop is too large to deal out");
  EXPECT_EQ(refusal(240, 8), "");
}

} // namespace
