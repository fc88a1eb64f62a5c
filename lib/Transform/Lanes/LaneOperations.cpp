//===- LaneOperations.cpp - The cheaper forms of lane operations ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/LaneOperations.h"

#include "IR/Evaluate.h"
#include "Transform/Lanes/ValueRange.h"

using namespace colonnade;
using namespace colonnade::ir;

static bool isBelow2To32(ValueId value, RangeOf of) { return of(value).getActiveBits() <= 32; }

static Opcode divisionForm(const Function &kernel, const Op &op, ScalarType type) {
  const Scalar *divisor = kernel.constant(op.operands[1]);
  if (!divisor || !isInteger(type) || bitWidth(type) > 32 || isTrivialDivisor(*divisor))
    return op.opcode;
  return op.opcode == Opcode::Div ? Opcode::DivConstant : Opcode::RemConstant;
}

Opcode colonnade::laneForm(const Function &kernel, const Op &op, ScalarType type, RangeOf of) {
  switch (op.opcode) {
  case Opcode::Mul:
    return type == ScalarType::U64 && isBelow2To32(op.operands[0], of) &&
                   isBelow2To32(op.operands[1], of)
               ? Opcode::MulLowHalves
               : Opcode::Mul;
  case Opcode::Div:
  case Opcode::Rem:
    return divisionForm(kernel, op, type);
  default:
    return op.opcode;
  }
}

void colonnade::chooseLaneOperations(Function &kernel) {
  const ValueRanges ranges(kernel);
  for (Op &op : kernel.ops)
    if (op.results.size() == 1 && kernel.anyVarying(op.operands))
      op.opcode = laneForm(kernel, op, kernel.value(op.results[0]).type,
                           [&](ValueId value) { return ranges.of(value); });
}
