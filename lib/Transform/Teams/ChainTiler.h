//===- ChainTiler.h - A nest with a chain in tiles, built -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest and its iterations. Out: its kernel in tiles (TileChains.h), in which a tile is *full*
// if all of its iterations are there and leave something between the largest low end of their
// ranges and the least high one, or nothing. Of other tiles each iteration runs as it was.
//
//   ChainTiler.cpp   the kernel, its arrays, counters and tiles
//   FullTiles.cpp    what a full tile does
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_CHAINTILER_H
#define COLONNADE_TRANSFORM_TEAMS_CHAINTILER_H

#include "IR/Clone.h"
#include "Transform/BlockBuilder.h"
#include "Transform/Teams/ChainOrder.h"

#include <map>

namespace colonnade {

/// An array whose cells are where results will be.
struct Replaced {
  OpId load;                // the only one of the array
  int64_t apart = 0;        // its cells, from the iteration's own
  std::vector<OpId> stores; // of results, to be repeated at the end
};

/// Own cells of a tile that an iteration needs: of its rows or of its columns.
enum class EarlierCells : uint8_t { OfRows, OfColumns };

class ChainTiler {
public:
  ChainTiler(const ir::Function &from, const ChainNest &nest, const ChainIterations &all,
             unsigned edge, const std::optional<Replaced> &replaced)
      : from_(from), nest_(nest), all_(all), edge_(edge), replaced_(replaced),
        builder_(result_.tiles.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  TiledKernel run();

private:
  using enum TileLevel;
  using Slot = llvm::function_ref<void(ValueId)>;
  ir::Function &kernel() { return result_.tiles.kernel; }
  ValueId counterOf(OpId loop) const { return from_.region(from_.op(loop).regions[0]).args[0]; }
  ir::ScalarType chainType() const { return from_.value(nest_.chain.carried).type; }

  void makeResults();
  void fillResults();
  void loadReplaced();
  bool hook(OpId old);
  void access(OpId old);
  OpId count(int64_t iterations, const char *name, Slot body);
  void slots(ValueId &slot, Slot body);
  void before(ValueId end, Slot body);
  ArrayId registers(ir::ScalarType cell, unsigned cells, const llvm::Twine &name);
  void makeRegisters();

  void tile();
  void fullTile();
  void oneByOne();
  ValueId firstOf(ValueId tile, int64_t all, bool mayOverlap);
  ValueId numberIn(ValueId tile, ValueId slot, int64_t all, bool mayOverlap);
  void setRow(ValueId slot, bool mayOverlap = true);
  void setColumn(ValueId slot, bool mayOverlap = true);
  ValueId isThere();
  ValueId isFull();
  void countedAt(TileLevel level, const std::vector<OpId> &ops);
  void commonRange();
  ValueId extreme(ValueId bound, ir::Opcode isBeyond);
  void early();
  void common();
  void linksAt(TileLevel level);
  void links();
  void rest();
  ValueId isReal();
  void finish();
  void link(ValueId cell);
  ValueId slotOf(ValueId u, ValueId v);
  bool isEarly(OpId id) const;
  void earlier(EarlierCells cells, ValueId u, ValueId v);

  const ir::Function &from_;
  const ChainNest &nest_;
  const ChainIterations &all_;
  unsigned edge_;
  const std::optional<Replaced> &replaced_;
  TiledKernel result_;
  BlockBuilder builder_;
  ir::Cloner cloner_;
  ValueId tileRow_, tileColumn_, u_, v_; // where the builder stands
  ValueId low_, high_;                   // the range that a tile's iterations have in common
  ArrayId chains_, own_;                 // by iteration of the tile
  ArrayId results_;                      // in place of the array that is stored to
  std::map<uint32_t, ArrayId> kept_;     // by value of a link: of each row, or column
  std::map<uint32_t, ArrayId> early_;    // by value: of each iteration
  ValueId ownSlot_;                      // of a cell that a link has in a register
  OpId ownLoad_;
  bool isInside_ = false, isFull_ = false; // in the nest; in a full tile
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_CHAINTILER_H
