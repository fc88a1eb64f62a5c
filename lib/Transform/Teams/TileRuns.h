//===- TileRuns.h - Where a walk is in tiled nests --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the tiled nests of a choice, and which of their loops a walk enters, with which bounds and
// counters. Out: whose iteration that is, what the iterations of each nest lie in, and what each
// execution comes to for a warp.
//
// Invariant: the walk is in one nest at most.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TILERUNS_H
#define COLONNADE_TRANSFORM_TEAMS_TILERUNS_H

#include "Transform/Teams/TeamWalk.h"

namespace colonnade {

/// What a loop is to a tiled nest.
enum class TileLoop : uint8_t { None, Outer, Inner };

class TileRuns {
public:
  TileRuns(const ir::Function &kernel, const TeamChoice &choice);

  TileLoop partOf(OpId loop) const { return parts_[loop.index]; }
  /// An execution of the nest that has the loop as its outer one.
  void begin(OpId outer);
  void end(TeamWork &work, bool counts);
  /// Of one of its loops, with these bounds.
  void enter(OpId loop, int64_t low, int64_t high);
  /// The iteration at the counter: its member.
  int32_t iterate(OpId loop, int64_t counter);
  /// Instructions of one iteration.
  void issue(double instructions) { tile_->issued += instructions; }

  bool isInside() const { return tile_ != nullptr; }
  /// Another number for each execution.
  uint64_t stamp() const { return tile_->stamp; }
  CellHome home() const { return {int32_t(tile_->rows.at), int32_t(tile_->columns.at)}; }
  std::vector<TileExtent> extents() const;

private:
  struct Range {
    int64_t least = INT64_MAX, most = 0; // ends of all executions
    bool beginsAtZero = true;
    int64_t widest = 0;
    int64_t low = 0, high = 0; // of this one
    int64_t at = 0;            // in this iteration
  };
  struct Tile {
    Range rows, columns;
    uint64_t stamp = 0; // of this execution
    double iterations = 0, issued = 0;
  };
  Range &rangeOf(OpId loop);
  TileExtent extentOf(const Tile &tile) const;

  const TeamChoice &choice_;
  std::vector<TileLoop> parts_; // by operation
  std::vector<size_t> tileOf_;  // by operation, of such loops
  std::vector<Tile> tiles_;
  Tile *tile_ = nullptr; // that the walk is in
  uint64_t numRuns_ = 0;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TILERUNS_H
