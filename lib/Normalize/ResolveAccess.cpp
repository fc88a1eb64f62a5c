//===- ResolveAccess.cpp - Loads and stores through places ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access to a slot is a use of its value; an access to an array is a Load or
// Store with one subscript per dimension. A pointer that is one of several gives
// a chain of Ifs that choose the address: their conditions are parts of it.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

using ir::MemType;

/// Visits the place that the pointer has, from candidate `first` on.
AbstractValue Walk::forPlaces(AbstractValue address, size_t first,
                              llvm::function_ref<AbstractValue(Place)> visit) {
  const Pointer p = pointer(address);
  while (first < p.places.size() && !p.places[first].node)
    ++first;
  size_t next = first + 1;
  while (next < p.places.size() && !p.places[next].node)
    ++next;
  if (next >= p.places.size())
    return visit(p.places[first]);
  ValueId index = fold_.constantInt(ScalarType::S32, int64_t(first));
  return branch(
      fold_.binary(Opcode::Eq, p.selector, index), [&] { return visit(p.places[first]); },
      [&] { return forPlaces(address, next, visit); }, BranchOn::Address);
}

/// Why nothing can be accessed there; empty if it can.
static std::string pointerProblem(const Pointer &p) {
  if (!p.isKnown())
    return "access through a pointer that is not known at compile time";
  for (const Place &place : p.places)
    if (place.node)
      return {};
  return "access through a null pointer";
}

AbstractValue Walk::load(AbstractValue address, MemTypeId type) {
  ScalarType scalarType = memType(type).scalar;
  std::string problem = address.isPointer() ? pointerProblem(pointer(address))
                                            : "access through an uninitialised pointer";
  if (problem.empty())
    return forPlaces(address, 0, [&](Place place) { return loadPlace(std::move(place), type); });
  if (scalarType != ScalarType::Pointer)
    return {unsupportedValue(problem, scalarType)};
  unsupported(problem);
  return unknownPointer();
}

void Walk::store(AbstractValue address, AbstractValue v, MemTypeId type) {
  std::string problem = address.isPointer() ? pointerProblem(pointer(address))
                                            : "access through an uninitialised pointer";
  if (!problem.empty())
    return unsupported(problem);
  forPlaces(address, 0, [&](Place place) {
    storePlace(std::move(place), v, type);
    return AbstractValue();
  });
}

std::optional<SlotId> Walk::slotAt(const Place &place) {
  const Node &node = nodes_[place.node.index];
  if (!isSlot(place.node) || !node.firstSlot)
    return std::nullopt;
  int64_t cell = 0;
  for (const Digit &digit : place.digits) {
    std::optional<int64_t> subscript = fold_.intConstant(digit.subscript);
    std::optional<int64_t> radix = digit.radix ? fold_.intConstant(digit.radix) : 0;
    if (!subscript || !radix)
      return std::nullopt;
    cell = cell * *radix + *subscript;
  }
  if (cell < 0 || cell >= node.cells)
    return std::nullopt;
  return SlotId(node.firstSlot.index + cell);
}

std::string Walk::accessProblem(const Place &place) const {
  const Node &node = nodes_[place.node.index];
  const Root &root = roots_[node.root.index];
  if (root.kind == Root::Kind::Parameter && memType(node.type).scalar == ScalarType::Pointer)
    return "a pointer stored in the data: '" + node.name + "'";
  if (root.kind == Root::Kind::Local && node.firstSlot && node.cells == 1)
    return "access outside the variable '" + node.name + "'";
  if (root.kind == Root::Kind::Local)
    return "the array '" + node.name + "', whose size is not made of uniform parameters";
  return "access to '" + node.name + "' at another width than its cells";
}

/// Same-width views of a cell: int as unsigned, float as its bits.
std::optional<ValueId> Walk::convertCell(ValueId v, ScalarType to) {
  ScalarType from = fold_.typeOf(v);
  if (from == to)
    return v;
  if (ir::sizeBytes(from) != ir::sizeBytes(to))
    return std::nullopt;
  bool bits = ir::isFloat(from) || ir::isFloat(to);
  return bits ? fold_.bitcast(v, to) : fold_.cast(v, to);
}

AbstractValue Walk::loadPlace(Place place, MemTypeId type) {
  ScalarType want = memType(type).scalar;
  auto fail = [&](std::string what) -> AbstractValue {
    if (want != ScalarType::Pointer)
      return {unsupportedValue(std::move(what), want)};
    unsupported(std::move(what));
    return unknownPointer();
  };
  std::string name = nodes_[place.node.index].name;
  if (!adjust(place, type))
    return fail("access to '" + name + "' at another width than its cells");
  AbstractValue v;
  if (isSlot(place.node)) {
    if (std::optional<SlotId> slot = slotAt(place))
      v = readSlot(*slot);
    else
      v = loadSelectedSlot(place, memType(nodes_[place.node.index].type).scalar);
    if (!v.isSet())
      return fail(accessProblem(place));
  } else if (want == ScalarType::Pointer) {
    v = loadPointerParameter(place);
    return v.isSet() ? v : fail(accessProblem(place));
  } else {
    ArrayId array = arrayOf(place.node);
    if (!array)
      return fail(accessProblem(place));
    v = {loadCell(array, subscriptsOf(place))};
  }
  if (v.isPointer())
    return v;
  std::optional<ValueId> converted = convertCell(v.scalar, want);
  return converted ? AbstractValue{*converted}
                   : fail("access to '" + name + "' at another width than its cells");
}

