//===- Builder.h - Appends operations to a region ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appends operations to a function. Passes rebuild: they read one function and append
// to another through a Builder, mapping ids as they go.
//
// In: operations, or their parts, and the region and location they belong to. Out:
// the ids of what was appended.
// Invariant: nothing is edited in the middle of a region, and nothing is checked
// here (ir::verify does).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_BUILDER_H
#define COLONNADE_IR_BUILDER_H

#include "IR/Function.h"

namespace colonnade::ir {

class Builder {
public:
  explicit Builder(Function &function) : function_(function) {}

  Function &function() { return function_; }
  RegionId insertionRegion() const { return region_; }
  void setRegion(RegionId region) { region_ = region; }
  void setLoc(LocId loc) { loc_ = loc; }
  LocId loc() const { return loc_; }
  void setProvenance(uint32_t provenance) { provenance_ = provenance; }
  uint32_t provenance() const { return provenance_; }

  RegionId createRegion(OpId parent = {});
  ValueId addArg(RegionId region, ScalarType type, std::string name = {});

  /// Appends an operation with the given results' types; the general form.
  /// The op's `loc` and `provenance` are the builder's unless already set.
  OpId append(Op op, llvm::ArrayRef<ScalarType> resultTypes);
  ValueId result(OpId op, unsigned i = 0) const { return function_.op(op).results[i]; }

  ValueId constant(Scalar scalar);
  ValueId constantInt(ScalarType type, int64_t value);
  ValueId constantBool(bool value) { return constant({ScalarType::Bool, value}); }
  ValueId undef(ScalarType type);
  ValueId unary(Opcode opcode, ValueId a);
  ValueId binary(Opcode opcode, ValueId a, ValueId b); // comparisons give Bool
  ValueId cast(ValueId a, ScalarType to);              // a itself if the type is equal
  ValueId math(MathFn fn, llvm::ArrayRef<ValueId> args);
  ValueId select(ValueId c, ValueId a, ValueId b);
  ValueId load(ArrayId array, llvm::ArrayRef<ValueId> subscripts,
               llvm::ArrayRef<ValueId> radices = {});
  OpId store(ArrayId array, ValueId value, llvm::ArrayRef<ValueId> subscripts,
             llvm::ArrayRef<ValueId> radices = {});
  /// Creates the op with empty regions; fill each and end it with yield().
  OpId createIf(ValueId cond, llvm::ArrayRef<ScalarType> resultTypes);
  OpId createFor(ValueId lo, ValueId hi, ValueId step, Predicate predicate, bool hasContinueFlag,
                 llvm::ArrayRef<ValueId> inits);
  OpId createLoop(llvm::ArrayRef<ValueId> inits);
  OpId yield(llvm::ArrayRef<ValueId> values);
  OpId test(ValueId cond, llvm::ArrayRef<ValueId> forwarded);
  OpId ret(std::optional<ValueId> value);
  OpId unsupported(std::string what, std::optional<ScalarType> resultType,
                   UnsupportedKind kind = OutsideSubset);

private:
  Function &function_;
  RegionId region_;
  LocId loc_;
  uint32_t provenance_ = 0;
};

/// Restores region and location on scope exit.
class InsertionScope {
public:
  explicit InsertionScope(Builder &builder)
      : builder_(builder), region_(builder.insertionRegion()), loc_(builder.loc()) {}
  ~InsertionScope() {
    builder_.setRegion(region_);
    builder_.setLoc(loc_);
  }
  InsertionScope(const InsertionScope &) = delete;

private:
  Builder &builder_;
  RegionId region_;
  LocId loc_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_BUILDER_H
