//===- RaiseLoads.cpp - Loads of branches, before them --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/RaiseLoads.h"

#include "IR/Clone.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class LoadRaiser {
public:
  LoadRaiser(const Function &from, const StripNest &nest)
      : from_(from), builder_(raised_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }), isOfNest_(from.ops.size()),
        isStored_(from.arrays.size()) {
    markRegion(from, from.op(nest.outer).regions[0], isOfNest_);
    for (size_t o = 0; o < from.ops.size(); ++o)
      if (isOfNest_[o] && from.ops[o].opcode == Opcode::Store)
        isStored_[from.ops[o].array.index] = true;
  }

  SunkStores run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(raised_);
  }

private:
  bool hook(OpId old);
  void raise(OpId branch);
  bool isKnownBefore(ValueId value) const {
    const Op *def = from_.definition(value);
    if (!def || !isInBranch_[from_.value(value).def.index])
      return true;
    return isPure(*def) && def->opcode != Opcode::Div && def->opcode != Opcode::Rem &&
           llvm::all_of(def->operands, [&](ValueId operand) { return isKnownBefore(operand); });
  }
  ValueId valueBefore(ValueId value);

  const Function &from_;
  SunkStores raised_;
  Builder builder_;
  Cloner cloner_;
  std::vector<bool> isOfNest_, isStored_; // by operation, by array
  std::vector<bool> isInBranch_;          // of the branch that is cloned; empty: none
};

} // namespace

bool LoadRaiser::hook(OpId old) {
  const Op &op = from_.op(old);
  if (op.opcode == Opcode::For) {
    raised_.loops[old] = cloner_.copy(old);
    return true;
  }
  if (op.opcode == Opcode::Load)
    return !isInBranch_.empty() && cloner_.isMapped(op.results[0]);
  if (op.opcode != Opcode::If || !isOfNest_[old.index] || !isInBranch_.empty() ||
      !from_.varying(op.operands[0]))
    return false;
  raise(old);
  return true;
}

void LoadRaiser::raise(OpId branch) {
  isInBranch_.assign(from_.ops.size(), false);
  for (RegionId arm : from_.op(branch).regions)
    markRegion(from_, arm, isInBranch_);
  std::vector<bool> isStoredIn(from_.arrays.size());
  for (size_t o = 0; o < from_.ops.size(); ++o)
    if (isInBranch_[o] && from_.ops[o].opcode == Opcode::Store)
      isStoredIn[from_.ops[o].array.index] = true;
  for (size_t o = 0; o < from_.ops.size(); ++o) {
    const Op &load = from_.ops[o];
    const bool isWanted = isInBranch_[o] && load.opcode == Opcode::Load && !load.masked &&
                          isStored_[load.array.index] && !isStoredIn[load.array.index];
    if (!isWanted ||
        !llvm::all_of(load.operands, [&](ValueId value) { return isKnownBefore(value); }))
      continue;
    Op op = load;
    for (ValueId &operand : op.operands)
      operand = valueBefore(operand);
    const OpId raised = builder_.append(std::move(op), {from_.value(load.results[0]).type});
    const ValueId value = builder_.result(raised);
    raised_.kernel.value(value).name = from_.value(load.results[0]).name;
    raised_.kernel.value(value).varying = from_.varying(load.results[0]);
    cloner_.set(load.results[0], value);
  }
  cloner_.copy(branch);
  isInBranch_.clear();
}

ValueId LoadRaiser::valueBefore(ValueId value) {
  const OpId def = from_.value(value).def;
  if (!def || !isInBranch_[def.index])
    return cloner_.map(value);
  Op op = from_.op(def);
  for (ValueId &operand : op.operands)
    operand = valueBefore(operand);
  const ValueId result = builder_.result(builder_.append(std::move(op), {from_.value(value).type}));
  raised_.kernel.value(result).varying = from_.varying(value);
  return result;
}

SunkStores colonnade::raiseLoads(const Function &kernel, const StripNest &nest) {
  return LoadRaiser(kernel, nest).run();
}
