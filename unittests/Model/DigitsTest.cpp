//===- DigitsTest.cpp - Iterations counted by their binary digits ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers and conditions are what all values of their variables give; nests with conditions on
// several counters have the walk's profile, and take few operations whatever their size.
//
//===----------------------------------------------------------------------===//

#include "Model/Digits.h"
#include "IRText.h"
#include "Model/ClosedLoops.h"
#include "Model/OperationCounts.h"
#include "Model/Stages.h"
#include "RandomBoxes.h"
#include "RandomNest.h"

#include <functional>

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// Random numbers and conditions of three variables, and what they are in C++.
class RandomDigits {
public:
  using Values = std::array<int64_t, 3>;
  using Number = std::function<int64_t(const Values &)>;
  using Truth = std::function<bool(const Values &)>;

  explicit RandomDigits(unsigned seed) : random_(seed) {
    for (unsigned v = 0; v < 3; ++v) {
      last_[v] = draw(24);
      const DigitNumberId id = system.variable(last_[v], 1u << v);
      // A variable may have more values than it says, until it is bounded.
      bounds.push_back(
          system.isNot(system.isNegative(*system.sum(system.constant(last_[v]), 1, id, -1))));
      system.narrow(id, {0, last_[v]});
      variables[v] = id;
      numbers_.push_back({id, [v](const Values &of) { return of[v]; }});
    }
    for (int more = 0; more < 8; ++more)
      addNumber();
    for (int more = 0; more < 6; ++more) {
      addTruth();
      addNumber();
    }
  }

  std::pair<DigitTruthId, Truth> truth() { return truths_[draw(unsigned(truths_.size()))]; }
  std::pair<DigitNumberId, Number> number() { return numbers_[draw(unsigned(numbers_.size()))]; }
  void forEach(const std::function<void(const Values &)> &visit) const {
    for (int64_t a = 0; a <= last_[0]; ++a)
      for (int64_t b = 0; b <= last_[1]; ++b)
        for (int64_t c = 0; c <= last_[2]; ++c)
          visit({a, b, c});
  }
  unsigned draw(unsigned values) { return random_() % values; }

  DigitSystem system;
  std::array<DigitNumberId, 3> variables;
  std::vector<DigitTruthId> bounds;

private:
  void addNumber() {
    const auto [a, of] = number();
    const auto [b, other] = number();
    const int64_t by = 1 + draw(9), factor = int64_t(draw(7)) - 3;
    const Number x = of, y = other;
    std::optional<DigitNumberId> made;
    Number is;
    switch (draw(8)) {
    case 0:
      made = system.sum(a, factor, b, by - 4);
      is = [=](const Values &v) { return factor * x(v) + (by - 4) * y(v); };
      break;
    case 1:
      made = system.masked(DigitNumber::Kind::And, a, b);
      is = [=](const Values &v) { return x(v) & y(v); };
      break;
    case 2:
      made = system.masked(DigitNumber::Kind::Or, a, b);
      is = [=](const Values &v) { return x(v) | y(v); };
      break;
    case 3:
      made = system.masked(DigitNumber::Kind::Xor, a, b);
      is = [=](const Values &v) { return x(v) ^ y(v); };
      break;
    case 4:
      made = system.low(a, unsigned(by) / 2);
      is = [=](const Values &v) { return x(v) & ((int64_t(1) << by / 2) - 1); };
      break;
    case 5:
      made = system.quotient(a, by);
      is = [=](const Values &v) { return x(v) / by; };
      break;
    case 6:
      made = system.remainder(a, by);
      is = [=](const Values &v) { return x(v) % by; };
      break;
    default: {
      if (truths_.empty())
        return;
      const auto [t, condition] = truth();
      const Truth holds = condition;
      made = system.choice(t, a, b);
      is = [=](const Values &v) { return holds(v) ? x(v) : y(v); };
    }
    }
    if (made)
      numbers_.push_back({*made, is});
  }

