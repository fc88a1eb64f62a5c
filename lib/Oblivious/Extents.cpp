//===- Extents.cpp - Extents from affine accesses -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Oblivious.h"

namespace colonnade {

void deriveExtents(ir::Function &) {}

} // namespace colonnade
