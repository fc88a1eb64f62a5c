//===- RaiseLoads.h - Loads of branches, before them ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and a nest of it. Out: the kernel in which branches on data of the nest load cells
// of arrays that the nest stores to before they part: so an iteration has what the one before it in
// its row, or the row above, has loaded or stored, whichever way data goes.
//
//   if (c) x = above[j - 1] + 1; else x = above[j];
//   d = above[j - 1]; u = above[j]; if (c) x = d + 1; else x = u;
//
// Invariant: each operation has the operands that it had. That the cells exist where a branch would
// not have loaded them is for the order's test (NestOrder.h), which sees each.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_RAISELOADS_H
#define COLONNADE_TRANSFORM_STRIPS_RAISELOADS_H

#include "Transform/Strips/SinkStores.h"

namespace colonnade {

SunkStores raiseLoads(const ir::Function &kernel, const StripNest &nest);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_RAISELOADS_H
