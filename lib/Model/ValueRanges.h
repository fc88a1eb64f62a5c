//===- ValueRanges.h - Between what values lie ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation on integers or conditions, and between what its operands lie. Out: between what
// its result lies, if the run is defined.
// Invariant: the result of any operands in their ranges is in its range.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_VALUERANGES_H
#define COLONNADE_MODEL_VALUERANGES_H

#include "IR/Evaluate.h"

namespace colonnade::model {

struct ValueRange {
  int64_t low, high;
  friend bool operator==(const ValueRange &, const ValueRange &) = default;
};

/// All values of the type; nullopt: it has others than signed 64-bit integers.
std::optional<ValueRange> anyOf(ir::ScalarType type);

ValueRange hullOf(ValueRange a, ValueRange b);

/// Of an operation that isScalarOperation, of integers or conditions; `type` is its result's.
/// nullopt of an operand or the result: nothing is known of it.
std::optional<ValueRange> rangeOf(const ir::Op &op, ir::ScalarType type,
                                  llvm::ArrayRef<std::optional<ValueRange>> operands);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_VALUERANGES_H
