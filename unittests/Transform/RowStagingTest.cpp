//===- RowStagingTest.cpp - Row-wise instances through shared memory ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels for row-wise instances give what the canonical function gives, for any number of
// instances and in any order of their threads; and there is none where it would not pay.
//
//===----------------------------------------------------------------------===//

#include "RowKernels.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// The kernel for row-wise instances; null if there is none.
const Function *rowKernel(const std::vector<Function> &kernels) {
  for (const Function &kernel : kernels)
    if (std::get<ThreadShape>(*kernel.launch).isForRows())
      return &kernel;
  return nullptr;
}

struct Staged {
  Module module;
  std::vector<Function> kernels;

  explicit Staged(llvm::StringRef text) : module(parsed(text)) {
    const Function &function = module.functions[0];
    EXPECT_EQ(verifyError(module), "");
    kernels = llvm::cantFail(lowerToThreads(module, function, verifyOblivious(module, function)));
    if (const Function *rows = kernel()) {
      EXPECT_EQ(verifyError(module, *rows), "") << textOf(*rows);
      EXPECT_EQ(textOf(parsed(textOf(*rows)).functions[0]), textOf(*rows));
    }
  }
  const Function *kernel() const { return rowKernel(kernels); }
  const ThreadShape &shape() const { return std::get<ThreadShape>(*kernel()->launch); }
};

void expectSame(const Staged &staged) {
  ASSERT_TRUE(staged.kernel());
  const Function &kernel = *staged.kernel();
  for (uint64_t count : {1u, 31u, 32u, 33u, 64u, 129u, 300u})
    for (unsigned seed : {1u, 2u})
      EXPECT_EQ(runRows(staged.module, kernel, count, seed), "") << textOf(kernel);
}

std::string function(const std::string &arrays, const std::string &body) {
  return "func \"f\" canonical mangled \"f\" {\n" + arrays + "\nbody() {\n" + body +
         "\nreturn\n}\n}\n";
}

/// Prefix sums of so many cells of a type.
std::string prefixSums(const std::string &type, unsigned cells) {
  return function("array @b : " + type + "[" + std::to_string(cells) +
                      "] parameter instance reads writes of b",
                  "%one = const 1 : s64\n%n = const " + std::to_string(cells) + " : s64\n" +
                      "for %i : s64 = %one lt %n step %one () {\n"
                      "%p = sub %i, %one : s64\n"
                      "%x = load @b[%p] access 0 : " +
                      type +
                      "\n"
                      "%y = load @b[%i] access 1 : " +
                      type +
                      "\n"
                      "%s = add %y, %x : " +
                      type +
                      "\n"
                      "store @b[%i], %s access 2\nyield\n} -> %end : s64");
}

/// In registers, strip by strip: one strip, several, and the last one a part of the one before.
TEST(RowStaging, RegistersStripByStrip) {
  for (unsigned cells : {9u, 32u, 37u, 64u, 100u})
    expectSame(Staged(prefixSums("u32", cells)));
  for (unsigned cells : {5u, 16u, 33u})
    expectSame(Staged(prefixSums("u64", cells)));
  for (unsigned cells : {33u, 100u})
    expectSame(Staged(prefixSums("u8", cells)));
  const Staged strips(prefixSums("u32", 37));
  EXPECT_EQ(arrayNamed(*strips.kernel(), "b_strip").extents[1].asConstant(), 19);
  EXPECT_EQ(arrayNamed(*strips.kernel(), "b_strip").pitch, 19u);
  EXPECT_EQ(arrayNamed(*strips.kernel(), "b_cells").space, Space::Registers);
  EXPECT_EQ(arrayNamed(*strips.kernel(), "b").space, Space::Memory);
}

/// Too many cells for registers: the rows stay in shared memory.
TEST(RowStaging, WholeRows) {
  const Staged staged(prefixSums("u32", 200));
  expectSame(staged);
  EXPECT_EQ(arrayNamed(*staged.kernel(), "b_rows").pitch, 201u);
  EXPECT_EQ(staged.shape().perBlock, 32u); // 25,728 bytes a warp
  expectSame(Staged(prefixSums("u8", 300)));
  expectSame(Staged(prefixSums("u16", 301)));
}

