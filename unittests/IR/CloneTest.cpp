//===- CloneTest.cpp - Rebuilding, and functions of 100,000 operations ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "IR/Clone.h"
#include "IR/Interpreter.h"

#include <chrono>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

Function cloned(const Function &from) {
  Function to;
  Builder builder(to);
  Cloner cloner(from, builder);
  cloner.copyShell();
  cloner.cloneBody();
  return to;
}

TEST(Clone, IsTheSameText) {
  for (const char *sample : {"prefix_sums", "find", "collatz", "raw", "kernels"}) {
    Module module = parsed(irSample(sample));
    std::string before = printed(module, {true});
    module.functions[0] = cloned(module.functions[0]);
    EXPECT_EQ(verifyError(module), "");
    EXPECT_EQ(printed(module, {true}), before);
  }
}

TEST(Clone, HookReplaces) {
  Module module = parsed(irSample("prefix_sums"));
  const Function &from = module.functions[0];
  Function to;
  Builder builder(to);
  Cloner *self = nullptr;
  Cloner cloner(from, builder, [&](OpId old) {
    const Op &op = from.op(old);
    if (op.opcode != Opcode::Sub)
      return false;
    ValueId negated = builder.unary(Opcode::Neg, self->map(op.operands[1]));
    self->set(op.results[0], builder.binary(Opcode::Add, self->map(op.operands[0]), negated));
    return true;
  });
  self = &cloner;
  cloner.copyShell();
  cloner.cloneBody();
  module.functions[0] = std::move(to);
  EXPECT_EQ(verifyError(module), "");
  std::vector<ArrayData> arrays = {{{1, 2, 3}, {}}};
  auto error = interpret(module, module.functions[0], arrays, makeInt(ScalarType::S32, 3));
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(arrays[0].cells, (std::vector<uint64_t>{1, 3, 6}));
}

// As inlining does it: the body of a function into itself, with other arrays
// and locations.
TEST(Clone, IntoTheSameFunction) {
  Module module = parsed(irSample("prefix_sums"));
  Function &f = module.functions[0];
  f.arrays.push_back(f.arrays[0]);
  f.arrays[1].name = "c";
  LocId call = module.sources.intern({module.sources.internFile("f.cpp"), 3, 4, {}});
  Op ret = f.terminator(f.body);
  f.region(f.body).ops.pop_back();
  std::vector<OpId> ops = f.region(f.body).ops;

  Builder builder(f);
  builder.setRegion(f.body);
  Cloner cloner(f, builder);
  cloner.setArray(ArrayId(0), ArrayId(1));
  cloner.setLocMap([&](LocId loc) { return module.sources.inlined(loc, call); });
  cloner.set(f.scalars[0].value, f.scalars[0].value);
  for (OpId op : ops)
    cloner.visit(op);
  builder.append(ret, {});

  EXPECT_EQ(verifyError(module), "");
  EXPECT_EQ(f.op(f.region(f.body).ops[f.region(f.body).ops.size() - 2]).loc, call);
  std::vector<ArrayData> arrays = {{{1, 1, 1}, {}}, {{1, 2, 3}, {}}};
  auto error = interpret(module, f, arrays, makeInt(ScalarType::S32, 3));
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(arrays[0].cells, (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(arrays[1].cells, (std::vector<uint64_t>{1, 3, 6}));
}

/// `length` additions on each of `depth` levels of nested ifs.
Function large(unsigned depth, unsigned length) {
  Function f;
  f.name = "large";
  f.stage = Stage::Canonical;
  Builder b(f);
  f.body = b.createRegion();
  b.setRegion(f.body);
  ValueId sum = b.addArg(f.body, ScalarType::U32, "n");
  f.scalars.push_back({"n", sum, {}});
  ValueId yes = b.constantBool(true);
  std::vector<RegionId> open;
  for (unsigned level = 0; level < depth; ++level) {
    for (unsigned i = 0; i < length; ++i)
      sum = b.binary(Opcode::Add, sum, sum);
    OpId branch = b.createIf(yes, {});
    open.push_back(b.insertionRegion());
    llvm::SmallVector<RegionId, 2> arms = f.op(branch).regions;
    b.setRegion(arms[1]);
    b.yield({});
    b.setRegion(arms[0]);
  }
  b.yield({});
  for (; open.size() > 1; open.pop_back()) {
    b.setRegion(open.back());
    b.yield({});
  }
  b.setRegion(f.body);
  b.ret({});
  return f;
}

double secondsThroughAllPasses(Module module, bool throughText) {
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(verifyError(module), "");
  std::string text = printed(module);
  if (throughText) {
    module = parsed(text);
    EXPECT_EQ(printed(module), text);
  }
  Function copy = cloned(module.functions[0]);
  std::vector<ArrayData> arrays;
  auto error = interpret(module, copy, arrays, Scalar{ScalarType::U32, 1});
  EXPECT_FALSE(bool(error));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Scale, HundredThousandOperations) {
  Module module;
  module.functions.push_back(large(1, 100000));
  EXPECT_LT(secondsThroughAllPasses(std::move(module), true), 5);
}

TEST(Scale, DeepNesting) {
  Module module;
  module.functions.push_back(large(900, 100));
  EXPECT_LT(secondsThroughAllPasses(std::move(module), true), 5);
  Module deeper; // beyond what the parser takes
  deeper.functions.push_back(large(5000, 15));
  EXPECT_LT(secondsThroughAllPasses(std::move(deeper), false), 5);
}

} // namespace
