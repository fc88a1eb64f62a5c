//===- Resolve.cpp - Pointer arithmetic and comparison --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indexing adds to a place's last digit, decay adds a digit, a field changes
// the node. A cast between an array and its elements (or a struct and its first
// field) is followed; any other makes the pointer unknown, with one Unsupported
// operation where it happens.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

using ir::MemType;

AbstractValue Walk::pointerValue(Pointer pointer) {
  pointers_.push_back(std::move(pointer));
  AbstractValue v;
  v.pointer = static_cast<uint32_t>(pointers_.size() - 1);
  return v;
}

AbstractValue Walk::placeValue(NodeId node, llvm::ArrayRef<Digit> digits) {
  Pointer p;
  Place &place = p.places.emplace_back();
  place.node = node;
  place.digits.assign(digits.begin(), digits.end());
  return pointerValue(std::move(p));
}

bool Walk::sameType(MemTypeId a, MemTypeId b) const {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  const MemType &x = memType(a), &y = memType(b);
  if (x.kind != y.kind)
    return false;
  switch (x.kind) {
  case MemType::Kind::Scalar:
    return x.scalar == y.scalar;
  case MemType::Kind::Array:
    return x.count == y.count && sameType(x.element, y.element);
  case MemType::Kind::Struct:
    return x.name == y.name && x.fields.size() == y.fields.size();
  }
  return false;
}

/// How many `unit`s lie in one `type`, if it is a (nested) array of them.
int64_t Walk::scalarsIn(MemTypeId type, MemTypeId unit) const {
  int64_t count = 1;
  while (!sameType(type, unit)) {
    const MemType &t = memType(type);
    if (t.kind != MemType::Kind::Array || !t.count.asConstant())
      return 0;
    count *= *t.count.asConstant();
    type = t.element;
  }
  return count;
}

/// To the first element of an array or the first field of a struct.
bool Walk::descend(Place &place) {
  const MemType &type = memType(nodes_[place.node.index].type);
  if (type.kind == MemType::Kind::Struct) {
    if (type.fields.empty())
      return false;
    place.node = child(place.node, 0);
    return true;
  }
  std::optional<int64_t> count = type.count.asConstant();
  if (type.kind != MemType::Kind::Array || !count)
    return false;
  ValueId radix = fold_.constantInt(ScalarType::S64, *count);
  if (place.flat)
    place.digits[0].subscript = fold_.binary(Opcode::Mul, place.digits[0].subscript, radix);
  else
    place.digits.push_back({zero64(), radix});
  place.node = element(place.node);
  return true;
}

/// Makes `place` point to a `type`; scalars of one size stand for each other.
bool Walk::adjust(Place &place, MemTypeId type) {
  if (!type)
    return true;
  if (!nodes_[place.node.index].type)
    adoptType(place.node, type);
  Place result = place;
  const MemType &want = memType(type);
  while (!sameType(nodes_[result.node.index].type, type)) {
    const MemType &have = memType(nodes_[result.node.index].type);
    bool scalars = have.kind == MemType::Kind::Scalar && want.kind == MemType::Kind::Scalar;
    if (scalars && have.scalar != ScalarType::Pointer && want.scalar != ScalarType::Pointer &&
        ir::sizeBytes(have.scalar) == ir::sizeBytes(want.scalar))
      break;
    if (!descend(result))
      return false;
  }
  place = std::move(result);
  return true;
}

AbstractValue Walk::mapPlaces(AbstractValue v, llvm::function_ref<bool(Place &)> change) {
  if (!v.isPointer())
    return unknownPointer();
  Pointer p = pointer(v);
  for (Place &place : p.places) {
    if (!place.node || change(place))
      continue;
    unsupported("a pointer into '" + nodes_[place.node.index].name +
                "' cast to another type or moved outside its array");
    return unknownPointer();
  }
  return pointerValue(std::move(p));
}

bool Walk::addIndex(Place &place, ValueId index, MemTypeId type) {
  if (fold_.intConstant(index) == 0)
    return true;
  if (!adjust(place, type)) {
    int64_t units = scalarsIn(type, nodes_[place.node.index].type);
    if (units == 0)
      return false;
    index = fold_.binary(Opcode::Mul, index, fold_.constantInt(ScalarType::S64, units));
  }
  if (nodes_[place.node.index].kind == Node::Kind::Field && !place.flat)
    return false;
  ValueId &last = place.digits.back().subscript;
  last = fold_.binary(Opcode::Add, last, index);
  return true;
}

AbstractValue Walk::pointerIndex(const ir::Op &op) {
  ValueId index = fold_.cast(scalar(op.operands[1]), ScalarType::S64);
  return mapPlaces(value(op.operands[0]),
                   [&](Place &place) { return addIndex(place, index, op.memType); });
}

