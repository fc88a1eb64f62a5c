//===- Varying.h - What follows from varying values -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel some of whose values are marked as varying. Out: all that depend on them are, too.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_VARYING_H
#define COLONNADE_TRANSFORM_VARYING_H

#include "IR/Function.h"

namespace colonnade {

/// Each result of an operation on what varies, and each variable of a loop that carries it.
void spreadVarying(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_VARYING_H
