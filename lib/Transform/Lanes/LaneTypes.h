//===- LaneTypes.h - In which type each value is computed -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C computes in int what is stored in bytes, and in 64 bits the product of two
// 32-bit words. In: a CPU kernel. Out: for every varying integer value and every
// local array the type its lanes have:
//
//   narrower   where its range fits, or only so many low bits are demanded
//   wider      for unsigned values, where conversions to and fro would cost more
//
// Invariant: widened to the value's own type, a lane agrees with the value in all
// demanded bits. Types are chosen by the cost of operations and conversions, by
// local search from several starts.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_LANETYPES_H
#define COLONNADE_TRANSFORM_LANES_LANETYPES_H

#include "Transform/Lanes/ValueRange.h"

namespace colonnade {

class LaneTypes {
public:
  explicit LaneTypes(const ir::Function &function);

  ir::ScalarType of(ValueId value) const { return values_[value.index]; }
  ir::ScalarType ofCells(ArrayId array) const { return cells_[array.index]; }
  void set(ValueId value, ir::ScalarType type) { values_[value.index] = type; }
  void setCells(ArrayId array, ir::ScalarType type) { cells_[array.index] = type; }

  const ValueRanges &ranges() const { return ranges_; }
  /// In which type a Shr, Div, Rem or comparison is computed: it holds all
  /// operands exactly, and the result of a division.
  ir::ScalarType computing(const ir::Op &op) const;

private:
  const ir::Function *function_;
  ValueRanges ranges_;
  std::vector<ir::ScalarType> values_, cells_;
};

/// Shr, Div, Rem and integer comparisons: operands are needed whole.
bool needsWholeOperands(const ir::Function &function, const ir::Op &op);

LaneTypes chooseLaneTypes(const ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_LANETYPES_H
