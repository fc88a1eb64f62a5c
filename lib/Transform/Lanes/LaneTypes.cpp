//===- LaneTypes.cpp - In which type each value is computed -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search in LaneTypeSearch.cpp, rewriting in Retype.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/LaneTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

bool colonnade::needsWholeOperands(const Function &function, const Op &op) {
  if (op.opcode == Opcode::Shr)
    return true;
  bool compares = isComparison(op.opcode);
  return (compares || op.opcode == Opcode::Div || op.opcode == Opcode::Rem) &&
         isInteger(function.value(op.operands[0]).type);
}

LaneTypes::LaneTypes(const Function &function) : function_(&function), ranges_(function) {
  for (const Value &value : function.values)
    values_.push_back(value.type);
  for (const Array &array : function.arrays)
    cells_.push_back(array.cell);
}

ScalarType LaneTypes::computing(const Op &op) const {
  ScalarType own = function_->value(op.operands[0]).type;
  if (op.opcode == Opcode::Shr) {
    ScalarType lane = of(op.operands[0]);
    const Scalar *count = function_->constant(op.operands[1]);
    return count && count->bits < bitWidth(lane) ? lane : own;
  }
  unsigned bytes = 1;
  for (ValueId operand : op.operands)
    if (function_->varying(operand))
      bytes = std::max(bytes, sizeBytes(of(operand)));
  auto holds = [&](ScalarType type) {
    bool all = llvm::all_of(
        op.operands, [&](ValueId operand) { return fitsIn(ranges_.of(operand), own, type); });
    bool divides = op.opcode == Opcode::Div || op.opcode == Opcode::Rem;
    return all && (!divides || fitsIn(ranges_.of(op.results[0]), own, type));
  };
  for (; bytes < sizeBytes(own); bytes *= 2)
    for (bool sign : {true, false})
      if (holds(integerType(bytes, sign)))
        return integerType(bytes, sign);
  return bytes == sizeBytes(own) ? own : integerType(bytes, false);
}
