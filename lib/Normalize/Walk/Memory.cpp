//===- Memory.cpp - What the parts of the walk share ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Memory.h"

namespace colonnade::canonical {

static constexpr int64_t MaxSlots = 256; // of one leaf

void Memory::ensureSlots(NodeId leaf) {
  Node &node = tree.node(leaf);
  if (node.firstSlot || node.cells == 0 || node.cells > MaxSlots)
    return;
  const Root &root = tree.rootOf(leaf);
  const auto *variable = root.as<LocalVariable>();
  const bool isOwn = variable && variable->isOwn;
  for (int64_t i = 0; i < node.cells; ++i) {
    std::string name = node.name + (node.digits > 1 ? "[" + std::to_string(i) + "]" : "");
    SlotId slot = slots.add(tree.typeOf(leaf).scalar, std::move(name), root.loc, isOwn);
    if (i == 0)
      node.firstSlot = slot;
  }
}

} // namespace colonnade::canonical
