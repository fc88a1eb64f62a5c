//===- StoreRuns.h - Stores that are issued together ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, how often its regions are entered, a layout. Out: of each store to memory how
// many are issued one right after the other: those of the iterations whose loads are in flight
// together (LoadWaits.h), for then the compiler puts all loads first and all stores last; where a
// loop loads nothing from memory, those of the iterations that it runs at once.
//
// Invariant: a store that waits for a load in between is by itself. An estimate.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_STORERUNS_H
#define COLONNADE_MODEL_STORERUNS_H

#include "Model/Arrangement.h"
#include "Model/OperationCounts.h"

#include <map>

namespace colonnade::model {

struct StoresTogether {
  unsigned number;           // at most
  bool restIsSingle = false; // of iterations that are left the stores are each by itself
};

/// Loads that are in flight together: of so many iterations of their innermost loop.
struct LoadsTogether {
  OpId loop;
  unsigned iterations; // 0: of all
};

/// By the accessId of their sites; those that are not there are together in an iteration at most.
std::map<uint32_t, LoadsTogether> loadsTogether(const ir::Function &kernel,
                                                const RegionExecutions &executions, Layout layout);

/// By the accessId of their sites.
std::map<uint32_t, StoresTogether>
storesTogether(const ir::Function &kernel, const RegionExecutions &executions, Layout layout);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_STORERUNS_H
