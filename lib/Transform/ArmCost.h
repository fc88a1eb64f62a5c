//===- ArmCost.h - Whether an arm may run with no lane active -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A short arm without risk is cheaper run than jumped over: a branch on "any
// lane active" depends on data and is mispredicted. Risk is an access that is
// not known to be valid, or a scalar operation that may be undefined.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_ARMCOST_H
#define COLONNADE_TRANSFORM_ARMCOST_H

#include "Transform/KernelBuilder.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>

namespace colonnade {

/// Cells that were accessed before this point by at least the active lanes.
class CoveredCells {
public:
  void add(ArrayId array, llvm::ArrayRef<ValueId> subscripts, llvm::ArrayRef<ValueId> radices);
  bool contains(ArrayId array, llvm::ArrayRef<ValueId> subscripts,
                llvm::ArrayRef<ValueId> radices) const;
  size_t mark() const { return log_.size(); }
  void forgetSince(size_t mark);

private:
  using Key = std::vector<uint32_t>;
  static Key keyOf(ArrayId array, llvm::ArrayRef<ValueId> subscripts,
                   llvm::ArrayRef<ValueId> radices);
  std::set<Key> cells_;
  std::vector<std::set<Key>::iterator> log_;
};

struct ArmCost {
  /// `mapped`: the kernel value of an old one from outside the arm, or invalid.
  ArmCost(const ir::Function &from, RegionId arm, llvm::function_ref<ValueId(ValueId)> mapped,
          const KernelBuilder &to, const CoveredCells &covered);

  bool runAnyway = false;
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_ARMCOST_H
