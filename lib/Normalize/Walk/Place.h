//===- Place.h - Where a pointer points, symbolically -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place is a node of the tree of places (PlaceTree.h) and one subscript per
// digit. A pointer is one place, or a selection among several. These are the
// values that the walk computes with; `Pointers` owns all pointers of one walk.
//
// In: nodes and subscripts. Out: places, pointers and numbers for them.
// Invariant: a place has as many digits as its node, or one if it is flat. The
// null pointer is the place without a node; a pointer without places is not known.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_PLACE_H
#define COLONNADE_NORMALIZE_WALK_PLACE_H

#include "Normalize/Fold.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>

namespace colonnade::canonical {

using RootId = Id<struct RootTag>;
using NodeId = Id<struct NodeTag>;
using SlotId = Id<struct SlotTag>;

/// One element of a place's address: the subscript within its dimension.
struct Digit {
  ValueId subscript; // S64
  ValueId radix;     // S64; invalid for the first digit
};

struct Place {
  NodeId node; // invalid: the null pointer
  llvm::SmallVector<Digit, 2> digits;
  bool flat = false; // one digit that counts cells across all dimensions
};

struct Pointer {
  llvm::SmallVector<Place, 1> places; // empty: not known
  ValueId selector;                   // S32, which place; if there are several
  bool isKnown() const { return !places.empty(); }
  /// It may point to something: not known to be null.
  bool hasObject() const {
    return llvm::any_of(places, [](const Place &place) { return place.node.valid(); });
  }
};

/// A raw value in canonical terms: a scalar, a pointer (an index into `Pointers`),
/// or nothing yet (an uninitialised variable).
struct AbstractValue {
  static constexpr uint32_t None = UINT32_MAX;
  ValueId scalar;
  uint32_t pointer = None;
  bool isSet() const { return scalar.valid() || pointer != None; }
  bool isPointer() const { return pointer != None; }
  friend bool operator==(const AbstractValue &, const AbstractValue &) = default;
};

class Pointers {
public:
  AbstractValue add(Pointer pointer);
  AbstractValue at(NodeId node, llvm::ArrayRef<Digit> digits);
  AbstractValue null() { return at({}, {}); }
  AbstractValue unknown() { return add({}); }
  const Pointer &operator[](AbstractValue v) const { return pointers_[v.pointer]; }
  /// The place of a pointer that has only one; else null.
  const Place *single(AbstractValue v) const;

private:
  std::deque<Pointer> pointers_; // references to elements stay valid
};

/// The number of the cell across all dimensions.
ValueId flatIndex(Folder &fold, const Place &place);
/// Both have the same radices, and the same subscripts but for the last.
bool differInLastOnly(const Place &a, const Place &b);

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_PLACE_H
