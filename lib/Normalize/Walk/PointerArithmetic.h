//===- PointerArithmetic.h - Pointer arithmetic and comparison --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indexing adds to a place's last digit, decay adds a digit, a field changes
// the node. A cast between an array and its elements (or a struct and its first
// field) is followed.
//
// In: pointers, and the raw operations on them. Out: pointers, differences and
// truths of comparisons.
// Invariant: what cannot be followed gives an unknown pointer (or a value of its
// own) and one Unsupported operation where it happens, never a wrong place.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_POINTERARITHMETIC_H
#define COLONNADE_NORMALIZE_WALK_POINTERARITHMETIC_H

#include "Normalize/Walk/PlaceTree.h"

#include <functional>

namespace colonnade::canonical {

class PointerArithmetic {
public:
  /// Called for a node without a type (`void *p`) that is accessed as one.
  using Adopt = std::function<void(NodeId, MemTypeId)>;

  /// `narrow` is called for a node that is accessed as cells narrower than its own.
  PointerArithmetic(Folder &fold, PlaceTree &tree, Pointers &pointers, Adopt adopt, Adopt narrow)
      : fold_(fold), tree_(tree), pointers_(pointers), adopt_(std::move(adopt)),
        narrow_(std::move(narrow)) {}

  // On places; false: not possible, and `place` is not to be used.
  /// Makes `place` point to a `type`; scalars of one size stand for each other.
  bool adjust(Place &place, MemTypeId type);
  /// To the first element of an array or the first field of a struct.
  bool descend(Place &place);
  /// To the first of the numbers that `place` is an array of; a struct around one is none.
  bool descendToCells(Place &place);
  bool addIndex(Place &place, ValueId index, MemTypeId type);
  /// In elements; invalid: places of different objects.
  ValueId onIndices(Opcode opcode, const Place &a, const Place &b); // of one object
  ValueId difference(const Place &a, const Place &b);

  // On pointers, as the raw operations of these names.
  AbstractValue index(AbstractValue v, ValueId index, MemTypeId type);
  AbstractValue field(AbstractValue v, uint32_t field, MemTypeId type);
  AbstractValue record(AbstractValue v, uint32_t field, MemTypeId type);
  AbstractValue decay(AbstractValue v, ValueId radix, MemTypeId type);
  ValueId difference(AbstractValue a, AbstractValue b, MemTypeId type);
  ValueId compare(Opcode opcode, AbstractValue a, AbstractValue b);

private:
  AbstractValue mapPlaces(AbstractValue v, llvm::function_ref<bool(Place &)> change);
  void addDigit(Place &place, ValueId radix);
  bool isWithin(const Place &place);
  bool haveTwoAddresses(const Place &a, const Place &b);
  ValueId comparePlaces(Opcode opcode, const Place &a, const Place &b);

  Folder &fold_;
  PlaceTree &tree_;
  Pointers &pointers_;
  Adopt adopt_, narrow_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_POINTERARITHMETIC_H
