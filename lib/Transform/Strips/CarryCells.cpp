//===- CarryCells.cpp - Cells that a loop's iterations hand on ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/CarryCells.h"

#include "IR/Clone.h"
#include "IR/ValueNumbering.h"
#include "Transform/Strips/StripNest.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class CellCarrier {
public:
  CellCarrier(const Function &from, llvm::ArrayRef<CellReuse> reuse)
      : from_(from), reuse_(reuse), builder_(carried_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }), regionOf_(from.ops.size()),
        nextAccess_(freshAccess(from)) {
    for (size_t r = 0; r < from.regions.size(); ++r)
      for (OpId id : from.regions[r].ops)
        regionOf_[id.index] = RegionId(r);
  }

  CarriedCells run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(carried_);
  }

private:
  bool hook(OpId old);
  void loop(OpId old, llvm::ArrayRef<OpId> loads);
  std::vector<OpId> loadsBefore(OpId loop) const;
  bool isInside(OpId op, RegionId body) const;
  bool isKnownFirst(ValueId value, RegionId body) const;
  ValueId first(ValueId value, RegionId body, ValueId low);
  ValueId loadFirst(OpId load, RegionId body, ValueId low);
  /// Of a load or store: what is in the cell behind it.
  ValueId valueOf(OpId access) const {
    const Op &op = from_.op(access);
    return op.opcode == Opcode::Load ? op.results[0] : accessOperands(op).stored;
  }

  const Function &from_;
  llvm::ArrayRef<CellReuse> reuse_;
  CarriedCells carried_;
  Builder builder_;
  Cloner cloner_;
  std::vector<RegionId> regionOf_;
  uint32_t nextAccess_;
};

} // namespace

bool CellCarrier::isInside(OpId op, RegionId body) const {
  for (; op; op = from_.region(regionOf_[op.index]).parent)
    if (regionOf_[op.index] == body)
      return true;
  return false;
}

/// It follows from the counter and from what is there before the loop, by operations that may be
/// done where the load's branch is not taken.
bool CellCarrier::isKnownFirst(ValueId value, RegionId body) const {
  const Op *def = from_.definition(value);
  const RegionId region = from_.value(value).region;
  if (!def && region == body)
    return from_.region(body).args[0] == value;
  if (!def)
    return !isInside(from_.region(region).parent, body);
  if (!isInside(from_.value(value).def, body))
    return true;
  return isPure(*def) && def->opcode != Opcode::Div && def->opcode != Opcode::Rem &&
         llvm::all_of(def->operands, [&](ValueId operand) { return isKnownFirst(operand, body); });
}

/// The value in the first iteration, before the loop.
ValueId CellCarrier::first(ValueId value, RegionId body, ValueId low) {
  if (from_.region(body).args[0] == value)
    return low;
  const OpId def = from_.value(value).def;
  if (!def || !isInside(def, body))
    return cloner_.map(value);
  Op op = from_.op(def);
  for (ValueId &operand : op.operands)
    operand = first(operand, body, low);
  const ScalarType type = from_.value(value).type;
  const ValueId result = builder_.result(builder_.append(std::move(op), {type}));
  builder_.function().value(result).varying = from_.varying(value);
  return result;
}

ValueId CellCarrier::loadFirst(OpId load, RegionId body, ValueId low) {
  Op op = from_.op(load);
  op.accessId = nextAccess_++;
  for (ValueId &operand : op.operands)
    operand = first(operand, body, low);
  const ValueId old = op.results[0];
  carried_.firsts.push_back(builder_.append(std::move(op), {from_.value(old).type}));
  const ValueId result = builder_.result(carried_.firsts.back());
  builder_.function().value(result).name = from_.value(old).name;
  builder_.function().value(result).varying = from_.varying(old);
  return result;
}

std::vector<OpId> CellCarrier::loadsBefore(OpId loop) const {
  std::vector<OpId> loads;
  const RegionId body = from_.op(loop).regions[0];
  for (size_t o = 0; o < reuse_.size(); ++o) {
    const AccessOperands parts =
        reuse_[o].loop == loop ? accessOperands(from_.ops[o]) : AccessOperands();
    const auto isKnown = [&](ValueId value) { return isKnownFirst(value, body); };
    if (reuse_[o].loop == loop && llvm::all_of(parts.subscripts, isKnown) &&
        llvm::all_of(parts.radices, isKnown))
      loads.push_back(OpId(o));
  }
  return loads;
}

bool CellCarrier::hook(OpId old) {
  const Op &op = from_.op(old);
  if (op.opcode == Opcode::For) {
    loop(old, loadsBefore(old));
    return true;
  }
  const CellReuse &reuse = reuse_[old.index];
  if (op.opcode == Opcode::Load && cloner_.isMapped(op.results[0]) &&
      reuse.kind == CellReuse::Kind::IterationBefore)
    return true; // carried
  if (reuse.kind != CellReuse::Kind::SameIteration)
    return false;
  cloner_.set(op.results[0], cloner_.map(valueOf(reuse.from)));
  return true;
}

/// Those that are loaded from one cell again and again are no values to carry.
void CellCarrier::loop(OpId old, llvm::ArrayRef<OpId> loads) {
  const Op &op = from_.op(old);
  const RegionId oldBody = op.regions[0];
  llvm::SmallVector<ValueId, 4> operands = cloner_.map(op.operands);
  std::vector<OpId> carried;
  for (OpId load : loads) {
    const ValueId init = loadFirst(load, oldBody, operands[0]);
    if (reuse_[load.index].from == load) {
      cloner_.set(from_.op(load).results[0], init);
      continue;
    }
    carried.push_back(load);
    operands.push_back(init);
  }
  const OpId fresh = builder_.createFor(operands[0], operands[1], operands[2], op.predicate,
                                        op.hasContinueFlag, llvm::ArrayRef(operands).drop_front(3));
  carried_.loops[old] = fresh;
  Function &kernel = carried_.kernel;
  const RegionId body = kernel.op(fresh).regions[0];
  Op &made = kernel.op(fresh);
  made.postTest = op.postTest;
  made.dataEnds = op.dataEnds;
  made.unrolling = op.unrolling;
  made.index = op.index;
  made.loc = op.loc;
  const auto become = [&](ValueId from, ValueId to) {
    kernel.value(to).name = from_.value(from).name;
    kernel.value(to).varying = from_.varying(from);
  };
  for (auto [arg, now] : llvm::zip(from_.region(oldBody).args, kernel.region(body).args)) {
    become(arg, now);
    cloner_.set(arg, now);
  }
  for (auto [load, now] :
       llvm::zip(carried, llvm::ArrayRef(kernel.region(body).args).take_back(carried.size()))) {
    become(from_.op(load).results[0], now);
    cloner_.set(from_.op(load).results[0], now);
  }
  {
    const InsertionScope scope(builder_);
    builder_.setRegion(body);
    cloner_.cloneOpsButTerminator(oldBody);
    llvm::SmallVector<ValueId, 4> yielded = cloner_.map(from_.terminator(oldBody).operands);
    for (OpId load : carried)
      yielded.push_back(cloner_.map(valueOf(reuse_[load.index].from)));
    builder_.yield(yielded);
  }
  for (auto [result, now] : llvm::zip(op.results, kernel.op(fresh).results)) {
    become(result, now);
    cloner_.set(result, now);
  }
}

CarriedCells colonnade::carryCells(const Function &kernel, llvm::ArrayRef<CellReuse> reuse) {
  return CellCarrier(kernel, reuse).run();
}
