//===- InterpreterTest.cpp - Reference semantics ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "IR/Interpreter.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

using Cells = std::vector<uint64_t>;
using Kind = InterpreterError::Kind;

Scalar s32(int64_t value) { return makeInt(ScalarType::S32, value); }

/// Runs the first function of `text`; the error as text, empty if none.
std::string run(const Module &module, std::vector<ArrayData> &arrays,
                llvm::ArrayRef<Scalar> scalars, const InterpreterOptions &options = {}) {
  EXPECT_EQ(verifyError(module), "");
  auto error = interpret(module, module.functions[0], arrays, scalars, options);
  return error ? llvm::toString(std::move(error)) : "";
}

/// A body over scalars n and m (s32), an array @a of 4 cells with data 1 2 3 4,
/// an uninitialised local array @l of 4 cells, and a matrix @t of 2 x 3.
std::string withBody(const std::string &ops) {
  return R"(func "f" canonical {
  array @a : s32[4] parameter instance
  array @l : s32[4] local instance
  array @t : s32[2, 3] local instance
  body(%n : s32, %m : s32) scalar %n n scalar %m m {
    %z = const 0 : s64
)" + ops +
         "\n    return\n  }\n}\n";
}

struct Outcome {
  std::string text;
  std::optional<Kind> kind;
  Undefined undefined = Undefined::None;
  std::vector<ArrayData> arrays;
  std::vector<std::tuple<bool, std::string, int64_t, std::vector<int64_t>>> trace;
};

Outcome runBody(const std::string &ops, int64_t n, int64_t m) {
  Module module = parsed(withBody(ops));
  EXPECT_EQ(verifyError(module), "");
  Outcome outcome;
  outcome.arrays = {{{1, 2, 3, 4}, {}}};
  InterpreterOptions options;
  options.maxSteps = 10000;
  options.onAccess = [&](const AccessEvent &e) {
    outcome.trace.emplace_back(e.isStore, module.functions[0].array(e.array).name, e.cell,
                               e.iterations.vec());
  };
  auto error = interpret(module, module.functions[0], outcome.arrays, {s32(n), s32(m)}, options);
  llvm::handleAllErrors(std::move(error), [&](const InterpreterError &e) {
    outcome.text = e.text;
    outcome.kind = e.kind;
    outcome.undefined = e.undefined;
  });
  return outcome;
}

Undefined undefinedIn(const std::string &ops, int64_t n = 0, int64_t m = 0) {
  return runBody(ops, n, m).undefined;
}

TEST(Interpreter, PrefixSums) {
  Module module = parsed(irSample("prefix_sums"));
  std::vector<ArrayData> arrays = {{{1, 2, 3, 4, 5}, {}}};
  std::vector<std::tuple<uint32_t, int64_t, int64_t>> trace; // id, iteration, cell
  InterpreterOptions options;
  options.onAccess = [&](const AccessEvent &e) {
    trace.emplace_back(e.accessId, e.iterations[0], e.cell);
  };
  EXPECT_EQ(run(module, arrays, s32(5), options), "");
  EXPECT_EQ(arrays[0].cells, (Cells{1, 3, 6, 10, 15}));
  ASSERT_EQ(trace.size(), 12u);
  EXPECT_EQ(trace[3], std::make_tuple(0, 1, 2));
  EXPECT_EQ(trace[5], std::make_tuple(2, 1, 2));
}

TEST(Interpreter, EarlyExit) {
  Module module = parsed(irSample("find"));
  for (auto [x, expected, loads] :
       {std::tuple(30, 2, 3), std::tuple(10, 0, 1), std::tuple(7, -1, 4)}) {
    std::vector<ArrayData> arrays = {{{10, 20, 30, 40}, {}}};
    int accesses = 0;
    InterpreterOptions options;
    options.onAccess = [&](const AccessEvent &) { ++accesses; };
    EXPECT_EQ(run(module, arrays, {s32(4), s32(x)}, options), "");
    EXPECT_EQ(asInt64({ScalarType::S32, arrays[1].cells[0]}), expected);
    EXPECT_EQ(accesses, loads + 1);
  }
}

TEST(Interpreter, GeneralLoop) {
  Module module = parsed(irSample("collatz"));
  std::vector<ArrayData> arrays = {{{0}, {}}};
  EXPECT_EQ(run(module, arrays, Scalar{ScalarType::U64, 27}), "");
  EXPECT_EQ(arrays[0].cells[0], 111u);
}

