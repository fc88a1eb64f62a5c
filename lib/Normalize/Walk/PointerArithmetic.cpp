//===- PointerArithmetic.cpp - Pointer arithmetic and comparison ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/PointerArithmetic.h"

namespace colonnade::canonical {

using ir::MemType;

/// A step into an array: the digit of the new dimension is zero.
void PointerArithmetic::addDigit(Place &place, ValueId radix) {
  if (place.flat)
    place.digits[0].subscript = fold_.binary(Opcode::Mul, place.digits[0].subscript, radix);
  else
    place.digits.push_back({fold_.index(0), radix});
  place.node = tree_.element(place.node);
}

bool PointerArithmetic::descend(Place &place) {
  const MemType &type = tree_.typeOf(place.node);
  if (type.kind == MemType::Kind::Struct) {
    if (type.fields.empty())
      return false;
    place.node = tree_.child(place.node, 0);
    return true;
  }
  std::optional<int64_t> count = type.count.asConstant();
  if (type.kind != MemType::Kind::Array || !count)
    return false;
  addDigit(place, fold_.index(*count));
  return true;
}

bool PointerArithmetic::descendToCells(Place &place) {
  for (;;) {
    const MemType &type = tree_.typeOf(place.node);
    if (type.kind == MemType::Kind::Scalar)
      return type.scalar != ScalarType::Pointer && type.scalar != ScalarType::Bool;
    if ((type.kind == MemType::Kind::Struct && type.fields.size() != 1) || !descend(place))
      return false;
  }
}

static bool isNumberCell(const MemType &type) {
  return type.kind == MemType::Kind::Scalar && type.scalar != ScalarType::Pointer;
}

bool PointerArithmetic::adjust(Place &place, MemTypeId type) {
  if (!type)
    return true;
  if (!tree_.node(place.node).type)
    adopt_(place.node, type);
  Place result = place;
  const MemType &want = tree_.type(type);
  while (!tree_.sameType(tree_.node(result.node).type, type)) {
    const MemType &have = tree_.typeOf(result.node);
    if (isNumberCell(have) && isNumberCell(want)) {
      if (ir::sizeBytes(have.scalar) == ir::sizeBytes(want.scalar))
        break;
      if (ir::sizeBytes(have.scalar) > ir::sizeBytes(want.scalar))
        narrow_(place.node, type);
    }
    if (!descend(result))
      return false;
  }
  place = std::move(result);
  return true;
}

AbstractValue PointerArithmetic::mapPlaces(AbstractValue v,
                                           llvm::function_ref<bool(Place &)> change) {
  if (!v.isPointer())
    return pointers_.unknown();
  Pointer p = pointers_[v];
  for (Place &place : p.places) {
    if (!place.node || change(place))
      continue;
    fold_.unsupported(
        "a pointer into '" + tree_.node(place.node).name +
        "' cast to another type or moved outside its array (access it as what it is declared)");
    return pointers_.unknown();
  }
  return pointers_.add(std::move(p));
}

bool PointerArithmetic::addIndex(Place &place, ValueId index, MemTypeId type) {
  if (fold_.intConstant(index) == 0)
    return true;
  if (!adjust(place, type)) {
    int64_t units = tree_.scalarsIn(type, tree_.node(place.node).type);
    if (units == 0)
      return false;
    index = fold_.binary(Opcode::Mul, index, fold_.index(units));
  }
  if (tree_.node(place.node).kind == Node::Kind::Field && !place.flat)
    return false;
  ValueId &last = place.digits.back().subscript;
  last = fold_.binary(Opcode::Add, last, index);
  return true;
}

AbstractValue PointerArithmetic::index(AbstractValue v, ValueId index, MemTypeId type) {
  return mapPlaces(v, [&](Place &place) { return addIndex(place, index, type); });
}

AbstractValue PointerArithmetic::field(AbstractValue v, uint32_t field, MemTypeId type) {
  return mapPlaces(v, [&](Place &place) {
    if (!adjust(place, type))
      return false;
    place.node = tree_.child(place.node, field);
    return true;
  });
}

/// Only of what is that field of such a struct: an object of the base class alone is none.
AbstractValue PointerArithmetic::record(AbstractValue v, uint32_t field, MemTypeId type) {
  return mapPlaces(v, [&](Place &place) {
    const Node &node = tree_.node(place.node);
    if (node.kind != Node::Kind::Field || !tree_.sameType(tree_.node(node.parent).type, type) ||
        tree_.child(node.parent, field) != place.node)
      return false;
    place.node = node.parent;
    return true;
  });
}

AbstractValue PointerArithmetic::decay(AbstractValue v, ValueId radix, MemTypeId type) {
  return mapPlaces(v, [&](Place &place) {
    if (!adjust(place, type)) // an array type that was only cast to
      return tree_.scalarsIn(type, tree_.node(place.node).type) != 0;
    if (tree_.typeOf(place.node).kind != MemType::Kind::Array)
      return false;
    addDigit(place, radix);
    return true;
  });
}

ValueId PointerArithmetic::onIndices(Opcode opcode, const Place &a, const Place &b) {
  if (differInLastOnly(a, b))
    return fold_.binary(opcode, a.digits.back().subscript, b.digits.back().subscript);
  ValueId left = flatIndex(fold_, a);
  return fold_.binary(opcode, left, flatIndex(fold_, b));
}

ValueId PointerArithmetic::difference(const Place &a, const Place &b) {
  if (!a.node || a.node != b.node)
    return {};
  return onIndices(Opcode::Sub, a, b);
}

ValueId PointerArithmetic::difference(AbstractValue a, AbstractValue b, MemTypeId type) {
  const Place *from = pointers_.single(a), *to = pointers_.single(b);
  if (from && to && from->node && to->node) {
    Place p = *from, q = *to;
    int64_t units = 1;
    if (!adjust(p, type) || !adjust(q, type))
      units = tree_.scalarsIn(type, tree_.node(p.node).type);
    ValueId d = units ? difference(p, q) : ValueId();
    if (d)
      return fold_.binary(Opcode::Div, d, fold_.index(units));
  }
  return fold_.unsupportedValue("difference of pointers into different or unknown objects",
                                ScalarType::S64);
}

ValueId PointerArithmetic::compare(Opcode opcode, AbstractValue a, AbstractValue b) {
  if (!a.isPointer() || !b.isPointer() || !pointers_[a].isKnown() || !pointers_[b].isKnown())
    return fold_.unsupportedValue("comparison of pointers that are not known at compile time",
                                  ScalarType::Bool, ir::FollowOn);
  const Pointer &p = pointers_[a], &q = pointers_[b];
  auto choose = [&](const Pointer &from, llvm::function_ref<ValueId(const Place &)> visit) {
    ValueId result = visit(from.places.back());
    for (size_t i = from.places.size() - 1; i-- > 0;) {
      ValueId index = fold_.constantInt(ScalarType::S32, int64_t(i));
      ValueId chosen = fold_.binary(Opcode::Eq, from.selector, index);
      result = fold_.select(chosen, visit(from.places[i]), result);
    }
    return result;
  };
  return choose(p, [&](const Place &x) {
    return choose(q, [&](const Place &y) { return comparePlaces(opcode, x, y); });
  });
}

/// Not one past the end of its object, where another one may begin.
bool PointerArithmetic::isWithin(const Place &place) {
  int64_t index = 0;
  for (const Digit &digit : place.digits) {
    const Scalar *subscript = fold_.constantOf(digit.subscript);
    const Scalar *radix = digit.radix ? fold_.constantOf(digit.radix) : nullptr;
    if (!subscript || (digit.radix && !radix))
      return false;
    index = index * (radix ? ir::asInt64(*radix) : 1) + ir::asInt64(*subscript);
  }
  const auto *pointee = tree_.rootOf(place.node).as<Pointee>();
  const std::optional<int64_t> count = pointee ? pointee->count.asConstant() : std::nullopt;
  return index == 0 || (index > 0 && index < count.value_or(1) * tree_.node(place.node).cells);
}

/// Two objects have two addresses, but what ends one may begin the other, and constants that
/// are equal may be one object.
bool PointerArithmetic::haveTwoAddresses(const Place &a, const Place &b) {
  auto isConstant = [&](const Place &place) {
    const Root &root = tree_.rootOf(place.node);
    const auto *variable = root.as<LocalVariable>();
    return root.as<ConstantTable>() || (variable && variable->standsForConstant);
  };
  return !(isConstant(a) && isConstant(b)) && isWithin(a) && isWithin(b);
}

ValueId PointerArithmetic::comparePlaces(Opcode opcode, const Place &a, const Place &b) {
  if (a.node && a.node == b.node)
    return onIndices(opcode, a, b);
  if (!a.node && !b.node)
    return fold_.constantBool(opcode == Opcode::Eq || opcode == Opcode::Le || opcode == Opcode::Ge);
  for (const Place *place : {&a, &b}) { // where it was another variable may be now
    const auto *variable = place->node ? tree_.rootOf(place->node).as<LocalVariable>() : nullptr;
    if (variable && variable->hasEnded)
      return fold_.unsupportedValue("comparison with the address of '" +
                                        tree_.rootOf(place->node).name +
                                        "', a variable of a call that has returned",
                                    ScalarType::Bool);
  }
  bool sameRoot = a.node && b.node && tree_.node(a.node).root == tree_.node(b.node).root;
  if (sameRoot || (opcode != Opcode::Eq && opcode != Opcode::Ne) ||
      (a.node && b.node && !haveTwoAddresses(a, b)))
    return fold_.unsupportedValue(sameRoot ? "comparison of pointers to different parts of '" +
                                                 tree_.rootOf(a.node).name + "'"
                                           : "comparison of pointers into different objects",
                                  ScalarType::Bool);
  if (!a.node || !b.node) {
    const Root &root = tree_.rootOf((a.node ? a : b).node);
    if (root.as<Pointee>())
      fold_.addAssumption("pointer '" + root.name + "' is not null");
  }
  return fold_.constantBool(opcode == Opcode::Ne);
}

} // namespace colonnade::canonical
