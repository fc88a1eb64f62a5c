//===- WalkObjects.cpp - Variables and tables of the raw function ---------===//
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

#include "Normalize/Walk/PromotableVariables.h"
#include "Normalize/Walk/Walk.h"

namespace colonnade::canonical {

static constexpr int64_t MaxPromotedCells = 64; // of one variable

AbstractValue Walk::walkObject(OpId id, const ir::Op &op) {
  RootId &root = variables_[{frame_->path, id.index}];
  if (!root)
    root = newVariable(id, op);
  PlaceTree &tree = memory_.tree;
  tree.root(root).as<LocalVariable>()->hasEnded = false;
  frame_->variables.push_back(root);
  if (!op.operands.empty())
    setSizes(root, op.operands);
  tree.forEachLeaf(tree.root(root).top, [&](NodeId leaf) {
    if (!tree.isSlot(leaf))
      return void(memory_.arrays.of(leaf));
    memory_.ensureSlots(leaf);
    const Node &node = tree.node(leaf);
    for (int64_t i = 0; node.firstSlot && i < node.cells; ++i)
      memory_.slots.create(SlotId(node.firstSlot.index + i));
  });
  return memory_.pointerTo(root);
}

/// int t[n], with the n of here and now. An array that an earlier walk over a loop made with
/// another size stays as it is: that size is no expression of the entry's parameters.
void Walk::setSizes(RootId root, llvm::ArrayRef<ValueId> operands) {
  PlaceTree &tree = memory_.tree;
  std::vector<SizeExpr> sizes;
  for (ValueId operand : operands)
    sizes.push_back(memory_.sizes.sizeOf(value(operand).scalar));
  auto &variable = *tree.root(root).as<LocalVariable>();
  bool isMade = false;
  tree.forEachLeaf(tree.root(root).top,
                   [&](NodeId leaf) { isMade |= bool(tree.node(leaf).array); });
  if (isMade && variable.sizes != sizes)
    fold_.unsupported("the array '" + tree.root(root).name +
                      "', whose size is not made of uniform parameters");
  else
    variable.sizes = std::move(sizes);
}

RootId Walk::newVariable(OpId id, const ir::Op &op) {
  auto [promotable, isNew] = promotable_.try_emplace(frame_->id);
  if (isNew)
    promotable->second = promotableVariables(*frame_->function);
  Root root;
  root.name = op.text;
  root.loc = fold_.loc();
  RootId made = memory_.tree.addRoot(std::move(root), op.memType);
  int64_t cells = 0;
  memory_.tree.forEachLeaf(memory_.tree.root(made).top, [&](NodeId leaf) {
    int64_t own = memory_.tree.node(leaf).cells;
    cells += own ? own : MaxPromotedCells + 1;
  });
  bool promote = promotable->second[id.index] && cells <= MaxPromotedCells;
  memory_.tree.root(made).kind = LocalVariable{promote, op.isOwn, op.standsForConstant};
  return made;
}

AbstractValue Walk::walkTable(const ir::Op &op) {
  RootId &root = tables_[{frame_->id.index, op.array.index, op.memType.index}];
  if (!root)
    root = newTable(op);
  return memory_.pointerTo(root);
}

RootId Walk::newTable(const ir::Op &op) {
  const ir::Array &table = frame_->function->array(op.array);
  auto copyOf = [&](uint32_t index) {
    ArrayId &copy = tableArrays_[{frame_->id.index, index}];
    if (!copy)
      copy = memory_.arrays.add(frame_->function->array(ArrayId(index)));
    return copy;
  };
  Root root;
  root.name = table.name;
  root.loc = table.loc;
  root.kind = ConstantTable{};
  RootId made = memory_.tree.addRoot(std::move(root), op.memType);
  uint32_t next = op.array.index; // a struct's leaves follow each other
  memory_.tree.forEachLeaf(memory_.tree.root(made).top,
                           [&](NodeId leaf) { memory_.tree.node(leaf).array = copyOf(next++); });
  return made;
}

} // namespace colonnade::canonical
