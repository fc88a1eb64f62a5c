//===- LinearLoops.cpp - Loops whose ends decide about addresses ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass in the order of the text: every loop that could be linear is taken to
// be, until a use of its counter says otherwise.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/LinearLoops.h"

#include <algorithm>
#include <iterator>

using namespace colonnade;
using namespace colonnade::ir;

LinearLoops::LinearLoops(const Function &certificate, const std::vector<bool> &read)
    : function_(certificate), read_(read), counters_(certificate.values.size()),
      used_(certificate.values.size()) {
  for (const Op &op : certificate.ops)
    for (ValueId operand : op.operands)
      used_[operand.index] = true;
  Counters around;
  visitRegion(certificate.body, around);
}

bool LinearLoops::isLinear(const Op &loop) const {
  return linear_.count(function_.region(loop.regions[0]).args[0].index);
}

bool LinearLoops::depends(ValueId value) const {
  return std::any_of(counters_[value.index].begin(), counters_[value.index].end(),
                     [&](uint32_t counter) { return linear_.count(counter); });
}

void LinearLoops::forbid(const Counters &counters) {
  for (uint32_t counter : counters)
    linear_.erase(counter);
}

void LinearLoops::forbid(llvm::ArrayRef<ValueId> values) {
  for (ValueId value : values)
    forbid(counters_[value.index]);
}

/// Nothing but its counter goes from one iteration to the next, and nothing out of it. A
/// counter narrower than int wraps where C's promotion makes it.
bool LinearLoops::mayBeLinear(const Op &loop) const {
  const Region &body = function_.region(loop.regions[0]);
  return body.args.size() == 1 && !loop.hasContinueFlag && !loop.postTest &&
         !used_[loop.results[0].index] && bitWidth(function_.value(body.args[0]).type) >= 32;
}

void LinearLoops::visitRegion(RegionId region, Counters &around) {
  for (OpId id : function_.region(region).ops)
    visit(function_.op(id), around);
}

void LinearLoops::visit(const Op &op, Counters &around) {
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    return visitAccess(op, around);
  case Opcode::For: {
    forbid(op.operands);
    uint32_t counter = function_.region(op.regions[0]).args[0].index;
    bool candidate = mayBeLinear(op);
    if (candidate) {
      linear_.insert(counter);
      counters_[counter] = {counter};
      around.insert(counter);
    }
    visitRegion(op.regions[0], around);
    if (candidate)
      around.erase(counter);
    return;
  }
  case Opcode::If:
  case Opcode::Loop:
    forbid(op.operands);
    for (RegionId region : op.regions)
      visitRegion(region, around);
    return;
  default:
    return visitScalar(op);
  }
}

void LinearLoops::visitAccess(const Op &op, const Counters &around) {
  AccessOperands access = accessOperands(op);
  forbid(access.radices);
  if (!read_[op.array.index])
    return;
  // Contents that decide about addresses: every iteration may matter.
  forbid(access.subscripts);
  if (op.opcode == Opcode::Store)
    forbid(around);
}

void LinearLoops::visitScalar(const Op &op) {
  bool isScalar = op.results.size() == 1 && isInteger(function_.value(op.results[0]).type) &&
                  std::all_of(op.operands.begin(), op.operands.end(),
                              [&](ValueId v) { return isInteger(function_.value(v).type); });
  bool isLinearOp = op.opcode == Opcode::Add || op.opcode == Opcode::Sub ||
                    op.opcode == Opcode::Neg || op.opcode == Opcode::Cast;
  if (op.opcode == Opcode::Mul) { // linear in each if they share no counter
    const Counters &a = counters_[op.operands[0].index], &b = counters_[op.operands[1].index];
    Counters both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(both, both.begin()));
    forbid(both);
    isLinearOp = true;
  }
  if (op.opcode == Opcode::Shl)
    isLinearOp = function_.constant(op.operands[1]) != nullptr;
  if (!isScalar || !isLinearOp)
    return forbid(op.operands);
  for (ValueId operand : op.operands)
    counters_[op.results[0].index].insert(counters_[operand.index].begin(),
                                          counters_[operand.index].end());
}
