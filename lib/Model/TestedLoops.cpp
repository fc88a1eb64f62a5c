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
    const ValueId *const counter = llvm::find(args, comparison.operands[side]);
    const ValueId bound = comparison.operands[1 - side];
    const auto predicate =
        predicateOf(side == 0 ? comparison.opcode : ir::mirrored(comparison.opcode));
    if (counter == args.end() || !predicate || !isInvariant(function, test, bound))
      continue;
    const auto index = static_cast<unsigned>(counter - args.begin());
    const ir::Scalar *const step = stepOf(function, body, index);
    auto isOther = [&](ValueId id) { return id == *counter || isData(function, id); };
    if (!step || !llvm::all_of(args, isOther))
      return std::nullopt;
    TestedLoop found{index, bound, *step, ir::makeOp(Opcode::For)};
    found.asFor.predicate = *predicate;
    return found;
  }
  return std::nullopt;
}

/// Runs the test for what the bound is; nothing is counted. False: it is not known.
bool ProfileSummary::findBound(const Op &loop) {
  const RegionId test = loop.regions[0];
  const llvm::SaveAndRestore attempts(attempts_, attempts_ + 1);
  const LoopRequests::Sizes requested = requests_.sizes();
  const size_t recorded = records_.size(), entered = entries_.size();
  pass(loop.operands, function_.region(test).args);
  const Outcome outcome = region(test);
  records_.resize(recorded);
  entries_.resize(entered);
  requests_.dropTo(requested);
  return outcome == Outcome::Done;
}

/// nullopt: it is walked.
std::optional<Outcome> ProfileSummary::testedAtOnce(OpId id) {
  const std::optional<TestedLoop> &tested = tested_[id.index];
  const Op &op = function_.op(id);
  if (!tested || isBounding_ || isOpen(id) || !findBound(op))
    return std::nullopt;
  const LinearValue low = value(op.operands[tested->counter]);
  const int64_t step = ir::asStep(tested->asFor, tested->step);
  const std::optional<int64_t> count = iterations(tested->asFor, low, value(tested->bound), step);
  if (!count || *count <= 1 || isShort(op, low, *count))
    return std::nullopt;
  const std::optional<Outcome> outcome = atOnce(id, low, step, *count, tested->counter);
  if (outcome != Outcome::Done)
    return outcome;
  pass(op.results, function_.region(op.regions[0]).args);
  return region(op.regions[0]); // the test that ends it
}

} // namespace colonnade::model
