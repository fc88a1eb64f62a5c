//===- ArmCost.h - Whether an arm may run with no lane active -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A short arm without risk is cheaper run than jumped over: a branch on "any lane
// active" depends on data and is mispredicted. Risk is an access that is not known to
// be valid, or a scalar operation that may be undefined.
//
// In: an arm of a canonical If, what the kernel has computed so far, and the cells that
// its active lanes have accessed. Out: whether to run the arm with no lane active too.
// Invariant: what is run anyway neither traps nor touches another cell.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PREDICATION_ARMCOST_H
#define COLONNADE_TRANSFORM_PREDICATION_ARMCOST_H

#include "Transform/KernelBuilder.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace colonnade {

/// The kernel's values are numbered as they are appended: equal ids, equal values.
inline uint32_t idOf(ValueId value) { return value.index; }

struct ArmCost {
  /// `mapped`: the kernel value of an old one from outside the arm, or invalid.
  ArmCost(const ir::Function &from, RegionId arm, llvm::function_ref<ValueId(ValueId)> mapped,
          const KernelBuilder &to, const ir::CellSet &covered);

  bool runAnyway = false;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PREDICATION_ARMCOST_H
