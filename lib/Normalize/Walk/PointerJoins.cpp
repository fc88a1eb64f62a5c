//===- PointerJoins.cpp - Pointers over joins and around loops ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/PointerJoins.h"

namespace colonnade::canonical {

static constexpr size_t MaxCandidates = 16;

bool PointerJoins::join(PointerShape &shape, AbstractValue v, size_t depth) {
  if (!v.isPointer() || shape.unknown)
    return false;
  const Pointer &p = pointers_[v];
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

PointerShape::Candidate PointerJoins::newCandidate(const Place &place, size_t depth) {
  PointerShape::Candidate fresh;
  fresh.node = place.node;
  fresh.flat = place.flat;
  fresh.fixed.assign(place.digits.begin(), place.digits.end());
  for (const Digit &digit : place.digits)
    fresh.carried.push_back(!fold_.isVisible(digit.subscript, depth));
  for (const Digit &digit : place.digits)
    if (digit.radix && !fold_.isVisible(digit.radix, depth))
      makeFlat(fresh);
  return fresh;
}

bool PointerJoins::joinPlace(PointerShape &shape, const Place &place, size_t depth) {
  auto visible = [&](ValueId v) { return fold_.isVisible(v, depth); };
  auto it = std::find_if(shape.candidates.begin(), shape.candidates.end(),
                         [&](auto &candidate) { return candidate.node == place.node; });
  if (it == shape.candidates.end()) {
    shape.candidates.push_back(newCandidate(place, depth));
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

bool PointerJoins::makeFlat(PointerShape::Candidate &candidate) {
  if (candidate.flat && candidate.carried[0])
    return false;
  candidate.flat = true;
  candidate.fixed.assign(1, {fold_.index(0), {}});
  candidate.carried.assign(1, true);
  return true;
}

void PointerJoins::enterLoop(PointerShape &shape, AbstractValue v) {
  for (PointerShape::Candidate &candidate : shape.candidates)
    for (size_t i = 0; i < candidate.fixed.size(); ++i)
      if (!candidate.carried[i] && !fold_.constantOf(candidate.fixed[i].subscript))
        candidate.fixed[i].subscript = {};
  join(shape, v, fold_.depth());
  for (PointerShape::Candidate &candidate : shape.candidates)
    for (size_t i = 0; i < candidate.fixed.size(); ++i)
      if (!candidate.fixed[i].subscript)
        candidate.carried[i] = true;
}

size_t PointerShape::valueCount() const {
  if (unknown)
    return 0;
  size_t count = candidates.size() > 1;
  for (const Candidate &candidate : candidates)
    count += std::count(candidate.carried.begin(), candidate.carried.end(), true);
  return count;
}

void PointerJoins::encode(const PointerShape &shape, AbstractValue v,
                          llvm::SmallVectorImpl<ValueId> &out) {
  if (shape.unknown)
    return;
  const Pointer *p = v.isPointer() ? &pointers_[v] : nullptr;
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

void PointerJoins::encodePlace(const PointerShape::Candidate &candidate, const Place *place,
                               llvm::SmallVectorImpl<ValueId> &out) {
  for (size_t i = 0; i < candidate.carried.size(); ++i) {
    if (!candidate.carried[i])
      continue;
    if (!place)
      out.push_back(fold_.index(0));
    else if (candidate.flat)
      out.push_back(flatIndex(fold_, *place));
    else if (i < place->digits.size())
      out.push_back(place->digits[i].subscript);
    else
      out.push_back(fold_.index(0));
  }
}

/// The pointer's own selector in the shape's numbering.
ValueId PointerJoins::encodeSelector(const PointerShape &shape, const Pointer *p) {
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
  for (size_t i = p->places.size() - 1; i-- > 0;) {
    ValueId chosen = fold_.binary(Opcode::Eq, p->selector, constant(int64_t(i)));
    result = fold_.select(chosen, constant(number(p->places[i])), result);
  }
  return result;
}

AbstractValue PointerJoins::decode(const PointerShape &shape, llvm::ArrayRef<ValueId> values) {
  if (shape.unknown)
    return pointers_.unknown();
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
  return pointers_.add(std::move(result));
}

} // namespace colonnade::canonical
