//===- PadSizes.h - One function for a range of sizes -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sizes decide, such as which arrays are in registers, is decided where they are known. Of
// sizes in a range it is decided for the largest: loops go as far as they go there, and what they
// do is done where the size allows it; arrays are copied to local ones of the largest extents, and
// back.
//
//   for (i = 1; i < n; i++)                 for (i = 0; i < 32; i++) if (i < n) c[i] = b[i];
//     b[i] += b[i - 1];               →     for (i = 1; i < 32; i++) if (i < n) c[i] += c[i - 1];
//                                           for (i = 0; i < 32; i++) if (i < n) b[i] = c[i];
//
//   SizePoints    all sizes that the ranges allow
//   PaddedLoop    bounds of the largest sizes
//   PaddedArray   where cells lie at the largest sizes
//   PaddedBody    the function with them
//   PaddedCheck   at each size, the same accesses in the same order
//
// In: a canonical function, which arrays it writes in full, ranges of some of its scalars. Out: a
// canonical function that does the same at every size in the ranges, in which some arrays are
// copied to local ones that may be in registers; or why there is none that gains by it. Its
// accesses have the ids of the function's, those of copies others. Invariant: each operation runs
// as often, and on the same operands, as at the size of the call.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_PADSIZES_H
#define COLONNADE_TRANSFORM_PADDING_PADSIZES_H

#include "IR/Function.h"
#include "Support/SizeRange.h"

#include "llvm/Support/Error.h"

namespace colonnade {

struct PaddedFunction {
  ir::Function function;
  /// By array of the caller's: the most cells, if their number depends on a range; else 0.
  std::vector<uint64_t> mostCells;
  std::vector<std::string> notes; // what is padded to what
};

/// Error: why none is made.
llvm::Expected<PaddedFunction> padSizes(const ir::Function &function,
                                        const std::vector<bool> &fullyWritten,
                                        const SizeRanges &ranges);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_PADSIZES_H
