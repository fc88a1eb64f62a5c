//===- Predication.cpp - Divergent control becomes masks -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over the function, and what needs no control: scalars, whose operands
// are kept safe in lanes that are not active, and accesses, which get the mask.
//
//===----------------------------------------------------------------------===//

#include "Transform/Predication/Predication.h"

#include "Transform/Predication/Predicator.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

void Predicator::set(ValueId old, ValueId fresh) {
  cloner_.set(old, fresh);
  std::string &name = to_.body().value(fresh).name;
  if (name.empty() && !to_.body().constant(fresh))
    name = from_.value(old).name;
}

void Predicator::run() {
  cloner_.copyShell();
  lowerRegion(from_.body);
  lowerReturn(from_.terminator(from_.body));
}

void Predicator::lowerRegion(RegionId region) {
  for (OpId id : llvm::drop_end(from_.region(region).ops))
    lower(from_.op(id));
}

void Predicator::lower(const Op &op) {
  builder_.setLoc(op.loc);
  switch (op.opcode) {
  case Opcode::Load:
    return lowerLoad(op);
  case Opcode::Store:
    return lowerStore(op);
  case Opcode::Check:
    return lowerCheck(op);
  case Opcode::If:
    return to_.varying(map(op.operands[0])) ? lowerDivergentIf(op) : lowerUniformIf(op);
  case Opcode::For:
    return lowerFor(op);
  case Opcode::Loop:
    return lowerLoop(op);
  default:
    return lowerPure(op);
  }
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

void Predicator::lowerPure(const Op &op) {
  if (op.opcode == Opcode::Unsupported) {
    Op copy = op;
    llvm::SmallVector<ScalarType, 1> types;
    for (ValueId result : op.results)
      types.push_back(from_.value(result).type);
    OpId fresh = builder_.append(std::move(copy), types);
    for (auto [old, result] : llvm::zip(op.results, to_.body().op(fresh).results))
      set(old, result);
    return;
  }
  ScalarType type = from_.value(op.results[0]).type;
  if (op.opcode == Opcode::Constant)
    return set(op.results[0], to_.constant(op.scalar));
  if (op.opcode == Opcode::Undef) // any defined value will do
    return set(op.results[0], to_.constant({type, 0}));
  Op copy = op;
  copy.operands = mapAll(op.operands);
  if (op.opcode == Opcode::Select)
    return set(op.results[0], to_.blend(copy.operands[0], copy.operands[1], copy.operands[2]));
  makeOperandsSafe(copy, type);
  set(op.results[0], to_.pure(copy, type));
}

/// Lanes that are not active hold anything: keep them from trapping.
void Predicator::makeOperandsSafe(Op &op, ScalarType resultType) {
  if (!mask_ || !to_.anyVarying(op.operands))
    return;
  ValueId first = op.operands[0];
  ScalarType type = to_.body().value(first).type;
  auto safe = [&](unsigned i, uint64_t bits) {
    ValueId &operand = op.operands[i];
    operand = to_.blend(mask_, operand, to_.constant({to_.body().value(operand).type, bits}));
  };
  switch (op.opcode) {
  case Opcode::Div:
  case Opcode::Rem: {
    if (!isInteger(type))
      return;
    const Scalar *divisor = to_.body().constant(op.operands[1]);
    uint64_t minusOne = ~uint64_t(0) >> (64 - bitWidth(type));
    if (!divisor || divisor->bits == 0 || (isSigned(type) && divisor->bits == minusOne))
      safe(1, 1);
    return;
  }
  case Opcode::Shl:
  case Opcode::Shr:
    if (to_.varying(op.operands[1]))
      safe(1, 0);
    return;
  case Opcode::Cast:
    if (isFloat(type) && isInteger(resultType))
      safe(0, 0);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Memory, facts of the user
//===----------------------------------------------------------------------===//

Op Predicator::accessOp(const Op &op) {
  Op access = op;
  access.operands.clear();
  access.masked = mask_.valid();
  if (mask_)
    access.operands.push_back(mask_);
  access.operands.append(mapAll(op.operands));
  AccessOperands parts = accessOperands(access);
  covered_.add(cellKey(op.array, parts.subscripts, parts.radices, idOf));
  return access;
}

void Predicator::lowerLoad(const Op &op) {
  Op access = accessOp(op);
  ValueId result = builder_.result(builder_.append(std::move(access), from_.array(op.array).cell));
  const Array &array = from_.array(op.array);
  bool perLane = array.isLocal() ? uniformity_.arrayVarying[op.array.index] : array.isPerInstance();
  to_.setVarying(result, perLane && uniformity_.varying[op.results[0].index]);
  set(op.results[0], result);
}

void Predicator::lowerStore(const Op &op) { builder_.append(accessOp(op), {}); }

void Predicator::lowerCheck(const Op &op) {
  Op check = op;
  ValueId condition = map(op.operands[0]);
  if (mask_)
    condition = to_.logicalOr(to_.logicalNot(mask_), condition);
  check.operands = {condition};
  builder_.append(std::move(check), {});
}

void Predicator::lowerReturn(const Op &op) {
  if (!op.operands.empty())
    for (size_t a = 0; a < from_.arrays.size(); ++a)
      if (from_.arrays[a].role == ArrayRole::Return)
        builder_.store(ArrayId(a), map(op.operands[0]), to_.constant({ScalarType::S64, 0}));
  builder_.ret(std::nullopt);
}

Function colonnade::predicate(const Function &function, const Uniformity &uniformity) {
  Function kernel;
  Predicator(function, uniformity, kernel).run();
  return kernel;
}
