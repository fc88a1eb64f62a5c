//===- LaneOperations.h - The cheaper forms of lane operations --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some operations on lanes have a form that costs less where it holds:
//
//   mul u64       both factors below 2^32: one multiplication of 32-bit halves
//   div, rem      by a constant, of at most 32 bits: a product and shifts
//
// In: a kernel whose lane types are final. Out: the same with those opcodes. laneForm() is
// the one place that says when; LaneCost prices by it.
// Invariant: the results stay the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_LANEOPERATIONS_H
#define COLONNADE_TRANSFORM_LANES_LANEOPERATIONS_H

#include "IR/Function.h"
#include "Transform/Lanes/OperationRange.h"

namespace colonnade {

/// The opcode for `op` on lanes of `type`; its own if there is no cheaper one.
ir::Opcode laneForm(const ir::Function &kernel, const ir::Op &op, ir::ScalarType type, RangeOf of);

/// Changes the opcodes of varying operations. Invariant: the results stay the same.
void chooseLaneOperations(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_LANEOPERATIONS_H
