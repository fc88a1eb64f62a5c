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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace colonnade::model {

/// Coefficients by loop, outermost 0; a map whose few entries lie side by side.
class LoopTerms {
public:
  using Term = std::pair<unsigned, int64_t>; // loop, coefficient

  const Term *begin() const { return terms_.begin(); }
  const Term *end() const { return terms_.end(); }
  bool empty() const { return terms_.empty(); }
  unsigned innermost() const { return terms_.back().first; }
  /// 0: there is none.
  int64_t of(unsigned loop) const {
    const Term *found = llvm::find_if(terms_, [&](const Term &t) { return t.first == loop; });
    return found == end() ? 0 : found->second;
  }
  /// Of a loop without one, made as 0.
  int64_t &operator[](unsigned loop) {
    Term *at = llvm::find_if(terms_, [&](const Term &t) { return t.first >= loop; });
    if (at == terms_.end() || at->first != loop)
      at = terms_.insert(at, {loop, 0});
    return at->second;
  }
  void erase(unsigned loop) {
    llvm::erase_if(terms_, [&](const Term &t) { return t.first == loop; });
  }
  friend bool operator==(const LoopTerms &, const LoopTerms &) = default;

private:
  llvm::SmallVector<Term, 2> terms_; // by loop, rising
};

struct LinearValue {
  enum class Kind : uint8_t {
    Undefined, // instance data, Undef: nothing may depend on it
    Linear,    // scalar + sum of terms
    Other,     // depends on the counters in `terms`, but is not linear
  };
  Kind kind = Kind::Undefined;
  ir::Scalar scalar; // base; the value itself without terms
  LoopTerms terms;   // none is 0

  static LinearValue of(ir::Scalar scalar) { return {Kind::Linear, scalar, {}}; }
  bool isKnown() const { return kind == Kind::Linear && terms.empty(); }
};

/// Loops are not taken in more strides.
constexpr int64_t MaxStride = 1024;

/// Iterations of the closed loops around, outermost first.
using LoopCounts = llvm::SmallVector<int64_t, 4>;

/// The least and the largest value, if they fit 64 bits.
std::optional<std::pair<int64_t, int64_t>> range(const LinearValue &value, const LoopCounts &loops);

/// No value of it is beyond the signed 64-bit integers.
bool isSigned64(const LinearValue &value, const LoopCounts &loops);

/// base + coefficient * iterations of loop `loop`, of the base's type.
LinearValue linearIn(const LinearValue &base, int64_t coefficient, unsigned loop,
                     const LoopCounts &loops);

/// Of an operation on scalars (isScalarOperation); `type` is its result's. nullopt: with these
/// values it is undefined behaviour. i % 4 is linear where i grows by a multiple of 4: `strides`,
/// by loop, become multiples of what its iterations have to be taken in for that.
std::optional<LinearValue> evaluate(const ir::Op &op, ir::ScalarType type,
                                    llvm::ArrayRef<const LinearValue *> operands,
                                    const LoopCounts &loops,
                                    std::vector<int64_t> *strides = nullptr);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LINEARVALUE_H
