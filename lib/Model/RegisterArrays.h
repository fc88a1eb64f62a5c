//===- RegisterArrays.h - Arrays that a thread has in registers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel. Out: which arrays are in registers: those that the kernel puts there, and
// local arrays whose every subscript is a constant once loops are unrolled, which the compiler
// does.
//
// Invariant: an array with a subscript that depends on a loop that stays, or on data, is not.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_REGISTERARRAYS_H
#define COLONNADE_MODEL_REGISTERARRAYS_H

#include "IR/Function.h"

namespace colonnade::model {

/// By array.
std::vector<bool> registerArrays(const ir::Function &kernel);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_REGISTERARRAYS_H
