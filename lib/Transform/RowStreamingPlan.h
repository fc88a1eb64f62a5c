//===- RowStreamingPlan.h - Which loops stream rows, strip by strip -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop streams an array if iteration t accesses no cells of it but those from a t + low to
// a t + high, whatever t is. Then some iterations need a strip of each row alone, and the next ones
// a strip that lies further on.
//
// In: a kernel of threads, complete, all of whose sizes are known. Out: the loops of its body that
// stream arrays; how many iterations a strip has; where the strips lie, and the arrays for them.
// Invariant: no operation is changed here (RowStreaming.cpp does that); what a strip has of an
// array holds each cell that its iterations access.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_ROWSTREAMINGPLAN_H
#define COLONNADE_TRANSFORM_ROWSTREAMINGPLAN_H

#include "IR/Function.h"
#include "Transform/SharedRows.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

/// Strip s begins at cell first + s * step, or as near to it as the row allows.
struct StreamedArray {
  ArrayId memory;
  ArrayId rows;      // in shared memory, with all cells of a strip
  ArrayId otherRows; // of a loop that is ahead: of every second strip
  uint64_t cells = 0, width = 0;
  RowPitch pitch = RowPitch::Words;
  int64_t first = 0, step = 0;
  bool isRead = false, isWritten = false; // strips are copied in, and out
};

/// The first strip lacks `before` of its iterations, so that strips begin where units of rows do.
struct StreamedLoop {
  OpId loop;
  uint64_t iterations = 0, perStrip = 0, before = 0;
  bool isAscending = true; // its counter
  bool isAhead = false;    // a strip is on its way while the one before it is worked on
  std::vector<StreamedArray> arrays = {};

  uint32_t numRead() const; // arrays
  uint64_t numStrips() const { return (iterations + before + perStrip - 1) / perStrip; }
};

/// Some cells of an array in registers, on their way from or to memory.
struct HeldStrip {
  ArrayId rows; // in shared memory
  uint64_t first = 0, width = 0;
};

/// An array that each thread has in registers meanwhile.
struct HeldArray {
  ArrayId memory, registers;
  uint64_t cells = 0;
  bool isRead = false, isWritten = false;
  std::vector<HeldStrip> strips = {}; // none: each thread copies its cells itself
};

struct RowStreamingPlan {
  ir::Function kernel; // with these arrays, its operations as they were
  std::vector<StreamedLoop> loops = {};
  std::vector<HeldArray> held = {};
  std::string reason = {}; // why there are none

  bool isEmpty() const { return loops.empty(); }
};

RowStreamingPlan planRowStreaming(const ir::Function &kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_ROWSTREAMINGPLAN_H
