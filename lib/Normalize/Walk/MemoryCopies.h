//===- MemoryCopies.h - memcpy, memset and struct assignment ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: pointers, a count of elements and their type. Out: counted loops over cells,
// one per scalar leaf of the element; where slots take part the copy is unrolled,
// which needs a constant count. A copy that may overlap runs downwards if the
// target lies above the source.
// Invariant: each cell is read and written once, in an order in which no cell is
// read after it was overwritten. What cannot be copied cell by cell is an
// Unsupported operation.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_MEMORYCOPIES_H
#define COLONNADE_NORMALIZE_WALK_MEMORYCOPIES_H

#include "Normalize/Walk/Accesses.h"

namespace colonnade::canonical {

/// body(0) … body(count-1), or downwards, as a For. The body writes no slots.
void forCount(Folder &fold, ValueId count, bool descending,
              llvm::function_ref<void(ValueId index)> body);

class MemoryCopies {
public:
  MemoryCopies(Memory &memory, PointerArithmetic &arithmetic, Accesses &accesses)
      : memory_(memory), fold_(memory.fold), tree_(memory.tree), arithmetic_(arithmetic),
        accesses_(accesses) {}

  void copy(AbstractValue to, AbstractValue from, ValueId count, MemTypeId type, ir::CopyKind kind);
  /// Every byte of `count` elements becomes `byte` (U8).
  void fill(AbstractValue to, ValueId byte, ValueId count, MemTypeId type);

private:
  using CellBody = llvm::function_ref<void(ValueId index)>;
  bool hasObject(AbstractValue v) const { return v.isPointer() && memory_.pointers[v].hasObject(); }
  void copyElements(const Place &to, const Place &from, ValueId count, MemTypeId type,
                    ir::CopyKind kind);
  /// Bytes between cells of different widths, in units of the wider ones.
  void copyBytes(Place to, Place from, ValueId bytes, bool mayOverlap);
  /// How many units of `size` bytes there are; invalid: a constant rest is left.
  ValueId unitsOf(ValueId bytes, int64_t size);
  void copyElement(Place to, Place from, MemTypeId type);
  bool isOverOthers(const Place &to, const char *what);
  bool isWithoutCells(const ir::MemType &type, llvm::ArrayRef<Place> places);
  void fillElements(Place to, ValueId byte, ValueId count, MemTypeId type);
  void fillElement(Place to, ValueId byte, MemTypeId type);
  void fillArray(Place to, ValueId byte, const ir::MemType &type);
  /// Unrolled where `slots` take part; false: that needs a constant count.
  bool forElements(ValueId count, bool slots, bool descending, CellBody body);
  ValueId splatByte(ValueId byte, ScalarType to);

  Memory &memory_;
  Folder &fold_;
  PlaceTree &tree_;
  PointerArithmetic &arithmetic_;
  Accesses &accesses_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_MEMORYCOPIES_H
