//===- Dataflow.h - Information flow over canonical IR ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Information flow, explicit and through control.
//
//   Origins (lattice) ◀─ Dataflow (labels) ─▶ Checker (findings) ─▶ Report
//                                        └──▶ Certificate, Count, Extents
//
// In: a canonical function. Out: a label for every value: the origins of the data
// it depends on, explicitly or through control; for every If, For and Loop the
// label that makes lanes part there; for every array whether lanes need their own.
//
// Invariant: a value with an empty label is equal in all lanes that are active
// where it is defined. An array with an empty label has equal cells in all active
// lanes. Lanes that were inactive become active again at the end of a divergent
// arm or loop, and only there: `reconverge` is the one place that knows it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_DATAFLOW_H
#define COLONNADE_OBLIVIOUS_DATAFLOW_H

#include "Oblivious/Flow/Origins.h"

namespace colonnade {

class Dataflow {
public:
  explicit Dataflow(const ir::Function &function);
  void run();

  Origins &origins() { return origins_; }
  const Origins &origins() const { return origins_; }
  Label value(ValueId id) const { return values_[id.index]; }
  bool uniform(ValueId id) const { return values_[id.index].uniform(); }
  /// Why lanes part at this If, For or Loop; uniform if they do not.
  Label divergence(OpId id) const { return divergence_[id.index]; }
  /// Lanes need their own copy of the array.
  bool varies(ArrayId id) const { return needsLanes_[id.index]; }
  /// Loads of a local array that nothing has been stored to.
  bool readsUnwritten(OpId load) const { return unwritten_[load.index]; }

private:
  /// What is known of one local array at a point of the programme.
  struct ArrayState {
    Label label;
    bool written = false; // on some path
  };
  using State = std::vector<ArrayState>;

  void runOnce();
  void collectStores(RegionId region);
  void visitRegion(RegionId region);
  void visit(OpId id);
  void visitIf(OpId id);
  void visitFor(OpId id);
  void visitLoop(OpId id);
  void visitLoad(OpId id);
  void visitStore(OpId id);

  void reconverge(OpId id, RegionId region, Label why);
  Label afterDivergence(ValueId result, Label label, Label why, StepKind kind, LocId loc);
  LocId choiceLoc(OpId id, ValueId a, ValueId b) const;

  Label label(ValueId id) const { return values_[id.index]; }
  void define(OpId id, unsigned result, Label label);
  Label joinAll(llvm::ArrayRef<ValueId> values);
  Label loadLabel(OpId id);
  bool raise(Label &old, Label label);
  bool raise(ValueId value, Label label) { return raise(values_[value.index], label); }
  bool raise(State &head, const State &state);
  State joined(const State &a, const State &b);
  void markWritten(RegionId region);
  Label mask();

  const ir::Function &function_;
  Origins origins_;
  std::vector<Label> values_;
  std::vector<Label> divergence_;
  std::vector<RegionId> regionOf_;             // per op
  std::vector<State> heads_;                   // per For and Loop: state at the head
  std::vector<std::vector<ArrayId>> storesIn_; // per region: local arrays stored to, nested too
  State state_;
  std::vector<Label> masks_; // of the enclosing divergent constructs

  std::vector<bool> strict_; // masked stores make the array varying at once
  std::vector<bool> needsLanes_, maskedStore_, uniformLoad_, unwritten_;
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_DATAFLOW_H
