//===- CallSegments.h - Which operations came from one call -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, and where its operations stand in the source. Out: for each call that was
// inlined, the operations that follow each other in one region and came from it.
// Invariant: neither the first nor the last is a constant or a terminator.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_CALLS_CALLSEGMENTS_H
#define COLONNADE_TRANSFORM_CALLS_CALLSEGMENTS_H

#include "IR/Function.h"

namespace colonnade {

struct CallSegment {
  RegionId region;
  size_t begin = 0, end = 0; // of its operations
  LocId call;                // where the call stands
};

/// In the order of regions, parts before the body; an outer call before those in it.
std::vector<CallSegment> callSegments(const ir::Function &kernel, const SourceMap &sources);

/// The location of `id` in the function that was called at `call`.
LocId locationInCallee(const SourceMap &sources, LocId id, LocId call);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_CALLS_CALLSEGMENTS_H
