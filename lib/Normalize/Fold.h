//===- Fold.h - A builder that simplifies as it appends ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations, one by one, from the walk over the raw function and from every
// pass that rebuilds a function. Out: the function that they are appended to, with
// constant operands evaluated, identities applied that hold for every operand
// value, and what follows from the conditions known at this point. A pure operation
// that already stands where it is visible is not repeated.
//
// Invariants: an operation whose evaluation is undefined behaviour is never
// folded; loads, stores, checks and regions are never folded here. Constants
// (and integer casts of parameters) are unique in the function and stand at the
// start of its body, so equal sizes are the same value.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_FOLD_H
#define COLONNADE_NORMALIZE_FOLD_H

#include "IR/Builder.h"
#include "IR/Evaluate.h"
#include "IR/ValueNumbering.h"
#include "Normalize/Account.h"
#include "Normalize/KnownConditions.h"

namespace colonnade::canonical {

using ir::Opcode;
using ir::Scalar;
using ir::ScalarType;

/// Where an access goes: one subscript per dimension (S64), and the radix of each
/// but the first.
struct Subscripts {
  llvm::SmallVector<ValueId, 4> subscripts, radices;
};

class Folder {
public:
  /// `out` has a body region with all its arguments.
  explicit Folder(ir::Function &out);

  ir::Function &out() { return out_; }
  ScalarType typeOf(ValueId v) const { return out_.value(v).type; }
  void setLoc(LocId loc) { builder_.setLoc(loc); }
  LocId loc() const { return builder_.loc(); }

  // Scalars. All may return an existing value.
  ValueId constant(Scalar scalar);
  ValueId constantInt(ScalarType type, int64_t value);
  ValueId index(int64_t value) { return constantInt(ScalarType::S64, value); } // a subscript
  ValueId constantBool(bool value) { return constant({ScalarType::Bool, value}); }
  ValueId undef(ScalarType type, llvm::StringRef name);
  ValueId unary(Opcode opcode, ValueId a);
  ValueId binary(Opcode opcode, ValueId a, ValueId b);
  /// Add, Sub or Mul of integers that wraps around: never undefined, as nobody has written it.
  ValueId wrapping(Opcode opcode, ValueId a, ValueId b);
  ValueId cast(ValueId a, ScalarType to);
  ValueId bitcast(ValueId a, ScalarType to);
  ValueId math(ir::MathFn fn, llvm::ArrayRef<ValueId> args);
  ValueId select(ValueId c, ValueId a, ValueId b);
  ValueId logicalNot(ValueId a) { return unary(Opcode::Not, a); }
  /// Any scalar operation with the same opcode, attributes and result type as
  /// `like`, on new operands.
  ValueId scalarOp(const ir::Op &like, llvm::ArrayRef<ValueId> operands, ScalarType result);

  /// The constant that `v` is, seen through what is known here.
  const Scalar *constantOf(ValueId v) const { return out_.constant(v); }
  std::optional<int64_t> intConstant(ValueId v) const;

  // Operations that are appended as they are.
  OpId append(ir::Op op, llvm::ArrayRef<ScalarType> results);
  ValueId load(ArrayId array, const Subscripts &at);
  void store(ArrayId array, ValueId v, const Subscripts &at);
  void check(ValueId holds, std::string otherwise);
  void unsupported(std::string what, ir::UnsupportedKind kind = ir::OutsideSubset);
  ValueId unsupportedValue(std::string what, ScalarType type,
                           ir::UnsupportedKind kind = ir::OutsideSubset);
  void yield(llvm::ArrayRef<ValueId> values);
  /// What the verdict rests on, in the words of the report; listed once.
  void addAssumption(std::string text);
  /// Takes back an operation appended here a few operations ago.
  void remove(OpId op);
  /// Where an attempt starts; `rollback` removes what it appended to this region and noted.
  struct Position {
    size_t ops = 0, notes = 0;
  };
  Position position() const { return {out_.region(region()).ops.size(), account_.mark()}; }
  void rollback(Position position);
  /// What became of the raw operations; passes after the walk keep none.
  Account &account() { return account_; }
  /// Adds a result to an If that has been appended already.
  ValueId addResult(OpId op, ScalarType type, llvm::StringRef name);
  RegionId createRegion() { return builder_.createRegion(); }
  ValueId addArg(RegionId region, ScalarType type, llvm::StringRef name) {
    return builder_.addArg(region, type, name.str());
  }
  void suggestName(ValueId v, llvm::StringRef name);

  // Regions being filled.
  void enter(RegionId region);
  void leave();
  RegionId region() const { return active_.back(); }
  size_t depth() const { return active_.size(); }
  /// Whether `v` may be used where the builder stands.
  bool isVisible(ValueId v) const { return isVisible(v, depth()); }
  /// Whether `v` may be used where the builder stood at that depth.
  bool isVisible(ValueId v, size_t depth) const;

  // What is known on the way here.
  size_t conditionMark() const { return conditions_.mark(); }
  void assume(ValueId cond, bool truth) { conditions_.assume(cond, truth); }
  void forgetSince(size_t mark) { conditions_.forgetSince(mark); }
  std::optional<bool> known(ValueId cond) const { return conditions_.known(cond); }
  /// `v` itself, or the value that an earlier If is known to have given it.
  ValueId refine(ValueId v) const;

  /// Moves the pooled constants to the start of the body. Last call.
  void finish();

private:
  /// A value of the pool: at the start of the body, once in the function.
  ValueId pooled(ir::Op op, ScalarType type);
  ValueId emit(Opcode opcode, llvm::ArrayRef<ValueId> operands, ScalarType type);
  ValueId foldBinaryIdentity(Opcode opcode, ValueId a, ValueId b);
  ValueId foldComparison(Opcode opcode, ValueId a, ValueId b);
  ValueId foldBool(Opcode opcode, ValueId a, ValueId b);
  const ir::Op *definition(ValueId v, Opcode opcode) const;

  ir::Function &out_;
  ir::Builder builder_;
  ir::AvailableValues pooled_;
  std::vector<OpId> pool_;
  ir::AvailableValues values_;                  // the others; may be out of sight
  llvm::DenseMap<uint32_t, RegionId> opRegion_; // by op: the region it stands in
  std::vector<RegionId> active_;                // from the body to here
  std::vector<uint32_t> activePosition_;        // by region
  KnownConditions conditions_;
  Account account_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_FOLD_H
