//===- KernelBuilder.cpp - Appends kernel operations, each pure value once -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/KernelBuilder.h"

using namespace colonnade;
using namespace colonnade::ir;

ValueId KernelBuilder::find(const Op &op, ScalarType type) const {
  return available_.find(Expression(op, type));
}

ValueId KernelBuilder::pure(const Op &op, ScalarType type) {
  Expression expression(op, type);
  if (ValueId known = available_.find(expression))
    return known;
  Op copy = op;
  copy.results.clear();
  ValueId result = builder_.result(builder_.append(std::move(copy), type));
  setVarying(result, anyVarying(op.operands) && op.opcode != Opcode::AnyLane);
  available_.add(expression, result);
  return result;
}

ValueId KernelBuilder::constant(Scalar scalar) {
  Op op = makeOp(Opcode::Constant);
  op.scalar = scalar;
  return pure(op, scalar.type);
}

bool KernelBuilder::isTruth(ValueId value, bool truth) const {
  const Scalar *constant = kernel_.constant(value);
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
  if (const Scalar *constant = kernel_.constant(a))
    return truth(!constant->bits);
  const Op *def = kernel_.definition(a);
  if (def && def->opcode == Opcode::Not)
    return def->operands[0];
  return pure(makeOp(Opcode::Not, {a}), ScalarType::Bool);
}

ValueId KernelBuilder::blend(ValueId mask, ValueId a, ValueId b) {
  if (!mask || a == b || isTruth(mask, true))
    return a;
  if (isTruth(mask, false))
    return b;
  ScalarType type = kernel_.value(a).type;
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
    : builder_(builder), insertion_(builder.builder_), mark_(builder.available_.mark()) {
  builder.builder_.setRegion(region);
}

KernelBuilder::Scope::~Scope() { builder_.available_.forgetSince(mark_); }
