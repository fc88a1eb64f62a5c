//===- StripNest.h - Two loops whose rows may be done together --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known. Out: its nests of two loops, as of dynamic programming:
//
//   for (i …) {       a row; as many as constants say
//     before          computes, loads and stores
//     for (j …)       cells of the row; may carry values, ends by its counter alone
//       body          computes, loads and stores, also in branches
//     after
//   }
//
// Invariant: neither body has another loop, a call, or a check, whose report would have a place.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_STRIPNEST_H
#define COLONNADE_TRANSFORM_STRIPS_STRIPNEST_H

#include "IR/Function.h"

#include <optional>
#include <string>

namespace colonnade {

struct StripNest {
  OpId outer = {}, inner = {};
  uint64_t rows = 0;         // iterations of the outer loop
  int64_t low = 0, step = 0; // of its counter
};

/// In the order of the text; of loops whose unrolling is not decided.
std::vector<StripNest> findStripNests(const ir::Function &kernel);

/// The nest of that outer loop, if it is one; else, why it is none.
std::optional<StripNest> asStripNest(const ir::Function &kernel, OpId outer, std::string &reason);

/// A load or a store.
bool isCellAccess(const ir::Op &op);

/// Sets the marks of all operations in a region, by operation.
void markRegion(const ir::Function &kernel, RegionId region, std::vector<bool> &marks);

/// Beyond the ids of all accesses.
uint32_t freshAccess(const ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_STRIPNEST_H