AbstractValue Walk::pointerField(const ir::Op &op) {
  return mapPlaces(value(op.operands[0]), [&](Place &place) {
    if (!adjust(place, op.memType))
      return false;
    place.node = child(place.node, op.index);
    return true;
  });
}

AbstractValue Walk::pointerDecay(const ir::Op &op) {
  ValueId radix = fold_.cast(scalar(op.operands[1]), ScalarType::S64);
  return mapPlaces(value(op.operands[0]), [&](Place &place) {
    if (!adjust(place, op.memType)) // an array type that was only cast to
      return scalarsIn(op.memType, nodes_[place.node.index].type) != 0;
    if (memType(nodes_[place.node.index].type).kind != MemType::Kind::Array)
      return false;
    place.node = element(place.node);
    if (place.flat)
      place.digits[0].subscript = fold_.binary(Opcode::Mul, place.digits[0].subscript, radix);
    else
      place.digits.push_back({zero64(), radix});
    return true;
  });
}

ValueId Walk::flatIndex(const Place &place) {
  ValueId index = place.digits[0].subscript;
  for (size_t i = 1; i < place.digits.size(); ++i)
    index = fold_.binary(Opcode::Add, fold_.binary(Opcode::Mul, index, place.digits[i].radix),
                         place.digits[i].subscript);
  return index;
}

static bool differInLastOnly(const Place &a, const Place &b) {
  if (a.flat != b.flat || a.digits.size() != b.digits.size())
    return false;
  for (size_t i = 0; i < a.digits.size(); ++i)
    if (a.digits[i].radix != b.digits[i].radix ||
        (i + 1 < a.digits.size() && a.digits[i].subscript != b.digits[i].subscript))
      return false;
  return true;
}

ValueId Walk::difference(const Place &a, const Place &b) {
  if (!a.node || a.node != b.node)
    return {};
  if (differInLastOnly(a, b))
    return fold_.binary(Opcode::Sub, a.digits.back().subscript, b.digits.back().subscript);
  return fold_.binary(Opcode::Sub, flatIndex(a), flatIndex(b));
}

ValueId Walk::pointerDifference(const ir::Op &op) {
  AbstractValue a = value(op.operands[0]), b = value(op.operands[1]);
  if (a.isPointer() && b.isPointer() && pointer(a).places.size() == 1 &&
      pointer(b).places.size() == 1) {
    Place p = pointer(a).places[0], q = pointer(b).places[0];
    int64_t units = 0;
    if (p.node && q.node && adjust(p, op.memType) && adjust(q, op.memType))
      units = 1;
    else if (p.node && q.node)
      units = scalarsIn(op.memType, nodes_[p.node.index].type);
    ValueId d = units ? difference(p, q) : ValueId();
    if (d)
      return fold_.binary(Opcode::Div, d, fold_.constantInt(ScalarType::S64, units));
  }
  return unsupportedValue("difference of pointers into different or unknown objects",
                          ScalarType::S64);
}

ValueId Walk::compare(Opcode opcode, AbstractValue a, AbstractValue b) {
  if (!a.isPointer() || !b.isPointer() || !pointer(a).isKnown() || !pointer(b).isKnown())
    return unsupportedValue("comparison of pointers that are not known at compile time",
                            ScalarType::Bool);
  const Pointer p = pointer(a), q = pointer(b);
  auto choose = [&](const Pointer &from, llvm::function_ref<ValueId(const Place &)> visit) {
    ValueId result = visit(from.places.back());
    for (size_t i = from.places.size() - 1; i-- > 0;) {
      ValueId index = fold_.constantInt(ScalarType::S32, int64_t(i));
      result = fold_.select(fold_.binary(Opcode::Eq, from.selector, index), visit(from.places[i]),
                            result);
    }
    return result;
  };
  return choose(p, [&](const Place &x) {
    return choose(q, [&](const Place &y) { return comparePlaces(opcode, x, y); });
  });
}

ValueId Walk::comparePlaces(Opcode opcode, const Place &a, const Place &b) {
  if (a.node && a.node == b.node) {
    if (differInLastOnly(a, b))
      return fold_.binary(opcode, a.digits.back().subscript, b.digits.back().subscript);
    return fold_.binary(opcode, flatIndex(a), flatIndex(b));
  }
  if (!a.node && !b.node)
    return fold_.constantBool(opcode == Opcode::Eq || opcode == Opcode::Le || opcode == Opcode::Ge);
  if (opcode != Opcode::Eq && opcode != Opcode::Ne)
    return unsupportedValue("comparison of pointers into different objects", ScalarType::Bool);
  if (!a.node || !b.node) {
    const Root &root = roots_[nodes_[(a.node ? a : b).node.index].root.index];
    if (root.kind == Root::Kind::Parameter)
      assumption("pointer '" + root.name + "' is not null");
  }
  return fold_.constantBool(opcode == Opcode::Ne);
}

} // namespace colonnade::canonical
