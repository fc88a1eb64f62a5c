//===- UnusedValues.h - Values that nothing needs ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, as a step left it. Out: the same without pure operations whose values nothing
// needs.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_UNUSEDVALUES_H
#define COLONNADE_TRANSFORM_UNUSEDVALUES_H

#include "IR/Function.h"

namespace colonnade {

void dropUnusedValues(ir::Function &kernel);
/// A branch or loop that does nothing but compute.
bool onlyComputes(const ir::Function &kernel, const ir::Op &op);
/// And without branches and loops that do nothing but compute such values. They are known to end.
void dropUnusedLoops(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_UNUSEDVALUES_H
