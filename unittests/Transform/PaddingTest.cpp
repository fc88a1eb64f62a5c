//===- PaddingTest.cpp - One kernel for a range of sizes ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At every size of its range a padded kernel gives what the canonical function gives; loops and
// subscripts that cannot be padded are refused with the reason.
//
//===----------------------------------------------------------------------===//

#include "RowKernels.h"

#include "IR/Evaluate.h"
#include "Transform/Padding/PadSizes.h"
#include "Transform/Padding/PaddedCheck.h"

#include <iostream>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// A module's first function, padded for a range of n.
struct PaddedKernels {
  Module module;
  std::vector<Function> kernels;
  std::string refused;

  PaddedKernels(const std::string &text, SizeRange n) : module(parsed(text)) {
    EXPECT_EQ(verifyError(module), "") << text;
    const Function &function = module.functions[0];
    const Verdict own = verifyOblivious(module, function);
    auto padded = padSizes(function, own.fullyWritten, {{"n", n}});
    if (!padded) {
      refused = llvm::toString(padded.takeError());
      return;
    }
    EXPECT_EQ(verifyError(module, padded->function), "") << text << textOf(padded->function);
    Verdict verdict = verifyOblivious(module, padded->function);
    llvm::copy(own.fullyWritten, verdict.fullyWritten.begin());
    EXPECT_EQ(verdict.verdict, own.verdict) << text << textOf(padded->function);
    LoweringOptions options;
    options.mostCells = padded->mostCells;
    kernels = llvm::cantFail(lowerToThreads(module, padded->function, verdict, options));
  }

  /// Empty, or what was wrong.
  std::string run(const Function &kernel, int64_t n, uint64_t count, unsigned seed) const {
    const Function &function = module.functions[0];
    const Scalar size = makeInt(function.value(function.scalars[0].value).type, n);
    std::mt19937 random(seed);
    std::vector<ArrayData> arrays(kernel.arrays.size()), expected;
    std::vector<uint64_t> cells(function.arrays.size());
    for (size_t a = 0; a < function.arrays.size(); ++a) {
      cells[a] = 1;
      for (size_t d = 0; d < function.arrays[a].extents.size(); ++d)
        cells[a] *= uint64_t(*function.arrays[a].extentAtSizes(d).evaluate({{"n", n}}));
      for (uint64_t c = 0; c < cells[a] * count && function.arrays[a].isPassed(); ++c)
        arrays[a].cells.push_back(random() % 100);
    }
    expected = arrays;
    for (uint64_t j = 0; j < count; ++j) {
      std::vector<ArrayData> one(function.arrays.size());
      for (size_t a = 0; a < one.size(); ++a)
        if (function.arrays[a].isPassed())
          one[a].cells.assign(expected[a].cells.begin() + ptrdiff_t(j * cells[a]),
                              expected[a].cells.begin() + ptrdiff_t((j + 1) * cells[a]));
      llvm::cantFail(interpret(module, function, one, {size}));
      for (size_t a = 0; a < one.size(); ++a)
        std::copy(one[a].cells.begin(), one[a].cells.end(),
                  expected[a].cells.begin() + ptrdiff_t(j * cells[a]));
    }
    std::string error;
    BlockOptions options;
    options.seed = seed;
    llvm::handleAllErrors(interpretBlocks(module, kernel, count, arrays, {size}, options),
                          [&](const InterpreterError &e) { error = e.text; });
    for (size_t a = 0; a < function.arrays.size() && error.empty(); ++a)
      if (function.arrays[a].isPassed() && arrays[a].cells != expected[a].cells)
        error = "cells of '" + kernel.arrays[a].name + "' differ";
    return error.empty() ? error : "n = " + std::to_string(n) + ": " + error;
  }

  void expectSame(const std::string &text, SizeRange range, unsigned seed) const {
    for (const Function &kernel : kernels) {
      ASSERT_EQ(verifyError(module, kernel), "") << text << textOf(kernel);
      for (int64_t n = range.least; n <= range.most; ++n)
        ASSERT_EQ(run(kernel, n, n % 3 ? 3 : 35, seed), "") << text << textOf(kernel);
    }
  }
};

