//===- KeepCalls.h - Calls that stay calls ----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel in which all calls of the source are inlined. Out: the same kernel if it is small
// enough, else one in which what calls of one function have in common is a part.
//
//   CallSegments   which operations came from one call
//   SegmentShape   what makes two segments the same
//   PartPlan       what their part takes and gives
//   MakePart       the kernel with the part and its calls
//
// Invariant: a call does what stood in its place. The last step of Transform: all analyses
// are of the inlined form (docs/decisions/0023).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_CALLS_KEEPCALLS_H
#define COLONNADE_TRANSFORM_CALLS_KEEPCALLS_H

#include "IR/Function.h"

namespace colonnade {

struct CallLimits {
  uint64_t operations = 8192;    // a kernel with more of them keeps calls,
  uint64_t enough = 6144;        // until it has no more than these
  uint64_t leastOperations = 48; // of a part
  uint64_t callOperations = 8;   // that a call's own text is worth
  size_t arguments = 16;         // that a part may take
  size_t arrays = 16;
  size_t results = 8;
  size_t parts = 64; // of a kernel
};

ir::Function keepCalls(ir::Function kernel, const ir::Module &module,
                       const CallLimits &limits = {});

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_CALLS_KEEPCALLS_H