/// A pointer field of a parameter is an array of its own.
AbstractValue Walk::loadPointerParameter(const Place &place) {
  const Node &node = nodes_[place.node.index];
  if (!node.pointee || node.digits != 1 || fold_.intConstant(place.digits[0].subscript) != 0)
    return {};
  return placeValue(roots_[node.pointee.index].top, Digit{zero64(), {}});
}

/// An element of a promoted array at a variable subscript: one of its slots.
AbstractValue Walk::loadSelectedSlot(const Place &place, ScalarType type) {
  const Node node = nodes_[place.node.index];
  if (!node.firstSlot || node.cells < 2)
    return {};
  ValueId index = flatIndex(place);
  std::function<AbstractValue(int64_t)> from = [&](int64_t cell) -> AbstractValue {
    SlotId slot(node.firstSlot.index + cell);
    if (cell + 1 == node.cells)
      return readSlot(slot);
    ValueId hit = fold_.binary(Opcode::Eq, index, fold_.constantInt(ScalarType::S64, cell));
    return branch(
        hit, [&] { return readSlot(slot); }, [&] { return from(cell + 1); }, BranchOn::Address);
  };
  return from(0);
}

void Walk::storePlace(Place place, AbstractValue v, MemTypeId type) {
  std::string name = nodes_[place.node.index].name;
  if (!adjust(place, type))
    return unsupported("access to '" + name + "' at another width than its cells");
  const Node node = nodes_[place.node.index];
  ScalarType cell = memType(node.type).scalar;
  if (!v.isPointer()) {
    std::optional<ValueId> converted = convertCell(v.scalar, cell);
    if (!converted)
      return unsupported("access to '" + name + "' at another width than its cells");
    v.scalar = *converted;
  }
  if (isSlot(place.node)) {
    if (std::optional<SlotId> slot = slotAt(place)) {
      if (v.scalar)
        fold_.suggestName(v.scalar, node.name);
      return writeSlot(*slot, v);
    }
    if (!node.firstSlot || node.cells < 2)
      return unsupported(accessProblem(place));
    ValueId index = flatIndex(place);
    for (int64_t i = 0; i < node.cells; ++i)
      branch(
          fold_.binary(Opcode::Eq, index, fold_.constantInt(ScalarType::S64, i)),
          [&] { return writeSlot(SlotId(node.firstSlot.index + i), v), AbstractValue(); },
          [] { return AbstractValue(); }, BranchOn::Address);
    return;
  }
  ArrayId array = cell == ScalarType::Pointer ? ArrayId() : arrayOf(place.node);
  if (!array)
    return unsupported(cell == ScalarType::Pointer
                           ? "a store to the pointer '" + name + "', a field of a parameter"
                           : accessProblem(place));
  if (roots_[node.root.index].kind == Root::Kind::Local &&
      out_.array(array).role == ir::ArrayRole::Parameter)
    decisions_.changed |= decisions_.privateCopies.insert(node.name).second;
  roots_[node.root.index].written = true;
  storeCell(array, v.scalar, subscriptsOf(place));
}

/// One subscript per dimension of the array. The first digit counts elements of
/// a parameter; elsewhere it is zero and dropped.
Walk::Subscripts Walk::subscriptsOf(const Place &place) {
  Subscripts result;
  const Node &node = nodes_[place.node.index];
  Root &root = roots_[node.root.index];
  root.accessed = true;
  bool drop = node.digits > 1 && (root.kind == Root::Kind::Local || root.single);
  if (place.flat || (drop && fold_.intConstant(place.digits[0].subscript) != 0)) {
    result.subscripts = {flatIndex(place)};
    return result;
  }
  for (size_t i = drop; i < place.digits.size(); ++i) {
    result.subscripts.push_back(place.digits[i].subscript);
    if (i > size_t(drop))
      result.radices.push_back(place.digits[i].radix);
  }
  return result;
}

ValueId Walk::loadCell(ArrayId array, const Subscripts &at) {
  ir::Op op;
  op.opcode = Opcode::Load;
  op.array = array;
  op.operands.assign(at.subscripts.begin(), at.subscripts.end());
  op.operands.append(at.radices.begin(), at.radices.end());
  OpId id = fold_.append(std::move(op), out_.array(array).cell);
  return out_.op(id).results[0];
}

void Walk::storeCell(ArrayId array, ValueId v, const Subscripts &at) {
  ir::Op op;
  op.opcode = Opcode::Store;
  op.array = array;
  op.operands.assign(at.subscripts.begin(), at.subscripts.end());
  op.operands.append(at.radices.begin(), at.radices.end());
  op.operands.push_back(v);
  fold_.append(std::move(op), {});
}

} // namespace colonnade::canonical
