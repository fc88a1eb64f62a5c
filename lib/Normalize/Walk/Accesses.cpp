//===- Accesses.cpp - Loads and stores through pointers -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Accesses.h"

namespace colonnade::canonical {

AbstractValue Accesses::forPlaces(AbstractValue address, size_t first, PlaceBody visit) {
  const Pointer &p = memory_.pointers[address];
  while (first < p.places.size() && !p.places[first].node)
    ++first;
  size_t next = first + 1;
  while (next < p.places.size() && !p.places[next].node)
    ++next;
  if (next >= p.places.size())
    return visit(p.places[first]);
  ValueId index = fold_.constantInt(ScalarType::S32, int64_t(first));
  return memory_.branches.branch(
      fold_.binary(Opcode::Eq, p.selector, index), [&] { return visit(p.places[first]); },
      [&] { return forPlaces(address, next, visit); }, BranchOn::Address);
}

/// Why nothing can be accessed there; nullopt if it can.
std::optional<Accesses::Problem> Accesses::addressProblem(AbstractValue address,
                                                          llvm::StringRef pointer) const {
  std::string through = "access through " + (pointer.empty() ? "" : "'" + pointer.str() + "', ");
  if (!address.isPointer())
    return Problem{through + "an uninitialised pointer"};
  const Pointer &p = memory_.pointers[address];
  if (!p.isKnown())
    return Problem{through + "a pointer that is not known at compile time", ir::FollowOn};
  if (!p.hasObject())
    return Problem{through + "a null pointer"};
  return std::nullopt;
}

AbstractValue Accesses::load(AbstractValue address, MemTypeId type, llvm::StringRef pointer) {
  ScalarType scalarType = tree_.type(type).scalar;
  std::optional<Problem> problem = addressProblem(address, pointer);
  if (!problem)
    return forPlaces(address, [&](Place place) { return loadPlace(std::move(place), type); });
  if (scalarType != ScalarType::Pointer)
    return {fold_.unsupportedValue(problem->text, scalarType, problem->kind)};
  fold_.unsupported(problem->text, problem->kind);
  return memory_.pointers.unknown();
}

void Accesses::store(AbstractValue address, AbstractValue v, MemTypeId type,
                     llvm::StringRef pointer) {
  if (std::optional<Problem> problem = addressProblem(address, pointer))
    return fold_.unsupported(problem->text, problem->kind);
  forPlaces(address, [&](Place place) {
    storePlace(std::move(place), v, type);
    return AbstractValue();
  });
}

std::optional<SlotId> Accesses::slotAt(const Place &place) {
  const Node &node = tree_.node(place.node);
  if (!tree_.isSlot(place.node) || !node.firstSlot)
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

static std::string widthProblem(const std::string &name) {
  return "access to '" + name +
         "' at another width than its cells (access whole cells, and shift and mask them)";
}

static std::string outsideProblem(const std::string &name) {
  return "access outside '" + name + "', which is part of a struct (name the member that is meant)";
}

/// Why a cell cannot be seen as another type.
static std::string viewProblem(const std::string &name, ScalarType as) {
  return as == ScalarType::Bool ? "a byte in '" + name + "' as a bool: it may be neither 0 nor 1"
                                : widthProblem(name);
}

/// Why an access to this place is not possible.
std::string Accesses::placeProblem(const Place &place) const {
  const Node &node = tree_.node(place.node);
  if (tree_.isCallersBitField(place.node))
    return "the bit-field '" + node.name + "' of a parameter";
  const Root &root = tree_.rootOf(place.node);
  if (root.as<Pointee>() && tree_.typeOf(place.node).scalar == ScalarType::Pointer)
    return "a pointer stored in the data: '" + node.name +
           "'; pass what it points to as a parameter of its own, or all rows as one array";
  if (root.isLocal() && node.firstSlot && node.cells == 1)
    return "access outside the variable '" + node.name + "'";
  if (root.isLocal())
    return "the array '" + node.name + "', whose size is not made of uniform parameters";
  return widthProblem(node.name);
}

/// Same-width views of a cell: int as unsigned, float as its bits.
std::optional<ValueId> Accesses::convertCell(ValueId v, ScalarType to) {
  ScalarType from = fold_.typeOf(v);
  if (from == to)
    return v;
  if (ir::sizeBytes(from) != ir::sizeBytes(to))
    return std::nullopt;
  if (to == ScalarType::Bool) { // a byte: only 0 and 1 are values of a bool
    std::optional<int64_t> byte = fold_.intConstant(v);
    if (!byte || (*byte & ~int64_t(1)))
      return std::nullopt;
  }
  bool bits = ir::isFloat(from) || ir::isFloat(to);
  return bits ? fold_.bitcast(v, to) : fold_.cast(v, to);
}

/// *(uint32_t *)bytes: how many cells such a view covers, from `place` on, which is moved to
/// the first; 0 if it does not consist of whole cells.
int64_t Accesses::cellsOfView(Place &place, ScalarType view) {
  if (view == ScalarType::Pointer || view == ScalarType::Bool || !arithmetic_.descendToCells(place))
    return 0;
  unsigned cell = ir::sizeBytes(tree_.typeOf(place.node).scalar), whole = ir::sizeBytes(view);
  return whole % cell == 0 ? whole / cell : 0;
}

/// s->bytes[6] of six: in memory that is the next field, not the next struct's bytes[0], which has
/// the same number in the array of all these fields. Rows of a field may be left for other rows.
/// A view of several cells has bytes of the next field there, too. What is not known here is
/// checked when the function runs.
bool Accesses::staysInFields(const Place &place, int64_t cells) {
  if (!tree_.isInField(place.node))
    return true;
  if (place.flat || (cells > 1 && tree_.node(place.node).kind != Node::Kind::Element))
    return cells == 1;
  ValueId stays = fold_.constantBool(true), taken = fold_.index(cells);
  size_t digit = place.digits.size();
  for (NodeId node = place.node; tree_.isInField(node); node = tree_.node(node).parent) {
    if (tree_.node(node).kind != Node::Kind::Element)
      continue;
    ValueId index = fold_.index(0), size = fold_.index(1);
    for (; tree_.node(node).kind == Node::Kind::Element; node = tree_.node(node).parent) {
      const Digit &at = place.digits[--digit];
      index = fold_.binary(Opcode::Add, index, fold_.binary(Opcode::Mul, at.subscript, size));
      size = fold_.binary(Opcode::Mul, size, at.radix);
    }
    ValueId room = fold_.binary(Opcode::Sub, size, taken);
    stays = fold_.binary(Opcode::And, stays, fold_.binary(Opcode::Ge, index, fold_.index(0)));
    stays = fold_.binary(Opcode::And, stays, fold_.binary(Opcode::Le, index, room));
    taken = fold_.index(1);
  }
  std::optional<bool> known = fold_.known(stays);
  if (!known)
    fold_.check(stays, "the cell lies within '" + tree_.node(place.node).name +
                           "', which is part of a struct (of its bytes: name its members, or leave "
                           "out what only wipes memory)");
  return known.value_or(true);
}

/// The cells' bits next to each other, the first one lowest.
ValueId Accesses::loadView(const Place &place, ScalarType view, int64_t cells) {
  MemTypeId cell = tree_.node(place.node).type;
  unsigned bytes = ir::sizeBytes(tree_.type(cell).scalar);
  ScalarType whole = ir::integerType(ir::sizeBytes(view), /*isSigned=*/false);
  ScalarType part = ir::integerType(bytes, /*isSigned=*/false);
  ValueId bits;
  for (int64_t i = 0; i < cells; ++i) {
    Place at = place;
    if (!arithmetic_.addIndex(at, fold_.index(i), cell))
      return fold_.unsupportedValue(widthProblem(tree_.node(place.node).name), view);
    ValueId loaded = fold_.cast(*convertCell(loadCell(at, cell).scalar, part), whole);
    ValueId by = fold_.constantInt(ScalarType::S32, 8 * bytes * i);
    ValueId high = fold_.binary(Opcode::Shl, loaded, by);
    bits = bits ? fold_.binary(Opcode::Or, bits, high) : high;
  }
  return *convertCell(bits, view);
}

void Accesses::storeView(const Place &place, ValueId v, int64_t cells) {
  MemTypeId cell = tree_.node(place.node).type;
  unsigned bytes = ir::sizeBytes(tree_.type(cell).scalar);
  ScalarType whole = ir::integerType(ir::sizeBytes(fold_.typeOf(v)), /*isSigned=*/false);
  ScalarType part = ir::integerType(bytes, /*isSigned=*/false);
  ValueId bits = *convertCell(v, whole);
  for (int64_t i = 0; i < cells; ++i) {
    Place at = place;
    if (!arithmetic_.addIndex(at, fold_.index(i), cell))
      return fold_.unsupported(widthProblem(tree_.node(place.node).name));
    ValueId by = fold_.constantInt(ScalarType::S32, 8 * bytes * i);
    ValueId low = fold_.binary(Opcode::Shr, bits, by);
    storeCell(at, {fold_.cast(low, part)});
  }
}

AbstractValue Accesses::failedLoad(std::string what, ScalarType type) {
  if (type != ScalarType::Pointer)
    return {fold_.unsupportedValue(std::move(what), type)};
  fold_.unsupported(std::move(what));
  return memory_.pointers.unknown();
}

AbstractValue Accesses::loadPlace(Place place, MemTypeId type) {
  ScalarType want = tree_.type(type).scalar;
  std::string name = tree_.node(place.node).name;
  if (!arithmetic_.adjust(place, type)) {
    int64_t cells = cellsOfView(place, want);
    return cells && staysInFields(place, cells) ? AbstractValue{loadView(place, want, cells)}
                                                : failedLoad(widthProblem(name), want);
  }
  return staysInFields(place, 1) ? loadCell(place, type) : failedLoad(outsideProblem(name), want);
}

AbstractValue Accesses::loadCell(const Place &place, MemTypeId type) {
  ScalarType want = tree_.type(type).scalar;
  AbstractValue v;
  if (tree_.isCallersBitField(place.node))
    return failedLoad(placeProblem(place), want);
  if (tree_.isSlot(place.node))
    v = loadSlot(place);
  else if (want == ScalarType::Pointer)
    v = loadPointerParameter(place);
  else if (ArrayId array = memory_.arrays.of(place.node))
    v = {fold_.load(array, subscriptsOf(place))};
  if (!v.isSet())
    return failedLoad(placeProblem(place), want);
  if (v.isPointer())
    return v;
  std::optional<ValueId> converted = convertCell(v.scalar, want);
  return converted ? AbstractValue{*converted}
                   : failedLoad(viewProblem(tree_.node(place.node).name, want), want);
}

/// A pointer field of a parameter is an array of its own.
AbstractValue Accesses::loadPointerParameter(const Place &place) {
  const Node &node = tree_.node(place.node);
  if (!node.pointee || node.digits != 1 || fold_.intConstant(place.digits[0].subscript) != 0)
    return {};
  fold_.account().add(Deed::Read);
  return memory_.pointerTo(node.pointee);
}

AbstractValue Accesses::loadSlot(const Place &place) {
  if (std::optional<SlotId> slot = slotAt(place))
    return memory_.slots.read(*slot);
  return loadSelectedSlot(place);
}

/// An element of a promoted array at a variable subscript: one of its slots.
AbstractValue Accesses::loadSelectedSlot(const Place &place) {
  const Node &node = tree_.node(place.node);
  if (!node.firstSlot || node.cells < 2)
    return {};
  ValueId index = flatIndex(fold_, place);
  std::function<AbstractValue(int64_t)> from = [&](int64_t cell) -> AbstractValue {
    SlotId slot(node.firstSlot.index + cell);
    if (cell + 1 == node.cells)
      return memory_.slots.read(slot);
    ValueId hit = fold_.binary(Opcode::Eq, index, fold_.index(cell));
    return memory_.branches.branch(
        hit, [&] { return memory_.slots.read(slot); }, [&] { return from(cell + 1); },
        BranchOn::Address);
  };
  return from(0);
}

void Accesses::storePlace(Place place, AbstractValue v, MemTypeId type) {
  std::string name = tree_.node(place.node).name;
  if (!arithmetic_.adjust(place, type)) {
    int64_t cells = v.isPointer() ? 0 : cellsOfView(place, tree_.type(type).scalar);
    return cells && staysInFields(place, cells) ? storeView(place, v.scalar, cells)
                                                : fold_.unsupported(widthProblem(name));
  }
  return staysInFields(place, 1) ? storeCell(place, v) : fold_.unsupported(outsideProblem(name));
}

void Accesses::storeCell(const Place &place, AbstractValue v) {
  const Node &node = tree_.node(place.node);
  if (tree_.isCallersBitField(place.node))
    return fold_.unsupported(placeProblem(place));
  ScalarType cell = tree_.typeOf(place.node).scalar;
  if (!v.isPointer()) {
    std::optional<ValueId> converted = convertCell(v.scalar, cell);
    if (!converted)
      return fold_.unsupported(viewProblem(node.name, cell));
    v.scalar = *converted;
  }
  if (tree_.isSlot(place.node))
    return storeSlot(place, v);
  if (cell == ScalarType::Pointer)
    return fold_.unsupported("a store to the pointer '" + node.name + "', a field of a parameter");
  ArrayId array = memory_.arrays.of(place.node);
  if (!array)
    return fold_.unsupported(placeProblem(place));
  if (decisions_.isForbidden(node.name))
    return fold_.unsupported("a store to '" + node.name +
                             "', an array of a struct by value, that is there in one walk over "
                             "the function but not in the next");
  if (tree_.rootOf(place.node).isLocal() &&
      fold_.out().array(array).role == ir::ArrayRole::Parameter)
    decisions_.addPrivateCopy(node.name, fold_.loc());
  if (const ir::Array &target = fold_.out().array(array); target.isConst || target.isTable())
    return fold_.unsupported("a store to '" + node.name + "', which is constant");
  noteUse(place.node, Pointee::Use::Written);
  fold_.store(array, v.scalar, subscriptsOf(place));
}

void Accesses::storeSlot(const Place &place, AbstractValue v) {
  std::optional<SlotId> slot = slotAt(place);
  if (!slot)
    return storeSelectedSlot(place, v);
  if (v.scalar)
    fold_.suggestName(v.scalar, tree_.node(place.node).name);
  memory_.slots.write(*slot, v);
}

void Accesses::storeSelectedSlot(const Place &place, AbstractValue v) {
  const Node &node = tree_.node(place.node);
  if (!node.firstSlot || node.cells < 2)
    return fold_.unsupported(placeProblem(place));
  ValueId index = flatIndex(fold_, place);
  for (int64_t i = 0; i < node.cells; ++i)
    memory_.branches.branch(
        fold_.binary(Opcode::Eq, index, fold_.index(i)),
        [&] {
          memory_.slots.write(SlotId(node.firstSlot.index + i), v);
          return AbstractValue();
        },
        [] { return AbstractValue(); }, BranchOn::Address);
}

void Accesses::noteUse(NodeId leaf, Pointee::Use use) {
  if (auto *pointee = tree_.rootOf(leaf).as<Pointee>())
    pointee->use = std::max(pointee->use, use);
}

/// One subscript per dimension of the array. The first digit counts elements of
/// a parameter; elsewhere it is zero and dropped.
Subscripts Accesses::subscriptsOf(const Place &place) {
  Subscripts result;
  const Node &node = tree_.node(place.node);
  noteUse(place.node, Pointee::Use::Accessed);
  bool drop = node.digits > 1 && tree_.hasOneElement(node.root);
  if (place.flat || (drop && fold_.intConstant(place.digits[0].subscript) != 0)) {
    result.subscripts = {flatIndex(fold_, place)};
    return result;
  }
  for (size_t i = drop; i < place.digits.size(); ++i) {
    result.subscripts.push_back(place.digits[i].subscript);
    if (i > size_t(drop))
      result.radices.push_back(place.digits[i].radix);
  }
  return result;
}

} // namespace colonnade::canonical
