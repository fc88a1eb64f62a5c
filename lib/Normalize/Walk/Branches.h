//===- Branches.h - Ifs, and what variables are after them ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk's only way to make an If.
//
// In: a condition, and two bodies that append their operations and write slots.
// Out: an If whose results are the slots that an arm wrote, only those and only
// where they differ; the slots have these results afterwards. A condition that is
// known makes no If: the arm that is taken is walked in its place.
// Invariant: in each arm the slots start with the values they had before the If.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_BRANCHES_H
#define COLONNADE_NORMALIZE_WALK_BRANCHES_H

#include "Normalize/Walk/PointerJoins.h"
#include "Normalize/Walk/Slots.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace colonnade::canonical {

enum class BranchOn : uint8_t {
  Value,   // if (x[i] > 0)
  Address, // which object a pointer points to: its condition is a part of the address
};

class Branches {
public:
  using Body = llvm::function_ref<AbstractValue()>;

  Branches(Folder &fold, Slots &slots, PointerJoins &joins)
      : fold_(fold), slots_(slots), joins_(joins) {}

  /// What the bodies give is joined too, and given back.
  AbstractValue branch(ValueId cond, Body then, Body otherwise, BranchOn on = BranchOn::Value);

private:
  struct Arm {
    RegionId region;
    Slots::Values written;
    AbstractValue result;
  };
  struct If {
    OpId op;
    ValueId cond;
    Arm arms[2];
  };
  /// A slot (or what the bodies give) and its values on both sides.
  struct Join {
    SlotId slot; // invalid: what the bodies give
    ScalarType type;
    std::string name;
    AbstractValue sides[2];
    PointerShape shape;
    llvm::SmallVector<ValueId, 2> encoded[2];
  };

  Arm walkArm(RegionId region, ValueId cond, bool truth, Body body);
  std::vector<Join> joinsOf(const If &branch);
  void encode(const If &branch, std::vector<Join> &joins);
  AbstractValue finish(const If &branch, std::vector<Join> &joins);

  Folder &fold_;
  Slots &slots_;
  PointerJoins &joins_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_BRANCHES_H
