//===- LoopRun.h - A try to run a loop at once ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LoopsAtOnce.cpp and LoopBorders.cpp know of a loop that is to be run at once: its
// iterations, and the blocks and parts that they are run in.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LOOPRUN_H
#define COLONNADE_MODEL_LOOPRUN_H

#include "Model/LowestBits.h"
#include "Model/ProfileSummary.h"

namespace colonnade::model {

/// A try to run a loop at once.
struct ProfileSummary::LoopRun {
  OpId id;
  int64_t step;
  int64_t iterations;
  unsigned counter; // which of the values that it carries
  LoopBlocks blocks;
  unsigned around;                     // loops around it
  llvm::SmallVector<unsigned> levels;  // of its own loops that are open now
  bool isOver = false;                 // it may end for all lanes
  std::vector<StridedPart> parts = {}; // in place of all this, if there are any
  bool isSplitAnew = false;            // since the last try

  void split(unsigned level, int64_t first, int64_t iterations) {
    isSplitAnew |= parts.empty() && blocks.split(level, first, iterations);
  }
  void take(const LowestBitRequest &request) {
    if (!parts.empty() || blocks.isSplit() || blocks.topLevel() > 0)
      return;
    parts = lowestBitParts(request.base, request.coefficient, iterations);
    isSplitAnew = true;
  }
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LOOPRUN_H
