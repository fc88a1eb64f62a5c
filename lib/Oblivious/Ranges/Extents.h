//===- Extents.h - Accesses that must leave their array ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses that must leave their array, and parameters whose extent nobody knows.
//
// In: a canonical function with extents, declared or derived. Out: findings.
// Invariant: an access is reported only if it is outside the extent in every run that
// reaches it, at sizes of at least 1.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_EXTENTS_H
#define COLONNADE_OBLIVIOUS_EXTENTS_H

#include "Oblivious/Oblivious.h"

namespace colonnade {

/// Accesses shown to be outside their extent whenever they run.
std::vector<Finding> checkExtents(const ir::Function &function);
/// Parameters whose extents are unknown after deriveExtents.
std::vector<Finding> unknownExtents(const ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_EXTENTS_H