/// More than every GPU has: blocks of one warp.
TEST(RowStaging, BlocksThatAskForSharedMemory) {
  const Staged staged(prefixSums("u32", 400));
  expectSame(staged);
  EXPECT_EQ(staged.shape().perBlock, 32u);
  EXPECT_EQ(staged.kernel()->sharedBytes(), 401u * 4 * 32);
  EXPECT_EQ(Staged(prefixSums("u32", 383)).kernel()->sharedBytes(), SharedBytesOfAll - 128);
}

/// Subscripts of two dimensions; what is only read, and what is only written, in part.
TEST(RowStaging, MatricesAndParts) {
  const auto product = [](unsigned n) {
    const std::string cells = std::to_string(n) + ", " + std::to_string(n);
    return function("array @a : u32[" + cells + "] parameter instance reads of a\n" +
                        "array @b : u32[" + cells + "] parameter instance reads of b\n" +
                        "array @c : u32[" + cells + "] parameter instance writes of c",
                    "%zero = const 0 : s64\n%one = const 1 : s64\n%n = const " + std::to_string(n) +
                        " : s64\n%none = const 0 : u32\n"
                        "for %i : s64 = %zero lt %n step %one () {\n"
                        "for %j : s64 = %zero lt %i step %one () {\n"
                        "for %k : s64 = %zero lt %n step %one (%sum : u32 = %none) {\n"
                        "%x = load @a[%i, %k; %n] access 0 : u32\n"
                        "%y = load @b[%k, %j; %n] access 1 : u32\n"
                        "%p = mul %x, %y : u32\n%next = add %sum, %p : u32\n"
                        "yield %next\n} -> %e : s64, %all : u32\n"
                        "store @c[%i, %j; %n], %all access 2\n"
                        "yield\n} -> %f : s64\nyield\n} -> %g : s64");
  };
  expectSame(Staged(product(4)));  // in registers
  expectSame(Staged(product(10))); // 3 rows of 100 cells: 38,784 bytes a warp
}

/// Arrays in registers of which only one has long rows: the others are moved by threads that have
/// an instance, and only by those.
TEST(RowStaging, RegistersOfShortRows) {
  const Staged staged(
      function("array @a : u32[8] parameter instance reads writes of a\n"
               "array @b : u64[8] parameter instance reads writes of b\n"
               "array @r : u64[1] return instance writes",
               "%zero = const 0 : s64\n%one = const 1 : s64\n%n = const 8 : s64\n"
               "%none = const 0 : u64\n"
               "for %i : s64 = %zero lt %n step %one (%sum : u64 = %none) {\n"
               "%x = load @a[%i] access 0 : u32\n%y = load @b[%i] access 1 : u64\n"
               "%w = cast %x : u64\n%s = add %y, %w : u64\nstore @b[%i], %s access 2\n"
               "%d = add %x, %x : u32\nstore @a[%i], %d access 3\n%next = add %sum, %s : u64\n"
               "yield %next\n} -> %e : s64, %all : u64\nstore @r[%zero], %all access 4"));
  expectSame(staged);
  for (const Array &array : staged.kernel()->arrays) {
    EXPECT_FALSE(array.isPassed() && array.space == Space::Registers) << array.name;
  }
}

/// Branches on data stay branches.
TEST(RowStaging, BranchesOnData) {
  expectSame(Staged(function("array @b : u32[12] parameter instance reads writes of b",
                             "%zero = const 0 : s64\n%one = const 1 : s64\n%n = const 11 : s64\n"
                             "for %i : s64 = %zero lt %n step %one () {\n"
                             "%p = add %i, %one : s64\n"
                             "%x = load @b[%i] access 0 : u32\n%y = load @b[%p] access 1 : u32\n"
                             "%c = lt %y, %x : bool\nif %c {\n"
                             "store @b[%i], %y access 2\nstore @b[%p], %x access 3\nyield\n"
                             "} else {\nyield\n}\nyield\n} -> %e : s64")));
}

