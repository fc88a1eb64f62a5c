//===- LeafArrays.h - The arrays of the canonical function ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: leaves of the tree of places, and declarations of arrays. Out: one array of
// the canonical function for each, under a name that no other has.
// Invariant: a leaf has the same array wherever the walk asks.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_LEAFARRAYS_H
#define COLONNADE_NORMALIZE_WALK_LEAFARRAYS_H

#include "Normalize/Walk/PlaceTree.h"
#include "Normalize/Walk/Sizes.h"

namespace colonnade::canonical {

class LeafArrays {
public:
  LeafArrays(ir::Function &out, PlaceTree &tree, Sizes &sizes)
      : out_(out), tree_(tree), sizes_(sizes) {}

  /// As given but for its name, which becomes "t_2" if there is a "t".
  ArrayId add(ir::Array array);
  ArrayId of(NodeId leaf); // invalid: its size is not known
  /// Extents of the dimensions below the root, outermost first; none if one of
  /// them is not known.
  std::optional<std::vector<SizeExpr>> innerExtents(NodeId leaf);

private:
  std::string uniqueName(const std::string &name);

  ir::Function &out_;
  PlaceTree &tree_;
  Sizes &sizes_;
  std::map<std::string, unsigned> names_; // and how often each was asked for
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_LEAFARRAYS_H
