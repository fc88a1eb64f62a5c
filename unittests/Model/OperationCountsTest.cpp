//===- OperationCountsTest.cpp - How often kernels run their operations ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KModel.h"

#include "IRText.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

const std::string Head = R"(func "f" kernel threads 256 mangled "f" {
  array @b : f32[n] parameter instance reads writes of b in memory
  array @u : s64[3] parameter uniform const reads of u in uniform
  array @table : s64[3] table uniform const reads in constant = {2, 0, 5}
)";
const std::string Begin = R"(  body(%n#0 : s64) scalar %n#0 n {
    %zero#1 = const 0 : s64
    %one#2 = const 1 : s64
    %three#3 = const 3 : s64
    %none#4 = const 0.0 : f32
    %false#5 = const false : bool
)";
const std::string End = "    return\n  }\n}\n";

struct Counted {
  ir::Module module;
  RegionExecutions regions;
  std::string error;
  InstructionCounts counts;

  /// `few`: operations that may be looked at.
  Counted(const std::string &body, int64_t n, uint64_t few = 1'000'000,
          const std::string &parts = {})
      : module(ir::parsed(Head + parts + Begin + body + End)) {
    std::vector<ir::ArrayData> arrays(3);
    WalkLimits limits;
    limits.operations = few;
    auto result =
        executionsOf(module.functions[0], arrays, {ir::makeInt(ir::ScalarType::S64, n)}, limits);
    if (!result) {
      error = llvm::toString(result.takeError());
      return;
    }
    regions = std::move(*result);
    counts = instructionCounts(module.functions[0], regions);
  }
};

/// An accumulator that differs between lanes keeps no loop open; nor does its number of iterations
/// take time. An iteration: a sum, a test, a step.
TEST(OperationCounts, ClosedLoopsCarryData) {
  const Counted sum(R"(
    for %i#6 : s64 = %zero#1 lt %n#0 step %one#2 (%s#7 : varying f32 = %none#4) {
      %x#8 = load @b[%i#6] access 0 : varying f32
      %t#9 = add %s#7, %x#8 : varying f32
      yield %t#9
    } -> %last#10 : s64, %r#11 : varying f32
)",
                    3'000'000'000, 20);
  EXPECT_EQ(sum.error, "");
  EXPECT_EQ(sum.counts.plain, (Executions{9'000'000'000, 0}));
  EXPECT_EQ(sum.counts.external, (Executions{3'000'000'000, 0}));
  EXPECT_EQ(sum.counts.branches, (Executions{0, 0}));
}

/// Nor does a number that is the same in all lanes, but decides nothing.
TEST(OperationCounts, ClosedLoopsCarryWhatDecidesNothing) {
  const Counted numbered(R"(
    for %i#6 : s64 = %zero#1 lt %n#0 step %one#2 (%c#7 : s64 = %zero#1) {
      %x#8 = cast %c#7 : f32
      store @b[%i#6], %x#8 access 0
      %t#9 = add %c#7, %i#6 : s64
      yield %t#9
    } -> %last#10 : s64, %r#11 : s64
)",
                         3'000'000'000, 20);
  EXPECT_EQ(numbered.error, "");
  EXPECT_EQ(numbered.counts.external, (Executions{3'000'000'000, 0}));
}

/// A condition on three counters, and one on data in it: few operations are looked at.
TEST(OperationCounts, ConditionsOnSeveralCountersAndData) {
  constexpr int64_t N = 60;
  const Counted nest(R"(
    for %i#6 : s64 = %zero#1 lt %n#0 step %one#2 () {
      for %j#7 : s64 = %zero#1 lt %n#0 step %one#2 (%m#8 : varying f32 = %none#4) {
        for %k#9 : s64 = %zero#1 lt %n#0 step %one#2 (%s#10 : varying f32 = %m#8) {
          %c#11 = gt %k#9, %j#7 : bool
          %d#12 = lt %k#9, %i#6 : bool
          %e#13 = or %c#11, %d#12 : bool
          if %e#13 {
            %x#14 = load @b[%k#9] access 0 : varying f32
            %f#15 = gt %x#14, %s#10 : varying bool
            if %f#15 {
              %y#16 = add %x#14, %x#14 : varying f32
              yield %y#16
            } else {
              yield %s#10
            } -> %g#17 : varying f32
            yield %g#17
          } else {
            yield %s#10
          } -> %h#18 : varying f32
          yield %h#18
        } -> %k#19 : s64, %r#20 : varying f32
        yield %r#20
      } -> %j#21 : s64, %r#22 : varying f32
      yield
    } -> %i#23 : s64
)",
                     N, 10'000);
  ASSERT_EQ(nest.error, "");
  uint64_t taken = 0;
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < N; ++j)
      for (int64_t k = 0; k < N; ++k)
        taken += k > j || k < i;
  EXPECT_EQ(nest.counts.external, (Executions{taken, 0}));
  const ir::Function &f = nest.module.functions[0];
  for (size_t r = 0; r < f.regions.size(); ++r)
    for (OpId id : f.regions[r].ops) {
      if (f.op(id).opcode == ir::Opcode::Add)
        EXPECT_EQ(nest.regions[r], (Executions{taken, taken}));
    }
}

/// One or the other: both arms are counted, as what data decides.
TEST(OperationCounts, BranchesOnData) {
  const Counted branch(R"(
    %x#6 = load @b[%zero#1] access 0 : varying f32
    %c#7 = lt %x#6, %none#4 : varying bool
    if %c#7 {
      %a#8 = add %x#6, %x#6 : varying f32
      %b#9 = mul %a#8, %x#6 : varying f32
      yield %b#9
    } else {
      %d#10 = neg %x#6 : varying f32
      yield %d#10
    } -> %y#11 : varying f32
    if %c#7 {
      yield %x#6
    } else {
      yield %y#11
    } -> %z#12 : varying f32
)",
                       7);
  EXPECT_EQ(branch.error, "");
  EXPECT_EQ(branch.counts.plain, (Executions{6, 3})); // lt, two ifs; add, mul, neg
  EXPECT_EQ(branch.counts.branches, (Executions{1, 0})) << "the second one is a choice";
  EXPECT_EQ(branch.counts.spared, 1u) << "neg, in lanes that add and mul";
  auto cost = kCost({8, false}, branch.counts, 16, false);
  ASSERT_TRUE(bool(cost));
  EXPECT_EQ(cost->latency, 2u * 6);
  EXPECT_EQ(cost->length, 16u * 5);
}

