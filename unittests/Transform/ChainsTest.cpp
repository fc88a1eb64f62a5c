//===- ChainsTest.cpp - Least values of any order, in tiles ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nests of dynamic programming in tiles, run by teams, give what the canonical function gives, on
// floats of every kind. Where the order of a chain matters, there are no tiles.
//
//===----------------------------------------------------------------------===//

#include "PassKernels.h"

#include "Transform/Teams/OrderFreeChains.h"
#include "Transform/Teams/TileChains.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <iostream>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Which cells an iteration (i, j) of a nest needs.
enum class Need : uint8_t {
  Intervals,     // i falls: b[i][k] and b[k + 1][j], for k from i to j - 1
  OpenIntervals, // i falls: b[i][k] and b[k][j], for k between i and j
  Reversed,      // j falls: b[i][k] and b[k][j], for k between j and i
  Rows,          // w[i][k] and b[k][j], for k below i
  Columns        // b[i][k] and w[k][j], for k below j
};
constexpr unsigned NumNeeds = 5;

/// A function that sets b and then takes least or greatest values.
class ChainText {
public:
  explicit ChainText(unsigned seed)
      : random_(seed), n_(5 + draw(9)), need_(static_cast<Need>(draw(NumNeeds))),
        type_(std::array{"f32", "f32", "s32", "u32", "f64"}[draw(5)]) {
    const std::string cells = std::to_string(n_ * n_);
    text_ = "func \"f\" canonical mangled \"f\" {\narray @w : " + type_ + "[" + cells +
            "] parameter instance const reads of w\narray @b : " + type_ + "[" + cells +
            "] parameter instance reads writes of b\nbody() {\n%zero = const 0 : s64\n%one = "
            "const 1 : s64\n%down = const -1 : s64\n%n = const " +
            std::to_string(n_) + " : s64\n%last = const " + std::to_string(n_ - 1) +
            " : s64\n%all = const " + cells + " : s64\n%set = const 2" + point() + " : " + type_ +
            "\n%init = const " + init() + " : " + type_ + "\n";
    setFirst();
    nest();
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }
  Need need() const { return need_; }
  int n() const { return static_cast<int>(n_); }
  bool isFloat() const { return type_[0] == 'f'; }
  bool hasSelect() const { return hasSelect_; }
  bool isGreatest() const { return isGreatest_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string point() const { return isFloat() ? ".0" : ""; }
  std::string init() {
    isGreatest_ = draw(2);
    if (isFloat())
      return isGreatest_ ? "-inf" : "inf";
    return isGreatest_ ? "1" : "100000";
  }
  std::string define(const std::string &operation, const std::string &type) {
    const std::string name = "%v" + std::to_string(last_++);
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string at(const std::string &row, const std::string &column) {
    return define("add " + define("mul " + row + ", %n", "s64") + ", " + column, "s64");
  }
  std::string load(const char *array, const std::string &row, const std::string &column) {
    return define("load @" + std::string(array) + "[" + at(row, column) + "] access " +
                      std::to_string(access_++),
                  type_);
  }
  void loop(const std::string &counter, const std::string &low, const std::string &test,
            const std::string &high, bool falls = false, const std::string &carried = "") {
    text_ += "for " + counter + " : s64 = " + low + " " + test + " " + high + " step " +
             (falls ? "%down" : "%one") + " (" + carried + ") {\n";
  }
  void setFirst();
  void nest();
  std::string candidate();
  void choice(const std::string &x);

  std::mt19937 random_;
  unsigned n_;
  Need need_;
  std::string type_, text_;
  unsigned last_ = 0, access_ = 1;
  bool hasSelect_ = false, isGreatest_ = false;
};

} // namespace

/// All cells of b, or those that no iteration stores to.
void ChainText::setFirst() {
  const bool setsAll = draw(2);
  if (!setsAll && need_ != Need::Intervals)
    return;
  loop("%c", "%zero", "lt", setsAll ? "%all" : "%n");
  text_ += "store @b[" + (setsAll ? "%c" : at("%c", "%c")) +
           "], %set access 0\nyield\n} -> %endC : s64\n";
}

std::string ChainText::candidate() {
  const bool isOfRow = need_ != Need::Columns, isOfColumn = need_ != Need::Rows;
  const std::string next = need_ == Need::Intervals ? define("add %k, %one", "s64") : "%k",
                    x = isOfColumn ? load("b", "%i", "%k") : load("w", "%i", "%k"),
                    y = isOfRow ? load("b", next, "%j") : load("w", "%k", "%j");
  // Of what the caller has, -0 may be.
  const std::string sum = define("add " + x + ", " + y, type_);
  return draw(3) ? sum : define("add " + sum + ", %set", type_);
}

/// In all the ways in which it may be written.
void ChainText::choice(const std::string &x) {
  const bool isOrEqual = draw(2), isSwapped = draw(2);
  const bool isLess = isGreatest_ == isSwapped;
  const std::string opcode = std::string(isLess ? "l" : "g") + (isOrEqual ? "e " : "t "),
                    test = define(opcode + (isSwapped ? "%least, " + x : x + ", %least"), "bool");
  hasSelect_ = draw(2);
  if (hasSelect_) {
    text_ += "yield " + define("select " + test + ", " + x + ", %least", type_) + "\n";
    return;
  }
  text_ += "if " + test + " {\nyield " + x + "\n} else {\nyield %least\n} -> %next : " + type_ +
           "\nyield %next\n";
}

void ChainText::nest() {
  const bool falls = need_ == Need::Intervals || need_ == Need::OpenIntervals;
  const std::string least = draw(3) ? "%zero" : "%one";
  falls ? loop("%i", "%last", "ge", least, true) : loop("%i", least, "lt", "%n");
  const std::string afterI = define("add %i, %one", "s64"), beforeI = define("sub %i, %one", "s64");
  if (falls)
    loop("%j", afterI, "lt", "%n");
  else if (need_ == Need::Reversed)
    loop("%j", beforeI, "ge", "%zero", true);
  else
    loop("%j", draw(2) ? "%zero" : "%one", "lt", draw(2) ? "%n" : "%last");
  const std::string afterJ = define("add %j, %one", "s64"),
                    low = need_ == Need::Intervals       ? "%i"
                          : need_ == Need::OpenIntervals ? afterI
                          : need_ == Need::Reversed      ? afterJ
                                                         : "%zero",
                    high = need_ == Need::Reversed || need_ == Need::Rows ? "%i" : "%j";
  loop("%k", low, "lt", high, false, "%least : " + type_ + " = %init");
  choice(candidate());
  text_ += "} -> %endK : s64, %result : " + type_ + "\n";
  std::string value = "%result";
  if (draw(4))
    value = define("add " + value + ", " + load("w", "%i", "%j"), type_);
  if (isFloat() && draw(2)) // never -0
    value = define("add " + value + ", %set", type_);
  text_ += "store @b[" + at("%i", "%j") + "], " + value + " access " + std::to_string(access_++) +
           "\nyield\n} -> %endJ : s64\nyield\n} -> %endI : s64\n";
}

namespace {

/// Zeros of both signs, NaN, infinities, subnormals and others.
std::vector<ArrayData> cellsOfAllKinds(const Function &function, uint64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<ArrayData> arrays(function.arrays.size());
  for (auto [array, cells] : llvm::zip_equal(function.arrays, arrays)) {
    const double kinds[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1e-40, -1e-40};
    for (uint64_t c = 0; c < *array.constantCells() * count; ++c) {
      const double value =
          random() % 3 ? static_cast<double>(random() % 64) - 32 : kinds[random() % 7];
      cells.cells.push_back(isFloat(array.cell) ? makeFloat(array.cell, value).bits
                                                : random() % 1000);
    }
  }
  return arrays;
}

/// The kernel with a comparison of integers changed at equality.
std::optional<Function> changedAt(Function kernel, size_t op) {
  Op &each = kernel.ops[op];
  const bool isLt = each.opcode == Opcode::Lt, isGe = each.opcode == Opcode::Ge;
  if ((!isLt && !isGe) || !isInteger(kernel.value(each.operands[0]).type))
    return std::nullopt;
  each.opcode = isLt ? Opcode::Le : Opcode::Gt;
  return kernel;
}

TEST(Chains, RandomNests) {
  unsigned tiled = 0, refused = 0, floats = 0, selects = 0, greatest = 0, overlapping = 0,
           minima = 0, replaced = 0, ofColumns = 0;
  std::array<unsigned, NumNeeds> needs = {};
  Planted dropped, changed;
  ColumnKernels columns;
  for (unsigned seed = 0; seed < 500 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    const ChainText chain(seed);
    const Module module = parsed(chain.text());
    ASSERT_EQ(verifyError(module), "") << chain.text();
    const Function kernel = kernelOf(module);
    WalkBudget budget;
    const unsigned edge = 2 + random() % 3;
    const std::optional<ChainWavefronts> tiles = chainWavefronts(kernel, edge, budget);
    if (!tiles) {
      ++refused;
      continue;
    }
    ASSERT_EQ(verifyError(module, tiles->kernel), "") << chain.text() << textOf(tiles->kernel);
    const unsigned team = TeamSizes[random() % std::size(TeamSizes)];
    const std::vector<OpId> dealt = dealtBeside(tiles->kernel, tiles->rows);
    const TeamPlan plan =
        planOf(tiles->kernel, tryTeam(tiles->kernel, team, dealt, budget, true, tiles->inPlace),
               random() % 2 == 0);
    ASSERT_EQ(plan.run.refusal, "") << chain.text() << textOf(tiles->kernel);
    const Function teams = teamKernel(plan);
    ASSERT_EQ(verifyError(module, teams), "") << chain.text() << textOf(teams);
    ASSERT_EQ(textOf(parsed(textOf(teams)).functions[0]), textOf(teams));
    const uint64_t count = 1 + random() % 3;
    const std::vector<ArrayData> cells = cellsOfAllKinds(module.functions[0], count, seed);
    ASSERT_EQ(runRows(module, teams, count, seed, cells), "") << "nest " << seed << "\n"
                                                              << chain.text() << textOf(teams);
    ++tiled;
    floats += chain.isFloat();
    selects += chain.hasSelect();
    greatest += chain.isGreatest();
    overlapping += tiles->overlaps;
    replaced += !tiles->inPlace.empty();
    minima += ::count(teams, Opcode::Math) > 0;
    ++needs[static_cast<size_t>(chain.need())];
    if (seed % 8 == 0) {
      ASSERT_EQ(runColumns(module, plan, count, seed, columns, true), "") << chain.text();
      ++ofColumns;
      dropBarriers(module, plan, count, seed, dropped);
      for (size_t op = 0; op < teams.ops.size(); ++op)
        if (const std::optional<Function> other = changedAt(teams, op)) {
          ++changed.number;
          changed.found += !runRows(module, *other, count, seed, cells).empty();
        }
    }
  }
  for (const auto &[what, number] : {std::pair("tiled", tiled),
                                     {"refused", refused},
                                     {"of floats", floats},
                                     {"with fmin or fmax", minima},
                                     {"with selects", selects},
                                     {"of greatest values", greatest},
                                     {"with tiles that overlap", overlapping},
                                     {"with operands where results will be", replaced},
                                     {"of intervals", needs[0]},
                                     {"of open intervals", needs[1]},
                                     {"with columns that fall", needs[2]},
                                     {"of rows", needs[3]},
                                     {"of columns", needs[4]},
                                     {"kernels for columns", ofColumns},
                                     {"dropped barriers", dropped.number},
                                     {"changed comparisons", changed.number}}) {
    EXPECT_GT(number, 0u) << what;
    std::cout << what << ": " << number << "\n";
  }
  EXPECT_GT(dropped.found, dropped.number / 2);
  EXPECT_GT(changed.found, changed.number / 10); // bounds that another one keeps, too, are some
  std::cout << "dropped and found: " << dropped.found << "\nchanged and found: " << changed.found
            << "\n";
}

/// Least sums of two intervals; a text in it is exchanged.
bool isTiled(const std::string &what = "", const std::string &by = "") {
  std::string text = R"(func "f" canonical mangled "f" {
array @w : f32[100] parameter instance const reads of w
array @b : f32[100] parameter instance reads writes of b
body() {
  %zero = const 0 : s64
  %one = const 1 : s64
  %down = const -1 : s64
  %n = const 10 : s64
  %last = const 9 : s64
  %set = const 0.0 : f32
  %init = const inf : f32
  for %c : s64 = %zero lt %n step %one () {
    %v0 = mul %c, %n : s64
    %v1 = add %v0, %c : s64
    store @b[%v1], %set access 0
    yield
  } -> %endC : s64
  for %i : s64 = %last ge %zero step %down () {
    %v2 = add %i, %one : s64
    for %j : s64 = %v2 lt %n step %one () {
      for %k : s64 = %i lt %j step %one (%least : f32 = %init) {
        %v3 = mul %i, %n : s64
        %v4 = add %v3, %k : s64
        %x = load @b[%v4] access 1 : f32
        %v5 = add %k, %one : s64
        %v6 = mul %v5, %n : s64
        %v7 = add %v6, %j : s64
        %y = load @b[%v7] access 2 : f32
        %sum = add %x, %y : f32
        %isLess = lt %sum, %least : bool
        %next = select %isLess, %sum, %least : f32
        yield %next
      } -> %endK : s64, %result : f32
      %v8 = mul %i, %n : s64
      %v9 = add %v8, %j : s64
      %v = load @w[%v9] access 3 : f32
      %value = add %result, %v : f32
      store @b[%v9], %value access 4
      yield
    } -> %endJ : s64
    yield
  } -> %endI : s64
  return
}
}
)";
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
  const Module module = parsed(text);
  EXPECT_EQ(verifyError(module), "") << text;
  WalkBudget budget;
  return chainWavefronts(kernelOf(module), 2, budget).has_value();
}

