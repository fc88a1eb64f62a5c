//===- ChainOrder.h - Whether tiles of chains are right -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest's iterations, and its kernel in tiles (TileChains.h). Out: whether full tiles do all
// of each iteration's range, each k once; and whether each cell's stores and loads have the order
// that they had, by a walk of the tiled kernel.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_CHAINORDER_H
#define COLONNADE_TRANSFORM_TEAMS_CHAINORDER_H

#include "Transform/Teams/ChainNest.h"
#include "Transform/Teams/TileChains.h"

#include "llvm/ADT/DenseMap.h"

namespace colonnade {

/// The iterations that an access of the tiled kernel is of: row and column in the tile, where they
/// are known; else of all of them. k: of a chain's loop.
struct AccessPlace {
  ValueId u, v, k;
  bool isBefore = false;   // the loop
  bool isOfFull = false;   // tile
  bool isReplaced = false; // a load from where the result will be
};

/// The tiled kernel, and what is known of it.
struct TiledKernel {
  ChainTiles tiles;
  llvm::DenseMap<uint32_t, AccessPlace> places; // by operation
};

/// Of each full tile, that the common range and the tile's own cells are each iteration's range;
/// and whether there is one.
bool areComplete(const ChainNest &nest, const ChainIterations &all, int64_t edge);

bool keepsOrder(const TiledKernel &tiled, const ChainIterations &all, unsigned edge,
                WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_CHAINORDER_H
