//===- PartPlan.h - What a part takes, and what each call passes -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: segments of equal shape. Out: a plan of the part that they have in common: its arguments,
// arrays and results.
// Invariant: two holes of the shape share an argument only if the same fills both in each
// segment. A constant that is the same in all segments is no argument.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_CALLS_PARTPLAN_H
#define COLONNADE_TRANSFORM_CALLS_PARTPLAN_H

#include "Transform/Calls/SegmentShape.h"

namespace colonnade {

struct PlannedCall {
  CallSegment segment;
  SegmentShape shape;
};

struct PartPlan {
  /// What fills a hole of the shape: an argument, or a constant.
  struct Hole {
    std::optional<ir::Scalar> constant;
    uint32_t argument = 0;
  };
  std::vector<PlannedCall> calls;
  std::vector<Hole> holes;         // of values, as in SegmentShape::values
  std::vector<uint32_t> arguments; // for each, one of its holes
  std::vector<uint32_t> arrayOf;   // by hole in SegmentShape::arrays; of a table: no number
  std::vector<uint32_t> arrays;    // for each array that the part takes, one of its holes
  std::vector<uint32_t> results;   // in SegmentShape::defined
};

/// All `calls` have one shape, and do not overlap.
PartPlan planPart(const ir::Function &kernel, std::vector<PlannedCall> calls);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_CALLS_PARTPLAN_H