  void addTruth() {
    const auto [a, of] = number();
    const Number x = of;
    const unsigned kind = truths_.empty() ? draw(2) : draw(5);
    if (kind == 0)
      return truths_.push_back({system.isNegative(a), [=](const Values &v) { return x(v) < 0; }});
    if (kind == 1)
      return truths_.push_back({system.isZero(a), [=](const Values &v) { return x(v) == 0; }});
    const auto [s, first] = truth();
    const auto [t, second] = truth();
    const Truth p = first, q = second;
    if (kind == 2)
      truths_.push_back({system.both(s, t), [=](const Values &v) { return p(v) && q(v); }});
    else if (kind == 3)
      truths_.push_back({system.either(s, t), [=](const Values &v) { return p(v) || q(v); }});
    else
      truths_.push_back(
          {system.same(s, system.isNot(t)), [=](const Values &v) { return p(v) != q(v); }});
  }

  std::mt19937 random_;
  std::array<int64_t, 3> last_;
  std::vector<std::pair<DigitNumberId, Number>> numbers_;
  std::vector<std::pair<DigitTruthId, Truth>> truths_;
};

TEST(Digits, CountWhatAllValuesGive) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomDigits random(seed);
    const auto [truth, holds] = random.truth();
    const auto [cell, is] = random.number();
    const uint64_t period = 1 + random.draw(40);
    const DigitNumber &of = random.system.number(cell);
    llvm::SmallVector<DigitNumber::Term, 4> terms = {{cell, 1}};
    if (of.kind == DigitNumber::Kind::Sum)
      terms = of.terms;
    std::vector<DigitNumberId> outputs;
    for (auto [output, factor] : terms)
      outputs.push_back(output);
    for (DigitNumberId variable : random.variables) // all count, whatever is asked for
      if (!llvm::is_contained(outputs, variable))
        outputs.push_back(variable);
    std::vector<DigitTruthId> required = random.bounds;
    required.push_back(truth);
    uint64_t budget = 2'000'000;
    const auto counts = DigitCounts::of(random.system, required, outputs, budget);
    if (!counts)
      continue;
    ++found;
    std::vector<uint64_t> expected(period);
    random.forEach([&, &holds = holds, &is = is](const RandomDigits::Values &values) {
      expected[size_t(floorRemainder(is(values), int64_t(period)))] += holds(values);
    });
    ASSERT_EQ(counts->residues(of.kind == DigitNumber::Kind::Sum ? of.base : 0, terms, period),
              expected)
        << "seed " << seed;
  }
  EXPECT_GT(found, 1000u);
}

/// Every nest is tried by digits first.
TEST(Digits, OfNestsAreWhatTheWalkFinds) {
  WalkLimits limits;
  limits.boxes = 0;
  unsigned found = 0;
  for (unsigned seed = 1000; seed < 1500; ++seed) {
    const RandomBoxes nest(seed);
    const ir::Module module = ir::parsed(nest.certificate());
    const ir::Module kernel = ir::parsed(nest.hasKernel() ? nest.kernel() : nest.certificate());
    const uint64_t period = seed % 3 ? 32 : 12;
    for (int64_t n = 0; n <= 12; n += 1 + n / 3) {
      std::vector<ir::ArrayData> arrays(2);
      auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), period);
      if (!walked) { // something wraps, or is beyond the array
        llvm::consumeError(walked.takeError());
        continue;
      }
      const std::string where =
          "n = " + std::to_string(n) + ", seed " + std::to_string(seed) + "\n" + nest.certificate();
      auto summary = summarize(module.functions[0], arrays, scalarsOf(n), period, limits);
      if (!summary) // left to the walk
        continue;
      ++found;
      for (size_t s = 0; s < walked->sites.size(); ++s)
        ASSERT_EQ(summary->sites[s].counts, walked->sites[s].counts) << where;
      if (!nest.hasKernel())
        continue;
      auto regions = executionsOf(kernel.functions[0], arrays, scalarsOf(n), limits);
      ASSERT_TRUE(bool(regions)) << where;
      const ir::Function &f = kernel.functions[0];
      for (size_t r = 0; r < f.regions.size(); ++r)
        for (OpId op : f.regions[r].ops)
          for (const Site &site : walked->sites) {
            if (f.op(op).opcode == ir::Opcode::Load && f.op(op).accessId == site.accessId) {
              ASSERT_EQ((*regions)[r], (Executions{site.total(), 0})) << where;
            }
          }
    }
  }
  EXPECT_GT(found, 1000u);
}

