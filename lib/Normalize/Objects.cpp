//===- Objects.cpp - Variables, tables and the nodes below them -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars and struct fields become slots. A local array becomes slots if it is
// small and every access in its function names a constant element; else one
// Array per scalar leaf. Roots and nodes are interned by call path, so a loop
// body that is walked again finds the same slots.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

#include "IR/Evaluate.h"

namespace colonnade::canonical {

using ir::MemType;

static constexpr int64_t MaxPromotedCells = 64;
static constexpr int64_t MaxSlots = 256;

/// A raw value that is a constant expression.
static std::optional<Scalar> rawConstant(const ir::Function &f, ValueId v, unsigned depth = 8) {
  const ir::Op *op = f.definition(v);
  if (!op || depth == 0)
    return std::nullopt;
  if (op->opcode == Opcode::Constant)
    return op->scalar;
  ir::Evaluation e;
  if (op->opcode == Opcode::Cast || op->opcode == Opcode::Neg) {
    auto a = rawConstant(f, op->operands[0], depth - 1);
    if (!a)
      return std::nullopt;
    e = op->opcode == Opcode::Cast ? ir::evaluateCast(*a, f.value(v).type)
                                   : ir::evaluateUnary(op->opcode, *a);
  } else if (op->opcode >= Opcode::Add && op->opcode <= Opcode::Shr) {
    auto a = rawConstant(f, op->operands[0], depth - 1);
    auto b = rawConstant(f, op->operands[1], depth - 1);
    if (!a || !b)
      return std::nullopt;
    e = ir::evaluateBinary(op->opcode, *a, *b);
  } else {
    return std::nullopt;
  }
  return e.undefined == ir::Undefined::None ? std::optional(e.value) : std::nullopt;
}

const RawFacts &Walk::rawFacts(FunctionId id) {
  auto [it, isNew] = rawFacts_.try_emplace(id.index);
  if (!isNew)
    return it->second;
  const ir::Function &f = module_.function(id);
  std::vector<OpId> object(f.values.size()); // by value: the variable it points into
  it->second.promotable.assign(f.ops.size(), true);
  for (size_t i = 0; i < f.ops.size(); ++i) {
    const ir::Op &op = f.ops[i];
    if (op.opcode == Opcode::Object)
      object[op.results[0].index] = OpId(i);
    for (size_t k = 0; k < op.operands.size(); ++k) {
      OpId base = object[op.operands[k].index];
      if (!base)
        continue;
      bool derives = op.opcode == Opcode::PtrField || op.opcode == Opcode::PtrDecay ||
                     (op.opcode == Opcode::PtrIndex && rawConstant(f, op.operands[1]));
      bool counted = (op.opcode == Opcode::PtrCopy || op.opcode == Opcode::PtrFill) &&
                     rawConstant(f, op.operands[2]);
      bool direct = k == 0 && (op.opcode == Opcode::PtrLoad || op.opcode == Opcode::PtrStore);
      if (derives)
        object[op.results[0].index] = base;
      else if (!counted && !direct)
        it->second.promotable[base.index] = false;
    }
  }
  return it->second;
}

RootId Walk::makeRoot(Root root, MemTypeId type) {
  RootId id(roots_.size());
  root.top = NodeId(nodes_.size());
  Node &top = nodes_.emplace_back();
  top.root = id;
  top.type = type;
  top.name = root.name;
  roots_.push_back(std::move(root));
  return id;
}

NodeId Walk::child(NodeId parent, uint32_t field) {
  for (auto &[key, id] : nodes_[parent.index].children)
    if (key == field)
      return id;
  NodeId id(nodes_.size());
  Node node;
  const Node &above = nodes_[parent.index];
  const MemType &type = memType(above.type);
  node.root = above.root;
  node.parent = parent;
  node.digits = above.digits;
  node.cells = above.cells;
  node.name = above.name;
  if (type.kind == MemType::Kind::Array) {
    node.kind = Node::Kind::Element;
    node.type = type.element;
    ++node.digits;
    node.cells *= type.count.asConstant().value_or(0);
  } else {
    node.kind = Node::Kind::Field;
    node.type = type.fields[field].type;
    if (!type.fields[field].name.empty())
      node.name += (node.name.empty() ? "" : ".") + type.fields[field].name;
  }
  nodes_.push_back(std::move(node));
  nodes_[parent.index].children.push_back({field, id});
  return id;
}

NodeId Walk::element(NodeId node) { return child(node, 0); }

void Walk::forEachLeaf(NodeId node, llvm::function_ref<void(NodeId)> visit) {
  const MemType &type = memType(nodes_[node.index].type);
  switch (type.kind) {
  case MemType::Kind::Scalar:
    visit(node);
    return;
  case MemType::Kind::Array:
    forEachLeaf(element(node), visit);
    return;
  case MemType::Kind::Struct:
    for (size_t i = 0; i < type.fields.size(); ++i)
      forEachLeaf(child(node, static_cast<uint32_t>(i)), visit);
    return;
  }
}

bool Walk::isSlot(NodeId id) const {
  const Node &node = nodes_[id.index];
  const Root &root = roots_[node.root.index];
  return root.kind == Root::Kind::Local && (node.digits == 1 || root.promoteArrays ||
                                            memType(node.type).scalar == ScalarType::Pointer);
}

void Walk::ensureSlots(NodeId id) {
  Node &node = nodes_[id.index];
  if (node.firstSlot || node.cells == 0 || node.cells > MaxSlots)
    return;
  node.firstSlot = SlotId(slots_.size());
  for (int64_t i = 0; i < node.cells; ++i) {
    Slot slot;
    slot.type = memType(node.type).scalar;
    slot.name = node.name + (node.digits > 1 ? "[" + std::to_string(i) + "]" : "");
    slot.loc = roots_[node.root.index].loc;
    slot.root = node.root;
    slots_.push_back(std::move(slot));
  }
}

AbstractValue Walk::walkObject(OpId id, const ir::Op &op) {
  auto [it, isNew] = objectRoots_.try_emplace({frame_->path, id.index});
  if (isNew) {
    Root root;
    root.name = op.text;
    root.loc = fold_.loc();
    root.promoteArrays = rawFacts(frame_->id).promotable[id.index];
    it->second = makeRoot(std::move(root), op.memType);
    NodeId top = roots_[it->second.index].top;
    int64_t cells = 0;
    forEachLeaf(top, [&](NodeId leaf) {
      int64_t own = nodes_[leaf.index].cells;
      cells += own ? own : MaxPromotedCells + 1;
    });
    if (cells > MaxPromotedCells)
      roots_[it->second.index].promoteArrays = false;
  }
  Root &root = roots_[it->second.index];
  root.present = true;
  root.serial = ++serial_;
  forEachLeaf(root.top, [&](NodeId leaf) {
    if (!isSlot(leaf))
      return void(arrayOf(leaf));
    ensureSlots(leaf);
    const Node &node = nodes_[leaf.index];
    for (int64_t i = 0; node.firstSlot && i < node.cells; ++i)
      writeSlot(SlotId(node.firstSlot.index + i), {});
  });
  return placeValue(root.top, Digit{zero64(), {}});
}

AbstractValue Walk::walkTable(const ir::Op &op) {
  auto [it, isNew] = tableRoots_.try_emplace({frame_->id.index, op.array.index, op.memType.index});
  if (isNew) {
    const ir::Array &table = frame_->function->array(op.array);
    auto copyOf = [&](uint32_t index) {
      auto [known, fresh] = tables_.try_emplace({frame_->id.index, index});
      if (fresh)
        known->second = addArray(frame_->function->array(ArrayId(index)));
      return known->second;
    };
    Root root;
    root.kind = Root::Kind::Table;
    root.name = table.name;
    root.loc = table.loc;
    root.single = memType(op.memType).kind == MemType::Kind::Array;
    root.table = copyOf(op.array.index);
    it->second = makeRoot(std::move(root), op.memType);
    uint32_t next = op.array.index; // a struct's leaves follow each other
    forEachLeaf(roots_[it->second.index].top,
                [&](NodeId leaf) { nodes_[leaf.index].array = copyOf(next++); });
  }
  return placeValue(roots_[it->second.index].top, Digit{zero64(), {}});
}

std::string Walk::uniqueArrayName(const std::string &name) {
  std::string base = name.empty() ? "array" : name;
  unsigned &count = arrayNames_[base];
  std::string unique = count == 0 ? base : base + "_" + std::to_string(count + 1);
  ++count;
  if (unique != base && arrayNames_.count(unique))
    return uniqueArrayName(base);
  arrayNames_[unique];
  return unique;
}

ArrayId Walk::addArray(ir::Array array) {
  array.name = uniqueArrayName(array.name);
  out_.arrays.push_back(std::move(array));
  return ArrayId(out_.arrays.size() - 1);
}

/// Extents of the dimensions below the root, outermost first.
std::optional<std::vector<SizeExpr>> Walk::innerExtents(NodeId leaf) {
  std::vector<SizeExpr> extents;
  for (NodeId node = leaf; node; node = nodes_[node.index].parent) {
    if (nodes_[node.index].kind != Node::Kind::Element)
      continue;
    SizeExpr count = memType(nodes_[nodes_[node.index].parent.index].type).count;
    if (!count.asConstant()) {
      ValueId v = count.known() ? sizeValue(count) : ValueId();
      count = v ? sizeOf(v) : SizeExpr();
    }
    if (!count.known())
      return std::nullopt;
    extents.insert(extents.begin(), count);
  }
  return extents;
}

ArrayId Walk::arrayOf(NodeId leaf) {
  Node &node = nodes_[leaf.index];
  const Root &root = roots_[node.root.index];
  if (root.kind == Root::Kind::Table && !node.array)
    return root.table;
  if (node.array || root.kind == Root::Kind::Parameter)
    return node.array;
  std::optional<std::vector<SizeExpr>> extents = innerExtents(leaf);
  if (!extents)
    return {};
  ir::Array array;
  array.name = node.name;
  array.cell = memType(node.type).scalar;
  array.extents = std::move(*extents);
  array.role = ir::ArrayRole::Local;
  array.loc = root.loc;
  return node.array = addArray(std::move(array));
}

} // namespace colonnade::canonical