TEST(Interpreter, YieldsAreParallel) {
  Outcome o = runBody(R"(
    %one = const 1 : s32
    %five = const 5 : s32
    for %i : s32 = %one le %five step %one (%a : s32 = %n, %b : s32 = %m) {
      yield %b, %a
    } -> %last : s32, %x : s32, %y : s32
    %k = cast %one : s64
    store @a[%z], %x
    store @a[%k], %last)",
                      10, 20);
  EXPECT_EQ(o.text, "");
  EXPECT_EQ(o.arrays[0].cells[0], 20u);
  EXPECT_EQ(o.arrays[0].cells[1], 6u);
}

TEST(Interpreter, PostTestAndPredicates) {
  auto iterations = [](const std::string &loop, int64_t n, int64_t m) {
    Outcome o = runBody("%one = const 1 : s32\n%minus = const -1 : s32\n%zero = const 0 : s32\n"
                        "for %i : s32 = %n " +
                            loop +
                            " (%c : s32 = %zero) {\n"
                            "  %d = add %c, %one : s32\n  yield %d\n} -> %l : s32, %r : s32\n"
                            "store @a[%z], %r",
                        n, m);
    EXPECT_EQ(o.text, "");
    return o.arrays[0].cells[0];
  };
  EXPECT_EQ(iterations("lt %m step %one", 3, 7), 4u);
  EXPECT_EQ(iterations("lt %m step %one", 7, 3), 0u);
  EXPECT_EQ(iterations("lt %m step %one posttest", 7, 3), 1u);
  EXPECT_EQ(iterations("ge %m step %minus", 7, 3), 5u);
  EXPECT_EQ(iterations("gt %m step %minus", 7, 3), 4u);
  EXPECT_EQ(iterations("ne %m step %minus", 7, 3), 4u);
  EXPECT_EQ(iterations("le %m step %one", 3, 3), 1u);
}

TEST(Interpreter, NamesAreRoundsOfAllLoops) {
  Outcome o = runBody(R"(
    %zero = const 0 : s32
    %one = const 1 : s32
    for %i : s32 = %zero lt %n step %one () {
      loop (%j : s32 = %zero) {
        %v = load @a[%z] : s32
        %c = lt %j, %m : bool
        test %c, %j
      } do (%k : s32) {
        store @a[%z], %k
        %continue = const true : bool
        %next = add %k, %one : s32
        yield %continue, %next
      } -> %end : s32
      yield
    } -> %last : s32)",
                      2, 1);
  EXPECT_EQ(o.text, "");
  using Event = std::tuple<bool, std::string, int64_t, std::vector<int64_t>>;
  std::vector<Event> expected;
  for (int64_t i : {0, 1}) {
    expected.emplace_back(false, "a", 0, std::vector<int64_t>{i, 0});
    expected.emplace_back(true, "a", 0, std::vector<int64_t>{i, 0});
    expected.emplace_back(false, "a", 0, std::vector<int64_t>{i, 1});
  }
  EXPECT_EQ(o.trace, expected);
}

TEST(Interpreter, UndefinedArithmetic) {
  EXPECT_EQ(undefinedIn("%x = add %n, %m : s32", INT32_MAX, 0), Undefined::None);
  EXPECT_EQ(undefinedIn("%x = add %n, %m : s32", INT32_MAX, 1), Undefined::SignedOverflow);
  EXPECT_EQ(undefinedIn("%x = neg %n : s32", INT32_MIN), Undefined::SignedOverflow);
  EXPECT_EQ(undefinedIn("%x = div %n, %m : s32", 1, 0), Undefined::DivisionByZero);
  EXPECT_EQ(undefinedIn("%x = rem %n, %m : s32", 1, 0), Undefined::DivisionByZero);
  EXPECT_EQ(undefinedIn("%x = div %n, %m : s32", INT32_MIN, -1), Undefined::SignedOverflow);
  EXPECT_EQ(undefinedIn("%x = shl %n, %m : s32", 1, 31), Undefined::None);
  EXPECT_EQ(undefinedIn("%x = shl %n, %m : s32", 1, 32), Undefined::ShiftCount);
  EXPECT_EQ(undefinedIn("%x = shr %n, %m : s32", 1, -1), Undefined::ShiftCount);
  EXPECT_EQ(undefinedIn("%f = const 2e9 : f32\n%x = cast %f : s32"), Undefined::None);
  EXPECT_EQ(undefinedIn("%f = const 3e9 : f32\n%x = cast %f : s32"), Undefined::FloatToInteger);
  EXPECT_EQ(undefinedIn("%f = const nan : f64\n%x = cast %f : u8"), Undefined::FloatToInteger);
}

