//===- LoopEnd.h - Where its counter ends a loop ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a For, and its start and limit as they are in the function that is being built. Out: the
// counter behind the loop, and how many iterations there were, as functions of these, where nothing
// else has ended it. Invariant: what is computed never overflows; where no iteration runs, the
// counter is the start.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_LOOPEND_H
#define COLONNADE_NORMALIZE_LOOPEND_H

#include "Normalize/Fold.h"

namespace colonnade::canonical {

class LoopEnd {
public:
  /// `step`: a constant of the type of `start` and `limit`.
  LoopEnd(Folder &fold, ir::Predicate predicate, ValueId start, ValueId limit, Scalar step);

  /// Whether a first iteration begins.
  ValueId runs() const { return runs_; }
  /// The first value that fails the test; an invalid id: it cannot be told.
  ValueId counter() const { return counter_; }
  /// U64, where there is an iteration; an invalid id: it cannot be told.
  ValueId iterations() const { return iterations_; }

private:
  void countByOne(bool ascends);
  void countBySteps(uint64_t size, bool ascends);
  ValueId distance(bool ascends);

  Folder &fold_;
  ValueId start_, limit_;
  bool isStrict_;
  ValueId runs_, counter_, iterations_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_LOOPEND_H
