//===- Retype.h - Lanes of the chosen types -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of lanes and the types that LaneTypes chose. Out: the same kernel, in which
// every value and local array has its type, with casts where types meet.
// Invariant: it stores the same bits; the interpreter runs it as it runs the one before.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_RETYPE_H
#define COLONNADE_TRANSFORM_LANES_RETYPE_H

#include "Transform/Lanes/LaneTypes.h"

namespace colonnade {

ir::Function retype(const ir::Function &kernel, const LaneTypes &types);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_RETYPE_H
