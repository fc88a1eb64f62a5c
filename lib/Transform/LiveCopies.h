//===- LiveCopies.h - Copies of live cells alone ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads that copies rows of its instances to shared memory, and back. Out: the
// same; copies that many cells need not take part in leave these out:
//
//   to shared memory  cells that no thread reads from there before they are written
//   back              cells that nothing has written
//
// (LiveCells.h).
//
// Which cells these are is found by a walk of the kernel, once for each member of a team, between
// its barriers. So it counts what the plan has moved, and what it does beside the source's
// accesses.
//
// Invariant: what the kernel computes, and what the caller's arrays hold afterwards, is the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LIVECOPIES_H
#define COLONNADE_TRANSFORM_LIVECOPIES_H

#include "IR/Function.h"

namespace colonnade {

void copyLiveCells(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LIVECOPIES_H
