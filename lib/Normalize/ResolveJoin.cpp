//===- ResolveJoin.cpp - Pointers over joins and around loops -------------===//
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
// Joining is commutative but for the order of the candidates.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

static constexpr size_t MaxCandidates = 16;

/// True if the shape grew. `depth` is where the joined pointer will be used.
bool Walk::joinShape(PointerShape &shape, AbstractValue v, size_t depth) {
  shape.seen = true;
  if (!v.isPointer() || shape.unknown)
    return false;
  const Pointer p = pointer(v);
  if (!p.isKnown()) {
    shape.unknown = true;
    return true;
  }
  bool grew = false;
  for (const Place &place : p.places)
    grew |= joinPlace(shape, place, depth);
  if (shape.candidates.size() > MaxCandidates)
    shape.unknown = grew = true;
  return grew;
}

bool Walk::joinPlace(PointerShape &shape, const Place &place, size_t depth) {
  auto visible = [&](ValueId v) { return fold_.isVisible(v, depth); };
  auto it = std::find_if(shape.candidates.begin(), shape.candidates.end(),
                         [&](auto &candidate) { return candidate.node == place.node; });
  if (it == shape.candidates.end()) {
    PointerShape::Candidate &fresh = shape.candidates.emplace_back();
    fresh.node = place.node;
    fresh.flat = place.flat;
    fresh.fixed.assign(place.digits.begin(), place.digits.end());
    for (const Digit &digit : place.digits)
      fresh.carried.push_back(!visible(digit.subscript));
    for (const Digit &digit : place.digits)
      if (digit.radix && !visible(digit.radix))
        makeFlat(fresh);
    return true;
  }
  PointerShape::Candidate &candidate = *it;
  if (candidate.flat != place.flat)
    return makeFlat(candidate);
  bool grew = false;
  for (size_t i = 0; i < place.digits.size(); ++i) {
    if (candidate.fixed[i].radix != place.digits[i].radix)
      return makeFlat(candidate);
    if (candidate.carried[i])
      continue;
    if (!candidate.fixed[i].subscript && visible(place.digits[i].subscript)) {
      candidate.fixed[i].subscript = place.digits[i].subscript;
    } else if (candidate.fixed[i].subscript != place.digits[i].subscript) {
      candidate.carried[i] = true;
      grew = true;
    }
  }
  return grew;
}

bool Walk::makeFlat(PointerShape::Candidate &candidate) {
  if (candidate.flat && candidate.carried[0])
    return false;
  candidate.flat = true;
  candidate.fixed.assign(1, {zero64(), {}});
  candidate.carried.assign(1, true);
  return true;
}

size_t Walk::valueCount(const PointerShape &shape) {
  if (shape.unknown)
    return 0;
  size_t count = shape.candidates.size() > 1;
  for (const PointerShape::Candidate &candidate : shape.candidates)
    count += std::count(candidate.carried.begin(), candidate.carried.end(), true);
  return count;
}

void Walk::encode(const PointerShape &shape, AbstractValue v, llvm::SmallVectorImpl<ValueId> &out) {
  if (shape.unknown)
    return;
  const Pointer *p = v.isPointer() ? &pointer(v) : nullptr;
  if (shape.candidates.size() > 1)
    out.push_back(encodeSelector(shape, p));
  for (const PointerShape::Candidate &candidate : shape.candidates) {
    const Place *place = nullptr;
    for (size_t i = 0; p && i < p->places.size(); ++i)
      if (p->places[i].node == candidate.node)
        place = &p->places[i];
    encodePlace(candidate, place, out);
  }
}

void Walk::encodePlace(const PointerShape::Candidate &candidate, const Place *place,
                       llvm::SmallVectorImpl<ValueId> &out) {
  for (size_t i = 0; i < candidate.carried.size(); ++i) {
    if (!candidate.carried[i])
      continue;
    if (!place)
      out.push_back(zero64());
    else if (candidate.flat)
      out.push_back(flatIndex(*place));
    else if (i < place->digits.size())
      out.push_back(place->digits[i].subscript);
    else
      out.push_back(zero64());
  }
}

/// The pointer's own selector in the shape's numbering.
ValueId Walk::encodeSelector(const PointerShape &shape, const Pointer *p) {
  auto number = [&](const Place &place) {
    auto it = std::find_if(shape.candidates.begin(), shape.candidates.end(),
                           [&](auto &candidate) { return candidate.node == place.node; });
    return it == shape.candidates.end() ? 0 : int64_t(it - shape.candidates.begin());
  };
  auto constant = [&](int64_t n) { return fold_.constantInt(ScalarType::S32, n); };
  if (!p || !p->isKnown())
    return constant(0);
  bool identical = true;
  for (size_t i = 0; i < p->places.size(); ++i)
    identical &= number(p->places[i]) == int64_t(i);
  if (p->places.size() == 1)
    return constant(number(p->places[0]));
  if (identical)
    return p->selector;
  ValueId result = constant(number(p->places.back()));
  for (size_t i = p->places.size() - 1; i-- > 0;)
    result = fold_.select(fold_.binary(Opcode::Eq, p->selector, constant(int64_t(i))),
                          constant(number(p->places[i])), result);
  return result;
}

AbstractValue Walk::decode(const PointerShape &shape, llvm::ArrayRef<ValueId> values) {
  if (shape.unknown)
    return unknownPointer();
  if (shape.candidates.empty()) // never set on any way here
    return {};
  Pointer result;
  if (shape.candidates.size() > 1) {
    result.selector = values[0];
    values = values.drop_front();
  }
  for (const PointerShape::Candidate &candidate : shape.candidates) {
    Place &place = result.places.emplace_back();
    place.node = candidate.node;
    place.flat = candidate.flat;
    place.digits.assign(candidate.fixed.begin(), candidate.fixed.end());
    for (size_t i = 0; i < candidate.carried.size(); ++i)
      if (candidate.carried[i]) {
        place.digits[i].subscript = values[0];
        values = values.drop_front();
      }
  }
  return pointerValue(std::move(result));
}

} // namespace colonnade::canonical
