//===- Slice.cpp - What the certificate needs of a function ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/Slice.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

Slice::Slice(const ir::Function &function, const Dataflow &dataflow)
    : function_(function), dataflow_(dataflow), values_(function.values.size()),
      ops_(function.ops.size()), arrays_(function.arrays.size()), stored_(function.arrays.size()),
      regionOf_(function.ops.size()) {
  addRoots(function.body);
  while (!worklist_.empty()) {
    ValueId id = worklist_.back();
    worklist_.pop_back();
    const ir::Value &value = function_.value(id);
    if (value.def)
      followResult(value.def, value.index);
    else if (value.region != function_.body)
      followArgument(value.region, value.index);
  }
}

bool Slice::keepsContinueFlag(OpId id) const {
  const Op &op = function_.op(id);
  return op.hasContinueFlag && dataflow_.uniform(function_.terminator(op.regions[0]).operands[0]);
}

void Slice::need(ValueId id) {
  if (!dataflow_.uniform(id)) {
    isUniform_ = false;
    return;
  }
  if (values_[id.index])
    return;
  values_[id.index] = true;
  worklist_.push_back(id);
}

void Slice::need(ArrayId id) {
  if (arrays_[id.index])
    return;
  arrays_[id.index] = true;
  for (ValueId value : stored_[id.index])
    need(value);
}

void Slice::addRoots(RegionId region) {
  for (OpId id : function_.region(region).ops) {
    const Op &op = function_.op(id);
    regionOf_[id.index] = region;
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store) {
      ir::AccessOperands access = ir::accessOperands(op);
      for (ValueId v : access.subscripts)
        need(v);
      for (ValueId v : access.radices)
        need(v);
      if (op.opcode == Opcode::Store && dataflow_.uniform(access.stored))
        stored_[op.array.index].push_back(access.stored);
      keepAncestors(region);
    }
    if (op.opcode == Opcode::Check && dataflow_.uniform(op.operands[0]))
      need(op.operands[0]);
    for (RegionId nested : op.regions)
      addRoots(nested);
  }
}

void Slice::keepAncestors(RegionId region) {
  for (OpId parent = function_.region(region).parent; parent;
       parent = function_.region(regionOf_[parent.index]).parent) {
    if (ops_[parent.index])
      return;
    keep(parent);
  }
}

/// Keeps a structured operation: what decides how often its regions run.
void Slice::keep(OpId id) {
  if (ops_[id.index])
    return;
  ops_[id.index] = true;
  const Op &op = function_.op(id);
  if (op.opcode == Opcode::If && dataflow_.divergence(id).uniform())
    need(op.operands[0]);
  if (op.opcode == Opcode::For) {
    for (ValueId v : llvm::ArrayRef(op.operands).take_front(3))
      need(v);
    if (keepsContinueFlag(id))
      need(function_.terminator(op.regions[0]).operands[0]);
  }
  if (op.opcode == Opcode::Loop) {
    need(function_.terminator(op.regions[0]).operands[0]);
    need(function_.terminator(op.regions[1]).operands[0]);
  }
}

void Slice::followResult(OpId id, unsigned result) {
  const Op &op = function_.op(id);
  bool divergent = !dataflow_.divergence(id).uniform();
  switch (op.opcode) {
  case Opcode::If:
    for (RegionId region : op.regions)
      need(function_.terminator(region).operands[result]);
    if (!divergent) {
      keep(id);
      keepAncestors(regionOf_[id.index]);
    }
    return;
  case Opcode::For:
    if (result > 0)
      need(op.operands[result + 2]);
    if (divergent) // the value is the same as before the loop
      return;
    if (result > 0)
      need(function_.region(op.regions[0]).args[result]);
    break;
  case Opcode::Loop:
    if (divergent)
      return need(op.operands[result]);
    for (RegionId region : op.regions)
      need(function_.terminator(region).operands[result + 1]);
    break;
  case Opcode::Load:
    return need(op.array); // its subscripts are roots
  default:
    for (ValueId v : op.operands)
      need(v);
    return;
  }
  keep(id);
  keepAncestors(regionOf_[id.index]);
}

void Slice::followArgument(RegionId region, unsigned index) {
  OpId id = function_.region(region).parent;
  const Op &op = function_.op(id);
  keep(id);
  keepAncestors(regionOf_[id.index]);
  if (op.opcode == Opcode::For) {
    if (index == 0)
      return; // the bounds are kept
    need(op.operands[index + 2]);
    need(function_.terminator(region).operands[index - 1 + op.hasContinueFlag]);
    return;
  }
  if (region == op.regions[1])
    return need(function_.terminator(op.regions[0]).operands[index + 1]);
  need(op.operands[index]);
  need(function_.terminator(op.regions[1]).operands[index + 1]);
}

bool Slice::keepsSlot(const Op &loop, unsigned index) const {
  return needs(loop.results[index]) || needs(function_.region(loop.regions[0]).args[index]) ||
         needs(function_.region(loop.regions[1]).args[index]);
}

} // namespace colonnade
