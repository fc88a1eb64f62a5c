//===- Walk.h - Executes a raw function, abstractly -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk goes through the operations of the raw entry function in program order,
// calls included, and appends the canonical function. It keeps, for each variable,
// the value it has here, and for each raw pointer the place it points to. Inlining,
// promotion and resolution need each other: a recursion ends because a promoted
// argument folds, a pointer kept in a struct is known once the struct is slots.
//
//   Walk.cpp         operations in turn            EntryBinding    parameters, the user's facts
//   WalkCalls.cpp    calls                         PlaceTree       variables, tables, fields
//   WalkLoops.cpp    loops and their bounds        Slots           values of variables
//   WalkObjects.cpp  variables and tables          Branches, CarriedLoops, PointerJoins
//                                                  PointerArithmetic, Accesses, MemoryCopies
//
// In: a raw function, the user's facts, the decisions of the walks before. Out: the
// canonical function before any loop counts; decisions that the next walk needs.
// Invariant: accesses are appended once each, in the order of the source; the account says
// what became of each raw operation.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_WALK_H
#define COLONNADE_NORMALIZE_WALK_WALK_H

#include "Normalize/Walk/CarriedLoops.h"
#include "Normalize/Walk/EntryBinding.h"
#include "Normalize/Walk/MemoryCopies.h"

namespace colonnade::canonical {

class Walk {
public:
  /// `out`: without operations, but with a body.
  Walk(ir::Module &module, FunctionId entry, const EntryFacts &facts, Decisions &decisions,
       ir::Function &out);
  llvm::Error run();
  const Account &account() { return fold_.account(); }
  /// Arrays that are parameters only if something accesses them.
  const std::set<std::string> &optionalArrays() const { return binding_.optionalArrays(); }
  const std::map<std::string, ArrayId> &privateCopies() const { return binding_.privateCopies(); }

private:
  /// A call that the walk is in; its values are those of the callee.
  struct Frame : Scope {
    FunctionId id;
    const Frame *caller = nullptr;
    LocId call;         // where it was called, with its own call path
    uint32_t path = 0;  // names the chain of call sites
    unsigned depth = 0; // frames of the same function below this one
    llvm::SmallVector<RootId> variables = {};
  };
  /// Names an operation in a chain of calls.
  using Site = std::pair<uint32_t, uint32_t>; // path, operation

  void narrowCells(NodeId node, MemTypeId type);
  void walkRegion(RegionId raw); // all but the terminator
  void walkOp(OpId id);
  AbstractValue walkUnsupported(const ir::Op &op);
  AbstractValue walkMemoryOp(OpId id, const ir::Op &op);
  AbstractValue walkScalar(const ir::Op &op);
  AbstractValue walkOnPointers(const ir::Op &op, ScalarType type);
  const ir::Op &rawTerminator(RegionId raw) const { return frame_->function->terminator(raw); }
  AbstractValue value(ValueId raw) const { return frame_->values[raw.index]; }
  ValueId scalar(ValueId raw);
  ValueId index(ValueId raw) { return fold_.cast(scalar(raw), ScalarType::S64); }
  LocId locate(LocId raw);
  /// An Unsupported operation, and a value of the type in place of what it stands for.
  llvm::StringRef pointerName(ValueId raw) const;
  AbstractValue refuse(std::string what, std::optional<ScalarType> type,
                       ir::UnsupportedKind kind = ir::OutsideSubset);

  // WalkCalls.cpp
  AbstractValue walkCall(OpId id, const ir::Op &op);
  bool exceedsDepth(const Frame &callee) const;
  void refuseSize(const ir::Function &callee);
  AbstractValue enter(Frame &frame);
  unsigned activeCalls(FunctionId id) const;

  // WalkLoops.cpp
  void walkLoop(OpId id, const ir::Op &op);
  const SizeExpr *boundOf(const ir::Op &op);
  std::optional<LoopBound> boundValue(const ir::Op &op);
  std::string largerBound(const SizeExpr &size) const;
  LoopPlan presetPlan(const ir::Op &loop);
  void presetStore(ValueId pointer, LoopPlan &plan);

  // WalkObjects.cpp
  AbstractValue walkObject(OpId id, const ir::Op &op);
  void setSizes(RootId root, llvm::ArrayRef<ValueId> operands);
  AbstractValue walkTable(const ir::Op &op);
  RootId newVariable(OpId id, const ir::Op &op);
  RootId newTable(const ir::Op &op);

  ir::Module &module_;
  FunctionId entry_;
  Decisions &decisions_;
  ir::Function &out_;
  Memory memory_;
  Folder &fold_;
  EntryBinding binding_;
  PointerArithmetic arithmetic_;
  Accesses accesses_;
  MemoryCopies copies_;
  CarriedLoops loops_;
  Frame *frame_ = nullptr;

  std::map<Site, uint32_t> paths_;
  std::map<Site, LoopPlan> plans_;
  std::map<Site, RootId> variables_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, RootId> tables_; // function, array, type
  std::map<std::pair<uint32_t, uint32_t>, ArrayId> tableArrays_;      // function, array
  std::map<FunctionId, std::vector<bool>> promotable_;                // by raw operation
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_WALK_H
