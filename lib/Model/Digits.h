//===- Digits.h - Iterations counted by their binary digits -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i … for j …  if ((i & j) == 0 && (i + j) % 5 < j / 3)  a[i] += a[j];
//
// Such conditions have one outcome in small boxes only (Boxes.h). But an automaton that reads the
// counters' binary digits, the lowest of all first, decides them with a few states: a sum keeps its
// carry, a mask nothing, and a number's sign is its last digit. How many iterations take it to its
// end is counted state by state, so it takes as long as the counters have digits, not values.
//
// A quotient q = x / c is one more number whose digits are tried: 0 <= x - c q < c holds of one q
// alone. A choice between two numbers is tried with both outcomes, and the end says which it was.
//
//   DigitTerms.cpp   numbers and conditions, made of counters
//   DigitCounts.cpp  the automaton, and what it counts
//   DigitNest.cpp    which numbers and conditions a nest of loops has
//
// Invariant: wherever the conditions hold, every number has the value that the source computes, of
// every quotient and choice one.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_DIGITS_H
#define COLONNADE_MODEL_DIGITS_H

#include "Model/ValueRanges.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace colonnade::model {

using DigitNumberId = uint32_t;
using DigitTruthId = uint32_t;

/// An integer, in two's complement; what it is made of has a smaller id.
struct DigitNumber {
  enum class Kind : uint8_t {
    Variable, // `width` digits, that are tried: a counter, less its least value; a quotient
    Sum,      // base + sum of factor * number
    And,      // of the two numbers in `terms`
    Or,
    Xor,
    Low,    // the lowest `width` digits of the number in `terms`
    Choice, // truth ? the first in `terms` : the second
  };
  using Term = std::pair<DigitNumberId, int64_t>; // the factor, of a sum

  Kind kind;
  unsigned width = 0;
  int64_t base = 0;
  llvm::SmallVector<Term, 4> terms = {};
  DigitTruthId truth = 0;                 // of a choice
  std::optional<DigitTruthId> given = {}; // it has the value of which that holds
  ValueRange range = {0, 0};              // where all bounds of loops hold
  ValueRange reach = {0, 0};              // whatever the digits
  uint32_t loops = 0;                     // whose counters it depends on, one bit each
};

struct DigitTruth {
  enum class Kind : uint8_t {
    Constant, // size != 0
    Negative, // number < 0
    Zero,     // number == 0
    Within,   // 0 <= number < size, as is given of first's remainder, with the quotient `second`
    Not,      // of `first`
    And,      // of `first` and `second`
    Same,     // both or none
  };
  Kind kind;
  int64_t size = 0;
  DigitNumberId number = 0;
  DigitTruthId first = 0, second = 0;
  uint32_t loops = 0;
};

/// All numbers and conditions of a nest. nullopt: beyond 2^61, or not followed here.
class DigitSystem {
public:
  const DigitNumber &number(DigitNumberId id) const { return numbers_[id]; }
  const DigitTruth &truth(DigitTruthId id) const { return truths_[id]; }
  size_t numbers() const { return numbers_.size(); }

  /// From 0 to `last`, and perhaps more, until it is narrowed.
  DigitNumberId variable(int64_t last, uint32_t loops);
  DigitNumberId constant(int64_t value);
  std::optional<int64_t> constantOf(DigitNumberId id) const;
  /// a * scale + b * otherScale
  std::optional<DigitNumberId> sum(DigitNumberId a, int64_t scale, DigitNumberId b,
                                   int64_t otherScale);
  DigitNumberId masked(DigitNumber::Kind kind, DigitNumberId a, DigitNumberId b);
  std::optional<DigitNumberId> low(DigitNumberId x, unsigned width);
  /// Of x from 0 on.
  std::optional<DigitNumberId> quotient(DigitNumberId x, int64_t size);
  std::optional<DigitNumberId> remainder(DigitNumberId x, int64_t size);
  std::optional<DigitNumberId> choice(DigitTruthId truth, DigitNumberId a, DigitNumberId b);
  /// What is known of its range besides: it is within that one, too.
  void narrow(DigitNumberId id, ValueRange range);

  DigitTruthId constantly(bool value);
  DigitTruthId isNegative(DigitNumberId id);
  DigitTruthId isZero(DigitNumberId id);
  DigitTruthId isNot(DigitTruthId id);
  DigitTruthId both(DigitTruthId a, DigitTruthId b);
  DigitTruthId either(DigitTruthId a, DigitTruthId b) { return isNot(both(isNot(a), isNot(b))); }
  DigitTruthId same(DigitTruthId a, DigitTruthId b);
  std::optional<bool> constantTruth(DigitTruthId id) const;

private:
  DigitNumberId add(DigitNumber made);
  DigitTruthId add(DigitTruth made);
  std::optional<DigitNumberId> sumOf(DigitNumber sum);
  std::optional<DigitNumberId> reduced(DigitNumberId x, int64_t size, bool staysPositive);

  std::vector<DigitNumber> numbers_;
  std::vector<DigitTruth> truths_;
};

/// An automaton, run over all digits.
class DigitCounts {
public:
  /// Of all values of variables with which all of `truths` hold. `outputs`: variables, masks and
  /// the like, of which sums may be asked for. nullopt: it takes more than `budget` steps, which
  /// are taken from it.
  static std::optional<DigitCounts> of(const DigitSystem &system,
                                       llvm::ArrayRef<DigitTruthId> truths,
                                       llvm::ArrayRef<DigitNumberId> outputs, uint64_t &budget);

  /// How many there are by (base + sum of factor * output) mod period, modulo 2^64.
  std::vector<uint64_t> residues(int64_t base, llvm::ArrayRef<DigitNumber::Term> terms,
                                 uint64_t period) const;
  uint64_t total() const { return residues(0, {}, 1)[0]; }

private:
  friend class DigitAutomaton;
  struct Step {
    uint32_t to;      // a state of the next position
    uint32_t outputs; // their digits
  };
  struct Position {
    std::vector<uint32_t> firstStep; // by state, and one more
    std::vector<Step> steps;
  };
  static std::vector<uint64_t> ways(const Position &at, llvm::ArrayRef<int64_t> factors,
                                    int64_t modulus, llvm::ArrayRef<uint64_t> behind,
                                    int64_t modulusBehind);

  std::vector<DigitNumberId> outputs_;
  std::vector<Position> positions_; // the lowest digit first; the last one has the signs
  std::vector<uint8_t> isAccepted_; // states behind all digits
  uint32_t firstStates_ = 0;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_DIGITS_H
