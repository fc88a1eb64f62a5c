//===- WalkedPass.h - The iterations of a pass ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the iterations of a loop or nest, as a walk has found them. Out: what they have in common, if
// they are those of a pass (FindPasses.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_WALKEDPASS_H
#define COLONNADE_TRANSFORM_TEAMS_WALKEDPASS_H

#include "Transform/Teams/FindPasses.h"

namespace colonnade {

struct PassAccess {
  uint32_t op = 0;
  uint64_t cell = 0;
  bool isCertain = true; // in no branch on data
};

/// An iteration that accesses cells, as it was walked.
struct PassIteration {
  std::vector<uint64_t> counters;
  std::vector<PassAccess> accesses;
  std::vector<std::pair<uint32_t, Decision>> branches; // operations
};

struct WalkedPass {
  Pass pass;
  std::vector<PassIteration> iterations;
};

/// Fills in what is said of the iterations; false: they are none of a pass. numBits: of a cell's
/// number.
bool conclude(const ir::Function &kernel, unsigned numBits, WalkedPass &walked);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_WALKEDPASS_H