/// Lanes leave at different iterations, none before the first: all of them, if nobody does.
TEST(OperationCounts, LoopsThatDataEnds) {
  const Counted search(R"(
    for %i#6 : s64 = %zero#1 lt %n#0 step %one#2 continue (%s#7 : varying bool = %false#5) {
      %x#8 = load @b[%i#6] access 0 : varying f32
      %t#9 = ne %x#8, %none#4 : varying bool
      yield %t#9, %t#9
    } -> %last#10 : varying s64, %r#11 : varying bool
)",
                       100, 20);
  EXPECT_EQ(search.error, "");
  EXPECT_EQ(search.counts.plain, (Executions{400, 396})); // ne, test, step, flag
  EXPECT_EQ(search.counts.branches, (Executions{100, 99}));
}

/// What a table holds is known; so is how often the inner loop runs: 2 + 0 + 5.
TEST(OperationCounts, TablesDecide) {
  const std::string nest = R"(
    for %i#6 : s64 = %zero#1 lt %three#3 step %one#2 () {
      %k#7 = load @ARRAY[%i#6] access 0 : s64
      for %j#8 : s64 = %zero#1 lt %k#7 step %one#2 () {
        %x#9 = load @b[%j#8] access 1 : varying f32
        yield
      } -> %l#10 : s64
      yield
    } -> %m#11 : s64
)";
  auto of = [&](const char *array) {
    std::string text = nest;
    return Counted(text.replace(text.find("ARRAY"), 5, array), 9);
  };
  const Counted table = of("table");
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.counts.external, (Executions{7, 0}));
  EXPECT_EQ(table.counts.shared, (Executions{3, 0}));
  EXPECT_EQ(of("u").error,
            "the operations of 'f' cannot be counted at these sizes: loops that cannot be closed "
            "take too long, or a bound is not known. Give 'u' by -i")
      << "its contents are not given";
}

