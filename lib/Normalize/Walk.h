//===- Walk.h - Inline, Promote and Resolve in one walk ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the raw entry function in program order, calls included,
// appends the canonical function. It keeps, for each promoted slot, the value
// it has here, and for each raw pointer the place it points to. Inlining,
// promotion and resolution need each other: a recursion ends because a promoted
// argument folds, a pointer kept in a struct is known once the struct is slots.
//
//   Walk.cpp           operations in turn            Inline.cpp   calls
//   Promote.cpp        slots, joins after an If      Objects.cpp  variables, tables, nodes
//   PromoteLoops.cpp   slots carried around loops    Entry.cpp    parameters and the user's facts
//   Resolve.cpp        pointer arithmetic            ResolveJoin.cpp   pointers over joins
//   ResolveAccess.cpp  loads and stores              ResolveCopy.cpp   memory copies
//
// Invariant: accesses are appended once each, in the order of the source.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_H
#define COLONNADE_NORMALIZE_WALK_H

#include "Normalize/Fold.h"
#include "Normalize/Normalize.h"
#include "Normalize/Place.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>
#include <memory>

namespace colonnade::canonical {

/// What a walk finds out too late; the next walk knows it from the start.
struct Decisions {
  std::set<std::string> privateCopies; // arrays of by-value structs that are written
  std::set<uint32_t> endless;          // functions whose recursion does not end
  bool changed = false;
  std::set<std::string> optionalArrays; // parameters only if accessed
};

/// Facts about one raw function, found once.
struct RawFacts {
  std::vector<bool> promotable; // by op: Object whose arrays can be slots
};

class Walk {
public:
  Walk(ir::Module &module, FunctionId entry, const EntryFacts &facts, Decisions &decisions,
       ir::Function &out);
  llvm::Error run();

private:
  struct Frame {
    FunctionId id;
    const ir::Function *function = nullptr;
    const Frame *caller = nullptr;
    LocId call;                        // where it was called, with its own call path
    uint32_t path = 0;                 // names the chain of call sites
    unsigned depth = 0;                // frames of the same function below this one
    std::vector<AbstractValue> values; // by raw value
  };
  struct Slot {
    ScalarType type = ScalarType::S32;
    std::string name;
    LocId loc;
    RootId root;
    AbstractValue value;
  };
  using Change = std::pair<SlotId, AbstractValue>;
  struct Arm {
    RegionId region;
    std::map<SlotId, AbstractValue> changes;
    AbstractValue result;
  };
  /// One join: a slot (or an If's own result) and its values on both sides.
  struct Join {
    SlotId slot;
    ScalarType type;
    std::string name;
    AbstractValue sides[2];
    PointerShape shape;
    llvm::SmallVector<ValueId, 2> encoded[2];
  };
  struct LoopPlan {
    std::map<SlotId, PointerShape> carried; // the shape matters for pointers only
    bool runsOnce = false;
  };
  using ArmBody = llvm::function_ref<AbstractValue()>;
  enum class BranchOn : uint8_t {
    Value,   // if (x[i] > 0)
    Address, // which object a pointer points to: its condition is a part of the address
  };

  // Walk.cpp
  void walkRegion(RegionId raw); // all but the terminator
  void walkOp(OpId id);
  AbstractValue walkScalar(const ir::Op &op);
  AbstractValue walkPointerOp(OpId id, const ir::Op &op);
  const ir::Op &rawTerminator(RegionId raw) const { return frame_->function->terminator(raw); }
  AbstractValue value(ValueId raw) const { return frame_->values[raw.index]; }
  ValueId scalar(ValueId raw) { return asScalar(value(raw)); }
  ValueId asScalar(AbstractValue v);
  LocId locate(LocId raw);
  void unsupported(std::string what);
  ValueId unsupportedValue(std::string what, ScalarType type);
  void assumption(std::string text);

  // Inline.cpp
  AbstractValue walkCall(OpId id, const ir::Op &op);
  bool isActive(FunctionId id, unsigned &depth) const;
  ValueId sizeValue(const SizeExpr &size); // S64, in terms of the frame; invalid: not known
  SizeExpr sizeOf(ValueId v);              // of a value, over entry parameters

