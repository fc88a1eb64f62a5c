//===- Unroll.cpp - How far loops of a kernel are unrolled ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Unroll.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

// What is unrolled eightfold has at most this many operations.
static constexpr size_t MaxUnrolledBody = 24;
static constexpr Unrolling Eightfold = {Unrolling::Kind::Times, 8};

static bool isShortInnermost(const Function &kernel, const Op &loop) {
  if (loop.opcode != Opcode::For || loop.hasContinueFlag || loop.postTest)
    return false;
  const std::vector<OpId> &ops = kernel.region(loop.regions[0]).ops;
  if (ops.size() > MaxUnrolledBody)
    return false;
  bool loads = false;
  for (OpId id : ops) {
    const Op &op = kernel.op(id);
    if (op.opcode == Opcode::For || op.opcode == Opcode::Loop)
      return false;
    loads |= op.opcode == Opcode::Load;
  }
  return loads;
}

/// No array that the loop loads from is one that it stores to: then nothing keeps the loads of
/// several iterations from being under way together.
static bool loadsAhead(const Function &kernel, const Op &loop) {
  std::set<size_t> loaded, stored;
  std::vector<RegionId> work = {loop.regions[0]};
  while (!work.empty()) {
    const RegionId region = work.back();
    work.pop_back();
    for (OpId id : kernel.region(region).ops) {
      const Op &op = kernel.op(id);
      if (op.opcode == Opcode::Load)
        loaded.insert(op.array.index);
      else if (op.opcode == Opcode::Store)
        stored.insert(op.array.index);
      llvm::copy_if(op.regions, std::back_inserter(work),
                    [](RegionId inner) { return inner.valid(); });
    }
  }
  return llvm::none_of(loaded, [&](size_t array) { return stored.count(array) != 0; });
}

/// For loads under way ptxas takes as many registers as there are, and then one block runs at a
/// time: with room for two, kernels take 0.4 to 1.0 times as long (decision 0028). Where
/// loads wait for stores, or arrays are in registers, they would take up to 1.4 times as long.
static unsigned blocksAtOnce(const Function &kernel) {
  const bool areArraysInRegisters = llvm::any_of(
      kernel.arrays, [](const Array &array) { return array.space == Space::Registers; });
  const bool isAhead = llvm::any_of(kernel.ops, [&](const Op &op) {
    return op.unrolling.kind == Unrolling::Kind::Times && loadsAhead(kernel, op);
  });
  return isAhead && !areArraysInRegisters ? 2 : 1;
}

void colonnade::unrollLoops(Function &kernel, const RegisterPlan &registers) {
  for (size_t i = 0; i < kernel.ops.size(); ++i)
    if (registers.unroll[i] || kernel.ops[i].unrolling.kind == Unrolling::Kind::Fully)
      kernel.ops[i].unrolling.kind = Unrolling::Kind::Fully;
    else if (kernel.ops[i].unrolling.kind == Unrolling::Kind::None &&
             isShortInnermost(kernel, kernel.ops[i]))
      kernel.ops[i].unrolling = Eightfold;
  std::get<ThreadShape>(*kernel.launch).resident = blocksAtOnce(kernel);
}
