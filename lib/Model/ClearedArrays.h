//===- ClearedArrays.h - What a kernel sets to zero -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generated kernels declare local arrays as set to zero: stores that the source has not. Compilers
// leave them out where the kernel goes on to set all cells, as a source does that gives the array
// its contents where it declares it.
//
// In: a kernel, a local array. Out: whether it is set to zero. An estimate: compilers see more, or
// less.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_CLEAREDARRAYS_H
#define COLONNADE_MODEL_CLEAREDARRAYS_H

#include "IR/Function.h"

namespace colonnade::model {

bool isCleared(const ir::Function &kernel, ArrayId array);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_CLEAREDARRAYS_H
