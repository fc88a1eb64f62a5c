//===- Slice.h - What the certificate needs of a function -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the certificate needs of a function: the backward slice from all addresses,
// bounds and uniform conditions around accesses.
//
// In: a canonical function and its labels. Out: which values, operations and arrays are
// needed.
// Invariant (of an accepted function): everything needed is uniform; isUniform() says
// whether it holds.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_SLICE_H
#define COLONNADE_OBLIVIOUS_SLICE_H

#include "Oblivious/Flow/Dataflow.h"

namespace colonnade {

class Slice {
public:
  Slice(const ir::Function &function, const Dataflow &dataflow);

  /// The invariant holds. If not, the verifier contradicts itself: no function
  /// may be accepted on its word.
  bool isUniform() const { return isUniform_; }
  bool needs(ValueId id) const { return values_[id.index]; }
  /// An If, For or Loop that holds an access or yields a needed value.
  bool keeps(OpId id) const { return ops_[id.index]; }
  /// Some load of this array is needed, so its stored values are.
  bool needs(ArrayId id) const { return arrays_[id.index]; }
  /// The continue flag of a For is uniform and part of the slice.
  bool keepsContinueFlag(OpId id) const;
  /// A value carried by a Loop that is needed before or after the test, or at
  /// the end: what it holds elsewhere may be data.
  bool keepsSlot(const ir::Op &loop, unsigned index) const;

private:
  void addRoots(RegionId region);
  void need(ValueId id);
  void need(ArrayId id);
  void keep(OpId id);
  void keepAncestors(RegionId region);
  void followResult(OpId id, unsigned result);
  void followArgument(RegionId region, unsigned index);

  const ir::Function &function_;
  const Dataflow &dataflow_;
  bool isUniform_ = true;
  std::vector<bool> values_, ops_, arrays_;
  std::vector<std::vector<ValueId>> stored_; // per array: uniform stored values
  std::vector<ValueId> worklist_;
  std::vector<RegionId> regionOf_;
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_SLICE_H
