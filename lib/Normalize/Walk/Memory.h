//===- Memory.h - What the parts of the walk share --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of the function being walked, and the function being made of it: each
// member needs only those above it.
//
// In: the module whose types the raw function uses, and an empty canonical function
// with a body. Out: the parts that entry binding, accesses, copies and loops work on.
// Invariant: one Memory for one walk; nothing of it outlives the walk but `out`.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_MEMORY_H
#define COLONNADE_NORMALIZE_WALK_MEMORY_H

#include "Normalize/Walk/Branches.h"
#include "Normalize/Walk/LeafArrays.h"

namespace colonnade::canonical {

struct Memory {
  Memory(const ir::Module &module, ir::Function &out)
      : fold(out), tree(module), slots(fold, pointers), joins(fold, pointers),
        branches(fold, slots, joins), sizes(fold), arrays(out, tree, sizes) {}
  Memory(const Memory &) = delete;

  Folder fold;
  PlaceTree tree;
  Pointers pointers;
  Slots slots;
  PointerJoins joins;
  Branches branches;
  Sizes sizes;
  LeafArrays arrays;

  /// A pointer to the root's first element.
  AbstractValue pointerTo(RootId root) {
    return pointers.at(tree.root(root).top, Digit{fold.index(0), {}});
  }
  /// Gives a leaf its slots, if it has not too many cells.
  void ensureSlots(NodeId leaf);
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_MEMORY_H