TEST(Chains, OrderMatters) {
  EXPECT_TRUE(isTiled());
  EXPECT_TRUE(isTiled("lt %sum, %least", "le %sum, %least"));
  EXPECT_TRUE(isTiled("lt %sum, %least", "gt %least, %sum"));
  EXPECT_TRUE(isTiled("lt %sum, %least", "gt %sum, %least")) << "the greatest";
  EXPECT_TRUE(isTiled("%sum = add %x, %y", "%sum = sub %x, %y"));
  EXPECT_FALSE(isTiled("%sum = add %x, %y", "%sum = mul %x, %y")) << "it may be -0";
  EXPECT_FALSE(isTiled("%set = const 0.0", "%set = const -0.0")) << "so may a sum be";
  EXPECT_FALSE(isTiled("%value = add %result, %v", "%value = sub %v, %result"));
  EXPECT_FALSE(isTiled("%value = add %result, %v", "%value = mul %result, %v"));
  EXPECT_FALSE(isTiled("store @b[%v1], %set access 0", "")) << "the caller's cells may be -0";
  EXPECT_FALSE(isTiled("%init = const inf", "%init = const nan")) << "it stays";
  EXPECT_FALSE(isTiled("%init = const inf", "%init = const -0.0"));
  EXPECT_FALSE(isTiled("select %isLess, %sum, %least", "select %isLess, %least, %sum"))
      << "a NaN is taken";
  EXPECT_FALSE(isTiled("lt %sum, %least", "ne %sum, %least"));
}

/// Which cells iterations need.
TEST(Chains, OtherCells) {
  EXPECT_FALSE(isTiled("mul %v5, %n", "mul %j, %n")) << "not of a row k + c";
  EXPECT_FALSE(isTiled("%v4 = add %v3, %k", "%v4 = add %v3, %i")) << "always the same";
  EXPECT_FALSE(isTiled("store @b[%v9], %value", "store @b[%v8], %value")) << "not its own";
}

} // namespace
