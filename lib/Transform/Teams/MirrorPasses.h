//===- MirrorPasses.h - Passes that two directions share --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a pass (FindPasses.h). Out: whether its iterations do the same in both directions, if cells
// change places: of an iteration whose direction bit is 1, each cell with the one that differs from
// it in all bits in which cells of the pass differ.
//
//   ascending:  if (a[i ^ 8] < a[i]) swap     descending:  if (a[i] < a[i ^ 8]) swap
//
// So a thread whose cells lie the other way round runs the same instructions as its neighbours, and
// needs no direction. Invariant: what cells hold behind an iteration is compared as expressions of
// what they held before, each operation with its operands; nothing is assumed of any.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_MIRRORPASSES_H
#define COLONNADE_TRANSFORM_TEAMS_MIRRORPASSES_H

#include "Transform/Teams/FindPasses.h"

namespace colonnade {

/// arrays: whose cells the pass is over.
bool isMirrored(const ir::Function &kernel, llvm::ArrayRef<uint32_t> arrays, const Pass &pass);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_MIRRORPASSES_H