/// Nests over @b of n cells, @c of n * n and @d of n + 2.
class NestText {
public:
  explicit NestText(unsigned seed) : random_(seed) {
    text_ = "func \"f\" canonical mangled \"f\" {\n"
            "array @b : u32[n] parameter instance reads writes of b\n"
            "array @c : u32[n*n] parameter instance reads writes of c\n"
            "array @d : u32[n+2] parameter instance reads writes of d\n"
            "body(%n : s32) scalar %n n {\n%0 = const 0 : s32\n%1 = const 1 : s32\n"
            "%2 = const 2 : s32\n%m = const -1 : s32\n%none = const 5 : u32\n";
    for (unsigned nests = 1 + draw(2); nests > 0; --nests)
      loop({}, draw(2));
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }

private:
  struct Counter {
    std::string name; // from 0 to n - 1
  };
  unsigned draw(unsigned values) { return random_() % values; }
  std::string define(const std::string &operation, const char *type) {
    const std::string name = "%v" + std::to_string(last_++);
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  void loop(std::vector<Counter> around, unsigned inner) {
    const std::string counter = "%i" + std::to_string(last_++);
    const std::string first = around.empty() || draw(2) ? "%0" : around.back().name;
    const bool falls = draw(3) == 0, carries = draw(2);
    std::string head;
    if (falls) {
      head = define("sub %n, %1", "s32") + (draw(2) ? " ge " + first : " gt " + first);
    } else {
      const std::string last = define("sub %n, %1", "s32");
      head = first + (draw(2) ? " lt %n" : draw(2) ? " le " + last : " lt " + last);
    }
    const std::string by = falls ? "%m" : first == "%0" && draw(4) == 0 ? "%2" : "%1";
    const std::string sum = "%s" + std::to_string(last_++);
    text_ += "for " + counter + " : s32 = " + head + " step " + by + " (" +
             (carries ? sum + " : u32 = %none" : "") + ") {\n";
    around.push_back({counter});
    std::string value = statement(around, carries ? sum : "%none");
    if (inner)
      loop(around, inner - 1);
    if (draw(3) == 0)
      branch(around, value);
    const std::string end = "%e" + std::to_string(last_++), all = "%a" + std::to_string(last_++);
    text_ += carries ? "yield " + value + "\n} -> " + end + " : s32, " + all + " : u32\n"
                     : "yield\n} -> " + end + " : s32\n";
    if (carries)
      text_ += "store @d[" + define("cast %1", "s64") + "], " + all + " access " +
               std::to_string(access_++) + "\n";
    if (by != "%2" && draw(3) == 0) { // where the loop has left its counter
      const std::string cast = define("cast " + end, "u32");
      text_ += "store @d[" + define("cast %0", "s64") + "], " + cast + " access " +
               std::to_string(access_++) + "\n";
    }
  }
  std::string cell(const std::vector<Counter> &around) {
    const std::string i = around[draw(unsigned(around.size()))].name,
                      j = around[draw(unsigned(around.size()))].name;
    switch (draw(4)) {
    case 0:
      return "@b[" + define("cast " + i, "s64") + "]";
    case 1:
      return "@d[" +
             define("cast " + define("add " + i + ", %" + std::to_string(draw(3)), "s32"), "s64") +
             "]";
    default:
      return "@c[" +
             define("cast " + define("add " + define("mul " + i + ", %n", "s32") + ", " + j, "s32"),
                    "s64") +
             "]";
    }
  }
  std::string statement(const std::vector<Counter> &around, std::string value) {
    for (unsigned loads = 1 + draw(2); loads > 0; --loads) {
      const std::string at = cell(around);
      value = define((draw(2) ? "add " : "mul ") + value + ", " +
                         define("load " + at + " access " + std::to_string(access_++), "u32"),
                     "u32");
    }
    const std::string at = cell(around);
    text_ += "store " + at + ", " + value + " access " + std::to_string(access_++) + "\n";
    return value;
  }
  void branch(const std::vector<Counter> &around, const std::string &value) {
    text_ += "if " + define("lt " + value + ", %none", "bool") + " {\n";
    statement(around, value);
    text_ += "yield\n} else {\nyield\n}\n";
  }

  std::mt19937 random_;
  std::string text_;
  unsigned last_ = 0, access_ = 0;
};

TEST(Padding, RandomNests) {
  unsigned padded = 0, sizes = 0;
  std::map<std::string, unsigned> refused;
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed) {
    const NestText nest(seed);
    const SizeRange range = {1 + seed % 3, 4 + seed % 5};
    const PaddedKernels kernels(nest.text(), range);
    if (!kernels.refused.empty()) {
      ++refused[kernels.refused];
      continue;
    }
    ++padded;
    sizes += unsigned(range.values());
    kernels.expectSame(nest.text(), range, seed);
  }
  EXPECT_GT(padded, 200u);
  std::cout << "padded: " << padded << ", at " << sizes << " sizes\n";
  for (const auto &[reason, number] : refused)
    std::cout << number << " not: " << reason << "\n";
}

