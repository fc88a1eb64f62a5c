//===- SeparateExits.cpp - What a loop carries on, and what it leaves with ===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (…) { if (a[i] < 0) break; *p++ = a[i]; }
//
// yields p + 1 or, if the loop ends on data, p. But the next iteration only ever
// sees p + 1: where it runs, the loop went on. So the carried value becomes
// p + 1 without a condition, uniform in all iterations, and the value after the loop
// is a twin that nothing inside reads. The step now also runs in the iteration that
// breaks, where its result is not used: it is marked speculative.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Rebuild.h"
#include "Normalize/Simplify.h"

namespace colonnade::canonical {

namespace {

class ExitSeparator : public Rebuilder {
public:
  ExitSeparator(const ir::Function &from, LeftOut &leftOut) : Rebuilder(from, leftOut) {
    used_.resize(from.values.size());
    opRegion_.resize(from.ops.size());
    for (size_t i = 0; i < from.regions.size(); ++i)
      for (OpId id : from.regions[i].ops) {
        opRegion_[id.index] = RegionId(i);
        for (ValueId operand : from.op(id).operands)
          used_[operand.index] = true;
      }
  }

private:
  ValueId nextValue(const ir::Op &loop, size_t i, ValueId given) override;
  bool hasExitTwin(const ir::Op &loop, size_t i) override;
  ValueId unguarded(const ir::Op &loop, size_t i);
  bool canSpeculate(ValueId v, RegionId body, unsigned depth) const;
  ValueId speculate(ValueId v, RegionId body);
  bool isAvailable(ValueId v, RegionId body) const;

  std::vector<bool> used_;         // by value
  std::vector<RegionId> opRegion_; // by operation
};

/// The value that the next iteration sees, if it can be computed without the
/// condition; else an invalid id.
ValueId ExitSeparator::unguarded(const ir::Op &loop, size_t i) {
  bool isFor = loop.opcode == Opcode::For;
  if (isFor && !loop.hasContinueFlag)
    return {};
  const ir::Op &end = from_.terminator(loop.regions.back());
  ValueId next = end.operands[isFor ? i : i + 1];
  if (!isFor &&
      from_.terminator(loop.regions[0]).operands[i + 1] != from_.region(loop.regions[0]).args[i])
    return {};
  KnownConditions continues(from_);
  continues.assume(end.operands[0], true);
  ValueId v = next;
  for (ValueId given = continues.given(v); given; given = continues.given(v))
    v = given;
  return v != next && canSpeculate(v, loop.regions.back(), 6) ? v : ValueId();
}

bool ExitSeparator::isAvailable(ValueId v, RegionId body) const {
  const ir::Value &value = from_.value(v);
  RegionId home = value.def ? opRegion_[value.def.index] : value.region;
  for (RegionId r = body;; r = opRegion_[from_.region(r).parent.index]) {
    if (r == home)
      return true;
    if (!from_.region(r).parent)
      return false;
  }
}

bool ExitSeparator::canSpeculate(ValueId v, RegionId body, unsigned depth) const {
  if (isAvailable(v, body))
    return true;
  const ir::Op *op = from_.definition(v);
  if (!op || depth == 0 || !ir::isInteger(from_.value(v).type))
    return false;
  if (op->opcode == Opcode::Constant)
    return true;
  if (!isRepeatable(*op))
    return false;
  for (ValueId operand : op->operands)
    if (!canSpeculate(operand, body, depth - 1))
      return false;
  return true;
}

ValueId ExitSeparator::speculate(ValueId v, RegionId body) {
  if (isAvailable(v, body))
    return map(v);
  const ir::Op &op = *from_.definition(v);
  if (op.opcode == Opcode::Constant)
    return fold_->constant(op.scalar);
  ir::Op copy = op;
  copy.results.clear();
  copy.speculative = true;
  for (ValueId &operand : copy.operands)
    operand = speculate(operand, body);
  OpId id = fold_->append(std::move(copy), from_.value(v).type);
  fold_->suggestName(out_.op(id).results[0], from_.value(v).name);
  return out_.op(id).results[0];
}

ValueId ExitSeparator::nextValue(const ir::Op &loop, size_t i, ValueId given) {
  ValueId v = unguarded(loop, i);
  return v ? speculate(v, loop.regions.back()) : map(given);
}

bool ExitSeparator::hasExitTwin(const ir::Op &loop, size_t i) {
  return used_[loop.results[i].index] && unguarded(loop, i);
}

} // namespace

ir::Function separateExits(const ir::Function &from, LeftOut &leftOut) {
  return ExitSeparator(from, leftOut).run();
}

} // namespace colonnade::canonical
