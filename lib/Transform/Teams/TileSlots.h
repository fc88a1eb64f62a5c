//===- TileSlots.h - A member's rows and columns of a nest ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a member's place in its team's grid. Out: loops over its rows and columns, and arrays in
// registers with a cell for each of them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TILESLOTS_H
#define COLONNADE_TRANSFORM_TEAMS_TILESLOTS_H

#include "Transform/BlockBuilder.h"
#include "Transform/Teams/TeamWalk.h"

namespace colonnade {

/// One of a member's rows or columns. Where there are blocks: number = turn * length + within,
/// counter = block * length + within; else block and within are invalid.
struct TileSlot {
  ValueId number, counter, block, within; // s64, and of the counter's type
  unsigned length = 1;
};

/// A member's slots of one block, or one slot where there are no blocks.
struct TileTurn {
  ValueId begin;              // the first counter
  ValueId block, slotsBefore; // where there are blocks
  ValueId number;             // of the slot, where there are none
  unsigned length = 1;
  std::string name, slotName; // of counters and slots
};

/// A member's place in its team's grid, and its cells there: slot (u, v) at the counters
/// (u * rows + row, v * columns + column), or the same of blocks.
class TileSlots {
public:
  /// row, column: s64.
  TileSlots(BlockBuilder &builder, TeamGrid grid, ValueId row, ValueId column);

  unsigned rows(int64_t most) const { return static_cast<unsigned>(grid_.rowAxis().slots(most)); }
  unsigned columns(int64_t most) const {
    return static_cast<unsigned>(grid_.columnAxis().slots(most));
  }

  using TurnBody = llvm::function_ref<void(const TileTurn &)>;
  using Body = llvm::function_ref<void(const TileSlot &)>;
  /// base: of the rows; invalid: 0.
  void eachRowTurn(ir::ScalarType type, unsigned slots, const std::string &name, TurnBody body,
                   ValueId base = {}) {
    eachTurn({row_, grid_.rowAxis(), type, name, base, true}, slots, body);
  }
  void eachColumnTurn(ir::ScalarType type, unsigned slots, const std::string &name, TurnBody body) {
    eachTurn({column_, grid_.columnAxis(), type, name, {}, false}, slots, body);
  }
  void eachSlot(const TileTurn &turn, Body body);
  void eachRow(ir::ScalarType type, unsigned slots, const std::string &name, Body body) {
    eachRowTurn(type, slots, name, [&](const TileTurn &turn) { eachSlot(turn, body); });
  }
  void eachColumn(ir::ScalarType type, unsigned slots, const std::string &name, Body body) {
    eachColumnTurn(type, slots, name, [&](const TileTurn &turn) { eachSlot(turn, body); });
  }
  /// Numbers from 0 on, unrolled as well.
  void each(unsigned numbers, llvm::function_ref<void(ValueId number)> body);
  /// Whether one of a member's rows, or columns, lies in [low, high).
  ValueId anyRow(ValueId low, ValueId high) { return any(row_, grid_.rowAxis(), low, high); }
  ValueId anyColumn(ValueId low, ValueId high) {
    return any(column_, grid_.columnAxis(), low, high);
  }

  TeamGrid grid() const { return grid_; }
  /// Loops over slots, to be unrolled; and those that go around groups, or over rows.
  const std::vector<OpId> &loops() const { return loops_; }
  const std::vector<OpId> &outerLoops() const { return outerLoops_; }
  void addOuterLoop(OpId loop) { outerLoops_.push_back(loop); }

private:
  struct Dimension {
    ValueId own; // the member's place
    TeamAxis axis;
    ir::ScalarType type; // of the counter
    const std::string &name;
    ValueId base;
    bool areRows;
    std::string slotName() const { return areRows ? "u" : "v"; }
  };
  void eachTurn(const Dimension &dimension, unsigned slots, TurnBody body);
  void eachBlock(const Dimension &dimension, unsigned slots, TurnBody body);
  void count(ir::ScalarType type, unsigned end, const std::string &name,
             llvm::function_ref<void(ValueId number)> body);
  ValueId placeIn(ValueId place, ir::ScalarType type);
  ValueId any(ValueId own, const TeamAxis &axis, ValueId low, ValueId high);

  BlockBuilder &builder_;
  TeamGrid grid_;
  ValueId row_, column_, narrowRow_, narrowColumn_; // s64, s32
  std::vector<OpId> loops_, outerLoops_;
};

/// Arrays in registers, a cell for each of a member's rows, columns or cells of a nest.
class TileArrays {
public:
  explicit TileArrays(BlockBuilder &builder) : builder_(builder) {}

  /// One that is free until the nest ends; or of its own.
  ArrayId take(ir::ScalarType cell, unsigned cells);
  ArrayId create(ir::ScalarType cell, unsigned cells, const std::string &name);
  void endNest() { isTaken_.assign(isTaken_.size(), false); }

private:
  BlockBuilder &builder_;
  std::vector<ArrayId> arrays_;
  std::vector<bool> isTaken_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TILESLOTS_H
