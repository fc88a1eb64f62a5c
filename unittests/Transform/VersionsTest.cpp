//===- VersionsTest.cpp - Cells as they were and as they are --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random nests whose iterations load cells of the iterations at an outer counter give what the
// canonical function gives, in random grids and blocks; so do shortest paths, on floats of every
// kind. A version that is chosen wrongly, and a barrier that is dropped, are found.
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

#include "Transform/Teams/NestVersions.h"

#include "llvm/ADT/bit.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// What a random function has.
struct SteppedTraits {
  bool hasBranch = false, hasElse = false, hasResult = false, hasCorner = false;
  bool hasSeveral = false, isRectangular = false;
};

/// for (k …) for (i …) for (j …), with stores to cells at (i, j) and loads of those at (i, j),
/// (i, k), (k, j) and (k, k), all of which come before the stores.
class SteppedText {
public:
  explicit SteppedText(unsigned seed) : random_(seed) {
    const unsigned steps = 3 + draw(7);
    rows_ = steps + (draw(3) == 0 ? draw(4) : 0);
    columns_ = steps + (draw(3) == 0 ? draw(4) : 0);
    traits_.isRectangular = rows_ != columns_ || rows_ != steps;
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    for (const char *array : {"a", "b", "c"})
      text_ += "array @" + std::string(array) + " : u32[" + std::to_string(rows_ * columns_) +
               "] parameter instance reads writes of " + array + "\n";
    text_ += "body() {\n%one = const 1 : s64\n%zero = const 0 : s64\n";
    for (auto [name, value] : {std::pair("steps", steps), {"rows", rows_}, {"columns", columns_}})
      text_ += "%" + std::string(name) + " = const " + std::to_string(value) + " : s64\n";
    for (auto [name, end] : {std::pair("k", "steps"), {"i", "rows"}, {"j", "columns"}})
      text_ += "for %" + std::string(name) + " : s64 = %zero lt %" + end + " step %one () {\n";
    body();
    for (const char *name : {"j", "i", "k"})
      text_ += "yield\n} -> %end_" + std::string(name) + " : s64\n";
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }
  const SteppedTraits &traits() const { return traits_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string define(const std::string &operation, const char *type = "u32") {
    const std::string name = "%v" + std::to_string(last_++);
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string at(const std::string &row, const std::string &column) {
    const std::string before = define("mul " + row + ", %columns", "s64");
    return define(swapped_ ? "add " + column + ", " + before : "add " + before + ", " + column,
                  "s64");
  }
  std::string load(char array, const std::string &cell) {
    return define("load @" + std::string(1, array) + "[" + cell + "] access " +
                  std::to_string(access_++));
  }
  std::string anyLoad(char array) {
    switch (draw(6)) {
    case 0:
    case 1:
      return load(array, at("%k", "%j"));
    case 2:
    case 3:
      return load(array, at("%i", "%k"));
    case 4:
      traits_.hasCorner = true;
      return load(array, at("%k", "%k"));
    default:
      return load(array, at("%i", "%j"));
    }
  }
  std::string computed(const std::string &x, const std::string &y) {
    const char *const operations[] = {"add ", "sub ", "mul ", "xor ", "add "};
    return define(operations[draw(5)] + x + ", " + y);
  }
  void store(char array, const std::string &value) {
    text_ += "store @" + std::string(1, array) + "[" + at("%i", "%j") + "], " + value + " access " +
             std::to_string(access_++) + "\n";
  }
  void maybeStored(char array, const std::string &value, const std::string &other) {
    traits_.hasBranch = true;
    const std::string condition = define("lt " + value + ", " + other, "bool");
    const bool hasElse = draw(3) == 0;
    traits_.hasElse |= hasElse;
    text_ += "if " + condition + " {\n";
    store(array, draw(2) ? value : computed(value, anyLoad('c')));
    text_ += "yield\n} else {\n";
    if (hasElse)
      store(array, computed(value, other));
    text_ += "yield\n}\n";
  }
  std::string chosen(const std::string &x, const std::string &y) {
    if (draw(3) != 0)
      return computed(x, y);
    traits_.hasResult = true;
    const std::string result = "%r" + std::to_string(last_++),
                      condition = define("lt " + x + ", " + y, "bool");
    text_ += "if " + condition + " {\nyield " + computed(x, y) + "\n} else {\nyield " + y +
             "\n} -> " + result + " : u32\n";
    return result;
  }
  void body() {
    swapped_ = draw(2) == 0;
    traits_.hasSeveral = draw(3) == 0;
    const std::string x = anyLoad('a'), y = load('a', at("%k", "%j")), own = anyLoad('a');
    const std::string z = chosen(computed(x, y), traits_.hasSeveral ? anyLoad('b') : own);
    if (draw(2))
      maybeStored('a', z, own);
    else
      store('a', z);
    if (!traits_.hasSeveral)
      return;
    const std::string other = computed(z, anyLoad('b'));
    if (draw(2))
      maybeStored('b', other, x);
    else
      store('b', other);
  }

  std::mt19937 random_;
  unsigned rows_ = 0, columns_ = 0;
  std::string text_;
  SteppedTraits traits_;
  bool swapped_ = false;
  unsigned last_ = 0, access_ = 0;
};

constexpr TeamGrid Grids[] = {{4, 8}, {8, 4}, {4, 4}, {2, 4}, {2, 2}, {8, 8}, {16, 8}};

TeamTrial versionedTrial(const VersionedNest &versioned, TeamGrid grid) {
  WalkBudget budget;
  const TeamRun apart = walkApart(versioned.kernel, versioned.nests, versioned.lines, budget);
  return tryGrid(versioned.kernel, grid, versioned.nests, versioned.lines, apart, budget);
}

/// Runs the kernel with each comparison of counters the wrong way at equality, one at a time.
void chooseWrongly(const Module &module, const TeamPlan &plan, uint64_t count, unsigned seed,
                   Planted &wrong) {
  for (size_t o = 0; o < plan.kernel.ops.size(); ++o) {
    const Op &op = plan.kernel.ops[o];
    if (op.opcode != Opcode::Lt || plan.kernel.anyVarying(op.operands) ||
        plan.kernel.value(op.operands[0]).name != "k")
      continue;
    TeamPlan changed = plan;
    changed.kernel.ops[o].opcode = Opcode::Le;
    ++wrong.number;
    wrong.found += !runRows(module, teamKernel(changed), count, seed).empty();
  }
}

TEST(Versions, RandomNests) {
  unsigned kept = 0, refused = 0, branches = 0, elses = 0, results = 0, corners = 0, several = 0,
           rectangles = 0, alone = 0, blocks[11] = {}, ofTwoLengths = 0, parts = 0, isBeyond = 0,
           ofWarps = 0;
  Planted dropped, wrong;
  ColumnKernels columns;
  for (unsigned seed = 0; seed < 500 && !HasFailure(); ++seed) {
    const SteppedText nest(seed);
    const Module module = parsed(nest.text());
    ASSERT_EQ(verifyError(module), "") << nest.text();
    std::mt19937 random(seed);
    const Function kernel = kernelOf(module);
    TeamGrid grid = Grids[random() % std::size(Grids)];
    static constexpr unsigned Lengths[] = {1, 2, 3, 4, 5};
    grid.rowBlock = grid.columnBlock = Lengths[random() % std::size(Lengths)];
    if (grid.hasBlocks() && random() % 4 == 0)
      (random() % 2 ? grid.rowBlock : grid.columnBlock) *= 2;
    const bool beyond = random() % 2 == 0;
    const std::optional<VersionedNest> versioned = versionNest(kernel, grid, beyond);
    if (!versioned) {
      ++refused;
      continue;
    }
    ASSERT_EQ(verifyError(module, versioned->kernel), "") << textOf(versioned->kernel);
    const TeamPlan plan =
        planOf(versioned->kernel, versionedTrial(*versioned, grid), random() % 2 == 0);
    ASSERT_EQ(plan.run.refusal, "") << nest.text() << textOf(versioned->kernel);
    isBeyond += beyond && llvm::any_of(plan.run.extents, [&](const TileExtent &extent) {
                  return extent.allRows && extent.rows % grid.rowAxis().turn() != 0;
                });
    const uint64_t count = 1 + random() % 5;
    const Function teams = teamKernel(plan);
    ASSERT_EQ(verifyError(module, teams), "") << nest.text() << textOf(teams);
    ASSERT_EQ(textOf(parsed(textOf(teams)).functions[0]), textOf(teams));
    ASSERT_EQ(runRows(module, teams, count, seed), "") << "nest " << seed << "\n"
                                                       << nest.text() << textOf(teams);
    ++kept;
    ofWarps += grid.rows * grid.columns > LanesPerWarp;
    branches += nest.traits().hasBranch;
    elses += nest.traits().hasElse;
    results += nest.traits().hasResult;
    corners += nest.traits().hasCorner;
    several += nest.traits().hasSeveral;
    rectangles += nest.traits().isRectangular;
    ++blocks[grid.columnBlock];
    ofTwoLengths += grid.rowBlock != grid.columnBlock;
    parts += textOf(versioned->kernel).find("if ") != std::string::npos;
    alone += llvm::any_of(teams.notes, [](const std::string &note) {
      return llvm::StringRef(note).ends_with("cells in registers");
    });
    if (seed % 4 == 0) {
      dropBarriers(module, plan, count, seed, dropped);
      chooseWrongly(module, plan, count, seed, wrong);
    }
    if (seed % 16 == 0) {
      ASSERT_EQ(runColumns(module, plan, count, seed, columns, false), "") << nest.text();
    }
  }
  for (const auto &[what, number, least] : {std::tuple("kept", kept, 400u),
                                            {"with branches", branches, 100u},
                                            {"with stores in both arms", elses, 30u},
                                            {"with values of branches", results, 50u},
                                            {"with cells at (k, k)", corners, 50u},
                                            {"with two arrays", several, 50u},
                                            {"rectangles", rectangles, 50u},
                                            {"without blocks", blocks[1], 50u},
                                            {"in blocks of two", blocks[2], 50u},
                                            {"in blocks of four", blocks[4], 50u},
                                            {"in blocks of three", blocks[3], 50u},
                                            {"in blocks of five", blocks[5], 50u},
                                            {"in blocks of two lengths", ofTwoLengths, 30u},
                                            {"in registers alone", alone, 200u},
                                            {"with iterations beyond the end", isBeyond, 100u},
                                            {"teams of several warps", ofWarps, 50u},
                                            {"dropped barriers", dropped.number, 100u},
                                            {"wrong versions", wrong.number, 100u}}) {
    EXPECT_GT(number, least) << what;
    std::cout << what << ": " << number << "\n";
  }
  EXPECT_GT(dropped.found, dropped.number * 3 / 4);
  EXPECT_GT(wrong.found, wrong.number * 2 / 5);
  std::cout << "refused: " << refused << ", dropped and found: " << dropped.found
            << ", wrong and found: " << wrong.found << "\n";
}

/// Shortest paths of n vertices, as they are written: what is compared is computed again.
std::string shortestPaths(unsigned n) {
  const std::string number = std::to_string(n);
  return "func \"f\" canonical mangled \"f\" {\narray @d : f32[" + std::to_string(n * n) +
         "] parameter instance reads writes of d\nbody() {\n%one = const 1 : s32\n"
         "%zero = const 0 : s32\n%n = const " +
         number + R"( : s32
for %k : s32 = %zero lt %n step %one () {
for %i : s32 = %zero lt %n step %one () {
for %j : s32 = %zero lt %n step %one () {
%row = mul %i, %n : s32
%ik = add %row, %k : s32
%wide_ik = cast %ik : s64
%x = load @d[%wide_ik] access 0 : f32
%row_k = mul %k, %n : s32
%kj = add %row_k, %j : s32
%wide_kj = cast %kj : s64
%y = load @d[%wide_kj] access 1 : f32
%t = add %x, %y : f32
%ij = add %row, %j : s32
%wide_ij = cast %ij : s64
%own = load @d[%wide_ij] access 2 : f32
%c = lt %t, %own : bool
if %c {
%x2 = load @d[%wide_ik] access 3 : f32
%y2 = load @d[%wide_kj] access 4 : f32
%t2 = add %x2, %y2 : f32
store @d[%wide_ij], %t2 access 5
yield
} else {
yield
}
yield
} -> %j_end : s32
yield
} -> %i_end : s32
yield
} -> %k_end : s32
return
}
}
)";
}