/// Walked iterations are allowed by themselves; one more, and the loop is bounded.
TEST(OperationCounts, WalkedIterations) {
  const ir::Module module = ir::parsed(Head + Begin + R"(
    %five#6 = const 5 : s64
    for %i#7 : s64 = %zero#1 lt %n#0 step %one#2 (%x#8 : s64 = %one#2) {
      %9 = mul %x#8, %five#6 : s64
      %10 = add %9, %three#3 : s64
      %11 = const 1000003 : s64
      %12 = rem %10, %11 : s64
      %13 = rem %12, %three#3 : s64
      %14 = eq %13, %zero#1 : bool
      if %14 {
        %15 = load @b[%13] access 0 : varying f32
        yield
      } else {
        yield
      }
      yield %12
    } -> %16 : s64, %17 : s64
)" + End);
  WalkLimits limits;
  limits.operations = 4000;
  limits.iterations = 1000;
  for (int64_t n : {1000, 1001}) {
    auto regions = executionsOf(module.functions[0], std::vector<ir::ArrayData>(3),
                                {ir::makeInt(ir::ScalarType::S64, n)}, limits);
    ASSERT_TRUE(bool(regions)) << llvm::toString(regions.takeError());
    const auto isOpen = [](const Executions &of) { return of.conditional > 0; };
    EXPECT_EQ(llvm::any_of(*regions, isOpen), n == 1001);
  }
}

/// As the interpreters step them: 250, …, 255, 0, …, 3.
TEST(OperationCounts, CountersThatWrap) {
  const auto loads = [](const std::string &type, int64_t low, int64_t high, int64_t step) {
    const auto constant = [&](const char *name, int64_t value) {
      return "    %" + std::string(name) + " = const " + std::to_string(value) + " : " + type +
             "\n";
    };
    const Counted loop(constant("low#6", low) + constant("high#7", high) + constant("by#8", step) +
                           "    for %i#9 : " + type + " = %low#6 ne %high#7 step %by#8 () {" + R"(
      %x#10 = load @b[%zero#1] access 0 : varying f32
      yield
    } -> %end#11 : )" + type +
                           "\n",
                       1);
    EXPECT_EQ(loop.error, "") << type;
    return loop.counts.external;
  };
  EXPECT_EQ(loads("u8", 250, 4, 1), (Executions{10, 0}));
  EXPECT_EQ(loads("s8", 120, -126, 1), (Executions{10, 0}));
  EXPECT_EQ(loads("s16", -32760, 32766, -2), (Executions{5, 0}));
  EXPECT_EQ(loads("u32", 4294967290, 4, 2), (Executions{5, 0}));
  EXPECT_EQ(loads("u32", 3, 4294967295, 4294967295), (Executions{4, 0})); // steps back
}

/// A loop whose test loads the bound anew: the test is run once more than the body.
TEST(OperationCounts, BoundsThatTheTestLoads) {
  const Counted loop(R"(
    %yes#18 = const true : bool
    loop (%s#6 : varying f32 = %none#4, %k#7 : s64 = %zero#1) {
      %high#8 = load @table[%one#2] access 0 : s64
      %big#9 = add %high#8, %n#0 : s64
      %c#10 = lt %k#7, %big#9 : bool
      test %c#10, %s#6, %k#7
    } do (%s#11 : varying f32, %k#12 : s64) {
      %x#13 = load @b[%k#12] access 1 : varying f32
      %t#14 = add %s#11, %x#13 : varying f32
      %m#15 = add %k#12, %one#2 : s64
      yield %yes#18, %t#14, %m#15
    } -> %u#16 : varying f32, %l#17 : s64
)",
                     1000, 60);
  EXPECT_EQ(loop.error, "");
  EXPECT_EQ(loop.counts.external, (Executions{1000, 0}));
  EXPECT_EQ(loop.counts.shared, (Executions{1001, 0}));
}

