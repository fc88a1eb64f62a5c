//===- Extents.h - Accesses that must leave their array ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
