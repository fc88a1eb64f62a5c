//===- InterpreterTest.cpp - Reference semantics --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Builder.h"
#include "IR/Interpreter.h"

#include "gtest/gtest.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// for (i = 1; i < n; ++i) b[i] += b[i-1];
Function prefixSums() {
  Function f;
  f.name = "prefix_sums";
  f.stage = Stage::Canonical;
  Builder b(f);
  f.body = b.createRegion();
  b.setRegion(f.body);
  ValueId n = b.addArg(f.body, ScalarType::S32, "n");
  f.scalars.push_back({"n", n, {}});
  Array array;
  array.name = "b";
  array.cell = ScalarType::S32;
  array.extents = {SizeExpr::name("n")};
  array.role = ArrayRole::Parameter;
  f.arrays.push_back(array);
  ValueId one = b.constantInt(ScalarType::S32, 1);
  OpId loop = b.createFor(one, n, one, Predicate::Lt, false, {});
  {
    InsertionScope scope(b);
    RegionId body = f.op(loop).regions[0];
    b.setRegion(body);
    ValueId i = b.cast(f.region(body).args[0], ScalarType::S64);
    ValueId previous = b.binary(Opcode::Sub, i, b.constantInt(ScalarType::S64, 1));
    ValueId x = b.load(ArrayId(0), i);
    ValueId y = b.load(ArrayId(0), previous);
    b.store(ArrayId(0), b.binary(Opcode::Add, x, y), i);
    b.yield({});
  }
  b.ret({});
  return f;
}

TEST(Interpreter, PrefixSumsBuiltByHand) {
  Module module;
  Function f = prefixSums();
  std::vector<ArrayData> arrays = {{{1, 2, 3, 4, 5}, {}}};
  std::vector<std::pair<int64_t, int64_t>> trace; // round, cell
  InterpreterOptions options;
  options.onAccess = [&](const AccessEvent &e) { trace.emplace_back(e.rounds[0], e.cell); };
  llvm::Error error = interpret(module, f, arrays, makeInt(ScalarType::S32, 5), options);
  EXPECT_FALSE(error) << llvm::toString(std::move(error));
  EXPECT_EQ(arrays[0].cells, (std::vector<uint64_t>{1, 3, 6, 10, 15}));
  ASSERT_EQ(trace.size(), 12u);
  EXPECT_EQ(trace[3], (std::pair<int64_t, int64_t>(1, 2)));
}

} // namespace
