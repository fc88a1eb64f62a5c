//===- LaneCost.h - What an operation costs in lanes of some types -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation of a kernel of lanes and the types of its lanes. Out: register-wide
// instructions, in bytes per lane, of x86: what fits one instruction on registers of
// n-byte lanes costs n. Rough.
// Invariant: the order of alternatives is that of SSE2, AVX2 and AVX-512 alike.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_LANECOST_H
#define COLONNADE_TRANSFORM_LANES_LANECOST_H

#include "Transform/Lanes/LaneTypes.h"

namespace colonnade {

/// A guess where nothing is known: what stands in a loop counts so often.
constexpr double IterationsPerLoop = 8;

class LaneCost {
public:
  LaneCost(const ir::Function &kernel, const LaneTypes &types) : kernel_(kernel), types_(types) {}

  /// Of one execution, conversions of its operands included; of a For, Loop or If
  /// only of what goes in.
  double of(const ir::Op &op) const;

private:
  bool varying(ValueId value) const { return kernel_.varying(value); }
  double conversion(ValueId value, ir::ScalarType to) const;
  double conversions(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<ValueId> targets) const;
  double arithmetic(const ir::Op &op, ir::ScalarType type) const;
  double choice(const ir::Op &op) const;
  double cast(const ir::Op &op) const;
  unsigned maskBytes(ValueId mask) const;

  const ir::Function &kernel_;
  const LaneTypes &types_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_LANECOST_H
