//===- OwnCopies.h - Members' own cells come and go -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: rows in shared memory, and a member's registers for its own cells of them. Out: what copies
// these cells from the rows, before the first nest, and back, behind the last.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_OWNCOPIES_H
#define COLONNADE_TRANSFORM_TEAMS_OWNCOPIES_H

#include "Transform/Teams/TileNests.h"

namespace colonnade {

enum class OwnCopy : uint8_t { FromRows, ToRows };

class OwnCopies {
public:
  /// extent: of all nests; row: the instance's, in each array of rows.
  OwnCopies(BlockBuilder &builder, TileSlots &slots, const TileExtent &extent, ValueId row)
      : builder_(builder), slots_(slots), extent_(extent), row_(row) {}

  void copy(ArrayId rows, const OwnRegisters &own, OwnCopy direction);
  void clear(ArrayId registers);

private:
  void copyShorterRows(ArrayId rows, const OwnRegisters &own, OwnCopy direction);
  void copyCell(ArrayId rows, const OwnRegisters &own, OwnCopy direction, const TileSlot &u,
                ValueId v, ValueId j, unsigned numColumns);
  void ifBelow(ValueId counter, int64_t end, int64_t all, llvm::function_ref<void()> body);

  BlockBuilder &builder_;
  TileSlots &slots_;
  const TileExtent extent_;
  const ValueId row_;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_OWNCOPIES_H