/// Of every kind: NaN, infinities, zeros of both signs, subnormals; and negative cycles.
std::vector<ArrayData> floats(unsigned cells, unsigned seed) {
  std::mt19937 random(seed);
  static constexpr uint32_t Special[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000,
                                         0,          1,          0x80000003, 0x7f7fffff};
  std::vector<ArrayData> arrays(1);
  for (unsigned c = 0; c < cells; ++c) {
    const float value = static_cast<float>(random() % 1000) / 100 - (seed % 3 == 0 ? 1.0F : 0.0F);
    arrays[0].cells.push_back(seed % 2 && random() % 3 == 0 ? Special[random() % std::size(Special)]
                                                            : llvm::bit_cast<uint32_t>(value));
  }
  return arrays;
}

TEST(Versions, ShortestPathsOfAllFloats) {
  for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
    const unsigned n = 4 + seed % 7;
    const Module module = parsed(shortestPaths(n));
    ASSERT_EQ(verifyError(module), "");
    TeamGrid grid = Grids[seed % std::size(Grids)];
    grid.rowBlock = grid.columnBlock = 1 + seed % 5;
    const std::optional<VersionedNest> versioned =
        versionNest(kernelOf(module), grid, seed % 2 == 1);
    ASSERT_TRUE(versioned);
    const TeamPlan plan = planOf(versioned->kernel, versionedTrial(*versioned, grid), false);
    ASSERT_EQ(plan.run.refusal, "");
    const Function teams = teamKernel(plan);
    const uint64_t count = 1 + seed % 4;
    EXPECT_EQ(
        runRows(module, teams, count, seed, floats(static_cast<unsigned>(count) * n * n, seed)),
        "");
    // What is compared is chosen: no branch is left, and nothing is added twice.
    EXPECT_EQ(textOf(versioned->kernel).find("if %c"), std::string::npos);
  }
}

