//===- CarriedLoops.h - Loops, and the variables carried around them -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which slots a loop changes, and which places its pointers may have, is known
// only after its body was walked. So a loop is walked with a plan; if the body
// contradicts it, the plan grows and the body is walked again. Plans are kept by
// the caller, for each loop of each call: an outer loop's second attempt finds the
// inner plans complete, so the work is linear in the nesting depth, not exponential.
//
// In: a plan, and a function that walks the loop's test or body. Out: a Loop (or a
// For, if the user bounds its iterations) whose carried values are the plan's slots;
// a loop that runs once is its body.
// Invariant: a loop that stays in the function was walked with a plan that its body
// does not contradict; one that became its body did so by conditions known where it
// stands now, not in an attempt that was given up.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_CARRIEDLOOPS_H
#define COLONNADE_NORMALIZE_WALK_CARRIEDLOOPS_H

#include "Normalize/Walk/Branches.h"

namespace colonnade::canonical {

struct LoopPlan {
  using Carried = std::map<SlotId, PointerShape>; // the shape matters for pointers only
  Carried carried;
  /// What an attempt found, to try first; each attempt decides anew by what it finds.
  enum class Once : uint8_t { Unknown, Expected, Refuted } once = Once::Unknown;
};

/// What the user says about a loop's number of iterations.
struct LoopBound {
  ValueId iterations; // S64
  std::string text;   // as written: "2 * n"
  std::string larger; // "--bound 12=64", a bound to try where this one is false; or empty
};

class CarriedLoops {
public:
  enum class Part : uint8_t { Test, Body };
  /// Walks a part of the loop; its condition: to run the body, or once more.
  using WalkPart = llvm::function_ref<ValueId(Part)>;

  CarriedLoops(Folder &fold, Slots &slots, PointerJoins &joins, Branches &branches)
      : fold_(fold), slots_(slots), joins_(joins), branches_(branches) {}

  void loop(LoopPlan &plan, WalkPart walk, const std::optional<LoopBound> &bound);

private:
  using Carried = LoopPlan::Carried;
  /// One walk of the loop, and where it started.
  struct Attempt {
    LoopPlan &plan;
    const Carried carried; // what this attempt is built on
    LocId loc;
    Slots::Mark mark;
    size_t conditionMark = 0, depth = 0;
    bool held = true; // the plan, so far
  };

  Attempt start(LoopPlan &plan);
  bool attemptOnce(WalkPart walk);
  bool attemptLoop(LoopPlan &plan, WalkPart walk);
  bool attemptBounded(LoopPlan &plan, WalkPart walk, const LoopBound &bound);
  ValueId walkRegion(Attempt &attempt, RegionId region, llvm::ArrayRef<ValueId> args,
                     Opcode terminator, llvm::function_ref<ValueId()> body);
  ValueId walkBoundedIteration(WalkPart walk, ValueId iteration, const LoopBound &bound);
  bool grow(Attempt &attempt);

  llvm::SmallVector<ValueId, 8> encode(const Carried &carried);
  void decode(const Carried &carried, llvm::ArrayRef<ValueId> from);
  void name(const Carried &carried, llvm::ArrayRef<ValueId> values);
  size_t valueCount(const Carried::value_type &carried) const {
    return slots_[carried.first].isPointer() ? carried.second.valueCount() : 1;
  }

  Folder &fold_;
  Slots &slots_;
  PointerJoins &joins_;
  Branches &branches_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_CARRIEDLOOPS_H
