//===- TestedLoops.cpp - Loops that load their bound again ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/TestedLoops.h"

#include "Model/ProfileSummary.h"

#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Function;
using ir::Op;
using ir::Opcode;
using ir::Predicate;
using Kind = LinearValue::Kind;

static std::optional<Predicate> predicateOf(Opcode comparison) {
  switch (comparison) {
  case Opcode::Lt:
    return Predicate::Lt;
  case Opcode::Le:
    return Predicate::Le;
  case Opcode::Gt:
    return Predicate::Gt;
  case Opcode::Ge:
    return Predicate::Ge;
  case Opcode::Ne:
    return Predicate::Ne;
  default:
    return std::nullopt;
  }
}

/// Whether each iteration computes the value anew, and alike.
static bool isInvariant(const Function &function, RegionId test, ValueId id) {
  const ir::Value &value = function.value(id);
  if (!value.def)
    return value.region != test;
  if (!llvm::is_contained(function.region(test).ops, value.def))
    return true;
  const Op &op = function.op(value.def);
  if (op.opcode == Opcode::Load) {
    const ir::Array &array = function.array(op.array);
    if (op.masked || !(array.isTable() || array.isSharedInput()))
      return false;
  } else if (!ir::isScalarOperation(op.opcode)) {
    return false;
  }
  return llvm::all_of(op.operands,
                      [&](ValueId operand) { return isInvariant(function, test, operand); });
}

/// Which of the values that a test is given a value is computed from, if all else stays the same.
static std::optional<unsigned> counterOf(const Function &function, RegionId test, ValueId id) {
  llvm::ArrayRef<ValueId> args = function.region(test).args;
  if (const ValueId *const arg = llvm::find(args, id); arg != args.end())
    return static_cast<unsigned>(arg - args.begin());
  const Op *const op = function.definition(id);
  if (!op || !llvm::is_contained({Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Cast}, op->opcode))
    return std::nullopt;
  std::optional<unsigned> counter;
  for (ValueId operand : op->operands) {
    if (isInvariant(function, test, operand))
      continue;
    if (counter || !(counter = counterOf(function, test, operand)))
      return std::nullopt;
  }
  return counter;
}

/// Whether a value that is carried differs between instances, or is none that is followed.
static bool isData(const Function &function, ValueId carried) {
  return function.stage == ir::Stage::Kernel && function.varying(carried);
}

/// By how much each iteration moves a value that it carries.
static const ir::Scalar *stepOf(const Function &function, RegionId body, unsigned carried) {
  const ValueId id = function.region(body).args[carried];
  llvm::ArrayRef<ValueId> given = function.terminator(body).operands;
  const OpId def = function.value(given[carried + 1]).def;
  if (!def || function.op(def).opcode != Opcode::Add)
    return nullptr;
  llvm::ArrayRef<ValueId> operands = function.op(def).operands;
  if (operands[0] == id)
    return function.constant(operands[1]);
  return operands[1] == id ? function.constant(operands[0]) : nullptr;
}

std::optional<TestedLoop> testedLoop(const Function &function, const Op &loop) {
  if (loop.opcode != Opcode::Loop)
    return std::nullopt;
  const RegionId test = loop.regions[0], body = loop.regions[1];
  llvm::ArrayRef<ValueId> args = function.region(test).args,
                          passed = function.terminator(test).operands;
  const ir::Scalar *const goesOn = function.constant(function.terminator(body).operands[0]);
  const OpId condition = function.value(passed[0]).def;
  if (!goesOn || goesOn->bits == 0 || !condition || passed.drop_front() != args)
    return std::nullopt;
  const Op &comparison = function.op(condition);
  if (!ir::isComparison(comparison.opcode))
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    const ValueId compared = comparison.operands[side];
    const std::optional<unsigned> index = counterOf(function, test, compared);
    const ValueId bound = comparison.operands[1 - side];
    const auto predicate =
        predicateOf(side == 0 ? comparison.opcode : ir::mirrored(comparison.opcode));
    if (!index || !predicate || !isInvariant(function, test, bound))
      continue;
    const ir::Scalar *const step = stepOf(function, body, *index);
    auto isOther = [&](ValueId id) { return id == args[*index] || isData(function, id); };
    if (!step || !llvm::all_of(args, isOther))
      return std::nullopt;
    TestedLoop found{*index, compared, bound, *step, ir::makeOp(Opcode::For)};
    found.asFor.predicate = *predicate;
    return found;
  }
  return std::nullopt;
}

