//===- PassesTest.cpp - Passes over cells that stay in registers ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random sequences of passes, fused with so many bits and shared by teams, give what the canonical
// function gives. What are no passes is refused, and where a barrier is dropped, the interpreter
// finds it.
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

#include "Transform/Teams/CounterBits.h"
#include "Transform/Teams/FusePasses.h"
#include "Transform/Teams/TeamLoops.h"
#include "Transform/Teams/TeamPlan.h"

#include "llvm/ADT/bit.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

enum class PassKind : uint8_t {
  Partners, // i and i ^ d, by the lower one
  Halves,   // start + k and start + k + h, by u
  Single,   // i
  Turned,   // n - 1 - i
  Four,     // the lowest of four, which differ in two bits
  Reversed, // the bits of i in reverse
  Sorted,   // i and i ^ d change places, in the direction that a bit of i says, the same in all
  Nested,   // k and k + d, for all k of s, s + d, for all s
  Written,  // i, whatever it holds
  Some,     // i, if a bit of it is 0
  Next      // i and i + 1: no pass
};
constexpr unsigned NumPassKinds = 10;

/// A function of passes over @a and @b, of 2^bits cells each. @w is a table of all instances, @c is
/// only loaded from.
class Network {
public:
  explicit Network(unsigned seed, unsigned bits)
      : random_(seed), bits_(bits), direction_(draw(bits + 2)) {
    const std::string cells = std::to_string(1u << bits);
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    for (const char *array : {"a", "b"})
      text_ += "array @" + std::string(array) + " : u32[" + cells +
               "] parameter instance reads writes of " + array + "\n";
    text_ += "array @c : u32[" + cells + "] parameter instance reads of c\n" + "array @w : u32[" +
             cells + "] parameter uniform reads of w\n" +
             "body() {\n%one = const 1 : s64\n%zero = const 0 : s64\n%two = const 2 : s64\n%n = "
             "const " +
             cells + " : s64\n%half = const " + std::to_string(1u << (bits - 1)) + " : s64\n";
  }

  /// Passes one after the other.
  void straight(unsigned passes) {
    for (; passes > 0; --passes)
      pass(static_cast<PassKind>(draw(NumPassKinds)), number(1u << draw(bits_)), draw(bits_));
  }
  /// for (d = 1; d < n; d *= 2) or (d = n / 2; d > 0; d /= 2)
  void rounds(PassKind kind) {
    const std::string d = fresh(), e = fresh(), f = fresh();
    const bool rises = draw(2);
    text_ += "loop (" + d + " : s64 = " + (rises ? "%one" : "%half") + ") {\n";
    const std::string goesOn = define(rises ? "lt " + d + ", %n" : "gt " + d + ", %zero", "bool");
    text_ += "test " + goesOn + ", " + d + "\n} do (" + e + " : s64) {\n";
    pass(kind, e, draw(bits_));
    const std::string next = define((rises ? "mul " : "div ") + e + ", %two");
    const std::string on = define("const true", "bool");
    text_ += "yield " + on + ", " + next + "\n} -> " + f + " : s64\n";
  }
  void pass(PassKind kind, const std::string &d, unsigned bit) {
    kinds_[static_cast<size_t>(kind)] += 1;
    if (kind == PassKind::Nested)
      return nest(d);
    const std::string i = fresh(), end = fresh();
    text_ += "for " + i + " : s64 = %zero lt " + (kind == PassKind::Halves ? "%half" : "%n") +
             " step %one () {\n";
    switch (kind) {
    case PassKind::Partners: {
      const std::string partner = define("xor " + i + ", " + d);
      onlyIf(define("lt " + i + ", " + partner, "bool"), [&] { combine({i, partner}, i); });
      break;
    }
    case PassKind::Sorted: {
      const std::string partner = define("xor " + i + ", " + d);
      onlyIf(define("lt " + i + ", " + partner, "bool"),
             [&] { swap({i, partner}, i, direction_); });
      break;
    }
    case PassKind::Halves: {
      const std::string start =
          define("mul " + define("mul " + define("div " + i + ", " + d) + ", " + d) + ", %two");
      const std::string a = define("add " + start + ", " + define("rem " + i + ", " + d));
      combine({a, define("add " + a + ", " + d)}, i);
      break;
    }
    case PassKind::Single:
      combine({i}, i);
      break;
    case PassKind::Turned:
      combine({define("xor " + i + ", " + number((1u << bits_) - 1))}, i);
      break;
    case PassKind::Four: {
      const std::string other = number(1u << bit), both = define("or " + d + ", " + other);
      const std::string isLowest =
          define("eq " + define("and " + i + ", " + both) + ", %zero", "bool");
      onlyIf(isLowest, [&] {
        combine({i, define("xor " + i + ", " + d), define("xor " + i + ", " + other),
                 define("xor " + i + ", " + both)},
                i);
      });
      break;
    }
    case PassKind::Reversed: {
      std::string reversed = "%zero";
      for (unsigned b = 0; b < bits_; ++b) {
        const std::string own = define("and " + define("shr " + i + ", " + number(b)) + ", %one");
        reversed =
            define("or " + reversed + ", " + define("shl " + own + ", " + number(bits_ - 1 - b)));
      }
      combine({reversed}, i);
      break;
    }
    case PassKind::Nested:
      break;
    case PassKind::Some: {
      const std::string own = define("and " + i + ", " + number(1u << bit));
      onlyIf(define("eq " + own + ", %zero", "bool"), [&] {
        const std::string x = load("a", i);
        store("a", i, define("add " + x + ", " + x, "u32"));
      });
      break;
    }
    case PassKind::Written: {
      const std::string value = load("c", i);
      store("a", i, value);
      store("b", i, value);
      break;
    }
    case PassKind::Next: {
      const std::string next = define("rem " + define("add " + i + ", %one") + ", %n");
      combine({i, next}, i);
      break;
    }
    }
    text_ += "yield\n} -> " + end + " : s64\n";
  }
  void raw(const std::string &text) { text_ += text; }
  std::string number(uint64_t n) { return define("const " + std::to_string(n)); }