/// What a nest does in a walked loop is remembered, and is conditional only where the data says
/// whether it runs: behind a branch, the same nest again.
TEST(OperationCounts, RememberedLoops) {
  const std::string nest = R"(
      for %j#N1 : s64 = %zero#1 lt %n#0 step %one#2 () {
        for %k#N2 : s64 = %zero#1 lt %j#N1 step %one#2 () {
          for %l#N3 : s64 = %zero#1 lt %k#N2 step %one#2 () {
            %x#N4 = load @b[%l#N3] access N5 : varying f32
            yield
          } -> %a#N6 : s64
          yield
        } -> %b#N7 : s64
        yield
      } -> %c#N8 : s64
)";
  auto numbered = [&](unsigned number) {
    std::string text = nest;
    for (size_t at; (at = text.find('N')) != std::string::npos;)
      text.replace(at, 1, std::to_string(number));
    return text;
  };
  constexpr uint64_t N = 60, Runs = N * (N - 1) * (N - 2) / 6;
  const Counted twice(R"(
    for %i#6 : s64 = %zero#1 lt %n#0 step %one#2 () {
      %even#7 = rem %i#6, %three#3 : s64
      %is#8 = eq %even#7, %zero#1 : bool
      if %is#8 {
)" + numbered(1) + R"(
        yield
      } else {
        %d#9 = load @b[%zero#1] access 3 : varying f32
        %e#97 = lt %d#9, %none#4 : varying bool
        if %e#97 {
)" + numbered(2) + R"(
          yield
        } else {
          yield
        }
        yield
      }
      yield
    } -> %last#98 : s64
)",
                      N, 200'000);
  EXPECT_EQ(twice.error, "");
  EXPECT_EQ(twice.counts.external, (Executions{N * Runs + N * 2 / 3, Runs * N * 2 / 3}));
}

/// A part's operations run at each of its calls.
TEST(OperationCounts, Parts) {
  const Counted calls(R"(
    %x#6 = load @b[%zero#1] access 0 : varying f32
    %p#7 = call.part "square" () %x#6 : varying f32
    for %i#8 : s64 = %zero#1 lt %n#0 step %one#2 () {
      %q#9 = call.part "square" () %p#7 : varying f32
      yield
    } -> %l#10 : s64
)",
                      10, 30,
                      R"(  part "square" () (%v#20 : varying f32) {
    %w#21 = mul %v#20, %v#20 : varying f32
    yield %w#21
  }
)");
  EXPECT_EQ(calls.error, "");
  EXPECT_EQ(calls.counts.plain, (Executions{11 + 11 + 20, 0})); // calls, products, the loop
}

/// T and W element by element: k units, of which the last element may have fewer.
TEST(OperationCounts, KCostOfElements) {
  const InstructionCounts counts{{10, 4}, {3, 1}, {8, 0}, {2, 2}};
  for (int64_t k : {2, 4, 8, 32})
    for (int64_t p : {k, 3 * k, 31 * k, 3 * k + 1, int64_t(1)})
      for (bool broadcast : {false, true})
        for (bool least : {false, true}) {
          const uint64_t plain = least ? 6 : 10, shared = least ? 2 : 3;
          uint64_t latency = 0, length = 0;
          for (int64_t first = 0; first < p; first += k) {
            const auto units = static_cast<size_t>(std::min(k, p - first));
            const std::vector<int64_t> oneAddress(units, 5);
            latency += plain + shared * longestQueue(k, oneAddress, broadcast);
            length += (plain + shared) * units;
          }
          auto cost = kCost({k, broadcast}, counts, p, least);
          ASSERT_TRUE(bool(cost));
          EXPECT_EQ(cost->latency, latency);
          EXPECT_EQ(cost->length, length);
          EXPECT_LE(length, latency * static_cast<uint64_t>(k));
          auto twice = kCost({k, broadcast}, counts, 2 * p, least);
          ASSERT_TRUE(bool(twice));
          EXPECT_EQ(twice->length, 2 * length);
          if (p % k == 0) {
            EXPECT_EQ(twice->latency, 2 * latency);
          }
        }
  auto tooMany = kCost({32, false}, {{uint64_t(1) << 40, 0}, {}, {}, {}}, int64_t(1) << 40, false);
  EXPECT_EQ(llvm::toString(tooMany.takeError()),
            "the length does not fit 64 bits: give fewer instances");
}

} // namespace
