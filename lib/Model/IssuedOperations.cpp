//===- IssuedOperations.cpp - What of a kernel a GPU issues ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/IssuedOperations.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

unsigned iterationsAtOnce(const ir::Unrolling &unrolling) {
  static constexpr unsigned ByCompiler = 4; // where nothing is said
  static constexpr unsigned OfAll = 32;     // as many loads as registers may hold
  switch (unrolling.kind) {
  case ir::Unrolling::Kind::None:
    return ByCompiler;
  case ir::Unrolling::Kind::Times:
    return unrolling.times;
  case ir::Unrolling::Kind::Fully:
    return OfAll;
  }
  return 1;
}

bool isUnrolledFully(const ir::Function &kernel, const Op &loop) {
  static constexpr int64_t Few = 32;
  return loop.unrolling.kind == ir::Unrolling::Kind::Fully ||
         constantIterations(kernel, loop).value_or(Few + 1) <= Few;
}

OperationWeights::OperationWeights(const ir::Function &kernel)
    : kernel_(kernel), uses_(kernel.values.size()) {
  for (const Op &op : kernel.ops)
    for (ValueId operand : op.operands)
      ++uses_[operand.index];
}

/// An integer conversion, or an addition to a product that is used for nothing else.
bool OperationWeights::isPartOfOther(const Op &op) const {
  if (op.results.empty() || !ir::isInteger(kernel_.value(op.results[0]).type))
    return false;
  if (op.opcode == Opcode::Cast)
    return ir::isInteger(kernel_.value(op.operands[0]).type);
  if (op.opcode != Opcode::Add && op.opcode != Opcode::Sub)
    return false;
  return llvm::any_of(op.operands, [&](ValueId operand) {
    const Op *const from = kernel_.definition(operand);
    return from && uses_[operand.index] == 1 &&
           (from->opcode == Opcode::Mul || from->opcode == Opcode::MulLowHalves);
  });
}

/// Instructions of an operation: what a GPU has no instruction for takes several.
double OperationWeights::weight(const Op &op) const {
  static constexpr double OfDivision = 10, OfIntegerDivision = 20, OfConstantDivision = 4,
                          OfFunction = 20;
  switch (op.opcode) {
  case Opcode::Div:
  case Opcode::Rem:
    if (!ir::isInteger(kernel_.value(op.results[0]).type))
      return OfDivision;
    return kernel_.constant(op.operands[1]) ? OfConstantDivision : OfIntegerDivision;
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return OfConstantDivision;
  case Opcode::Math:
    return op.math == ir::MathFn::Sqrt || !ir::isExact(op.math) ? OfFunction : 1;
  default:
    return isPartOfOther(op) ? 0 : 1;
  }
}

double OperationWeights::of(const Op &op, bool folds) const {
  switch (op.opcode) {
  case Opcode::Constant:
  case Opcode::Undef:
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
  case Opcode::For:
  case Opcode::Loop:
  case Opcode::CallPart:
    return 0;
  case Opcode::Load:
  case Opcode::Store:
    return kernel_.array(op.array).space != ir::Space::Registers;
  default:
    const bool isIssued = !folds || kernel_.anyVarying(op.operands) ||
                          (!op.results.empty() && kernel_.varying(op.results[0]));
    return isIssued ? weight(op) : 0;
  }
}

namespace {

class OperationCounter {
public:
  OperationCounter(const ir::Function &kernel, const RegionExecutions &executions)
      : kernel_(kernel), executions_(executions), weights_(kernel) {}

  double run();

private:
  void region(RegionId id, bool folds);
  void loop(const Op &op, bool folds);
  double times(RegionId id) const { return static_cast<double>(executions_[id.index].all); }

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  OperationWeights weights_;
  double sum_ = 0;
};

} // namespace

double OperationCounter::run() {
  region(kernel_.body, false);
  for (const ir::Part &part : kernel_.parts)
    region(part.body, false);
  return sum_;
}

void OperationCounter::loop(const Op &op, bool folds) {
  const bool isUnrolled = isUnrolledFully(kernel_, op);
  if (!isUnrolled)
    sum_ += OperationsOfIteration * times(op.regions.back()) / iterationsAtOnce(op.unrolling);
  for (RegionId part : op.regions)
    region(part, folds || isUnrolled);
}

void OperationCounter::region(RegionId id, bool folds) {
  for (OpId opId : kernel_.region(id).ops) {
    const Op &op = kernel_.op(opId);
    sum_ += times(id) * weights_.of(op, folds);
    if (op.opcode == Opcode::For || op.opcode == Opcode::Loop)
      loop(op, folds);
    else
      for (RegionId arm : op.regions)
        region(arm, folds);
  }
}

double issuedOperations(const ir::Function &kernel, const RegionExecutions &executions) {
  return OperationCounter(kernel, executions).run();
}

} // namespace colonnade::model
