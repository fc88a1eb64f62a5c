//===- DeadStores.h - Stores that nothing loads -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known. Out: the kernel without stores to cells that are stored to
// again before they are loaded, each time they are made; or, of local arrays, never loaded. Found
// by a walk with the values that sizes decide. Invariant: what is loaded is as it was, and so is
// what callers find. Where a check may end the kernel, callers find what was stored before it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_DEADSTORES_H
#define COLONNADE_TRANSFORM_STRIPS_DEADSTORES_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

/// Where the walk is too long, all stay.
void dropDeadStores(ir::Function &kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_DEADSTORES_H