/// Nests that are not of this kind are left alone.
TEST(Versions, Refused) {
  const std::string paths = shortestPaths(6);
  const auto changed = [&](const std::string &from, const std::string &to) {
    std::string text = paths;
    const size_t at = text.find(from);
    return text.replace(at, from.size(), to);
  };
  const auto isVersioned = [](const std::string &text) {
    const Module module = parsed(text);
    EXPECT_EQ(verifyError(module), "");
    return versionNest(kernelOf(module), {4, 4, 4, 4}).has_value();
  };
  EXPECT_TRUE(isVersioned(paths));
  // Another iteration's cell, whose version the counters do not tell.
  EXPECT_FALSE(isVersioned(changed("%ik = add %row, %k", "%ik = add %row, %one")));
  // The transposed cell.
  EXPECT_FALSE(isVersioned(changed("%row_k = mul %k, %n", "%row_k = mul %j, %n")));
  // Fewer rows than steps: in some, row k does not change.
  EXPECT_FALSE(isVersioned(changed("for %i : s32 = %zero lt", "for %i : s32 = %one lt")));
  // A cell that is loaded behind the store to its own iteration's.
  EXPECT_FALSE(isVersioned(changed("store @d[%wide_ij], %t2 access 5\n",
                                   "store @d[%wide_ij], %t2 access 5\n"
                                   "%z = load @d[%wide_kj] access 6 : f32\n"
                                   "store @d[%wide_ij], %z access 7\n")));
}

} // namespace
