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
// The first "loops" may be symbols: what a value from outside is more than it was when a loop was
// run to be remembered (RememberedLoops.cpp). They are 0 then; where another value of theirs might
// change what was decided, guards say in which range it does not.
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
#include "llvm/Support/MathExtras.h"

#include <vector>

namespace colonnade::model {

/// Coefficients by loop, outermost 0; a map whose few entries lie side by side.
class LoopTerms {
public:
  using Term = std::pair<unsigned, int64_t>; // loop, coefficient

  const Term *begin() const { return terms_.begin(); }
  const Term *end() const { return terms_.end(); }
  bool empty() const { return terms_.empty(); }
  void clear() { terms_.clear(); }
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
    Other,     // depends on the counters in `terms`, but is not linear; or, while loops are
               // bounded, lies in the range whose number is scalar.bits
  };
  Kind kind = Kind::Undefined;
  ir::Scalar scalar;   // base; the value itself without terms
  LoopTerms terms;     // none is 0
  uint32_t source = 0; // Other: what it is computed from, if not 0 (EnumeratedCells.cpp)

  static LinearValue of(ir::Scalar scalar) { return {Kind::Linear, scalar, {}}; }
  bool isKnown() const { return kind == Kind::Linear && terms.empty(); }
  void set(ir::Scalar known) {
    kind = Kind::Linear;
    scalar = known;
    terms.clear();
  }
};

/// low <= sum of coefficient * symbol <= high
struct Guard {
  LoopTerms symbols;
  int64_t low, high;
};

/// Keeps both, where there is one for the same sum already.
void addGuard(std::vector<Guard> &guards, Guard added);

/// Iterations of the closed loops around, outermost first.
struct LoopCounts : llvm::SmallVector<int64_t, 4> {
  using SmallVector::SmallVector;
  unsigned symbols = 0;                 // so many of them are none: 1 iteration each
  std::vector<Guard> *guards = nullptr; // of the symbols
  // Of loops whose iterations are bounded, the products of the bounds; such a loop has the upper
  // one.
  uint64_t least = 1, most = 1;

  bool hasLoops() const { return size() > symbols; }
  /// Of all of them; UINT64_MAX: that, or more.
  uint64_t product() const {
    uint64_t product = 1;
    for (int64_t iterations : *this)
      product = llvm::SaturatingMultiply(product, static_cast<uint64_t>(iterations));
    return product;
  }
};

/// Of the terms, those of symbols.
LoopTerms symbolsOf(const LoopTerms &terms, const LoopCounts &loops);

/// A loop whose counter, taken in blocks of values, makes an operation linear: i % 8 in blocks
/// of 8.
struct BlockRequest {
  unsigned loop;
  int64_t coefficient; // of the operand
  int64_t remainder;   // of its base by the size
  int64_t size;        // of values, that a block ends before a multiple of
};

/// A loop in whose parts before and from an iteration on a comparison has one outcome each.
struct SplitRequest {
  unsigned loop;
  int64_t iteration;
};

/// A loop in whose parts the lowest bit of base + coefficient * iteration is known (LowestBits.h).
struct LowestBitRequest {
  unsigned loop;
  int64_t coefficient, base;
};

/// What would make operations linear, or decided, that are not.
struct LoopRequests {
  std::vector<BlockRequest> blocks;
  std::vector<SplitRequest> splits;
  std::vector<LowestBitRequest> lowest;

  /// How many there are of each.
  struct Sizes {
    size_t blocks, splits, lowest;
  };
  Sizes sizes() const { return {blocks.size(), splits.size(), lowest.size()}; }
  /// Without those that have come since.
  void dropTo(const Sizes &sizes) {
    blocks.resize(sizes.blocks);
    splits.resize(sizes.splits);
    lowest.resize(sizes.lowest);
  }
};

/// The least and the largest value, if they fit 64 bits.
std::optional<std::pair<int64_t, int64_t>> range(const LinearValue &value, const LoopCounts &loops);

/// Whether all its values lie in low..high: of the symbols as they are, and as guards will say.
bool isWithin(const LinearValue &value, int64_t low, int64_t high, const LoopCounts &loops);

/// No value of it is beyond the signed 64-bit integers.
bool isSigned64(const LinearValue &value, const LoopCounts &loops);

/// base + coefficient * iterations of loop `loop`, of the base's type.
LinearValue linearIn(const LinearValue &base, int64_t coefficient, unsigned loop,
                     const LoopCounts &loops);

/// Of a negation, cast, sum, difference or product of linear values, without looking whether its
/// type holds it; nullopt: it is none.
std::optional<LinearValue> linear(const ir::Op &op, ir::ScalarType type,
                                  llvm::ArrayRef<const LinearValue *> operands);

/// Of an operation on scalars (isScalarOperation); `type` is its result's. nullopt: with these
/// values it is undefined behaviour. i % 4 is linear where i grows by a multiple of 4, or stays
/// within a multiple of 4 and the next: `requests` get the blocks in which it would. Likewise the
/// iterations where a < b changes.
std::optional<LinearValue> evaluate(const ir::Op &op, ir::ScalarType type,
                                    llvm::ArrayRef<const LinearValue *> operands,
                                    const LoopCounts &loops, LoopRequests *requests = nullptr);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LINEARVALUE_H