/// `for i < n  for j < n  if (CONDITION) b[3*i + j]`, of %i and %j; the condition is %9.
std::string maskedNest(const std::string &condition) {
  return "func \"f\" canonical mangled \"f\" {\n  array @b : f32[4*n] parameter instance reads of b"
         "\n  body(%n#0 : s64) scalar %n#0 n {\n%zero = const 0 : s64\n%one = const 1 : s64\n"
         "for %i : s64 = %zero lt %n#0 step %one () {\nfor %j : s64 = %zero lt %n#0 step %one () "
         "{\n" +
         condition +
         "if %9 {\n%three = const 3 : s64\n%10 = mul %i, %three : s64\n%11 = add %10, %j : s64\n"
         "%12 = load @b[%11] access 0 : f32\nyield\n} else {\nyield\n}\n"
         "yield\n} -> %21 : s64\nyield\n} -> %20 : s64\nreturn\n}\n}\n";
}

struct MaskedCondition {
  const char *text;
  bool (*holds)(int64_t i, int64_t j);
};

const MaskedCondition MaskedConditions[] = {
    {"%1 = and %i, %j : s64\n%9 = eq %1, %zero : bool\n",
     [](int64_t i, int64_t j) { return (i & j) == 0; }},
    {"%1 = const 7 : s64\n%2 = mul %i, %1 : s64\n%3 = xor %2, %j : s64\n%9 = lt %3, %n#0 : bool\n",
     [](int64_t i, int64_t j) { return (j ^ i * 7) < 1000; }},
    {"%1 = const 5 : s64\n%2 = add %i, %j : s64\n%3 = rem %2, %1 : s64\n%4 = const 3 : s64\n"
     "%5 = div %j, %4 : s64\n%6 = or %i, %j : s64\n%7 = lt %3, %5 : bool\n%8 = gt %6, %5 : bool\n"
     "%9 = and %7, %8 : bool\n",
     [](int64_t i, int64_t j) { return (i + j) % 5 < j / 3 && (i | j) > j / 3; }},
    {"%1 = shr %i, %one : s64\n%2 = xor %i, %1 : s64\n%9 = gt %2, %j : bool\n",
     [](int64_t i, int64_t j) { return (i ^ i >> 1) > j; }},
};

TEST(Digits, TakeFewOperations) {
  constexpr int64_t N = 1000;
  for (const MaskedCondition &condition : MaskedConditions) {
    const ir::Module module = ir::parsed(maskedNest(condition.text));
    WalkLimits few;
    few.operations = 100'000;
    auto summary =
        summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(N), 32, few);
    ASSERT_TRUE(summary) << condition.text;
    std::vector<uint64_t> expected(32);
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < N; ++j)
        expected[static_cast<size_t>((i * 3 + j) % 32)] += condition.holds(i, j);
    EXPECT_EQ(summary->sites[0].counts, expected) << condition.text;
  }
}

/// With i and j below 2^30, three of four pairs of digits leave i & j without one.
TEST(Digits, MayBeMany) {
  const ir::Module module = ir::parsed(maskedNest(MaskedConditions[0].text));
  auto summary =
      summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(int64_t(1) << 30), 1);
  ASSERT_TRUE(summary);
  uint64_t pairs = 1;
  for (int digit = 0; digit < 30; ++digit)
    pairs *= 3;
  EXPECT_EQ(summary->sites[0].counts, std::vector<uint64_t>{pairs});
}

} // namespace