  // Promote.cpp
  AbstractValue readSlot(SlotId slot);
  void writeSlot(SlotId slot, AbstractValue v);
  ValueId slotScalar(SlotId slot, AbstractValue v); // Undef if not set
  void undoSlots(size_t mark);
  std::map<SlotId, AbstractValue> changesSince(size_t mark, uint64_t serial);
  AbstractValue branch(ValueId cond, ArmBody then, ArmBody otherwise,
                       BranchOn on = BranchOn::Value);
  Arm walkArm(RegionId region, ValueId cond, bool truth, ArmBody body);
  AbstractValue join(OpId op, ValueId cond, Arm arms[2], uint64_t serial);
  void finishJoins(OpId op, ValueId cond, Arm arms[2], std::vector<Join> &joins);

  // PromoteLoops.cpp
  void walkLoop(OpId id, const ir::Op &op);
  void presetCarried(RegionId raw, LoopPlan &plan);
  void presetStore(ValueId pointer, LoopPlan &plan);
  bool attemptLoop(const ir::Op &op, LoopPlan &plan);
  bool attemptBounded(const ir::Op &op, LoopPlan &plan, ValueId bound, llvm::StringRef text);
  ValueId walkBoundedIteration(const ir::Op &op, ValueId iteration, ValueId bound,
                               llvm::StringRef text);
  llvm::SmallVector<ValueId, 8> encodeCarried(const std::map<SlotId, PointerShape> &carried);
  void decodeCarried(const std::map<SlotId, PointerShape> &carried, llvm::ArrayRef<ValueId> from);
  void enterCarried(LoopPlan &plan);
  void nameCarried(const std::map<SlotId, PointerShape> &carried, llvm::ArrayRef<ValueId> values);
  bool growCarried(LoopPlan &plan, size_t mark, uint64_t serial, size_t depth);
  const SizeExpr *boundOf(const ir::Op &op);

  // Objects.cpp
  const RawFacts &rawFacts(FunctionId id);
  AbstractValue walkObject(OpId id, const ir::Op &op);
  AbstractValue walkTable(const ir::Op &op);
  RootId makeRoot(Root root, MemTypeId type);
  NodeId child(NodeId node, uint32_t field);
  NodeId element(NodeId node);
  void forEachLeaf(NodeId node, llvm::function_ref<void(NodeId)> visit);
  bool isSlot(NodeId node) const;
  void ensureSlots(NodeId node);
  ArrayId arrayOf(NodeId node); // invalid: its size is not known
  std::optional<std::vector<SizeExpr>> innerExtents(NodeId node);
  std::string uniqueArrayName(const std::string &name);
  ArrayId addArray(ir::Array array);

  // Entry.cpp
  llvm::Error bindParameters();
  void bindScalar(const ir::RawParam &param, AbstractValue &out);
  ValueId entryScalar(const std::string &name, const std::string &parameter, ScalarType type,
                      const ir::RawParam &param);
  llvm::Error bindStruct(const ir::RawParam &param, AbstractValue &out);
  llvm::Error bindPointer(const ir::RawParam &param, AbstractValue &out);
  void adoptType(NodeId top, MemTypeId type);
  llvm::Error makeParameterArrays(RootId root, std::vector<MemTypeId> &path);
  llvm::Error makeParameterLeaf(NodeId leaf, std::vector<MemTypeId> &path);
  llvm::Expected<std::vector<SizeExpr>> parameterExtents(NodeId leaf);
  void copyPrivate(NodeId leaf);
  std::optional<ir::Sharing> declared(llvm::StringRef name, llvm::StringRef parameter,
                                      std::optional<ir::Sharing> fallback) const;
  llvm::Error checkFacts();
  llvm::Error checkSize(const std::string &name, int64_t size) const;
  llvm::Error factError(llvm::StringRef option, llvm::StringRef name) const;
  void storeReturn(AbstractValue v);
  void assumeDisjoint();
  SizeExpr withSizes(const SizeExpr &size) const;

  // Resolve.cpp
  const ir::MemType &memType(MemTypeId id) const { return module_.memType(id); }
  AbstractValue pointerValue(Pointer pointer);
  AbstractValue unknownPointer() { return pointerValue({}); }
  AbstractValue placeValue(NodeId node, llvm::ArrayRef<Digit> digits);
  const Pointer &pointer(AbstractValue v) const { return pointers_[v.pointer]; }
  AbstractValue mapPlaces(AbstractValue v, llvm::function_ref<bool(Place &)> change);
  bool adjust(Place &place, MemTypeId type);
  bool descend(Place &place);
  bool addIndex(Place &place, ValueId index, MemTypeId type);
  bool sameType(MemTypeId a, MemTypeId b) const;
  int64_t scalarsIn(MemTypeId type, MemTypeId unit) const; // 0: not a whole number
  AbstractValue pointerIndex(const ir::Op &op);
  AbstractValue pointerField(const ir::Op &op);
  AbstractValue pointerDecay(const ir::Op &op);
  ValueId flatIndex(const Place &place);
  ValueId zero64() { return fold_.constantInt(ScalarType::S64, 0); }
  ValueId difference(const Place &a, const Place &b); // invalid: different objects
  ValueId pointerDifference(const ir::Op &op);
  ValueId compare(Opcode opcode, AbstractValue a, AbstractValue b);
  ValueId comparePlaces(Opcode opcode, const Place &a, const Place &b);

