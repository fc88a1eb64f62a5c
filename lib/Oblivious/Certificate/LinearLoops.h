//===- LinearLoops.h - Loops whose ends decide about addresses --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a certificate. Out: which counted loops enter it by their addresses only,
// and each address linearly: i*n + j is linear in i and in j, i*i is not. No
// bound, condition or table subscript depends on such a counter, so the accesses
// of a nest are those of a box, and each address is extreme at its corners.
// Internal to AddressProperties, which keeps what is found.
// Invariant: a loop that is not known to be linear counts as not linear.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_LINEARLOOPS_H
#define COLONNADE_OBLIVIOUS_LINEARLOOPS_H

#include "IR/Function.h"

#include <set>

namespace colonnade {

class LinearLoops {
public:
  /// `read`: per array, whether a value loaded from it is needed.
  LinearLoops(const ir::Function &certificate, const std::vector<bool> &read);

  bool isLinear(const ir::Op &loop) const;
  /// The value changes from corner to corner.
  bool depends(ValueId value) const;
  bool any() const { return !linear_.empty(); }

private:
  using Counters = std::set<uint32_t>; // ids of the counters' values
  void visitRegion(RegionId region, Counters &around);
  void visit(const ir::Op &op, Counters &around);
  void visitAccess(const ir::Op &op, const Counters &around);
  void visitScalar(const ir::Op &op);
  void forbid(const Counters &counters);
  void forbid(llvm::ArrayRef<ValueId> values);
  bool mayBeLinear(const ir::Op &loop) const;

  const ir::Function &function_;
  const std::vector<bool> &read_;
  std::vector<Counters> counters_; // by value: those it depends on
  std::vector<bool> used_;         // by value
  Counters linear_;
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_LINEARLOOPS_H
