//===- RowStreaming.h - Long rows through shared memory, strip by strip -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows that are too long to stay in shared memory as a whole (RowStaging.h), and are gone through
// in order: prefix sums of a thousand cells, a filter of a signal. A warp copies a strip of each of
// its instances' rows to shared memory, its threads do the iterations that need no other cells, and
// the strip goes back.
//
// In: a kernel of threads, complete. Out: one for row-wise instances alone, which does the same, or
// why there is none. Invariant: each operation of the kernel is run as it was, by each thread that
// has an instance.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_ROWSTREAMING_H
#define COLONNADE_TRANSFORM_ROWSTREAMING_H

#include "Transform/RowStaging.h"

namespace colonnade {

StagedRows streamRows(ir::Function kernel);

/// Whether rows that stay in shared memory leave room for so few warps that they wait.
bool areLongForStaging(const ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_ROWSTREAMING_H
