//===- Accesses.h - Loads and stores through pointers -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an address, and the type that is loaded or stored there. Out: the use of a
// slot's value, or a Load or Store with one subscript per dimension of an array. A
// pointer that is one of several gives a chain of Ifs that choose the address: their
// conditions are parts of it.
// Invariant: an access is appended once, where the source has it; one whose address
// is not known becomes an Unsupported operation there.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_ACCESSES_H
#define COLONNADE_NORMALIZE_WALK_ACCESSES_H

#include "Normalize/Walk/Decisions.h"
#include "Normalize/Walk/Memory.h"
#include "Normalize/Walk/PointerArithmetic.h"

namespace colonnade::canonical {

class Accesses {
public:
  using PlaceBody = llvm::function_ref<AbstractValue(Place)>;

  Accesses(Memory &memory, PointerArithmetic &arithmetic, Decisions &decisions)
      : memory_(memory), fold_(memory.fold), tree_(memory.tree), arithmetic_(arithmetic),
        decisions_(decisions) {}

  // `pointer`: the name of what `address` was read from, for messages.
  AbstractValue load(AbstractValue address, MemTypeId type, llvm::StringRef pointer = {});
  void store(AbstractValue address, AbstractValue v, MemTypeId type, llvm::StringRef pointer = {});
  AbstractValue loadPlace(Place place, MemTypeId type);
  void storePlace(Place place, AbstractValue v, MemTypeId type);
  /// Calls `visit` with the place that a known pointer has: in an arm for each, if
  /// there are several. Null places are left out.
  AbstractValue forPlaces(AbstractValue address, PlaceBody visit) {
    return forPlaces(address, 0, visit);
  }

private:
  AbstractValue forPlaces(AbstractValue address, size_t first, PlaceBody visit);
  struct Problem {
    std::string text;
    ir::UnsupportedKind kind = ir::OutsideSubset;
  };
  std::optional<Problem> addressProblem(AbstractValue address, llvm::StringRef pointer) const;
  std::string placeProblem(const Place &place) const;
  AbstractValue failedLoad(std::string what, ScalarType type);
  // Of a place that has the type of its cell, or one of the same width.
  AbstractValue loadCell(const Place &place, MemTypeId type);
  void storeCell(const Place &place, AbstractValue v);
  std::optional<SlotId> slotAt(const Place &place);
  AbstractValue loadSlot(const Place &place);
  AbstractValue loadPointerParameter(const Place &place);
  AbstractValue loadSelectedSlot(const Place &place);
  void storeSlot(const Place &place, AbstractValue v);
  void storeSelectedSlot(const Place &place, AbstractValue v);
  std::optional<ValueId> convertCell(ValueId v, ScalarType to);
  int64_t cellsOfView(Place &place, ScalarType view);
  bool staysInFields(const Place &place, int64_t cells);
  ValueId loadView(const Place &place, ScalarType view, int64_t cells);
  void storeView(const Place &place, ValueId v, int64_t cells);
  Subscripts subscriptsOf(const Place &place);
  void noteUse(NodeId leaf, Pointee::Use use);

  Memory &memory_;
  Folder &fold_;
  PlaceTree &tree_;
  PointerArithmetic &arithmetic_;
  Decisions &decisions_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_ACCESSES_H
