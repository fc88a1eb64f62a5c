//===- LaneWidth.h - How many instances share a register -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group is one register of lanes of some width in bytes. Narrower values then waste
// part of a register, wider ones take several. In: a kernel whose lane types are final.
// Out: the width, by what its operations work on, weighted by loop depth.
// Invariant: any width is right; only speed depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LANES_LANEWIDTH_H
#define COLONNADE_TRANSFORM_LANES_LANEWIDTH_H

#include "IR/Function.h"

namespace colonnade {

/// 1, 2, 4 or 8.
unsigned chooseLaneBytes(const ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LANES_LANEWIDTH_H
