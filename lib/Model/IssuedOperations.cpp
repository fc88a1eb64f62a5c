//===- IssuedOperations.cpp - What of a kernel a GPU issues ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/IssuedOperations.h"

#include "IR/Evaluate.h"

#include <cstdlib>

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

/// By us, or by the compiler, as its few iterations are known.
static bool isUnrolledFully(const ir::Function &kernel, const Op &op) {
  static constexpr int64_t Few = 32;
  if (op.unrolling.kind == ir::Unrolling::Kind::Fully)
    return true;
  if (op.opcode != Opcode::For)
    return false;
  const ir::Scalar *const low = kernel.constant(op.operands[0]), *const high = kernel.constant(
                                                                     op.operands[1]);
  return low && high && std::abs(ir::asInt64(*high) - ir::asInt64(*low)) <= Few;
}

namespace {

class OperationCounter {
public:
  OperationCounter(const ir::Function &kernel, const RegionExecutions &executions)
      : kernel_(kernel), executions_(executions) {}

  double run();

private:
  void region(RegionId id, bool folds);
  void loop(const Op &op, bool folds);
  double issued(const Op &op, bool folds) const;
  double times(RegionId id) const { return static_cast<double>(executions_[id.index].all); }

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  double sum_ = 0;
};

} // namespace

double OperationCounter::run() {
  region(kernel_.body, false);
  for (const ir::Part &part : kernel_.parts)
    region(part.body, false);
  return sum_;
}

/// Each time that it is run, without what it contains. `folds`: what is the same in all threads is
/// known when the kernel is compiled, or an offset.
double OperationCounter::issued(const Op &op, bool folds) const {
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
    return !folds || kernel_.anyVarying(op.operands) ||
           (!op.results.empty() && kernel_.varying(op.results[0]));
  }
}

void OperationCounter::loop(const Op &op, bool folds) {
  static constexpr double OfIteration = 2; // the test, the step
  const bool isUnrolled = isUnrolledFully(kernel_, op);
  if (!isUnrolled)
    sum_ += OfIteration * times(op.regions.back()) / iterationsAtOnce(op.unrolling);
  for (RegionId part : op.regions)
    region(part, folds || isUnrolled);
}

void OperationCounter::region(RegionId id, bool folds) {
  for (OpId opId : kernel_.region(id).ops) {
    const Op &op = kernel_.op(opId);
    sum_ += times(id) * issued(op, folds);
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
