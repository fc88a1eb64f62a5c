//===- Clone.h - Rebuilds a function op by op -------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies operations. Passes rebuild instead of editing: a Cloner reads operations of
// one function and appends them to another through a Builder (the two may be the
// same, as in inlining), mapping every value.
//
// In: a function, and a hook that sees each operation first and may emit something
// else in its place. Out: the copies, and the value that stands for each old one.
// Invariant: when an operation is visited, all its operands are mapped. Recursion
// depth is the nesting depth of regions. References into the function that grows
// (also the old one, if they are the same) do not survive an append.
//
//   Cloner cloner(from, builder, [&](OpId old) {
//     const Op &op = from.op(old);
//     if (op.opcode != Opcode::Neg)
//       return false;                                  // clone as it is
//     ValueId zero = ..., x = cloner.map(op.operands[0]);
//     cloner.set(op.results[0], builder.binary(Opcode::Sub, zero, x));
//     return true;                                     // done
//   });
//   cloner.copyShell();    // a whole function: header, arrays, scalars, body
//   cloner.cloneBody();
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_CLONE_H
#define COLONNADE_IR_CLONE_H

#include "IR/Builder.h"

#include <functional>

namespace colonnade::ir {

/// All that is said of a function but its scalars and its body.
void copyHead(const Function &from, Function &to);

class Cloner {
public:
  /// True: the hook has dealt with the operation and mapped the results that
  /// are still used. False: clone it as it is (regions are visited in turn).
  using Hook = std::function<bool(OpId old)>;

  Cloner(const Function &from, Builder &builder, Hook hook = {})
      : from_(from), builder_(builder), hook_(std::move(hook)) {}

  /// Copies everything but the operations into the builder's (empty) function:
  /// names, arrays, body region with its arguments (mapped), parameters,
  /// assumptions. The builder then stands in the new body.
  void copyShell();
  /// Clones the parts, and the operations of the body, terminator included.
  void cloneBody();

  /// Clones all operations of `old`, terminator included, at the builder's place.
  void cloneOps(RegionId old);
  /// The same without the terminator; map its operands to reach the results.
  void cloneOpsButTerminator(RegionId old);
  /// Fills `fresh` with a clone of `old`: adds and maps arguments, then the ops.
  void cloneRegion(RegionId old, RegionId fresh);
  /// Visits one operation: hook first, else copy().
  void visit(OpId old);
  /// Clones one operation with its regions, without asking the hook about the
  /// operation itself. `operands`: mapped ones unless given.
  OpId copy(OpId old);
  OpId copy(OpId old, llvm::ArrayRef<ValueId> operands);

  ValueId map(ValueId old) const;
  llvm::SmallVector<ValueId, 4> map(llvm::ArrayRef<ValueId> old) const;
  bool isMapped(ValueId old) const {
    return old.index < values_.size() && values_[old.index].valid();
  }
  void set(ValueId old, ValueId fresh);

  /// Arrays are the same id in both functions unless set here.
  void setArray(ArrayId old, ArrayId fresh);
  ArrayId mapArray(ArrayId old) const;
  /// Locations are kept unless a function is given, e.g. SourceMap::inlined.
  void setLocMap(std::function<LocId(LocId)> map) { locMap_ = std::move(map); }

private:
  void copyArg(ValueId old, RegionId fresh);

  const Function &from_;
  Builder &builder_;
  Hook hook_;
  std::function<LocId(LocId)> locMap_;
  std::vector<ValueId> values_; // by old id
  std::vector<ArrayId> arrays_; // by old id; invalid: the same
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_CLONE_H
