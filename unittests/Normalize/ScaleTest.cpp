//===- ScaleTest.cpp - Large and deep functions ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Normalize.h"

#include "IR/Builder.h"
#include "IR/Printer.h"

#include "gtest/gtest.h"

namespace colonnade {
namespace {

using ir::Opcode;
using ir::ScalarType;

/// int *a; int s = 0; then `iterations` times s += a[i], each within `if (a[i])`,
/// one after the other or each inside the one before.
ir::Module ladder(int iterations, bool nested) {
  ir::Module module;
  ir::MemType cell;
  cell.scalar = ScalarType::S32;
  module.memTypes.push_back(cell);
  MemTypeId type(0);
  ir::Function &f = module.functions.emplace_back();
  f.name = f.mangledName = "ladder";
  f.body = RegionId(0);
  f.regions.emplace_back();
  f.rawParams.emplace_back();
  f.rawParams[0].name = "a";
  f.rawParams[0].type = ScalarType::Pointer;
  f.rawParams[0].pointee = type;
  ir::Builder b(f);
  b.setRegion(f.body);
  ValueId a = b.addArg(f.body, ScalarType::Pointer, "a");
  auto memory = [&](Opcode opcode, std::initializer_list<ValueId> operands,
                    llvm::ArrayRef<ScalarType> results) {
    ir::Op op;
    op.opcode = opcode;
    op.memType = type;
    op.operands = operands;
    return b.append(std::move(op), results);
  };
  auto value = [&](OpId op) { return f.op(op).results[0]; };
  ValueId s = value(memory(Opcode::Object, {}, ScalarType::Pointer));
  f.op(f.value(s).def).text = "s";
  memory(Opcode::PtrStore, {s, b.constantInt(ScalarType::S32, 0)}, {});
  std::vector<std::pair<RegionId, RegionId>> open; // the region left, the other arm
  for (int i = 0; i < iterations; ++i) {
    ValueId index = b.constantInt(ScalarType::S64, i);
    ValueId p = value(memory(Opcode::PtrIndex, {a, index}, ScalarType::Pointer));
    ValueId v = value(memory(Opcode::PtrLoad, {p}, ScalarType::S32));
    OpId branch = b.createIf(b.binary(Opcode::Ne, v, b.constantInt(ScalarType::S32, 0)), {});
    open.push_back({b.insertionRegion(), f.op(branch).regions[1]});
    b.setRegion(f.op(branch).regions[0]);
    ValueId old = value(memory(Opcode::PtrLoad, {s}, ScalarType::S32));
    memory(Opcode::PtrStore, {s, b.binary(Opcode::Add, old, v)}, {});
    while (!open.empty() && (!nested || i + 1 == iterations)) {
      b.yield({});
      b.setRegion(open.back().second);
      b.yield({});
      b.setRegion(open.back().first);
      open.pop_back();
    }
  }
  memory(Opcode::PtrStore, {a, value(memory(Opcode::PtrLoad, {s}, ScalarType::S32))}, {});
  b.ret(std::nullopt);
  return module;
}

void check(int iterations, bool nested) {
  ir::Module module = ladder(iterations, nested);
  auto function = normalize(module, FunctionId(0), {});
  ASSERT_TRUE(bool(function)) << llvm::toString(function.takeError());
  size_t ifs = 0;
  for (const ir::Op &op : function->ops)
    ifs += op.opcode == Opcode::If;
  EXPECT_EQ(ifs, size_t(iterations));
  if (llvm::Error error = ir::verify(module, *function))
    FAIL() << llvm::toString(std::move(error)).substr(0, 500);
}

TEST(NormalizeScale, HundredThousandOperations) { check(12'000, false); }

TEST(NormalizeScale, TenThousandNestedRegions) { check(10'000, true); }

} // namespace
} // namespace colonnade
