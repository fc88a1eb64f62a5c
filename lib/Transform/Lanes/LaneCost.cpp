//===- LaneCost.cpp - What an operation costs in lanes of some types -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation costs is a sum over its operands; the constants are numbers of
// instructions, for one register each.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/LaneCost.h"

#include "Transform/Lanes/DemandedBits.h"
#include "Transform/Lanes/LaneOperations.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static double conversionCost(unsigned from, unsigned to) {
  double cost = 0;
  if (from < to)
    return to; // one instruction for each register of the result
  for (; from > to; from /= 2)
    cost += 1.5 * from; // two registers are cut and joined
  return cost;
}

double LaneCost::conversion(ValueId value, ScalarType to) const {
  if (!varying(value) || !isInteger(kernel_.value(value).type) || !isInteger(to))
    return 0;
  return conversionCost(sizeBytes(types_.of(value)), sizeBytes(to));
}

double LaneCost::conversions(llvm::ArrayRef<ValueId> values,
                             llvm::ArrayRef<ValueId> targets) const {
  double cost = 0;
  for (auto [value, target] : llvm::zip(values, targets))
    cost += conversion(value, types_.of(target));
  return cost;
}

// Masks are as wide as what was compared.
unsigned LaneCost::maskBytes(ValueId mask) const {
  const Op *def = kernel_.definition(mask);
  if (!def || !varying(mask) || def->opcode == Opcode::Load)
    return def && def->opcode == Opcode::Load ? 1 : 0;
  unsigned bytes = 0;
  bool compares = isComparison(def->opcode);
  for (ValueId operand : def->operands)
    if (compares && varying(operand))
      bytes = std::max(bytes, sizeBytes(types_.of(operand)));
  return bytes;
}

double LaneCost::arithmetic(const Op &op, ScalarType type) const {
  const Function &f = kernel_;
  unsigned bytes = sizeBytes(type), step = llvm::Log2_32(bytes);
  static const double mul[] = {8, 2, 8, 32}, shift[] = {3, 2, 4, 8}, shiftBy[] = {24, 16, 8, 8},
                      divide[] = {24, 10, 48, 400}, divideBy[] = {48, 40, 100, 400};
  auto range = [&](ValueId value) { return types_.ranges().of(value); };
  switch (laneForm(f, op, type, range)) {
  case Opcode::MulLowHalves:
    return 8;
  case Opcode::Mul:
    return mul[step];
  case Opcode::Shl:
  case Opcode::Shr: {
    bool arithmeticShift = op.opcode == Opcode::Shr && isSigned(type) && (bytes == 8 || bytes == 1);
    return (varying(op.operands[1]) ? shiftBy : shift)[step] * (arithmeticShift ? 2 : 1);
  }
  case Opcode::Div:
  case Opcode::Rem:
    return divideBy[step];
  case Opcode::DivConstant:
  case Opcode::RemConstant:
    return divide[step];
  case Opcode::Lt:
  case Opcode::Le:
  case Opcode::Gt:
  case Opcode::Ge:
    return bytes * (bytes == 8 ? 4 : isSigned(type) ? 1 : 2);
  default:
    return bytes;
  }
}

double LaneCost::choice(const Op &op) const {
  ScalarType type = types_.of(op.results[0]);
  unsigned mask = maskBytes(op.operands[0]);
  return (isInteger(type) ? sizeBytes(type) : 0) + conversion(op.operands[1], type) +
         conversion(op.operands[2], type) + (mask ? conversionCost(mask, sizeBytes(type)) : 0);
}

// The wider lane of a result that may have lost bits is truncated.
static double truncationCost(ScalarType lane, ScalarType own) {
  return sizeBytes(lane) > sizeBytes(own) ? sizeBytes(lane) : 0;
}

double LaneCost::cast(const Op &op) const {
  const Function &f = kernel_;
  ValueId from = op.operands[0];
  ScalarType own = f.value(op.results[0]).type, lane = types_.of(op.results[0]);
  if (!isInteger(own))
    return conversion(from, f.value(from).type);
  if (f.value(from).type == ScalarType::Bool) {
    unsigned mask = maskBytes(from);
    return sizeBytes(lane) + (mask ? conversionCost(mask, sizeBytes(lane)) : 0);
  }
  if (!isInteger(f.value(from).type))
    return 0;
  bool keeps = fitsIn(types_.ranges().of(from), f.value(from).type, own);
  return conversion(from, lane) + (keeps ? 0 : truncationCost(lane, own));
}

double LaneCost::of(const Op &op) const {
  const Function &f = kernel_;
  switch (op.opcode) {
  case Opcode::For: {
    auto args = llvm::ArrayRef(f.region(op.regions[0]).args).drop_front();
    auto yields =
        llvm::ArrayRef(f.terminator(op.regions[0]).operands).drop_front(op.hasContinueFlag);
    return conversions(llvm::ArrayRef(op.operands).drop_front(3), args) +
           IterationsPerLoop * conversions(yields, args);
  }
  case Opcode::Loop: {
    llvm::ArrayRef<ValueId> args = f.region(op.regions[0]).args;
    auto forwarded = llvm::ArrayRef(f.terminator(op.regions[0]).operands).drop_front();
    auto yields = llvm::ArrayRef(f.terminator(op.regions[1]).operands).drop_front();
    return conversions(op.operands, args) +
           IterationsPerLoop * (conversions(forwarded, args) + conversions(yields, args));
  }
  case Opcode::If:
    return conversions(f.terminator(op.regions[0]).operands, op.results) +
           conversions(f.terminator(op.regions[1]).operands, op.results);
  case Opcode::Store:
    return conversion(accessOperands(op).stored, types_.ofCells(op.array));
  case Opcode::Select:
  case Opcode::Blend:
    return choice(op);
  case Opcode::Cast:
    return cast(op);
  default:
    break;
  }
  if (op.results.size() != 1)
    return 0;
  double cost = 0;
  ScalarType result = f.value(op.results[0]).type;
  if (needsWholeOperands(f, op)) {
    ScalarType type = types_.computing(op);
    for (ValueId operand : op.operands)
      cost += conversion(operand, type);
    if (isInteger(result))
      cost += conversionCost(sizeBytes(type), sizeBytes(types_.of(op.results[0])));
    return cost + arithmetic(op, type);
  }
  if (!worksOnLowBits(op) || !isInteger(result))
    return 0;
  ScalarType lane = types_.of(op.results[0]);
  for (ValueId operand : op.operands)
    cost += conversion(operand, lane);
  return cost + arithmetic(op, lane) + (staysWithin(op) ? 0 : truncationCost(lane, result));
}
