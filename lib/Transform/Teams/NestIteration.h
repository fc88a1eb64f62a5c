//===- NestIteration.h - An iteration as a function of cells ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an iteration of a nest, at given counters, what its own cells hold before it, and where the
// cells of other iterations are to be had. Out: its operations at the builder's place, and what its
// own cells hold behind it. It stores nothing: own cells are values, of a branch that stores to
// them results.
//
// Invariant: operations are in branches as they were, and have the operands that they had. One
// whose value is there already is left out.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_NESTITERATION_H
#define COLONNADE_TRANSFORM_TEAMS_NESTITERATION_H

#include "IR/Clone.h"
#include "IR/ValueNumbering.h"
#include "Transform/BlockBuilder.h"
#include "Transform/Teams/NestLines.h"

namespace colonnade {

/// By array.
using CellValues = std::map<uint32_t, ValueId>;

class NestIteration {
public:
  /// from: the function of the nest; outside: maps what is computed around the nest.
  NestIteration(const ir::Function &from, const NestLines &lines, BlockBuilder &builder,
                const ir::Cloner &outside, ValueId row, ValueId column);

  /// The own cell of an array, in memory.
  ValueId loadOwn(uint32_t array);
  void storeOwn(uint32_t array, ValueId value);

  /// own: before the iteration, of the arrays whose cells are asked for, and of all whose cells it
  /// loads. other: a cell as it is when the iteration begins.
  using Other = llvm::function_ref<ValueId(uint32_t array, NestCell cell)>;
  CellValues run(const CellValues &own, Other other);

private:
  struct Scope {                              // what is there where the builder stands
    llvm::DenseMap<uint32_t, ValueId> values; // by value of the nest
    std::map<std::pair<uint32_t, unsigned>, ValueId> others; // by array and cell
  };
  void collect(RegionId region);
  void region(RegionId id);
  void branch(const ir::Op &op);
  ValueId get(ValueId value);
  ValueId copy(OpId id);
  llvm::SmallVector<ValueId, 4> get(llvm::ArrayRef<ValueId> values);

  const ir::Function &from_;
  const NestLines &lines_;
  BlockBuilder &builder_;
  const ir::Cloner &outside_;
  llvm::DenseMap<uint32_t, bool> isInside_; // by value
  Scope scope_;
  ir::AvailableValues available_;
  CellValues own_; // at this time
  const Other *other_ = nullptr;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_NESTITERATION_H
