//===- ValueRange.h - Which integers a value can be -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical or kernel function. Out: for every integer value, and the cells of every
// local array, an interval. Loops of few constant iterations are followed iteration by
// iteration, others until nothing grows, by way of the ranges of the scalar types.
// Invariant: it holds the value in every run and every lane, inactive ones included.
// Nothing is taken from undefined behaviour: arithmetic wraps, as generated code does.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_VALUERANGE_H
#define COLONNADE_TRANSFORM_LANES_VALUERANGE_H

#include "IR/Function.h"

#include "llvm/IR/ConstantRange.h"

#include <optional>

namespace colonnade {

class ValueRanges {
public:
  explicit ValueRanges(const ir::Function &function);

  /// `value` is an integer or a Bool. As wide as its type.
  llvm::ConstantRange of(ValueId value) const;
  llvm::ConstantRange ofCells(ArrayId array) const;

private:
  friend class RangeAnalysis;
  const ir::Function *function_;
  std::vector<std::optional<llvm::ConstantRange>> values_, cells_;
};

/// Whether all integers in `range`, of type `type`, are values of `other`.
bool fitsIn(const llvm::ConstantRange &range, ir::ScalarType type, ir::ScalarType other);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_VALUERANGE_H
