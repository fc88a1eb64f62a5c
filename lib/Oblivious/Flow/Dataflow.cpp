//===- Dataflow.cpp - Fixed point, and the re-convergence rule ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Flow/Dataflow.h"

#include <algorithm>

namespace colonnade {

using ir::Op;
using ir::Opcode;

Dataflow::Dataflow(const ir::Function &function)
    : function_(function), regionOf_(function.ops.size()), storesIn_(function.regions.size()),
      strict_(function.arrays.size()) {
  collectStores(function.body);
}

void Dataflow::run() {
  // A local array is kept once for all lanes if every load of it is uniform, else once per
  // lane. In the second case a store under a mask leaves the copies of inactive lanes as they
  // were, so that a load whose value is equal in all active lanes cannot be taken from just
  // any lane's copy. Arrays of which all that is found are analysed again: a masked store then
  // makes them varying at once.
  while (true) {
    runOnce();
    bool changed = false;
    for (size_t a = 0; a < strict_.size(); ++a)
      if (!strict_[a] && needsLanes_[a] && maskedStore_[a] && uniformLoad_[a])
        strict_[a] = changed = true;
    if (!changed)
      return;
  }
}

void Dataflow::runOnce() {
  origins_ = Origins();
  values_.assign(function_.values.size(), {});
  divergence_.assign(function_.ops.size(), {});
  heads_.assign(function_.ops.size(), {});
  state_.assign(function_.arrays.size(), {});
  needsLanes_.assign(function_.arrays.size(), false);
  maskedStore_ = uniformLoad_ = needsLanes_;
  unwritten_.assign(function_.ops.size(), false);
  for (size_t a = 0; a < function_.arrays.size(); ++a)
    if (!function_.arrays[a].isLocal())
      needsLanes_[a] = function_.arrays[a].isPerInstance();
  visitRegion(function_.body);
}

void Dataflow::collectStores(RegionId region) {
  std::vector<ArrayId> stores;
  for (OpId id : function_.region(region).ops) {
    const Op &op = function_.op(id);
    regionOf_[id.index] = region;
    if (op.opcode == Opcode::Store && function_.array(op.array).isLocal())
      stores.push_back(op.array);
    for (RegionId nested : op.regions) {
      collectStores(nested);
      stores.insert(stores.end(), storesIn_[nested.index].begin(), storesIn_[nested.index].end());
    }
  }
  std::sort(stores.begin(), stores.end());
  stores.erase(std::unique(stores.begin(), stores.end()), stores.end());
  storesIn_[region.index] = std::move(stores);
}

//===----------------------------------------------------------------------===//
// Re-convergence
//===----------------------------------------------------------------------===//

/// Lanes that did not execute `region` (or left it earlier) are active again:
/// local arrays written there since the lanes parted differ between lanes now.
/// SSA values of the region are not visible outside; those that leave it do so
/// as results, see afterDivergence.
void Dataflow::reconverge(OpId id, RegionId region, Label why) {
  for (ArrayId array : storesIn_[region.index]) {
    Label under = origins_.extend(why, StepKind::StoredUnder, array.index, function_.op(id).loc);
    state_[array.index].label = origins_.join(state_[array.index].label, under);
  }
}

/// A value that leaves a divergent construct.
Label Dataflow::afterDivergence(ValueId result, Label label, Label why, StepKind kind, LocId loc) {
  if (ir::isSourceName(function_.value(result).name))
    why = origins_.extend(why, kind, result.index, loc);
  return origins_.join(label, why);
}

/// Where an arm computes what it yields; the If itself if nowhere in the arm.
LocId Dataflow::choiceLoc(OpId id, ValueId a, ValueId b) const {
  for (ValueId v : {a, b}) {
    OpId def = function_.value(v).def;
    if (!def || !function_.op(def).loc)
      continue;
    for (RegionId arm : function_.op(id).regions)
      if (regionOf_[def.index] == arm)
        return function_.op(def).loc;
  }
  return function_.op(id).loc;
}

Label Dataflow::mask() {
  Label all;
  for (Label f : masks_)
    all = origins_.join(all, f);
  return all;
}

//===----------------------------------------------------------------------===//
// Small helpers
//===----------------------------------------------------------------------===//

void Dataflow::define(OpId id, unsigned result, Label label) {
  ValueId value = function_.op(id).results[result];
  if (ir::isSourceName(function_.value(value).name))
    label = origins_.extend(label, StepKind::Assigned, value.index, function_.op(id).loc);
  raise(value, label);
}

/// Joins `label` into `old`; true if that brought new origins. Labels only grow,
/// so that loops reach a fixpoint; the first path found is kept.
bool Dataflow::raise(Label &old, Label label) {
  Label joined = origins_.join(old, label);
  if (origins_.sameOrigins(old, joined))
    return false;
  old = joined;
  return true;
}

bool Dataflow::raise(State &head, const State &state) {
  if (head.size() != state.size()) { // not visited yet
    head = state;
    return true;
  }
  bool changed = false;
  for (size_t a = 0; a < head.size(); ++a) {
    Label joined = origins_.join(head[a].label, state[a].label);
    if (!origins_.sameOrigins(head[a].label, joined)) {
      head[a].label = joined;
      changed = true;
    }
    if (state[a].written && !head[a].written)
      head[a].written = changed = true;
  }
  return changed;
}

Dataflow::State Dataflow::joined(const State &a, const State &b) {
  State result = a;
  for (size_t i = 0; i < a.size(); ++i) {
    result[i].label = origins_.join(a[i].label, b[i].label);
    result[i].written = a[i].written || b[i].written;
  }
  return result;
}

Label Dataflow::joinAll(llvm::ArrayRef<ValueId> values) {
  Label all;
  for (ValueId v : values)
    all = origins_.join(all, label(v));
  return all;
}

} // namespace colonnade