TEST(Interpreter, CountersOverflowAsInC) {
  const char *Loop = "for %i : s32 = %n gt %m step %one () {\n  yield\n} -> %l : s32";
  EXPECT_EQ(undefinedIn(std::string("%one = const 1 : s32\n") + Loop, INT32_MAX - 2, 0),
            Undefined::SignedOverflow);
  // Unsigned and narrow counters wrap.
  EXPECT_EQ(undefinedIn("%one = const 1 : u32\n%a = const 4294967295 : u32\n%b = const 1 : u32\n"
                        "for %i : u32 = %a gt %b step %one () {\n  yield\n} -> %l : u32"),
            Undefined::None);
  EXPECT_EQ(undefinedIn("%one = const 1 : s8\n%a = const 120 : s8\n%b = const 0 : s8\n"
                        "for %i : s8 = %a gt %b step %one () {\n  yield\n} -> %l : s8"),
            Undefined::None);
}

TEST(Interpreter, OutOfExtent) {
  const char *Load = "%k = cast %n : s64\n%x = load @a[%k] : s32";
  EXPECT_EQ(undefinedIn(Load, 3), Undefined::None);
  EXPECT_EQ(undefinedIn(Load, 4), Undefined::OutOfExtent);
  EXPECT_EQ(undefinedIn(Load, -1), Undefined::OutOfExtent);
  const char *Matrix = "%i = cast %n : s64\n%j = cast %m : s64\n%r = const 3 : s64\n"
                       "%v = const 1 : s32\nstore @t[%i, %j; %r], %v";
  EXPECT_EQ(undefinedIn(Matrix, 1, 2), Undefined::None);
  EXPECT_EQ(undefinedIn(Matrix, 2, 0), Undefined::OutOfExtent);
  EXPECT_EQ(undefinedIn(Matrix, 0, 5), Undefined::None); // in another row of the array
  EXPECT_EQ(undefinedIn(Matrix, 1, -1), Undefined::None);
  EXPECT_EQ(undefinedIn(Matrix, 0, -1), Undefined::OutOfExtent);
  EXPECT_EQ(runBody(Matrix, 0, 6).text,
            "<unknown>: undefined behaviour: access outside the array's "
            "extent: cell 6 of 't', 6 cells");
}

