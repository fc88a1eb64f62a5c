//===- EarlierLoads.h - Loads of a cell that was loaded before --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest's operations, in the order of the programme. Out: for a load, an earlier one of the
// same cell, between which and this one nothing is stored to the array.
//
// Invariant: the earlier load is made whenever this one is.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_EARLIERLOADS_H
#define COLONNADE_TRANSFORM_TEAMS_EARLIERLOADS_H

#include "IR/ValueNumbering.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace colonnade {

class EarlierLoads {
public:
  EarlierLoads(const ir::Function &kernel, RegionId nest)
      : kernel_(kernel), numbers_(kernel, nest) {}

  /// The next operation. What is loaded in a branch or loop is not there behind it.
  void note(OpId id);
  /// Before a loop whose operations are noted one by one: what it stores to.
  void forget(RegionId region);
  /// Behind it: what was there before it, as forget() left it.
  void leave(const EarlierLoads &before) { available_ = before.available_; }
  /// Invalid: there is none.
  ValueId of(ValueId load) const;

private:
  ir::CellKey keyOf(const ir::Op &access) const;
  void forget(uint32_t array);

  const ir::Function &kernel_;
  ir::ValueNumbers numbers_;
  std::map<ir::CellKey, ValueId> available_;
  llvm::DenseMap<uint32_t, ValueId> same_; // by value
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_EARLIERLOADS_H
