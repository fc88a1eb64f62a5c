//===- TileCopies.h - A nest's operations for a member's cells --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations of a tiled nest. Out: their copies for each of a member's rows, columns or cells,
// in loops over these that are to be unrolled; a value of one group of operations that another one
// uses is kept in an array in registers, a cell of it for each row, column or cell.
//
// Invariant: a copy has the operands that the operation has in that iteration. What is computed
// from counters alone is computed where it is used.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TILECOPIES_H
#define COLONNADE_TRANSFORM_TEAMS_TILECOPIES_H

#include "Transform/Teams/EarlierLoads.h"
#include "Transform/Teams/TileNests.h"

namespace colonnade {

/// The counters that a value depends on.
enum class TileLevel : uint8_t { Same = 0, Row = 1, Column = 2, Cell = 3 };

class TileCopies {
public:
  TileCopies(BlockBuilder &builder, TileSlots &slots, const OwnAccesses &own, const TiledNest &nest,
             const TileExtent &extent);

  bool hasColumns() const { return nest_.columns.valid(); }
  /// All rows are a member's, some at a time.
  bool isRolled() const { return isRolled_; }
  /// Of a member's rows too many for registers, the nest is done for some at a time.
  bool isInParts() const { return rowsAtOnce_ < rowsInAll_; }
  ValueId counterOf(OpId loop) const { return kernel_.region(kernel_.op(loop).regions[0]).args[0]; }
  /// Operations of the nest, and whether a value is of one or of a region of the nest.
  const std::vector<OpId> &ops() const { return ops_; }
  bool isInside(ValueId value) const {
    return value.index < isInside_.size() && isInside_[value.index];
  }
  /// The loop's range is one counter, of which a member knows whether it is in a block.
  bool isAtOne(OpId loop);
  bool isOwn(OpId access) const { return own_.contains(access.index); }
  EarlierLoads &loads() { return loads_; }
  const EarlierLoads &loads() const { return loads_; }

  /// Runs body for each row, column or cell; bodies one after the other for the cells of each block
  /// of rows and columns; or body for base = low, low + rows at a time, …
  using Body = llvm::function_ref<void()>;
  void each(TileLevel level, Body body);
  void eachOfBlocks(llvm::ArrayRef<Body> bodies);
  void rolledRows(llvm::function_ref<void()> body);
  /// Runs body for base = 0, …, whose rows are a member's next ones.
  void rowsInParts(llvm::function_ref<void()> body);
  /// What body copies is not there behind it.
  void within(llvm::function_ref<void()> body);

  void clone(OpId id);
  ValueId get(ValueId value);
  void set(ValueId value, ValueId copy) { values_[value.index] = copy; }

  /// Where a value is while other groups run.
  void keep(ValueId value, ArrayId array, TileLevel level) { kept_[value.index] = {array, level}; }
  ArrayId keptIn(ValueId value) const { return kept_.find(value.index)->second.array; }
  ValueId slotOf(TileLevel level);
  unsigned cellsOf(TileLevel level) const;

private:
  struct Kept {
    ArrayId array;
    TileLevel level;
  };
  void collect(RegionId region);
  unsigned blockOf(OpId loop) const {
    return loop == nest_.rows ? slots_.grid().rowBlock : slots_.grid().columnBlock;
  }
  bool hasWholeBlocks(OpId loop) const;
  void eachTurn(OpId loop, llvm::function_ref<void(const TileTurn &)> body);
  void eachSlot(OpId loop, const TileTurn &turn, Body body);
  void eachSlot(OpId loop, Body body);
  bool areColumnsOutside() const;
  void ifWithin(OpId loop, const TileSlot &slot, bool isAlways, llvm::function_ref<void()> body);
  ValueId compared(const ir::Op &op);
  void cloneRegion(RegionId from, RegionId to);
  void cloneAccess(OpId id);
  ValueId ownSlot(const ir::Op &access, const OwnRegisters &own);
  ValueId atFirstRow(ValueId value);
  bool dependsOnRow(ValueId value) const;
  llvm::SmallVector<ValueId, 4> get(llvm::ArrayRef<ValueId> values);

  BlockBuilder &builder_;
  ir::Function &kernel_;
  TileSlots &slots_;
  const OwnAccesses &own_;
  const TiledNest nest_;
  const TileExtent extent_;
  const bool isRolled_;
  const unsigned rowsInAll_, rowsAtOnce_, columns_; // a member's
  ValueId base_;                                    // of the rows at this time
  std::vector<bool> isInside_;                      // by value of the kernel as it came
  std::vector<OpId> ops_;
  EarlierLoads loads_;
  llvm::DenseMap<uint32_t, Kept> kept_;      // by value
  llvm::DenseMap<uint32_t, ValueId> values_; // by value: its copy where the builder stands
  TileSlot row_, column_;                    // where the builder stands
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TILECOPIES_H