TEST(Interpreter, IndeterminateValuesMayOnlyBeCopied) {
  const char *Copy = "%x = load @l[%z] : s32\nstore @a[%z], %x";
  Outcome o = runBody(Copy, 0, 0);
  EXPECT_EQ(o.text, "");
  EXPECT_EQ(o.arrays[0].initialised, (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(undefinedIn("%x = load @l[%z] : s32\n%y = add %x, %x : s32"), Undefined::Uninitialised);
  EXPECT_EQ(undefinedIn("store @l[%z], %n\n%x = load @l[%z] : s32\n%y = add %x, %x : s32"),
            Undefined::None);
  EXPECT_EQ(undefinedIn("%u = undef : bool\n%y = select %u, %n, %m : s32"),
            Undefined::Uninitialised);
  EXPECT_EQ(undefinedIn("%u = undef : s32\n%t = const true : bool\n%y = select %t, %n, %u : s32\n"
                        "%w = neg %y : s32"),
            Undefined::None);
  EXPECT_EQ(undefinedIn("%u = undef : bool\nif %u {\n yield\n} else {\n yield\n}"),
            Undefined::Uninitialised);
  EXPECT_EQ(undefinedIn("%u = undef : s64\n%x = load @a[%u] : s32"), Undefined::Uninitialised);
}

TEST(Interpreter, OtherFailuresHaveTheirKind) {
  Outcome o =
      runBody("%c = const false : bool\ncheck %c text \"n is small\" loc(\"f.cpp\":3:4)", 0, 0);
  EXPECT_EQ(o.kind, Kind::Check);
  EXPECT_EQ(o.text, "f.cpp:3:4: check failed: n is small");
  EXPECT_EQ(runBody("%c = const true : bool\ncheck %c text \"n is small\"", 0, 0).text, "");
  o = runBody("unsupported text \"goto\"", 0, 0);
  EXPECT_EQ(o.kind, Kind::Unsupported);
  o = runBody("loop () {\n  %t = const true : bool\n  test %t\n} do () {\n"
              "  %g = const true : bool\n  yield %g\n}",
              0, 0);
  EXPECT_EQ(o.kind, Kind::StepLimit);
}

TEST(Interpreter, ArgumentsMustFit) {
  Module module = parsed(irSample("prefix_sums"));
  std::vector<ArrayData> arrays = {{{1, 2, 3}, {}}};
  EXPECT_EQ(run(module, arrays, s32(4)), "'prefix_sums': array 'b' has 3 cells, not 4");
  EXPECT_EQ(run(module, arrays, s32(-1)), "'prefix_sums': extent 'n' of array 'b' is negative: -1");
  EXPECT_EQ(run(module, arrays, {}), "'prefix_sums': takes 1 scalars, got 0");
  EXPECT_EQ(run(module, arrays, makeInt(ScalarType::S64, 3)),
            "'prefix_sums': scalar 'n' has type s64");
  arrays[0].initialised = {true};
  EXPECT_EQ(run(module, arrays, s32(3)), "'prefix_sums': array 'b' has a wrong initialised map");
}

// The sum counts: each alone would fit.
TEST(Interpreter, LocalArraysMustFitIntoMemory) {
  Module module = parsed(R"(func "scratch" canonical {
  array @s : s32[n] local instance reads writes
  array @t : s32[n] local instance reads writes
  body(%n : s64) scalar %n n {
    return
  }
})");
  auto kindWith = [&](int64_t n) {
    std::vector<ArrayData> arrays;
    Kind kind = Kind::Undefined;
    llvm::handleAllErrors(
        interpret(module, module.functions.front(), arrays, makeInt(ScalarType::S64, n)),
        [&](const InterpreterError &error) { kind = error.kind; });
    return kind;
  };
  EXPECT_EQ(kindWith(100'000'000), Kind::TooLarge);
  EXPECT_EQ(kindWith(int64_t(1) << 60), Kind::TooLarge);
  EXPECT_EQ(kindWith(1000), Kind::Undefined); // no error
}

TEST(Interpreter, WithoutDataOnlyAddressesCount) {
  // What a certificate needs: the trace, not the values.
  Module module = parsed(R"(func "trace" canonical {
  array @b : f32[n] parameter instance
  body(%n : s64) scalar %n n {
    %zero = const 0 : s64
    %one = const 1 : s64
    for %i : s64 = %zero lt %n step %one () {
      %x = load @b[%i] access 0 : f32
      %u = undef : f32
      store @b[%i], %u access 1
      yield
    } -> %l : s64
    %y = load @b[%n] access 2 : f32
    return
  }
})");
  int accesses = 0;
  InterpreterOptions options;
  options.onAccess = [&](const AccessEvent &) { ++accesses; };
  std::vector<ArrayData> arrays;
  EXPECT_EQ(
      run(module, arrays, makeInt(ScalarType::S64, 3), options),
      "<unknown>: undefined behaviour: access outside the array's extent: cell 3 of 'b', 3 cells");
  EXPECT_EQ(accesses, 6);
}

// A certificate runs both arms of a branch on data: what the sequential function
// would not have run must not stop it.
TEST(Interpreter, SpeculativeOperationsGoOn) {
  EXPECT_EQ(undefinedIn("%x = div %n, %m : s32 speculative", 1, 0), Undefined::None);
  EXPECT_EQ(undefinedIn("%k = cast %n : s64\n%x = load @a[%k] : s32 speculative", 4),
            Undefined::None);
  EXPECT_EQ(undefinedIn("%x = load @l[%z] : s32\n%y = neg %x : s32 speculative"), Undefined::None);
  const char *Check = "%b = ne %n, %m : bool\ncheck %b text \"n\" speculative\n"
                      "%x = div %n, %m : s32";
  EXPECT_EQ(runBody(Check, 0, 0).undefined, Undefined::DivisionByZero);
}