  // ResolveJoin.cpp
  bool joinShape(PointerShape &shape, AbstractValue v, size_t depth);
  bool joinPlace(PointerShape &shape, const Place &place, size_t depth);
  bool makeFlat(PointerShape::Candidate &candidate);
  void encode(const PointerShape &shape, AbstractValue v, llvm::SmallVectorImpl<ValueId> &out);
  AbstractValue decode(const PointerShape &shape, llvm::ArrayRef<ValueId> values);
  ValueId encodeSelector(const PointerShape &shape, const Pointer *p);
  void encodePlace(const PointerShape::Candidate &candidate, const Place *place,
                   llvm::SmallVectorImpl<ValueId> &out);
  static size_t valueCount(const PointerShape &shape);

  // ResolveAccess.cpp
  AbstractValue load(AbstractValue address, MemTypeId type);
  void store(AbstractValue address, AbstractValue v, MemTypeId type);
  AbstractValue forPlaces(AbstractValue address, size_t first,
                          llvm::function_ref<AbstractValue(Place)> visit);
  AbstractValue loadPlace(Place place, MemTypeId type);
  AbstractValue loadPointerParameter(const Place &place);
  void storePlace(Place place, AbstractValue v, MemTypeId type);
  AbstractValue loadSelectedSlot(const Place &place, ScalarType type);
  std::optional<SlotId> slotAt(const Place &place);
  struct Subscripts {
    llvm::SmallVector<ValueId, 4> subscripts, radices;
  };
  Subscripts subscriptsOf(const Place &place);
  ValueId loadCell(ArrayId array, const Subscripts &at);
  void storeCell(ArrayId array, ValueId v, const Subscripts &at);
  std::optional<ValueId> convertCell(ValueId v, ScalarType to);
  std::string accessProblem(const Place &place) const;

  // ResolveCopy.cpp
  void walkCopy(const ir::Op &op);
  void walkFill(const ir::Op &op);
  using CellBody = llvm::function_ref<void(ValueId index)>;
  void forCount(ValueId count, bool descending, CellBody body);
  void copyElements(const Place &to, const Place &from, ValueId count, MemTypeId type,
                    bool mayOverlap);
  void copyElement(Place to, Place from, MemTypeId type);
  void fillElement(Place to, ValueId byte, MemTypeId type);
  bool touchesSlots(Place place, MemTypeId type);
  ValueId splatByte(ValueId byte, ScalarType to);

  ir::Module &module_;
  FunctionId entry_;
  const EntryFacts &facts_;
  Decisions &decisions_;
  ir::Function &out_;
  Folder fold_;
  Frame *frame_ = nullptr;
  std::string problem_; // a wrong fact, found in the middle of the walk

  std::deque<Root> roots_;
  std::deque<Node> nodes_;
  std::deque<Slot> slots_;
  std::deque<Pointer> pointers_;
  std::vector<Change> slotLog_; // slot and the value it had before
  uint64_t serial_ = 0;
  std::map<std::pair<uint32_t, uint32_t>, RootId> objectRoots_;           // by path, op
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, RootId> tableRoots_; // function, array, type
  std::map<std::pair<uint32_t, uint32_t>, ArrayId> tables_;               // function, array
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> paths_;               // by path, call
  std::map<std::pair<uint32_t, uint32_t>, LoopPlan> plans_;               // by path, loop
  std::map<uint32_t, RawFacts> rawFacts_;
  std::map<std::string, RootId> parameterRoots_; // pointer parameters and fields by name
  std::map<std::string, unsigned> arrayNames_;
  std::set<std::string> assumed_, factNames_;
  std::set<unsigned> usedBounds_;
  std::map<uint32_t, SizeExpr> sizeNames_; // by value: entry scalars
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_H
