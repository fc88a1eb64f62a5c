//===- TileRuns.cpp - Where a walk is in tiled nests ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TileRuns.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace colonnade;
using namespace colonnade::ir;

TileRuns::TileRuns(const Function &kernel, const TeamChoice &choice)
    : choice_(choice), parts_(kernel.ops.size()), tileOf_(kernel.ops.size()),
      tiles_(choice.tiles.size()) {
  for (auto [t, tile] : llvm::enumerate(choice.tiles)) {
    parts_[tile.rows.index] = TileLoop::Outer;
    tileOf_[tile.rows.index] = t;
    if (tile.columns.valid()) {
      parts_[tile.columns.index] = TileLoop::Inner;
      tileOf_[tile.columns.index] = t;
    }
  }
}

void TileRuns::begin(OpId outer) {
  tile_ = &tiles_[tileOf_[outer.index]];
  tile_->stamp = ~++numRuns_;
  tile_->iterations = tile_->issued = 0;
}

/// Of a loop of the nest that the walk is in.
TileRuns::Range &TileRuns::rangeOf(OpId loop) {
  return parts_[loop.index] == TileLoop::Outer ? tile_->rows : tile_->columns;
}

void TileRuns::enter(OpId loop, int64_t low, int64_t high) {
  Range &range = rangeOf(loop);
  range.low = low;
  range.high = high;
  range.beginsAtZero &= low == 0;
  range.least = std::min(range.least, high);
  range.most = std::max(range.most, high);
  range.widest = std::max(range.widest, high - low);
}

int32_t TileRuns::iterate(OpId loop, int64_t counter) {
  const bool isOuter = parts_[loop.index] == TileLoop::Outer,
             isCell = !isOuter || !choice_.tiles[tileOf_[loop.index]].columns.valid();
  if (isOuter)
    tile_->rows.at = tile_->columns.at = 0;
  rangeOf(loop).at = counter;
  tile_->iterations += isCell;
  const TeamGrid &grid = choice_.grid;
  return static_cast<int32_t>(grid.rowAxis().memberOf(static_cast<uint64_t>(tile_->rows.at)) *
                                  grid.columns +
                              grid.columnAxis().memberOf(static_cast<uint64_t>(tile_->columns.at)));
}

/// A warp runs each row of members' cells in which there is one, and in it, unless all is unrolled,
/// all columns.
void TileRuns::end(TeamWork &work, bool counts) {
  static constexpr double PerRow = 3, PerCell = 1; // that find out which cells there are
  Tile *const tile = std::exchange(tile_, nullptr);
  if (!counts || tile->iterations == 0)
    return;
  const TeamGrid &grid = choice_.grid;
  const TiledNest &nest = choice_.tiles[size_t(tile - tiles_.data())];
  const auto slots = [&](const Range &range, const TeamAxis &axis, bool beyond) {
    if (beyond)
      return double(axis.slots(range.high));
    const int64_t most = axis.slots(range.high) - range.low / axis.turn() * axis.block;
    return double(std::min(most, range.high - range.low));
  };
  const bool hasColumns = tile->columns.most > 0;
  const double rows = slots(tile->rows, grid.rowAxis(), nest.rowsBeyond),
               columns =
                   hasColumns ? slots(tile->columns, grid.columnAxis(), nest.columnsBeyond) : 1,
               all = hasColumns ? double(grid.columnAxis().slots(tile->columns.most)) : 1,
               each = tile->issued / tile->iterations;
  // In blocks, what has no part that may be left out is known once they are unrolled.
  const auto isKnown = [&](const Range &range, const TeamAxis &axis, bool beyond) {
    return axis.block > 1 && (beyond || range.high - range.low == 1 ||
                              (range.low == 0 && range.high % axis.block == 0));
  };
  const double perRow = isKnown(tile->rows, grid.rowAxis(), nest.rowsBeyond) ? 0 : PerRow,
               perCell =
                   isKnown(tile->columns, grid.columnAxis(), nest.columnsBeyond) ? 0 : PerCell,
               inRow = grid.hasBlocks() ? columns : all;
  const double unrolled = rows * columns * each,
               rolled = rows * (perRow + inRow * (each + perCell));
  work.unrolled.instructions += unrolled;
  work.unrolled.tiled += unrolled;
  work.rolled.instructions += rolled;
  work.rolled.tiled += rolled;
}

TileExtent TileRuns::extentOf(const Tile &tile) const {
  const TiledNest &nest = choice_.tiles[size_t(&tile - tiles_.data())];
  const auto isAlways = [&](const Range &range, const TeamAxis &axis, bool beyond) {
    return range.beginsAtZero && range.least == range.most &&
           (beyond || range.most % axis.turn() == 0);
  };
  return {tile.rows.most, tile.columns.most,
          isAlways(tile.rows, choice_.grid.rowAxis(), nest.rowsBeyond),
          isAlways(tile.columns, choice_.grid.columnAxis(), nest.columnsBeyond),
          tile.columns.widest < tile.rows.widest};
}

std::vector<TileExtent> TileRuns::extents() const {
  std::vector<TileExtent> extents;
  for (const Tile &tile : tiles_)
    extents.push_back(extentOf(tile));
  return extents;
}
