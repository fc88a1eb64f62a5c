//===- Guards.h - Which accesses are checked as they happen -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with a space for every array, and the verdict. Out: Op::guarded.
//
// Addresses that all instances form were checked before the launch. Guarded are those
// that only some instances reach, unless the same cell was accessed by all of them just
// before; and all, where addresses come out of an array, so that nothing was checked.
// Invariant: an access that is not guarded lies within its array.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_GUARDS_H
#define COLONNADE_TRANSFORM_GUARDS_H

#include "IR/Function.h"
#include "Oblivious/Oblivious.h"

namespace colonnade {

/// The kernel's operations have the ids of the canonical function's.
void guardForThreads(ir::Function &kernel, const Verdict &verdict);
/// Masked accesses are those that only some instances reach.
void guardForLanes(ir::Function &kernel, const Verdict &verdict);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_GUARDS_H