/// Runs the test for what it computes of so many iterations; nothing is counted. False: that is not
/// known.
bool ProfileSummary::runTest(const Op &loop, const TestedLoop &tested, int64_t step,
                             int64_t iterations) {
  const RegionId test = loop.regions[0];
  const ValueId counter = function_.region(test).args[tested.counter];
  const llvm::SaveAndRestore attempts(attempts_, attempts_ + 1);
  const LoopRequests::Sizes requested = requests_.sizes();
  const size_t recorded = records_.size(), entered = entries_.size(), sources = sources_.size();
  const llvm::SaveAndRestore mergeable(mergeable_, recorded);
  const llvm::SaveAndRestore outside(outside_); // perhaps it does not run as often
  const auto around = static_cast<unsigned>(loops_.size());
  pass(loop.operands, function_.region(test).args);
  if (iterations > 1) {
    loops_.push_back(iterations);
    value(counter) = linearIn(value(counter), step, around, loops_);
  }
  const Outcome outcome = region(test);
  if (iterations > 1)
    loops_.pop_back();
  records_.resize(recorded);
  entries_.resize(entered);
  sources_.resize(sources);
  requests_.dropTo(requested);
  return outcome == Outcome::Done;
}

/// How often the test says that the loop goes on, where it compares what moves as the counter does.
std::optional<int64_t> ProfileSummary::testedIterations(const Op &op, const TestedLoop &tested,
                                                        int64_t step) {
  const auto loop = static_cast<unsigned>(loops_.size());
  if (tested.compared == function_.region(op.regions[0]).args[tested.counter]) {
    if (!runTest(op, tested, step, 1))
      return std::nullopt;
    return iterations(tested.asFor, value(op.operands[tested.counter]), value(tested.bound), step);
  }
  if (!runTest(op, tested, step, 2) || value(tested.compared).kind != Kind::Linear)
    return std::nullopt;
  LinearValue first = value(tested.compared);
  const int64_t each = first.terms.of(loop);
  first.terms.erase(loop);
  const std::optional<int64_t> count = iterations(tested.asFor, first, value(tested.bound), each);
  // It is computed once more, and may not wrap.
  const bool isLinear = count && *count > 1 && *count < INT64_MAX &&
                        runTest(op, tested, step, *count + 1) &&
                        value(tested.compared).kind == Kind::Linear;
  return isLinear ? count : std::nullopt;
}

/// nullopt: it is walked.
std::optional<Outcome> ProfileSummary::testedAtOnce(OpId id) {
  const std::optional<TestedLoop> &tested = tested_[id.index];
  const Op &op = function_.op(id);
  if (!tested || isBounding_ || isOpen(id))
    return std::nullopt;
  const LinearValue low = value(op.operands[tested->counter]);
  const int64_t step = ir::asStep(tested->asFor, tested->step);
  const std::optional<int64_t> count = testedIterations(op, *tested, step);
  if (!count || *count <= 1 || isShort(op, low, *count))
    return std::nullopt;
  const std::optional<Outcome> outcome = atOnce(id, low, step, *count, tested->counter);
  if (outcome != Outcome::Done)
    return outcome;
  pass(op.results, function_.region(op.regions[0]).args);
  return region(op.regions[0]); // the test that ends it
}

} // namespace colonnade::model