TEST(Interpreter, KernelsRunWithOneLane) {
  Module module = parsed(R"(func "k" kernel lanes 4 {
  array @b : s32[2] parameter instance in memory
  body(%n : s32) scalar %n n {
    %m = const true : bool
    %off = not %m : bool
    %zero = const 0 : s64
    %far = const 99 : s64
    %x = load @b[%zero] mask %m : s32
    %y = load @b[%far] mask %off : s32
    %z = add %x, %n : s32
    %w = blend %off, %y, %z : s32
    store @b[%zero], %w mask %m
    store @b[%far], %w mask %off
    return
  }
})");
  std::vector<ArrayData> arrays = {{{1, 2}, {}}};
  EXPECT_EQ(run(module, arrays, s32(INT32_MAX)), ""); // inactive lanes may wrap
  EXPECT_EQ(arrays[0].cells, (Cells{0x80000000, 2}));
}

TEST(Interpreter, WhatIsNotWrittenBackIsNotStoredTo) {
  const std::string before = "func \"k\" kernel threads 256 resident 2 {\n"
                             "array @b : s32[4] parameter instance writes in registers loaded ",
                    after = "\nbody(%n : s32) scalar %n n {\n%two = const 2 : s64\n"
                            "store @b[%two], %n\nreturn\n}\n}\n";
  for (const char *ranges :
       {"", "stored 2 to 2", "stored 0 to 0, 2 to 3", "stored 0 to 1, 3 to 3"}) {
    Module module = parsed(before + ranges + after);
    EXPECT_EQ(printed(parsed(printed(module))), printed(module));
    EXPECT_NE(printed(module).find("threads 256 resident 2"), std::string::npos);
    EXPECT_NE(printed(module).find(ranges), std::string::npos);
    std::vector<ArrayData> arrays = {{{1, 2, 3, 4}, {}}};
    const bool isLost = std::string(ranges) == "stored 0 to 1, 3 to 3";
    EXPECT_EQ(run(module, arrays, s32(7)).find("not written back") != std::string::npos, isLost)
        << ranges;
  }
}

TEST(Interpreter, KernelOperations) {
  Module module = parsed(R"(func "k" kernel lanes 4 {
  array @b : s32[2] parameter instance in memory
  array @p : u64[1] parameter instance in memory
  body(%n : s32) scalar %n n {
    %zero = const 0 : s64
    %one = const 1 : s64
    %c = const -7 : s32
    %q = div.constant %n, %c : s32
    %r = rem.constant %n, %c : s32
    store @b[%zero], %q
    store @b[%one], %r
    %w = const 12884901890 : u64
    %p = mul.lowhalves %w, %w : u64
    store @p[%zero], %p
    return
  }
})");
  std::vector<ArrayData> arrays = {{{0, 0}, {}}, {{0}, {}}};
  EXPECT_EQ(run(module, arrays, s32(30)), "");
  EXPECT_EQ(arrays[0].cells, (Cells{0xfffffffc, 2}));
  EXPECT_EQ(arrays[1].cells, (Cells{4})); // 3 * 2^32 + 2: the halves above are not looked at
}

/// b[0] = x gives u[0] = x + 3 = y; then u[0] and b become 2 y and 3 y.
TEST(Interpreter, CallsOfParts) {
  Module module = parsed(irSample("kernels"));
  const Function &f = module.functions.at(2);
  std::vector<ArrayData> arrays = {{{4, 0, 0, 0, 0, 0, 0, 0}, {}}};
  std::vector<std::string> trace;
  InterpreterOptions options;
  options.onAccess = [&](const AccessEvent &e) {
    std::string text = std::to_string(e.accessId) + f.array(e.array).name;
    for (int64_t iteration : e.iterations)
      text += " " + std::to_string(iteration);
    trace.push_back(text);
  };
  llvm::Error error = interpret(module, f, arrays, {}, options);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(arrays[0].cells, (Cells{14, 21, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(trace, (std::vector<std::string>{"6b", "7t", "3t", "4u", "3u 0", "4u 0", "5b 0", "3u 1",
                                             "4u 1", "5b 1"}));
}

TEST(Interpreter, ConcreteExtents) {
  Module module = parsed("func \"f\" canonical { array @a : f32[n, 2*n, 3] parameter instance\n"
                         "body(%n : s32) scalar %n n { return } }");
  const Function &f = module.functions[0];
  auto extents = concreteExtents(f, f.arrays[0], s32(5));
  ASSERT_TRUE(bool(extents));
  EXPECT_EQ(*extents, (std::vector<int64_t>{5, 10, 3}));
  auto missing = concreteExtents(f, f.arrays[0], {});
  EXPECT_EQ(llvm::toString(missing.takeError()), "'f': extent 'n' of array 'a' has no value");
}

} // namespace
