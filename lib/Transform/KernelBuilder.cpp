//===- KernelBuilder.cpp - Appends kernel operations, each pure value once -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Transform/KernelBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

bool KernelBuilder::anyVarying(llvm::ArrayRef<ValueId> values) const {
  return llvm::any_of(values, [&](ValueId value) { return varying(value); });
}

void KernelBuilder::setVarying(ValueId value, bool varying) {
  syncSizes();
  kernel_.varying[value.index] = varying;
}

KernelBuilder::Key KernelBuilder::keyOf(const Op &op, ScalarType type) {
  std::vector<uint32_t> operands;
  for (ValueId operand : op.operands)
    operands.push_back(operand.index);
  return {op.opcode, op.opcode == Opcode::Math ? op.math : MathFn::Sqrt, type,
          op.opcode == Opcode::Constant ? op.scalar.bits : 0, std::move(operands)};
}

ValueId KernelBuilder::find(const Op &op, ScalarType type) const {
  auto found = known_.find(keyOf(op, type));
  return found == known_.end() ? ValueId() : found->second;
}

ValueId KernelBuilder::pure(const Op &op, ScalarType type) {
  auto [place, isNew] = known_.try_emplace(keyOf(op, type));
  if (!isNew)
    return place->second;
  Op copy = op;
  copy.results.clear();
  ValueId result = builder_.result(builder_.append(std::move(copy), type));
  bool varies = anyVarying(op.operands) && op.opcode != Opcode::AnyLane;
  setVarying(result, varies);
  place->second = result;
  log_.push_back(place);
  return result;
}

static Op makeOp(Opcode opcode, std::initializer_list<ValueId> operands) {
  Op op;
  op.opcode = opcode;
  op.operands = operands;
  return op;
}

ValueId KernelBuilder::constant(Scalar scalar) {
  Op op = makeOp(Opcode::Constant, {});
  op.scalar = scalar;
  return pure(op, scalar.type);
}

bool KernelBuilder::isTruth(ValueId value, bool truth) const {
  const Scalar *constant = kernel_.body.constant(value);
  return constant && (constant->bits != 0) == truth;
}

ValueId KernelBuilder::logicalAnd(ValueId a, ValueId b) {
  if (!a || isTruth(a, true))
    return b;
  if (!b || isTruth(b, true) || a == b)
    return a;
  if (isTruth(a, false))
    return a;
  return isTruth(b, false) ? b : pure(makeOp(Opcode::And, {a, b}), ScalarType::Bool);
}

ValueId KernelBuilder::logicalOr(ValueId a, ValueId b) {
  if (isTruth(a, false) || isTruth(b, true))
    return b;
  if (isTruth(b, false) || isTruth(a, true) || a == b)
    return a;
  return pure(makeOp(Opcode::Or, {a, b}), ScalarType::Bool);
}

ValueId KernelBuilder::logicalNot(ValueId a) {
  if (const Scalar *constant = kernel_.body.constant(a))
    return truth(!constant->bits);
  const Op *def = kernel_.body.definition(a);
  if (def && def->opcode == Opcode::Not)
    return def->operands[0];
  return pure(makeOp(Opcode::Not, {a}), ScalarType::Bool);
}

ValueId KernelBuilder::blend(ValueId mask, ValueId a, ValueId b) {
  if (!mask || a == b || isTruth(mask, true))
    return a;
  if (isTruth(mask, false))
    return b;
  ScalarType type = kernel_.body.value(a).type;
  if (type == ScalarType::Bool) { // && and || are the common cases
    if (isTruth(b, false))
      return logicalAnd(mask, a);
    if (isTruth(a, true))
      return logicalOr(mask, b);
    if (isTruth(a, false))
      return logicalAnd(logicalNot(mask), b);
  }
  return pure(makeOp(varying(mask) ? Opcode::Blend : Opcode::Select, {mask, a, b}), type);
}

ValueId KernelBuilder::anyLane(ValueId mask) {
  if (!varying(mask))
    return mask;
  return pure(makeOp(Opcode::AnyLane, {mask}), ScalarType::Bool);
}

KernelBuilder::Scope::Scope(KernelBuilder &builder, RegionId region)
    : builder_(builder), insertion_(builder.builder_), mark_(builder.log_.size()) {
  builder.builder_.setRegion(region);
}

KernelBuilder::Scope::~Scope() {
  while (builder_.log_.size() > mark_) {
    builder_.known_.erase(builder_.log_.back());
    builder_.log_.pop_back();
  }
}