  std::string text() const { return text_ + "return\n}\n}\n"; }
  unsigned of(PassKind kind) const { return kinds_[static_cast<size_t>(kind)]; }
  bool hasBranch() const { return hasBranch_; }
  bool hasDirection() const { return hasDirection_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string fresh() { return "%v" + std::to_string(last_++); }
  std::string define(const std::string &operation, const char *type = "s64") {
    const std::string name = fresh();
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string load(const char *array, const std::string &cell) {
    return define("load @" + std::string(array) + "[" + cell + "] access " +
                      std::to_string(access_++),
                  "u32");
  }
  void store(const char *array, const std::string &cell, const std::string &value) {
    text_ += "store @" + std::string(array) + "[" + cell + "], " + value + " access " +
             std::to_string(access_++) + "\n";
  }
  void onlyIf(const std::string &condition, llvm::function_ref<void()> body) {
    text_ += "if " + condition + " {\n";
    body();
    text_ += "yield\n} else {\nyield\n}\n";
  }
  void nest(const std::string &d) {
    const std::string start = fresh(), k = fresh(), endStart = fresh(), endK = fresh();
    const std::string step = define("mul " + d + ", %two");
    text_ += "for " + start + " : s64 = %zero lt %n step " + step + " () {\n";
    const std::string end = define("add " + start + ", " + d);
    text_ += "for " + k + " : s64 = " + start + " lt " + end + " step %one () {\n";
    combine({k, define("add " + k + ", " + d)}, draw(2) ? k : start);
    text_ += "yield\n} -> " + endK + " : s64\nyield\n} -> " + endStart + " : s64\n";
  }
  /// The first two cells change places where one is less; which, bits of i say.
  void swap(const std::vector<std::string> &cells, const std::string &i, unsigned bit) {
    hasDirection_ = hasBranch_ = true;
    const std::string direction =
        define("eq " + define("and " + i + ", " + number(1u << bit)) + ", %zero", "bool");
    const std::string isLess = fresh();
    text_ += "if " + direction + " {\n";
    std::string less = define("lt " + load("a", cells[0]) + ", " + load("a", cells[1]), "bool");
    text_ += "yield " + less + "\n} else {\n";
    less = define("lt " + load("a", cells[1]) + ", " + load("a", cells[0]), "bool");
    text_ += "yield " + less + "\n} -> " + isLess + " : bool\n";
    onlyIf(isLess, [&] {
      const std::string x = load("a", cells[0]), y = load("a", cells[1]);
      store("a", cells[0], y);
      store("a", cells[1], x);
    });
  }
  void combine(const std::vector<std::string> &cells, const std::string &i) {
    const char *const arrays[] = {"a", "b"};
    if (cells.size() == 2 && draw(3) == 0)
      swap(cells, i, draw(bits_));
    std::vector<std::string> loaded;
    for (const std::string &cell : cells)
      loaded.push_back(load(arrays[draw(2)], cell));
    loaded.push_back(load("w", draw(2) ? i : cells[0]));
    loaded.push_back(load("c", draw(2) ? i : cells[0]));
    const auto any = [&] { return loaded[draw(static_cast<unsigned>(loaded.size()))]; };
    for (const std::string &cell : cells)
      for (const char *array : arrays) { // both, so that passes are of the same arrays
        const std::string value = define("add " + any() + ", " + any(), "u32");
        if (draw(4) != 0) {
          store(array, cell, value);
          continue;
        }
        hasBranch_ = true;
        onlyIf(define("lt " + any() + ", " + any(), "bool"), [&] { store(array, cell, value); });
      }
  }

  std::mt19937 random_;
  unsigned bits_, direction_;
  std::string text_;
  unsigned last_ = 0, access_ = 0;
  std::array<unsigned, NumPassKinds + 1> kinds_ = {};
  bool hasBranch_ = false, hasDirection_ = false;
};

TeamPlan teamOf(const Function &fused, unsigned team, bool isSkewed) {
  WalkBudget budget;
  const TeamShape shape = outermostShape(fused, budget);
  if (shape.dealable.empty()) {
    TeamPlan none;
    none.run.refusal = shape.reason;
    return none;
  }
  return planOf(fused, tryTeam(fused, team, shape.dealable.front(), budget), isSkewed);
}

TEST(Passes, RandomNetworks) {
  unsigned kept = 0, refused = 0, longGroups = 0, branches = 0, directions = 0, skewed = 0,
           several = 0, mirrored = 0;
  std::array<unsigned, NumPassKinds> kinds = {};
  Planted dropped;
  for (unsigned seed = 0; seed < 600 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    const unsigned bits = 5 + random() % 3, own = 1 + random() % 3;
    Network network(seed, bits);
    if (random() % 2)
      network.straight(1 + random() % 3);
    constexpr PassKind InRounds[] = {PassKind::Partners, PassKind::Halves, PassKind::Sorted,
                                     PassKind::Nested};
    if (random() % 3)
      network.rounds(InRounds[random() % std::size(InRounds)]);
    if (random() % 2)
      network.pass(PassKind::Some, network.number(1), random() % bits);
    network.straight(random() % 4);
    const std::string text = network.text();
    const Module module = parsed(text);
    ASSERT_EQ(verifyError(module), "") << text;
    const Function kernel = kernelOf(module);
    WalkBudget budget;
    const std::optional<FusedPasses> fused = fusePasses(kernel, own, budget);
    if (!fused) {
      ++refused;
      continue;
    }
    ASSERT_EQ(verifyError(module, fused->kernel), "") << text << textOf(fused->kernel);
    const unsigned team = TeamSizes[random() % std::size(TeamSizes)];
    const bool isSkewed = random() % 2 == 0;
    const TeamPlan plan = teamOf(fused->kernel, team, isSkewed);
    ASSERT_EQ(plan.run.refusal, "") << text << textOf(fused->kernel);
    const Function teams = teamKernel(plan);
    ASSERT_EQ(verifyError(module, teams), "") << text << textOf(teams);
    ASSERT_EQ(textOf(parsed(textOf(teams)).functions[0]), textOf(teams));
    const uint64_t count = 1 + random() % 3;
    ASSERT_EQ(runRows(module, teams, count, seed), "") << "network " << seed << "\n"
                                                       << text << textOf(teams);
    ++kept;
    several += fused->groups > 1;
    mirrored += fused->mirrored > 0;
    longGroups += fused->passes > 2 * fused->groups;
    branches += network.hasBranch();
    directions += network.hasDirection();
    skewed += isSkewed;
    for (unsigned kind = 0; kind < NumPassKinds; ++kind)
      kinds[kind] += network.of(static_cast<PassKind>(kind)) > 0;
    if (seed % 4 == 0)
      dropBarriers(module, plan, count, seed, dropped);
  }
  for (const auto &[what, number] : {std::pair("fused", kept),
                                     {"refused", refused},
                                     {"of several groups", several},
                                     {"with more than two passes a group", longGroups},
                                     {"with branches", branches},
                                     {"with directions", directions},
                                     {"skewed", skewed},
                                     {"with partners", kinds[0]},
                                     {"with halves", kinds[1]},
                                     {"with single cells", kinds[2]},
                                     {"turned", kinds[3]},
                                     {"with four cells", kinds[4]},
                                     {"with bits reversed", kinds[5]},
                                     {"sorted", kinds[6]},
                                     {"nested", kinds[7]},
                                     {"written", kinds[8]},
                                     {"of some cells", kinds[9]},
                                     {"mirrored", mirrored},
                                     {"dropped barriers", dropped.number}}) {
    EXPECT_GT(number, 0u) << what;
    std::cout << what << ": " << number << "\n";
  }
  EXPECT_GT(dropped.found, dropped.number / 2);
  std::cout << "dropped and found: " << dropped.found << "\n";
}

//===----------------------------------------------------------------------===//
// One of each
//===----------------------------------------------------------------------===//

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
