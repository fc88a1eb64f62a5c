//===- PlaceTree.cpp - What pointers can point into -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/PlaceTree.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::canonical {

using ir::MemType;

RootId PlaceTree::addRoot(Root root, MemTypeId type) {
  RootId id(roots_.size());
  root.top = NodeId(nodes_.size());
  Node &top = nodes_.emplace_back();
  top.root = id;
  top.type = type;
  top.name = root.name;
  roots_.push_back(std::move(root));
  return id;
}

NodeId PlaceTree::child(NodeId parent, uint32_t field) {
  for (auto &[key, id] : node(parent).children)
    if (key == field)
      return id;
  NodeId id(nodes_.size());
  Node fresh;
  const Node &above = node(parent);
  const MemType &type = typeOf(parent);
  fresh.root = above.root;
  fresh.parent = parent;
  fresh.digits = above.digits;
  fresh.cells = above.cells;
  fresh.name = above.name;
  if (type.kind == MemType::Kind::Array) {
    fresh.kind = Node::Kind::Element;
    fresh.type = type.element;
    ++fresh.digits;
    fresh.cells *= type.count.asConstant().value_or(0);
  } else {
    fresh.kind = Node::Kind::Field;
    fresh.type = type.fields[field].type;
    if (!type.fields[field].name.empty())
      fresh.name += (fresh.name.empty() ? "" : ".") + type.fields[field].name;
  }
  nodes_.push_back(std::move(fresh));
  node(parent).children.push_back({field, id});
  return id;
}

void PlaceTree::forEachLeaf(NodeId from, llvm::function_ref<void(NodeId)> visit) {
  const MemType &type = typeOf(from);
  switch (type.kind) {
  case MemType::Kind::Scalar:
    visit(from);
    return;
  case MemType::Kind::Array:
    forEachLeaf(element(from), visit);
    return;
  case MemType::Kind::Struct:
    for (size_t i = 0; i < type.fields.size(); ++i)
      forEachLeaf(child(from, static_cast<uint32_t>(i)), visit);
    return;
  }
}

std::vector<NodeId> PlaceTree::leaves(NodeId from) {
  std::vector<NodeId> result;
  forEachLeaf(from, [&](NodeId leaf) { result.push_back(leaf); });
  return result;
}

bool PlaceTree::isSlot(NodeId id) const {
  const Root &root = rootOf(id);
  if (!root.isLocal())
    return false;
  const auto *variable = root.as<LocalVariable>();
  return node(id).digits == 1 || (variable && variable->promoteArrays) ||
         typeOf(id).scalar == ScalarType::Pointer;
}

bool PlaceTree::touchesSlots(NodeId from) {
  bool touches = false;
  forEachLeaf(from, [&](NodeId leaf) { touches |= isSlot(leaf); });
  return touches;
}

bool PlaceTree::isInField(NodeId id) const {
  for (; id; id = node(id).parent)
    if (node(id).kind == Node::Kind::Field)
      return true;
  return false;
}

/// Nothing of it is in memory: a base class without members.
static bool isEmpty(const MemType &type) {
  return type.kind == MemType::Kind::Struct && type.fields.empty();
}

bool PlaceTree::holdsOthers(NodeId id) const {
  uint64_t begin = 0;
  const uint64_t size = typeOf(id).sizeBytes;
  for (; node(id).kind == Node::Kind::Field; id = node(id).parent) {
    const NodeId parent = node(id).parent;
    const std::vector<MemType::Field> &fields = typeOf(parent).fields;
    const auto own = llvm::find_if(node(parent).children, [&](auto c) { return c.second == id; });
    begin += fields[own->first].offsetBytes;
    for (const MemType::Field &other : fields)
      if (&other != &fields[own->first] && !isEmpty(type(other.type)) &&
          other.offsetBytes >= begin && other.offsetBytes < begin + size)
        return true;
  }
  return false;
}

bool PlaceTree::isCallersBitField(NodeId id) const {
  const Root &root = rootOf(id);
  const NodeId parent = node(id).parent;
  return parent && ir::isBitField(typeOf(parent)) &&
         (root.as<Pointee>() || root.as<StructParameter>());
}

bool PlaceTree::hasOneElement(RootId id) const {
  const Root &root = this->root(id);
  if (const auto *pointee = root.as<Pointee>())
    return pointee->count.isConstant(1);
  if (root.as<ConstantTable>())
    return typeOf(root.top).kind == MemType::Kind::Array;
  return true;
}

/// Structs of one name may be different ones: in two functions, namespaces or instances of a
/// template.
bool PlaceTree::isOneLayout(const MemType &x, const MemType &y) const {
  return x.name == y.name && x.sizeBytes == y.sizeBytes &&
         std::equal(x.fields.begin(), x.fields.end(), y.fields.begin(), y.fields.end(),
                    [&](const auto &a, const auto &b) {
                      return a.offsetBytes == b.offsetBytes && sameType(a.type, b.type);
                    });
}

bool PlaceTree::sameType(MemTypeId a, MemTypeId b) const {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  const MemType &x = type(a), &y = type(b);
  if (x.kind != y.kind)
    return false;
  switch (x.kind) {
  case MemType::Kind::Scalar:
    return x.scalar == y.scalar;
  case MemType::Kind::Array:
    return x.count == y.count && sameType(x.element, y.element);
  case MemType::Kind::Struct:
    return isOneLayout(x, y);
  }
  return false;
}

/// Neither a pointer nor a bool: any bits are a value.
static bool isNumber(const MemType &type) {
  return type.kind == MemType::Kind::Scalar && type.scalar != ScalarType::Pointer &&
         type.scalar != ScalarType::Bool;
}

int64_t PlaceTree::scalarsIn(MemTypeId whole, MemTypeId unit) const {
  int64_t count = 1;
  while (!sameType(whole, unit)) {
    const MemType &t = type(whole), &cell = type(unit);
    if (isNumber(t) && isNumber(cell))
      return count * (ir::sizeBytes(t.scalar) / ir::sizeBytes(cell.scalar));
    if (t.kind != MemType::Kind::Array || !t.count.asConstant())
      return 0;
    count *= *t.count.asConstant();
    whole = t.element;
  }
  return count;
}

} // namespace colonnade::canonical
