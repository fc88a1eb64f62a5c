//===- KnownWalk.cpp - A walk with the values that sizes decide -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/KnownWalk.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::ir {

void KnownWalk::forget(llvm::ArrayRef<ValueId> ids) {
  for (ValueId id : ids)
    set(id, std::nullopt);
}

void KnownWalk::setResults(llvm::ArrayRef<ValueId> results, llvm::ArrayRef<Known> known) {
  for (size_t i = 0; i < results.size(); ++i)
    set(results[i], known[i]);
}

llvm::SmallVector<KnownWalk::Known, 4> KnownWalk::yielded(RegionId region, unsigned drop) const {
  llvm::SmallVector<Known, 4> known;
  for (ValueId operand : llvm::drop_begin(function_.terminator(region).operands, drop))
    known.push_back(value(operand));
  return known;
}

bool KnownWalk::walk(RegionId region) {
  for (OpId id : function_.region(region).ops)
    if (++steps_ > maxSteps_ || !visit(id))
      return false;
  return true;
}

bool KnownWalk::visit(OpId id) {
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    forget(op.results);
    return access(id, cellOf(op));
  case Opcode::If:
    return visitIf(id);
  case Opcode::For:
    return visitFor(id);
  case Opcode::Loop:
    return visitLoop(id);
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
    return true;
  default:
    evaluate(id);
    return true;
  }
}

std::optional<int64_t> KnownWalk::cellOf(const Op &op) const {
  const AccessOperands parts = accessOperands(op);
  int64_t cell = 0;
  for (size_t k = 0; k < parts.subscripts.size(); ++k) {
    const Known &subscript = value(parts.subscripts[k]);
    const Known radix = k ? value(parts.radices[k - 1]) : makeInt(ScalarType::S64, 0);
    if (!subscript || !radix || __builtin_mul_overflow(cell, asInt64(*radix), &cell) ||
        __builtin_add_overflow(cell, asInt64(*subscript), &cell))
      return std::nullopt;
  }
  return cell;
}

/// Of most operations in a walk: a short way to what fold gives.
static std::optional<int64_t> countersOperation(Opcode opcode, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (opcode) {
  case Opcode::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Opcode::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Opcode::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  default:
    return std::nullopt;
  }
}

bool KnownWalk::evaluateCounters(const Op &op) {
  const ScalarType type = function_.value(op.results[0]).type;
  if (op.operands.size() != 2 || (type != ScalarType::S32 && type != ScalarType::S64))
    return false;
  const Known &a = value(op.operands[0]), &b = value(op.operands[1]);
  if (!a || !b)
    return false;
  const std::optional<int64_t> result = countersOperation(op.opcode, asInt64(*a), asInt64(*b));
  if (!result || (type == ScalarType::S32 && *result != int32_t(*result)))
    return false;
  set(op.results[0], makeInt(type, *result));
  return true;
}

void KnownWalk::evaluate(OpId id) {
  const Op &op = function_.op(id);
  if (op.results.size() != 1)
    return forget(op.results);
  if (op.opcode == Opcode::Constant)
    return set(op.results[0], op.scalar);
  if (evaluateCounters(op))
    return;
  llvm::SmallVector<Scalar, 3> operands;
  for (ValueId operand : op.operands)
    if (value(operand))
      operands.push_back(*value(operand));
  if (operands.size() == op.operands.size())
    if (Known result = fold(op, function_.value(op.results[0]).type, operands))
      return set(op.results[0], result);
  remains(id);
  forget(op.results);
}

bool KnownWalk::visitIf(OpId id) {
  const Op &op = function_.op(id);
  const Known condition = value(op.operands[0]);
  if (condition) {
    const RegionId arm = op.regions[condition->bits ? 0 : 1];
    if (!walk(arm))
      return false;
    setResults(op.results, yielded(arm));
    return true;
  }
  remains(id);
  ++uncertain_;
  const bool goesOn = uncertainArm(op.regions[0]) && uncertainArm(op.regions[1]);
  --uncertain_;
  if (!goesOn)
    return false;
  forget(op.results);
  return true;
}

bool KnownWalk::iteration(OpId loop, uint64_t) { return walk(function_.op(loop).regions[0]); }

bool KnownWalk::visitFor(OpId id) {
  const Op &op = function_.op(id);
  const Known low = value(op.operands[0]), high = value(op.operands[1]),
              step = value(op.operands[2]);
  if (!low || !high || !step || isKept(id))
    return unknownLoop(id);
  llvm::SmallVector<Known, 4> carried;
  for (ValueId init : llvm::drop_begin(op.operands, 3))
    carried.push_back(value(init));
  const Region &body = function_.region(op.regions[0]);
  Scalar counter = *low;
  bool mayHaveLeft = false;
  uint64_t number = 0;
  for (bool first = op.postTest; first || runs(op.predicate, counter, *high); first = false) {
    set(body.args[0], counter);
    setResults(llvm::ArrayRef(body.args).drop_front(), carried);
    if (++steps_ > maxSteps_ || !iteration(id, number++))
      return false;
    carried = yielded(op.regions[0], op.hasContinueFlag ? 1 : 0);
    if (op.hasContinueFlag) {
      const Known continues = value(function_.terminator(op.regions[0]).operands[0]);
      if (continues && !continues->bits)
        break;
      mayHaveLeft |= !continues;
      if (!continues)
        remains(id);
    }
    counter = evaluateBinary(Opcode::Add, counter, *step).value;
  }
  set(op.results[0], mayHaveLeft ? Known() : Known(counter));
  for (size_t i = 0; i < carried.size(); ++i)
    set(op.results[i + 1], mayHaveLeft ? Known() : carried[i]);
  return true;
}

bool KnownWalk::unknownLoop(OpId id) {
  const Op &op = function_.op(id);
  remains(id);
  for (RegionId region : op.regions) {
    forget(function_.region(region).args);
    if (!walk(region))
      return false;
  }
  forget(op.results);
  return true;
}

// Iterations are known as long as the test is; what is carried through a test or a
// continue flag that depends on data stays known, the number of iterations does not.
bool KnownWalk::visitLoop(OpId id) {
  const Op &op = function_.op(id);
  const Region &before = function_.region(op.regions[0]), &body = function_.region(op.regions[1]);
  llvm::SmallVector<Known, 4> carried;
  for (ValueId init : op.operands)
    carried.push_back(value(init));
  for (;;) {
    setResults(before.args, carried);
    if (++steps_ > maxSteps_ || !walk(op.regions[0]))
      return false;
    carried = yielded(op.regions[0], 1);
    const Known test = value(function_.terminator(op.regions[0]).operands[0]);
    if (!test || isKept(id))
      break;
    if (!test->bits) {
      setResults(op.results, carried);
      return true;
    }
    setResults(body.args, carried);
    if (!walk(op.regions[1]))
      return false;
    carried = yielded(op.regions[1], 1);
    const Known continues = value(function_.terminator(op.regions[1]).operands[0]);
    if (!continues)
      break;
    if (!continues->bits) {
      setResults(op.results, carried);
      return true;
    }
  }
  return unknownLoop(id);
}

} // namespace colonnade::ir