/// The rows of a warp's threads share sectors; few cells of many; unknown sizes. Many cells are
/// streamed.
TEST(RowStaging, WhereItDoesNotPay) {
  EXPECT_FALSE(Staged(prefixSums("u32", 8)).kernel());
  EXPECT_TRUE(Staged(prefixSums("u32", 9)).kernel());
  const Staged whole(prefixSums("u32", 511)), streamed(prefixSums("u32", 512)); // 65,408 bytes
  EXPECT_EQ(arrayNamed(*whole.kernel(), "b_rows").pitch, 511u);
  EXPECT_EQ(arrayNamed(*streamed.kernel(), "b_strip").pitch, 260u); // RowStreaming.h
  const auto few = [](unsigned loads) {
    std::string body = "%zero = const 0 : s64\n";
    for (unsigned l = 1; l <= loads; ++l) {
      const std::string x = std::to_string(l);
      body += "%c" + x + " = const " + x + " : s64\n%v" + x + " = load @b[%c" + x + "] access " +
              x + " : u32\nstore @o[%zero], %v" + x + " access " + std::to_string(100 + l) + "\n";
    }
    return function("array @b : u32[200] parameter instance reads of b\n"
                    "array @o : u32[1] parameter instance writes of o",
                    body);
  };
  EXPECT_FALSE(Staged(few(49)).kernel());
  EXPECT_TRUE(Staged(few(50)).kernel());
}

/// A price that knows only whether rows are staged.
class FixedPrice : public KernelPrice {
public:
  FixedPrice(std::optional<double> ofStaged, std::optional<double> ofOthers,
             std::optional<double> ofColumns = std::nullopt)
      : ofStaged_(ofStaged), ofOthers_(ofOthers), ofColumns_(ofColumns) {}
  std::optional<double> ofRows(const Function &kernel) const override {
    return std::get<ThreadShape>(*kernel.launch).isForRows() ? ofStaged_ : ofOthers_;
  }
  std::optional<double> ofColumns(const Function &kernel) const override {
    return std::get<ThreadShape>(*kernel.launch).isForColumns() ? ofColumns_ : ofOthers_;
  }

private:
  std::optional<double> ofStaged_, ofOthers_, ofColumns_;
};

TEST(RowStaging, IsLeftWhereItIsSurelyDearer) {
  const Module module = parsed(prefixSums("u32", 20));
  const Function &function = module.functions[0];
  const Verdict verdict = verifyOblivious(module, function);
  const auto isStaged = [&](const KernelPrice *price) {
    return rowKernel(llvm::cantFail(lowerToThreads(module, function, verdict, {price}))) != nullptr;
  };
  EXPECT_TRUE(isStaged(nullptr));
  for (auto [ofStaged, ofOthers, expected] :
       {std::tuple<std::optional<double>, std::optional<double>, bool>{1, 2, true},
        {1.2, 1, true},
        {1.3, 1, false},
        {9, std::nullopt, true},
        {std::nullopt, 1, true}}) {
    const FixedPrice price(ofStaged, ofOthers);
    EXPECT_EQ(isStaged(&price), expected);
  }
}

/// Where that is sooner, instances in columns have the kernel that stages, too.
TEST(RowStaging, ColumnsWhereThatIsSurelySooner) {
  const Module module = parsed(prefixSums("u32", 20));
  const Function &function = module.functions[0];
  const Verdict verdict = verifyOblivious(module, function);
  for (auto [ofOthers, ofColumns, expected] :
       {std::tuple<std::optional<double>, std::optional<double>, bool>{1.3, 1, true},
        {1.2, 1, false},
        {std::nullopt, 1, false},
        {1.3, std::nullopt, false}}) {
    const FixedPrice price(1, ofOthers, ofColumns);
    const std::vector<Function> kernels =
        llvm::cantFail(lowerToThreads(module, function, verdict, {&price}));
    const auto isForColumns = [](const Function &kernel) {
      return std::get<ThreadShape>(*kernel.launch).isForColumns();
    };
    const auto found = llvm::find_if(kernels, isForColumns);
    EXPECT_EQ(found != kernels.end(), expected);
    if (found == kernels.end())
      continue;
    EXPECT_EQ(verifyError(module, *found), "");
    EXPECT_EQ(runRows(module, *found, 70, 1), "");
  }
}

} // namespace
