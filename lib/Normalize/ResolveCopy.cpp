//===- ResolveCopy.cpp - memcpy, memset and struct assignment -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy becomes counted loops over cells, one per scalar leaf of the element;
// where slots take part it is unrolled, which needs a constant count. A copy
// that may overlap runs downwards if the target lies above the source.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

using ir::MemType;

static constexpr int64_t MaxUnrolled = 256;

void Walk::walkCopy(const ir::Op &op) {
  AbstractValue to = value(op.operands[0]), from = value(op.operands[1]);
  ValueId count = fold_.cast(scalar(op.operands[2]), ScalarType::S64);
  if (!to.isPointer() || !from.isPointer() || !pointer(to).isKnown() || !pointer(from).isKnown())
    return unsupported("a memory copy through a pointer that is not known at compile time");
  forPlaces(to, 0, [&](Place target) {
    return forPlaces(from, 0, [&](Place source) {
      copyElements(target, source, count, op.memType, op.index != 0);
      return AbstractValue();
    });
  });
}

void Walk::walkFill(const ir::Op &op) {
  AbstractValue to = value(op.operands[0]);
  ValueId byte = fold_.cast(scalar(op.operands[1]), ScalarType::U8);
  ValueId count = fold_.cast(scalar(op.operands[2]), ScalarType::S64);
  if (!to.isPointer() || !pointer(to).isKnown())
    return unsupported("a memory fill through a pointer that is not known at compile time");
  forPlaces(to, 0, [&](Place target) -> AbstractValue {
    if (!adjust(target, op.memType))
      return unsupported("a memory fill of parts of cells"), AbstractValue();
    auto fillAt = [&](ValueId index) {
      Place at = target;
      if (addIndex(at, index, op.memType))
        fillElement(at, byte, op.memType);
      else
        unsupported("a memory fill beyond '" + nodes_[target.node.index].name + "'");
    };
    std::optional<int64_t> constant = fold_.intConstant(count);
    if (constant == 1 || (constant && *constant <= MaxUnrolled && touchesSlots(target, op.memType)))
      for (int64_t i = 0; i < *constant; ++i)
        fillAt(fold_.constantInt(ScalarType::S64, i));
    else if (touchesSlots(target, op.memType))
      unsupported("a memory fill whose size is not constant");
    else
      forCount(count, false, fillAt);
    return {};
  });
}

bool Walk::touchesSlots(Place place, MemTypeId type) {
  bool touches = false;
  if (place.node)
    forEachLeaf(place.node, [&](NodeId leaf) { touches |= isSlot(leaf); });
  return touches;
}

/// body(0) … body(count-1), or downwards. The body changes no slots.
void Walk::forCount(ValueId count, bool descending, CellBody body) {
  auto constant = [&](int64_t n) { return fold_.constantInt(ScalarType::S64, n); };
  ir::Op loop;
  loop.opcode = Opcode::For;
  loop.predicate = descending ? ir::Predicate::Ge : ir::Predicate::Lt;
  if (descending)
    loop.operands = {fold_.binary(Opcode::Sub, count, constant(1)), constant(0), constant(-1)};
  else
    loop.operands = {constant(0), count, constant(1)};
  RegionId region = fold_.createRegion();
  loop.regions = {region};
  ValueId counter = fold_.addArg(region, ScalarType::S64, "i");
  fold_.append(std::move(loop), ScalarType::S64);
  fold_.enter(region);
  body(counter);
  fold_.yield({});
  fold_.leave();
}

