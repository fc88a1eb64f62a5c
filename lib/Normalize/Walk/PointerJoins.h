//===- PointerJoins.h - Pointers over joins and around loops ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where pointers meet, those with the same node become one place whose digits
// are values of the join, only the ones that differ. Pointers with different
// nodes become a selector and the digits of each candidate. A shape says which;
// `encode` turns a pointer into the shape's values, `decode` the other way.
//
// In: the pointers that meet. Out: their shape, and what each looks like in it.
// Invariants: a shape only grows, and joining is commutative but for the order of
// the candidates. Decoding what a pointer that was joined in is encoded as gives a
// pointer to the same cell. What has too many candidates is not known.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_POINTERJOINS_H
#define COLONNADE_NORMALIZE_WALK_POINTERJOINS_H

#include "Normalize/Walk/Place.h"

namespace colonnade::canonical {

/// How a pointer is carried over a join or around a loop: which places it may
/// have, and which of their digits are values of their own there.
struct PointerShape {
  struct Candidate {
    NodeId node;
    bool flat = false;
    std::vector<Digit> fixed;  // the digits if not carried
    std::vector<bool> carried; // by digit
  };
  std::vector<Candidate> candidates; // none: no value has been joined in
  bool unknown = false;              // an unknown pointer has, or too many places
  /// Values of the join that stand for the pointer.
  size_t valueCount() const;
};

class PointerJoins {
public:
  PointerJoins(Folder &fold, Pointers &pointers) : fold_(fold), pointers_(pointers) {}

  /// Joins `v` in; true if the shape grew. `depth` is where the joined pointer will
  /// be used: values that are not visible there are carried.
  bool join(PointerShape &shape, AbstractValue v, size_t depth);
  /// The same at a loop's entry, where the digits that are not carried are what
  /// `v` has here: an earlier attempt may have fixed them to other values.
  void enterLoop(PointerShape &shape, AbstractValue v);
  void encode(const PointerShape &shape, AbstractValue v, llvm::SmallVectorImpl<ValueId> &out);
  AbstractValue decode(const PointerShape &shape, llvm::ArrayRef<ValueId> values);

private:
  bool joinPlace(PointerShape &shape, const Place &place, size_t depth);
  PointerShape::Candidate newCandidate(const Place &place, size_t depth);
  bool makeFlat(PointerShape::Candidate &candidate);
  ValueId encodeSelector(const PointerShape &shape, const Pointer *p);
  void encodePlace(const PointerShape::Candidate &candidate, const Place *place,
                   llvm::SmallVectorImpl<ValueId> &out);

  Folder &fold_;
  Pointers &pointers_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_POINTERJOINS_H
