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

/// Where loops are unrolled, what depends on some of their counters only is computed once for the
/// others, and what is known then is added to addresses for nothing.
class OperationCounter {
public:
  OperationCounter(const ir::Function &kernel, const RegionExecutions &executions)
      : kernel_(kernel), executions_(executions), weights_(kernel),
        unrolledOf_(kernel.values.size()), isOfAddress_(addressParts(kernel)) {}

  double run();

private:
  static std::vector<bool> addressParts(const ir::Function &kernel);
  void region(RegionId id, bool folds);
  void loop(const Op &op, bool folds);
  void operation(const Op &op, RegionId id, bool folds);
  void branch(const Op &op, bool folds);
  double times(RegionId id) const { return static_cast<double>(executions_[id.index].all); }
  uint32_t all() const { return (uint32_t(1) << around_.size()) - 1; }
  uint32_t unrolledOf(llvm::ArrayRef<ValueId> ids) const {
    uint32_t loops = 0;
    for (ValueId id : ids)
      loops |= unrolledOf_[id.index];
    return loops;
  }
  void set(llvm::ArrayRef<ValueId> ids, uint32_t loops) {
    for (ValueId id : ids)
      unrolledOf_[id.index] = loops;
  }

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  OperationWeights weights_;
  std::vector<uint32_t> unrolledOf_; // by value: unrolled loops that it depends on
  std::vector<bool> isOfAddress_;    // by value: all that it is used for
  std::vector<double> around_;       // iterations of unrolled loops, outermost first: a bit each
  size_t conditionalFrom_ = 0;       // loops around the innermost branch
  double sum_ = 0;
};

} // namespace

/// Sums and products that end in subscripts.
std::vector<bool> OperationCounter::addressParts(const ir::Function &kernel) {
  std::vector<bool> parts(kernel.values.size(), true);
  bool changes = true;
  while (changes) {
    changes = false;
    for (const Op &op : kernel.ops) {
      const bool isAccess = op.opcode == Opcode::Load || op.opcode == Opcode::Store;
      const bool passes = op.opcode == Opcode::Add || op.opcode == Opcode::Cast ||
                          op.opcode == Opcode::Sub || op.opcode == Opcode::Mul;
      const bool isPart = isAccess || (passes && parts[op.results[0].index]);
      for (ValueId operand : op.operands)
        if (!isPart && parts[operand.index]) {
          parts[operand.index] = false;
          changes = true;
        }
    }
  }
  return parts;
}

double OperationCounter::run() {
  region(kernel_.body, false);
  for (const ir::Part &part : kernel_.parts)
    region(part.body, false);
  return sum_;
}

void OperationCounter::loop(const Op &op, bool folds) {
  static constexpr size_t MaxAround = 31;
  const bool isUnrolled = isUnrolledFully(kernel_, op) && around_.size() < MaxAround;
  if (!isUnrolled)
    sum_ += OperationsOfIteration * times(op.regions.back()) / iterationsAtOnce(op.unrolling);
  const uint32_t before = all();
  const double iterations = static_cast<double>(constantIterations(kernel_, op).value_or(1));
  const std::vector<double> outside = around_;
  const size_t conditional = conditionalFrom_;
  if (isUnrolled)
    around_.push_back(std::max(1.0, iterations));
  else
    around_.clear(); // its iterations are apart
  for (RegionId part : op.regions) {
    set(kernel_.region(part).args, isUnrolled ? all() : 0);
    if (isUnrolled)
      set(kernel_.region(part).args.front(), uint32_t(1) << (around_.size() - 1));
    region(part, folds || isUnrolled);
  }
  around_ = outside;
  conditionalFrom_ = conditional;
  set(op.results, before);
}

void OperationCounter::branch(const Op &op, bool folds) {
  const size_t before = conditionalFrom_;
  conditionalFrom_ = around_.size();
  for (RegionId arm : op.regions)
    region(arm, folds);
  conditionalFrom_ = before;
  set(op.results, all());
}

/// Once for all iterations of the innermost loops whose counters change nothing of it.
void OperationCounter::operation(const Op &op, RegionId id, bool folds) {
  const bool isAccess = op.opcode == Opcode::Load || op.opcode == Opcode::Store;
  const uint32_t loops = isAccess ? all() : unrolledOf(op.operands);
  set(op.results, loops);
  double each = times(id) * weights_.of(op, folds);
  if (isAccess || each == 0)
    return void(sum_ += each);
  const bool isSum = op.opcode == Opcode::Add || op.opcode == Opcode::Sub;
  if (folds && isSum && isOfAddress_[op.results[0].index] &&
      llvm::any_of(op.operands, [&](ValueId operand) { return !kernel_.varying(operand); }))
    return;
  for (size_t level = around_.size(); level-- > conditionalFrom_;)
    if (!(loops >> level & 1))
      each /= around_[level];
  sum_ += each;
}

void OperationCounter::region(RegionId id, bool folds) {
  for (OpId opId : kernel_.region(id).ops) {
    const Op &op = kernel_.op(opId);
    if (op.opcode == Opcode::For || op.opcode == Opcode::Loop) {
      sum_ += times(id) * weights_.of(op, folds);
      loop(op, folds);
    } else if (!op.regions.empty()) {
      sum_ += times(id) * weights_.of(op, folds);
      branch(op, folds);
    } else {
      operation(op, id, folds);
    }
  }
}

double issuedOperations(const ir::Function &kernel, const RegionExecutions &executions) {
  return OperationCounter(kernel, executions).run();
}

} // namespace colonnade::model