std::string prefixSums(const std::string &loop, const std::string &before = "%at = add %i, %0") {
  return R"(func "f" canonical mangled "f" {
array @b : f32[n] parameter instance reads writes of b
body(%n : s32) scalar %n n {
  %0 = const 0 : s32
  %1 = const 1 : s32
  %2 = const 2 : s32
  for %i : s32 = )" +
         loop + R"( () {
    )" + before +
         R"( : s32
    %cell = cast %at : s64
    %x = load @b[%cell] access 0 : f32
    %y = add %x, %x : f32
    store @b[%cell], %y access 1
    yield
  } -> %end : s32
  return
}
})";
}

TEST(Padding, IsInRegisters) {
  const PaddedKernels kernels(prefixSums("%1 lt %n step %1"), {1, 32});
  ASSERT_EQ(kernels.refused, "");
  const Array &local = arrayNamed(kernels.kernels.front(), "b_padded");
  EXPECT_EQ(local.space, Space::Registers);
  EXPECT_EQ(local.constantCells(), 32u);
  kernels.expectSame("", {1, 32}, 7);
}

/// Whatever number is changed in a padded function, either some access is another one, which is
/// found, or nothing is.
TEST(Padding, Faults) {
  const PaddedKernels kernels(prefixSums("%1 lt %n step %1"), {2, 9});
  const Module &module = kernels.module;
  const Function &function = module.functions[0];
  Affine affine(function);
  const SizePoints points({{"n", {2, 9}}});
  std::string reason;
  const std::optional<PaddedArray> array = padArray(function, ArrayId(0), affine, points, reason);
  ASSERT_TRUE(array) << reason;
  const std::vector<bool> all(array->cells(), true);
  PaddingPlan plan;
  plan.copies.push_back({*array, all, all});
  for (size_t op = 0; op < function.ops.size(); ++op)
    if (function.ops[op].opcode == Opcode::For)
      plan.loops.emplace(OpId(op), *padLoop(function, function.ops[op], affine, points, reason));
  const PaddedBody padded = padBody(function, plan, affine, points);
  ASSERT_TRUE(hasSameAccesses(function, padded, plan.copies, points));
  unsigned found = 0, harmless = 0;
  for (size_t op = 0; op < padded.function.ops.size(); ++op)
    for (const int64_t by : {-1, 1}) {
      const Op &constant = padded.function.ops[op];
      if (constant.opcode != Opcode::Constant)
        continue;
      PaddedBody changed = padded;
      changed.function.ops[op].scalar =
          makeInt(constant.scalar.type, asInt64(constant.scalar) + by);
      if (!hasSameAccesses(function, changed, plan.copies, points)) {
        ++found;
        continue;
      }
      ++harmless; // a loop that goes further than it has to
      const Verdict verdict = verifyOblivious(module, changed.function);
      const Function kernel =
          llvm::cantFail(lowerToThreads(module, changed.function, verdict)).front();
      for (int64_t n = 2; n <= 9; ++n)
        ASSERT_EQ(kernels.run(kernel, n, 3, 1), "") << textOf(changed.function);
    }
  EXPECT_GE(found, 10u);
  EXPECT_GE(harmless, 1u);
  // A cell that is not copied.
  PaddingPlan without = plan;
  without.copies[0].in[3] = false;
  const PaddedBody lacking = padBody(function, without, affine, points);
  EXPECT_FALSE(hasSameAccesses(function, lacking, without.copies, points));
  without = plan;
  without.copies[0].out[8] = false;
  const PaddedBody unwritten = padBody(function, without, affine, points);
  EXPECT_FALSE(hasSameAccesses(function, unwritten, without.copies, points));
  std::cout << "found: " << found << ", harmless: " << harmless << "\n";
}

TEST(Padding, Refused) {
  EXPECT_EQ(PaddedKernels(prefixSums("%1 lt %n step %1"), {1, 200}).refused,
            "b: 200 registers for the largest size are more than a thread has room for");
  EXPECT_EQ(PaddedKernels(prefixSums("%1 lt %n step %1"), {1, 5000}).refused,
            "there are more than 4096 sizes");
  EXPECT_EQ(PaddedKernels(prefixSums("%0 lt %n step %1", "%end0 = sub %n, %1 : s32\n"
                                                         "%at = sub %end0, %i"),
                          {1, 32})
                .refused,
            "b: a subscript depends on the size by more than the length of rows");
  EXPECT_EQ(PaddedKernels(prefixSums("%0 ne %n step %1"), {1, 32}).refused,
            "a loop ends where its counter equals something that depends on the size");
  EXPECT_EQ(PaddedKernels(prefixSums("%0 lt %2 step %1"), {3, 32}).refused, "");
}

} // namespace
