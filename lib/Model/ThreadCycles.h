//===- ThreadCycles.h - How long a thread takes by itself -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, how often its regions are entered. Out: about how many cycles a thread's
// operations take where no other thread is on its multiprocessor's part. What a thread loads is
// not waited for here (LoadWaits.h).
//
// Instructions are issued in order. Between two branches, the longer of two times counts: that of
// issuing all, and that of the longest chain of operations that need each other's results. Loops
// that run several iterations at a time have the chains of these side by side, those left over one
// by one; but what one iteration hands on to the next is waited for.
//
// Invariant: no less than issuing all takes. An estimate, as IssuedOperations.h.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_THREADCYCLES_H
#define COLONNADE_MODEL_THREADCYCLES_H

#include "Model/OperationCounts.h"

namespace colonnade::model {

/// From an operation's start until its result can be used.
constexpr double CyclesOfResult = 4;

/// Of an instance, if all arms run.
double threadCycles(const ir::Function &kernel, const RegionExecutions &executions);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_THREADCYCLES_H
