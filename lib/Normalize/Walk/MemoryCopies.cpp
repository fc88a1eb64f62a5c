//===- MemoryCopies.cpp - memcpy, memset and struct assignment ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/MemoryCopies.h"

namespace colonnade::canonical {

using ir::MemType;

static constexpr int64_t MaxUnrolled = 256;

void forCount(Folder &fold, ValueId count, bool descending,
              llvm::function_ref<void(ValueId index)> body) {
  ir::Op loop;
  loop.opcode = Opcode::For;
  loop.index = ir::ForOfCopy;
  loop.predicate = descending ? ir::Predicate::Ge : ir::Predicate::Lt;
  if (descending)
    loop.operands = {fold.binary(Opcode::Sub, count, fold.index(1)), fold.index(0), fold.index(-1)};
  else
    loop.operands = {fold.index(0), count, fold.index(1)};
  RegionId region = fold.createRegion();
  loop.regions = {region};
  ValueId counter = fold.addArg(region, ScalarType::S64, "i");
  fold.append(std::move(loop), ScalarType::S64);
  fold.enter(region);
  body(counter);
  fold.yield({});
  fold.leave();
}

bool MemoryCopies::forElements(ValueId count, bool slots, bool descending, CellBody body) {
  std::optional<int64_t> constant = fold_.intConstant(count);
  if (constant && (*constant == 1 || (slots && *constant <= MaxUnrolled))) {
    for (int64_t i = 0; i < *constant; ++i)
      body(fold_.index(descending ? *constant - 1 - i : i));
    return true;
  }
  if (!slots)
    forCount(fold_, count, descending, body);
  return !slots;
}

void MemoryCopies::copy(AbstractValue to, AbstractValue from, ValueId count, MemTypeId type,
                        ir::CopyKind kind) {
  if (!hasObject(to) || !hasObject(from))
    return fold_.unsupported("a memory copy through a pointer that is not known at compile time",
                             ir::FollowOn);
  if (fold_.intConstant(count) == 0)
    fold_.account().add(Deed::Empty);
  accesses_.forPlaces(to, [&](Place target) {
    return accesses_.forPlaces(from, [&](Place source) {
      copyElements(target, source, count, type, kind);
      return AbstractValue();
    });
  });
}

void MemoryCopies::fill(AbstractValue to, ValueId byte, ValueId count, MemTypeId type) {
  if (!hasObject(to))
    return fold_.unsupported("a memory fill through a pointer that is not known at compile time",
                             ir::FollowOn);
  if (fold_.intConstant(count) == 0)
    fold_.account().add(Deed::Empty);
  accesses_.forPlaces(to, [&](Place target) {
    fillElements(std::move(target), byte, count, type);
    return AbstractValue();
  });
}

static bool isByte(const MemType &type) {
  return type.kind == MemType::Kind::Scalar && type.scalar == ScalarType::U8;
}

static std::string partsProblem(const PlaceTree &tree, const Place &to, const Place &from) {
  return "a memory copy of parts of cells of '" + tree.node(to.node).name + "' or '" +
         tree.node(from.node).name + "'";
}

/// The bytes behind a base class's last member may be those of a member of the derived class.
bool MemoryCopies::isOverOthers(const Place &to, const char *what) {
  if (!tree_.holdsOthers(to.node))
    return false;
  fold_.unsupported("a memory " + std::string(what) + " over '" + tree_.node(to.node).name +
                    "', whose bytes hold other members of the object, too; assign it (a = b)");
  return true;
}

void MemoryCopies::copyElements(const Place &to, const Place &from, ValueId count, MemTypeId type,
                                ir::CopyKind kind) {
  const bool mayOverlap = kind == ir::BytesAnywhere;
  Place target = to, source = from;
  bool fits = arithmetic_.adjust(target, type);
  fits &= arithmetic_.adjust(source, type); // gives both a type, if they had none
  if (!fits)
    return isByte(tree_.type(type)) ? copyBytes(to, from, count, mayOverlap)
                                    : fold_.unsupported(partsProblem(tree_, to, from));
  if (kind != ir::AssignedObject && isOverOthers(target, "copy"))
    return;
  bool slots = tree_.touchesSlots(target.node) || tree_.touchesSlots(source.node);
  auto copyAll = [&](bool descending) {
    bool copied = forElements(count, slots, descending, [&](ValueId index) {
      Place t = target, s = source;
      if (arithmetic_.addIndex(t, index, type) && arithmetic_.addIndex(s, index, type))
        copyElement(t, s, type);
      else
        fold_.unsupported("a memory copy beyond '" + tree_.node(to.node).name + "'");
    });
    if (!copied)
      fold_.unsupported("a memory copy whose size is not constant");
    return AbstractValue();
  };
  ValueId distance = mayOverlap ? arithmetic_.difference(target, source) : ValueId();
  if (!distance || fold_.intConstant(count) == 1) {
    copyAll(false);
    return;
  }
  memory_.branches.branch(
      fold_.binary(Opcode::Gt, distance, fold_.index(0)), [&] { return copyAll(true); },
      [&] { return copyAll(false); });
}

ValueId MemoryCopies::unitsOf(ValueId bytes, int64_t size) {
  ValueId unit = fold_.index(size), rest = fold_.binary(Opcode::Rem, bytes, unit);
  std::optional<int64_t> constant = fold_.intConstant(rest);
  if (constant && *constant != 0)
    return {};
  if (!constant)
    fold_.check(fold_.binary(Opcode::Eq, rest, fold_.index(0)),
                "the size is a multiple of the cell's size");
  return fold_.binary(Opcode::Div, bytes, unit);
}

void MemoryCopies::copyBytes(Place to, Place from, ValueId bytes, bool mayOverlap) {
  std::string problem = partsProblem(tree_, to, from);
  bool oneObject = tree_.node(to.node).root == tree_.node(from.node).root;
  if (!arithmetic_.descendToCells(to) || !arithmetic_.descendToCells(from) ||
      (mayOverlap && oneObject))
    return fold_.unsupported(std::move(problem));
  auto sizeAt = [&](const Place &place) {
    return int64_t(ir::sizeBytes(tree_.typeOf(place.node).scalar));
  };
  MemTypeId unit = tree_.node((sizeAt(to) > sizeAt(from) ? to : from).node).type;
  ValueId count = unitsOf(bytes, std::max(sizeAt(to), sizeAt(from)));
  if (!count)
    return fold_.unsupported(std::move(problem));
  bool slots = tree_.touchesSlots(to.node) || tree_.touchesSlots(from.node);
  bool copied = forElements(count, slots, false, [&](ValueId index) {
    Place t = to, s = from;
    if (arithmetic_.addIndex(t, index, unit) && arithmetic_.addIndex(s, index, unit))
      copyElement(t, s, unit);
    else
      fold_.unsupported(problem);
  });
  if (!copied)
    fold_.unsupported("a memory copy whose size is not constant");
}

/// Of a type outside the subset there are no cells, and nothing more to copy: an access to memory,
/// or at an index, is refused. A variable's value is unknown, and whoever reads it is told.
bool MemoryCopies::isWithoutCells(const MemType &type, llvm::ArrayRef<Place> places) {
  if (!ir::isOutsideSubset(type))
    return false;
  const bool isVariable = llvm::all_of(places, [&](const Place &place) {
    return tree_.rootOf(place.node).isLocal() && llvm::all_of(place.digits, [&](const Digit &d) {
             return fold_.intConstant(d.subscript).has_value();
           });
  });
  if (!isVariable) {
    fold_.unsupported("a memory copy or fill of " +
                      llvm::StringRef(type.name).drop_front().drop_back().str());
    return true;
  }
  for (Deed deed : {Deed::Read, Deed::Write})
    fold_.account().add(deed);
  return true;
}

void MemoryCopies::copyElement(Place to, Place from, MemTypeId typeId) {
  const MemType &type = tree_.type(typeId);
  switch (type.kind) {
  case MemType::Kind::Scalar:
    return accesses_.storePlace(to, accesses_.loadPlace(from, typeId), typeId);
  case MemType::Kind::Struct:
    if (isWithoutCells(type, {to, from}))
      return;
    for (uint32_t i = 0; i < type.fields.size(); ++i) {
      Place t = to, s = from;
      t.node = tree_.child(to.node, i);
      s.node = tree_.child(from.node, i);
      copyElement(t, s, type.fields[i].type);
    }
    return;
  case MemType::Kind::Array:
    if (arithmetic_.descend(to) && arithmetic_.descend(from))
      return copyElements(to, from, fold_.index(*type.count.asConstant()), type.element,
                          ir::AssignedObject);
    return fold_.unsupported("a memory copy of an array whose size is not constant");
  }
}

void MemoryCopies::fillElements(Place to, ValueId byte, ValueId count, MemTypeId type) {
  if (!arithmetic_.adjust(to, type))
    return fold_.unsupported("a memory fill of parts of cells");
  if (isOverOthers(to, "fill"))
    return;
  bool filled = forElements(count, tree_.touchesSlots(to.node), false, [&](ValueId index) {
    Place at = to;
    if (arithmetic_.addIndex(at, index, type))
      fillElement(at, byte, type);
    else
      fold_.unsupported("a memory fill beyond '" + tree_.node(to.node).name + "'");
  });
  if (!filled)
    fold_.unsupported("a memory fill whose size is not constant");
}

void MemoryCopies::fillElement(Place to, ValueId byte, MemTypeId typeId) {
  const MemType &type = tree_.type(typeId);
  switch (type.kind) {
  case MemType::Kind::Scalar:
    if (type.scalar == ScalarType::Pointer)
      return accesses_.storePlace(to, memory_.pointers.null(), typeId);
    return accesses_.storePlace(to, {splatByte(byte, type.scalar)}, typeId);
  case MemType::Kind::Struct:
    if (ir::isBitField(type) && fold_.intConstant(byte) != 0) // which bits it has, nobody knows
      return fold_.unsupported("a memory fill of bit-fields with anything but zero");
    if (isWithoutCells(type, {to}))
      return;
    for (uint32_t i = 0; i < type.fields.size(); ++i) {
      Place field = to;
      field.node = tree_.child(to.node, i);
      fillElement(field, byte, type.fields[i].type);
    }
    return;
  case MemType::Kind::Array:
    if (!arithmetic_.descend(to))
      return fold_.unsupported("a memory fill of an array whose size is not constant");
    return fillArray(to, byte, type);
  }
}

/// `to`: the first element of the array.
void MemoryCopies::fillArray(Place to, ValueId byte, const MemType &type) {
  int64_t count = *type.count.asConstant();
  auto fillAt = [&](ValueId index) {
    Place at = to;
    arithmetic_.addIndex(at, index, type.element);
    fillElement(at, byte, type.element);
  };
  if (!tree_.touchesSlots(to.node))
    return forCount(fold_, fold_.index(count), false, fillAt);
  for (int64_t i = 0; i < count; ++i)
    fillAt(fold_.index(i));
}

/// The value of a cell all of whose bytes are `byte`.
ValueId MemoryCopies::splatByte(ValueId byte, ScalarType to) {
  if (to == ScalarType::Bool)
    return fold_.cast(byte, to);
  unsigned bits = ir::bitWidth(to);
  ScalarType whole = ir::integerType(bits / 8, /*isSigned=*/false);
  uint64_t ones = 0x0101010101010101ull >> (64 - bits);
  ValueId wide = fold_.cast(byte, whole);
  ValueId v = fold_.binary(Opcode::Mul, wide, fold_.constant({whole, ones}));
  return ir::isFloat(to) ? fold_.bitcast(v, to) : fold_.cast(v, to);
}

} // namespace colonnade::canonical
