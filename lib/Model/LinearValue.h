//===- LinearValue.h - Values linear in iterations --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: values of operands, and how many iterations each closed loop around has. Out: the value of an
// integer operation: base + sum of coefficient * iteration; or not linear, or undefined.
//
// Invariant: a linear value has its type's own value in every iteration: what might wrap is not
// linear.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LINEARVALUE_H
#define COLONNADE_MODEL_LINEARVALUE_H

#include "IR/Evaluate.h"

#include <map>
#include <vector>

namespace colonnade::model {

struct LinearValue {
  enum class Kind : uint8_t {
    Undefined, // instance data, Undef: nothing may depend on it
    Linear,    // scalar + sum of terms
    Other,     // depends on the counters in `terms`, but is not linear
  };
  Kind kind = Kind::Undefined;
  ir::Scalar scalar;                 // base; the value itself without terms
  std::map<unsigned, int64_t> terms; // coefficient by loop, outermost 0; none is 0

  static LinearValue of(ir::Scalar scalar) { return {Kind::Linear, scalar, {}}; }
  bool isKnown() const { return kind == Kind::Linear && terms.empty(); }
};

/// Iterations of the closed loops around, outermost first.
using LoopCounts = std::vector<int64_t>;

/// The least and the largest value, if they fit 64 bits.
std::optional<std::pair<int64_t, int64_t>> range(const LinearValue &value, const LoopCounts &loops);

/// No value of it is beyond the signed 64-bit integers.
bool isSigned64(const LinearValue &value, const LoopCounts &loops);

/// base + coefficient * iterations of loop `loop`, of the base's type.
LinearValue linearIn(const LinearValue &base, int64_t coefficient, unsigned loop,
                     const LoopCounts &loops);

/// Of an operation on scalars (isScalarOperation); `type` is its result's. nullopt: with these
/// values it is undefined behaviour.
std::optional<LinearValue> evaluate(const ir::Op &op, ir::ScalarType type,
                                    llvm::ArrayRef<const LinearValue *> operands,
                                    const LoopCounts &loops);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LINEARVALUE_H
