//===- OperationRange.h - Intervals through one operation -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a pure operation with an integer or Bool result, and the intervals of its operands.
// Out: an interval. Invariant: it holds every result, with the wrapping semantics of
// ir::Evaluation.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_OPERATIONRANGE_H
#define COLONNADE_TRANSFORM_LANES_OPERATIONRANGE_H

#include "IR/Function.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/ConstantRange.h"

namespace colonnade {

using RangeOf = llvm::function_ref<llvm::ConstantRange(ValueId)>;

/// The smallest interval with both, in the order of `type`.
llvm::ConstantRange unite(const llvm::ConstantRange &a, const llvm::ConstantRange &b,
                          ir::ScalarType type);

llvm::ConstantRange operationRange(const ir::Function &function, const ir::Op &op, RangeOf of);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_OPERATIONRANGE_H
