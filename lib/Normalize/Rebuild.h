//===- Rebuild.h - Base of passes that rebuild a function -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function. Out: another, appended through a Folder; a pass derives
// from the Rebuilder and overrides what it does differently, all else is copied and
// folded.
// Invariant: accesses stay in their order, and none is lost but in an arm, or the body of a
// loop, that the folded condition shows never runs, which is noted. A number
// (ir::Op::provenance) stays with its operation.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_REBUILD_H
#define COLONNADE_NORMALIZE_REBUILD_H

#include "Normalize/Balance.h"
#include "Normalize/Fold.h"

#include <memory>

namespace colonnade::canonical {

class Rebuilder {
public:
  Rebuilder(const ir::Function &from, LeftOut &leftOut);
  virtual ~Rebuilder() = default;
  ir::Function run();

protected:
  /// Appends operation `id`, or whatever the pass puts in its place.
  virtual void visit(OpId id);
  /// Whether a scalar operation or result is needed; a carried value is if its
  /// result is.
  virtual bool isNeeded(ValueId old) const { return true; }
  /// The value that stands for `old`: itself, or one that is always equal.
  virtual ValueId resolve(ValueId old) const { return old; }

  /// What a loop's carried value `i` becomes in the next iteration; emitted at the
  /// end of the body. `given`: what the old body yields.
  virtual ValueId nextValue(const ir::Op &loop, size_t i, ValueId given) { return map(given); }
  /// Whether a carried value gets a twin that only leaves the loop.
  virtual bool hasExitTwin(const ir::Op &loop, size_t i) { return false; }

  /// Inside a For's body before its operations; after a For's results are set.
  virtual void startBody(const ir::Op &loop) {}
  virtual void afterLoop(const ir::Op &loop) {}

  /// Around the visit of an If's arm and what it gives; `condition` is the old one.
  virtual void startArm(ValueId condition, bool truth) {}
  virtual void endArm() {}

  void visitRegion(RegionId old); // all but the terminator
  void visitScalar(const ir::Op &op);
  void copyPlain(const ir::Op &op); // accesses, checks: no regions
  void visitIf(const ir::Op &op);
  void visitFor(const ir::Op &op);
  void visitLoop(const ir::Op &op);
  void visitOnce(const ir::Op &loop);

  ValueId map(ValueId old) const { return map_[resolve(old).index]; }
  void set(ValueId old, ValueId fresh);
  static bool isScalarOp(const ir::Op &op);
  /// An integer operation that may be computed elsewhere, too: overflow apart, it is defined
  /// whatever its operands.
  bool isRepeatable(const ir::Op &op) const;

  /// An If, or what stands for `op` as one. Side 0 is where the old condition holds.
  struct Choice {
    const ir::Op &op;
    ValueId condition;
    llvm::function_ref<void(unsigned side)> visit;
    llvm::function_ref<ValueId(unsigned side, size_t result)> given; // old values
  };
  void visitChoice(const Choice &choice);
  void finishIf(OpId id, llvm::ArrayRef<ValueId> needed,
                llvm::ArrayRef<llvm::SmallVector<ValueId, 4>> given);
  /// Whether a loop's test, or the condition under which it goes on, is the constant false.
  bool isFalse(RegionId part) const;
  void setArguments(RegionId part, llvm::ArrayRef<ValueId> values);

  const ir::Function &from_;
  LeftOut &leftOut_;
  ir::Function out_;
  std::unique_ptr<Folder> fold_;
  std::vector<ValueId> map_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_REBUILD_H