void Walk::copyElements(const Place &to, const Place &from, ValueId count, MemTypeId type,
                        bool mayOverlap) {
  Place target = to, source = from;
  if (!adjust(target, type) || !adjust(source, type))
    return unsupported("a memory copy of parts of cells of '" + nodes_[to.node.index].name +
                       "' or '" + nodes_[from.node.index].name + "'");
  auto copyAt = [&](ValueId index) {
    Place t = target, s = source;
    if (addIndex(t, index, type) && addIndex(s, index, type))
      copyElement(t, s, type);
    else
      unsupported("a memory copy beyond '" + nodes_[to.node.index].name + "'");
  };
  auto copyAll = [&](bool descending) -> AbstractValue {
    std::optional<int64_t> constant = fold_.intConstant(count);
    bool slots = touchesSlots(target, type) || touchesSlots(source, type);
    if (constant && (*constant == 1 || (slots && *constant <= MaxUnrolled)))
      for (int64_t i = 0; i < *constant; ++i)
        copyAt(fold_.constantInt(ScalarType::S64, descending ? *constant - 1 - i : i));
    else if (slots)
      unsupported("a memory copy whose size is not constant");
    else
      forCount(count, descending, copyAt);
    return {};
  };
  ValueId distance = mayOverlap ? difference(target, source) : ValueId();
  if (!distance || fold_.intConstant(count) == 1) {
    copyAll(false);
    return;
  }
  branch(
      fold_.binary(Opcode::Gt, distance, zero64()), [&] { return copyAll(true); },
      [&] { return copyAll(false); });
}

void Walk::copyElement(Place to, Place from, MemTypeId typeId) {
  const MemType &type = memType(typeId);
  switch (type.kind) {
  case MemType::Kind::Scalar:
    return storePlace(to, loadPlace(from, typeId), typeId);
  case MemType::Kind::Struct:
    for (uint32_t i = 0; i < type.fields.size(); ++i) {
      Place t = to, s = from;
      t.node = child(to.node, i);
      s.node = child(from.node, i);
      copyElement(t, s, type.fields[i].type);
    }
    return;
  case MemType::Kind::Array:
    if (descend(to) && descend(from))
      return copyElements(to, from, fold_.constantInt(ScalarType::S64, *type.count.asConstant()),
                          type.element, false);
    return unsupported("a memory copy of an array whose size is not constant");
  }
}

void Walk::fillElement(Place to, ValueId byte, MemTypeId typeId) {
  const MemType &type = memType(typeId);
  switch (type.kind) {
  case MemType::Kind::Scalar:
    if (type.scalar == ScalarType::Pointer)
      return storePlace(to, placeValue({}, {}), typeId);
    return storePlace(to, {splatByte(byte, type.scalar)}, typeId);
  case MemType::Kind::Struct:
    for (uint32_t i = 0; i < type.fields.size(); ++i) {
      Place field = to;
      field.node = child(to.node, i);
      fillElement(field, byte, type.fields[i].type);
    }
    return;
  case MemType::Kind::Array: {
    if (!descend(to))
      return unsupported("a memory fill of an array whose size is not constant");
    int64_t count = *type.count.asConstant();
    auto fillAt = [&](ValueId index) {
      Place at = to;
      addIndex(at, index, type.element);
      fillElement(at, byte, type.element);
    };
    if (!touchesSlots(to, type.element))
      return forCount(fold_.constantInt(ScalarType::S64, count), false, fillAt);
    for (int64_t i = 0; i < count; ++i)
      fillAt(fold_.constantInt(ScalarType::S64, i));
    return;
  }
  }
}

/// The value of a cell all of whose bytes are `byte`.
ValueId Walk::splatByte(ValueId byte, ScalarType to) {
  if (to == ScalarType::Bool)
    return fold_.cast(byte, to);
  unsigned bits = ir::bitWidth(to);
  ScalarType whole = bits == 8    ? ScalarType::U8
                     : bits == 16 ? ScalarType::U16
                     : bits == 32 ? ScalarType::U32
                                  : ScalarType::U64;
  uint64_t ones = 0x0101010101010101ull >> (64 - bits);
  ValueId v = fold_.binary(Opcode::Mul, fold_.cast(byte, whole), fold_.constant({whole, ones}));
  return ir::isFloat(to) ? fold_.bitcast(v, to) : fold_.cast(v, to);
}

} // namespace colonnade::canonical
