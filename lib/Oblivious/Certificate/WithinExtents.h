//===- WithinExtents.h - Accesses that need no check before a launch -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a certificate. Out: which operations only access local arrays and tables whose extents are
// constants, at addresses that lie within them for all sizes, and how many accesses each makes.
//
// Unrolled code and code with many calls make tens of thousands of such accesses
// (`product[7]`): what checks the extents before a launch would be larger than the kernel.
// Invariant: addresses are intervals of 64-bit integers. Where arithmetic could leave its
// type, nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_WITHINEXTENTS_H
#define COLONNADE_OBLIVIOUS_WITHINEXTENTS_H

#include "IR/Function.h"

namespace colonnade {

struct WithinExtents {
  /// Per op: a Load or Store; or an If or For of which all accesses are, whose number is the same
  /// however it runs and that has no other effect. Its results may be needed all the same.
  std::vector<bool> holds;
  std::vector<uint64_t> accesses; // per op that it holds for
};

/// `loaded`, per array: a value loaded from it is needed, so stores to it are effects.
WithinExtents withinExtents(const ir::Function &certificate, const std::vector<bool> &loaded);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_WITHINEXTENTS_H
