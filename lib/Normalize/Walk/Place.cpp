//===- Place.cpp - Where a pointer points, symbolically -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Place.h"

namespace colonnade::canonical {

AbstractValue Pointers::add(Pointer pointer) {
  pointers_.push_back(std::move(pointer));
  AbstractValue v;
  v.pointer = static_cast<uint32_t>(pointers_.size() - 1);
  return v;
}

AbstractValue Pointers::at(NodeId node, llvm::ArrayRef<Digit> digits) {
  Pointer p;
  Place &place = p.places.emplace_back();
  place.node = node;
  place.digits.assign(digits.begin(), digits.end());
  return add(std::move(p));
}

const Place *Pointers::single(AbstractValue v) const {
  return v.isPointer() && (*this)[v].places.size() == 1 ? &(*this)[v].places[0] : nullptr;
}

ValueId flatIndex(Folder &fold, const Place &place) {
  ValueId index = place.digits[0].subscript;
  for (size_t i = 1; i < place.digits.size(); ++i)
    index = fold.binary(Opcode::Add, fold.binary(Opcode::Mul, index, place.digits[i].radix),
                        place.digits[i].subscript);
  return index;
}

bool differInLastOnly(const Place &a, const Place &b) {
  if (a.flat != b.flat || a.digits.size() != b.digits.size())
    return false;
  for (size_t i = 0; i < a.digits.size(); ++i)
    if (a.digits[i].radix != b.digits[i].radix ||
        (i + 1 < a.digits.size() && a.digits[i].subscript != b.digits[i].subscript))
      return false;
  return true;
}

} // namespace colonnade::canonical
