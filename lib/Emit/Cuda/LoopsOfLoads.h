//===- LoopsOfLoads.h - Loads that must not be moved ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of tiled instances the distances of cells are constants, and ptxas moves each load to where its
// value is needed, which then waits for memory by itself. It moves none past a barrier of the warp
// (docs/decisions/0048).
//
// In: a kernel of threads. Out: its loops that do nothing but load many cells, of arrays that are
// changed in place, to registers. Invariant: all threads of a warp that have not left come to them
// together, so that a barrier may stand behind them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CUDA_LOOPSOFLOADS_H
#define COLONNADE_EMIT_CUDA_LOOPSOFLOADS_H

#include "IR/Function.h"

namespace colonnade {

/// By operation.
std::vector<bool> loopsOfLoads(const ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_EMIT_CUDA_LOOPSOFLOADS_H
