//===- SinkStores.h - Stores of branches, behind them -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and a nest of it. Out: the kernel in which branches of the nest that end with a
// store to one cell give its value, which is stored behind them; so it is one store that is always
// made:
//
//   if (c) row[j] = x; else row[j] = y;      row[j] = c ? x : y;
//   if (c) row[j] = x;                       row[j] = c ? x : row[j];     if data decides
//
// Invariant: cells hold what they held, behind each branch.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_SINKSTORES_H
#define COLONNADE_TRANSFORM_STRIPS_SINKSTORES_H

#include "Transform/Strips/StripNest.h"

#include <map>

namespace colonnade {

struct SunkStores {
  ir::Function kernel;
  std::map<OpId, OpId> loops; // that each loop has become
};

SunkStores sinkStores(const ir::Function &kernel, const StripNest &nest);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_SINKSTORES_H
