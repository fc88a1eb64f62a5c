//===- Unroll.cpp - How far loops of a kernel are unrolled ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Unroll.h"

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

void colonnade::unrollLoops(Function &kernel, const RegisterPlan &registers) {
  for (size_t i = 0; i < kernel.ops.size(); ++i)
    if (registers.unroll[i])
      kernel.ops[i].unrolling.kind = Unrolling::Kind::Fully;
    else if (isShortInnermost(kernel, kernel.ops[i]))
      kernel.ops[i].unrolling = Eightfold;
}
