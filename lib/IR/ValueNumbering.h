//===- ValueNumbering.h - Which values are known to be equal ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two pure operations of one expression (the same operation, attributes, type and
// operands) give the same value.
//
//   AvailableValues  for a builder: the value of an expression that it has appended,
//                    forgotten when its region is left, or replaced by a later one
//   ValueNumbers     for an analysis: a number per value
//   CellKey          an address as such values: a cell of an array
//
// In: operations, as they are appended, or a function. Out: a value that is there already, or
// numbers. Invariant: equal numbers mean equal values wherever both are computed; nothing
// is said about values with different numbers.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_VALUENUMBERING_H
#define COLONNADE_IR_VALUENUMBERING_H

#include "IR/Function.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>
#include <unordered_map>

namespace colonnade::ir {

/// What a pure operation computes.
struct Expression {
  Opcode opcode = Opcode::Undef;
  MathFn math = MathFn::Sqrt; // Math
  ScalarType type = ScalarType::S32;
  uint64_t bits = 0; // Constant
  llvm::SmallVector<uint32_t, 4> operands;

  Expression(const Op &op, ScalarType type);
  bool operator==(const Expression &) const = default;
};
struct ExpressionHash {
  size_t operator()(const Expression &expression) const;
};

/// Depends on its operands alone: no access, no region, no side effect, and not
/// indeterminate.
bool isPure(const Op &op);

class AvailableValues {
public:
  /// Invalid if it is not available.
  ValueId find(const Expression &expression) const;
  void add(const Expression &expression, ValueId value);
  /// The same for a builder that never forgets, but can tell whether a value that
  /// it finds may be used where it stands: the latest one is kept.
  void replace(const Expression &expression, ValueId value);
  /// What was added since `mark()` is no longer in sight.
  size_t mark() const { return log_.size(); }
  void forgetSince(size_t mark);

private:
  std::unordered_map<Expression, ValueId, ExpressionHash> values_;
  std::vector<Expression> log_; // in order of insertion
};

class ValueNumbers {
public:
  explicit ValueNumbers(const Function &function);
  /// Of what is in a region alone; others are equal to none.
  ValueNumbers(const Function &function, RegionId root);
  uint32_t of(ValueId value) const { return numbers_[value.index]; }

private:
  std::vector<uint32_t> numbers_; // by value
};

/// The array, then the numbers of the subscripts and of the radices.
using CellKey = std::vector<uint32_t>;
CellKey cellKey(ArrayId array, llvm::ArrayRef<ValueId> subscripts, llvm::ArrayRef<ValueId> radices,
                llvm::function_ref<uint32_t(ValueId)> number);

/// A set of cells that grows along a walk and shrinks when a region is left.
class CellSet {
public:
  /// False if it was there.
  bool add(CellKey cell);
  bool contains(const CellKey &cell) const { return cells_.count(cell); }
  size_t mark() const { return log_.size(); }
  /// Takes away, and returns, what was added since `mark()`.
  std::vector<CellKey> forgetSince(size_t mark);

private:
  std::set<CellKey> cells_;
  std::vector<std::set<CellKey>::iterator> log_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_VALUENUMBERING_H
