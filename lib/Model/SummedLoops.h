//===- SummedLoops.h - Running totals of a loop's iterations ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walked loop often runs the loop in it with one iteration more than before, or one less: for
// (j = i + 1; j < n; j++). What its iterations did is therefore kept as running totals; a range of
// them is the difference of two, and only iterations that no range had before are run.
//
// As in RememberedLoops.h, what the loop uses from outside is a symbol until it has to be known. At
// first the counter is the loop's first value, a symbol too, and so many steps; if that value has
// to be known, the counter itself is, and so the first value is none of the symbols any more.
//
// Invariant: a total is only used where its guards hold: there, its iterations would have decided
// all as they did.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_SUMMEDLOOPS_H
#define COLONNADE_MODEL_SUMMEDLOOPS_H

#include "Model/LoopBlocks.h"
#include "Model/RememberedLoops.h"

#include <deque>

namespace colonnade::model {

struct RunningTotal {
  Tally tally;
  std::vector<Guard> guards;
};

/// Of iterations that lie side by side, with the same values of what has to be known.
struct SummedIterations {
  LoopOrigin origin;
  int64_t first = 0;                // which both begin at
  std::deque<RunningTotal> up = {}; // [n]: of n iterations from `first` on
  std::deque<RunningTotal> down = {};

  Iterations covered() const {
    return {first - static_cast<int64_t>(down.size()) + 1,
            first + static_cast<int64_t>(up.size()) - 1};
  }
};

/// Of one loop.
struct SummedLoop {
  OutsideValues outside; // of the body, and the counter's first value if it is relative to that
  std::vector<bool> isKnown;
  bool isRelative = true;
  using Sums = std::map<std::vector<uint64_t>, SummedIterations>;
  Sums sums;
  std::vector<Sums> former;    // records may refer to them
  uint64_t run = 0, asked = 0; // iterations
  uint64_t left = 16'000'000;  // counts that it may keep

  void forget() {
    former.push_back(std::move(sums));
    sums.clear();
  }
  /// Hits may come late: all of `for (k = i; k < j; k++)` may be new at the first i.
  bool isWorthwhile() const { return run < 100'000 || asked >= run + run / 4; }
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_SUMMEDLOOPS_H
