//===- MergeCarried.h - Carried values that are always equal ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel. Out: of values that a loop carries, begins with the same value and goes on with the
// same one, it carries one: the cell above the next one of a table is what the row above has on
// its left.
// Invariant: what the kernel computes is as it was.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_MERGECARRIED_H
#define COLONNADE_TRANSFORM_STRIPS_MERGECARRIED_H

#include "IR/Function.h"

namespace colonnade {

void mergeCarried(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_MERGECARRIED_H
