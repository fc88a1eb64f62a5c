//===- Simplify.cpp - Drops what nothing needs ----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needed are accesses, choices of an address, checks, unsupported constructs, the
// control around them, and what these use: found backwards from there, so values that
// only feed each other around a loop are not. Carried values that never change are
// replaced by their initial value. Loads stay even if unused: they are part of the trace.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Simplify.h"
#include "Normalize/Rebuild.h"

namespace colonnade::canonical {

namespace {

class Simplifier : public Rebuilder {
public:
  Simplifier(const ir::Function &from, LeftOut &leftOut) : Rebuilder(from, leftOut) {
    replaced_.resize(from.values.size());
    needed_.resize(from.values.size());
    effect_.resize(from.ops.size());
    findInvariants(from.body);
    findEffects(from.body);
    markFromEffects(from.body);
    propagate();
  }

private:
  void visit(OpId id) override {
    const ir::Op &op = from_.op(id);
    if (op.regions.empty() || effect_[id.index])
      return Rebuilder::visit(id);
    for (ValueId result : op.results)
      if (needed_[result.index])
        return Rebuilder::visit(id);
  }
  bool isNeeded(ValueId old) const override { return needed_[old.index]; }
  ValueId resolve(ValueId v) const override {
    while (replaced_[v.index])
      v = replaced_[v.index];
    return v;
  }

  void findInvariants(RegionId region);
  void findInvariantsOf(const ir::Op &op);
  void findUnchangedByIterations(const ir::Op &op);
  bool findEffects(RegionId region);
  void markFromEffects(RegionId region);
  void markControl(const ir::Op &op);
  void mark(ValueId v);
  void propagate();
  void markTied(const ir::Op &op, size_t index);

  std::vector<ValueId> replaced_; // by old value
  std::vector<bool> needed_;
  std::vector<bool> effect_; // by old operation
  std::vector<ValueId> work_;
};

void Simplifier::findInvariants(RegionId region) {
  for (OpId id : from_.region(region).ops) {
    const ir::Op &op = from_.op(id);
    for (RegionId inner : op.regions)
      findInvariants(inner);
    if (!op.regions.empty())
      findInvariantsOf(op);
  }
}

/// Inner operations first: what they give out is resolved already.
void Simplifier::findInvariantsOf(const ir::Op &op) {
  bool isFor = op.opcode == Opcode::For, isLoop = op.opcode == Opcode::Loop;
  for (size_t i = isFor; i < op.results.size() && op.opcode == Opcode::If; ++i) {
    ValueId a = resolve(from_.terminator(op.regions[0]).operands[i]);
    ValueId b = resolve(from_.terminator(op.regions[1]).operands[i]);
    if (a == b)
      replaced_[op.results[i].index] = a;
  }
  if (isLoop || (isFor && op.hasContinueFlag))
    findUnchangedByIterations(op);
  for (size_t i = isFor; i < op.results.size() && (isFor || isLoop); ++i) {
    ValueId init = resolve(op.operands[isFor ? i + 2 : i]);
    bool same = true;
    for (RegionId region : op.regions) {
      const ir::Op &end = from_.terminator(region);
      ValueId next = resolve(end.operands[isFor ? i - 1 + op.hasContinueFlag : i + 1]);
      same &= next == resolve(from_.region(region).args[i]) || next == init;
    }
    if (!same)
      continue;
    replaced_[op.results[i].index] = init;
    for (RegionId region : op.regions)
      replaced_[from_.region(region).args[i].index] = init;
  }
}

/// Carried values that have their initial value whenever the loop goes on, so at the start
/// of every iteration: a flag that ends the loop when it is set is one.
void Simplifier::findUnchangedByIterations(const ir::Op &op) {
  bool isFor = op.opcode == Opcode::For;
  RegionId body = op.regions.back();
  const ir::Op &end = from_.terminator(body);
  KnownConditions continues(from_);
  continues.assume(end.operands[0], true);
  for (size_t i = isFor; i < op.results.size(); ++i) {
    ValueId init = resolve(op.operands[isFor ? i + 2 : i]);
    ValueId first = from_.region(op.regions[0]).args[i];
    if (!isFor && from_.terminator(op.regions[0]).operands[i + 1] != first)
      continue;
    ValueId next = end.operands[isFor ? i - 1 + op.hasContinueFlag : i + 1];
    for (ValueId given = continues.given(next); given; given = continues.given(next))
      next = given;
    next = resolve(next);
    const ir::Scalar *constant = from_.constant(init), *given = from_.constant(next);
    std::optional<bool> truth;
    if (from_.value(next).type == ir::ScalarType::Bool)
      truth = continues.known(next);
    bool same = next == init || next == from_.region(body).args[i] ||
                (constant && given && *constant == *given) ||
                (constant && truth && *truth == (constant->bits != 0));
    for (RegionId region : op.regions)
      if (same)
        replaced_[from_.region(region).args[i].index] = init;
  }
}

bool Simplifier::findEffects(RegionId region) {
  bool any = false;
  for (OpId id : from_.region(region).ops) {
    const ir::Op &op = from_.op(id);
    bool effect = op.opcode == Opcode::Load || op.opcode == Opcode::Store ||
                  op.opcode == Opcode::Check || op.opcode == Opcode::Unsupported ||
                  op.choosesAddress; // also where the same is found at each address
    for (RegionId inner : op.regions)
      effect |= findEffects(inner);
    effect_[id.index] = effect;
    any |= effect;
  }
  return any;
}

void Simplifier::markFromEffects(RegionId region) {
  for (OpId id : from_.region(region).ops) {
    const ir::Op &op = from_.op(id);
    if (op.opcode == Opcode::Return)
      for (ValueId operand : op.operands)
        mark(operand);
    if (!effect_[id.index])
      continue;
    if (op.regions.empty())
      for (ValueId operand : op.operands)
        mark(operand);
    else
      markControl(op);
    for (RegionId inner : op.regions)
      markFromEffects(inner);
  }
}

void Simplifier::markControl(const ir::Op &op) {
  if (op.opcode == Opcode::If)
    return mark(op.operands[0]);
  if (op.opcode == Opcode::For) {
    for (size_t i = 0; i < 3; ++i)
      mark(op.operands[i]);
    if (op.hasContinueFlag)
      mark(from_.terminator(op.regions[0]).operands[0]);
    return;
  }
  for (RegionId region : op.regions)
    mark(from_.terminator(region).operands[0]);
}

void Simplifier::mark(ValueId v) {
  v = resolve(v);
  if (needed_[v.index])
    return;
  needed_[v.index] = true;
  work_.push_back(v);
}

/// A carried value: its initial value, arguments, next values and result live
/// and die together.
void Simplifier::markTied(const ir::Op &op, size_t index) {
  markControl(op);
  mark(op.results[index]);
  if (op.opcode == Opcode::If) {
    for (RegionId region : op.regions)
      mark(from_.terminator(region).operands[index]);
    return;
  }
  bool isFor = op.opcode == Opcode::For;
  for (RegionId region : op.regions)
    mark(from_.region(region).args[index]);
  if (isFor && index == 0)
    return;
  mark(op.operands[isFor ? index + 2 : index]);
  for (RegionId region : op.regions)
    mark(from_.terminator(region).operands[isFor ? index - 1 + op.hasContinueFlag : index + 1]);
}

void Simplifier::propagate() {
  while (!work_.empty()) {
    ValueId v = work_.back();
    work_.pop_back();
    const ir::Value &value = from_.value(v);
    if (!value.def) {
      OpId parent = from_.region(value.region).parent;
      if (parent)
        markTied(from_.op(parent), value.index);
      continue;
    }
    const ir::Op &op = from_.op(value.def);
    if (!op.regions.empty())
      markTied(op, value.index);
    else
      for (ValueId operand : op.operands)
        mark(operand);
  }
}

} // namespace

ir::Function simplify(const ir::Function &from, LeftOut &leftOut) {
  return Simplifier(from, leftOut).run();
}

void finishAccesses(ir::Function &function, const std::set<std::string> &optional) {
  uint32_t next = 0;
  for (ir::Array &array : function.arrays)
    array.reads = array.writes = false;
  std::vector<std::pair<RegionId, size_t>> work = {{function.body, 0}};
  while (!work.empty()) {
    auto [region, i] = work.back();
    if (i == function.region(region).ops.size()) {
      work.pop_back();
      continue;
    }
    ++work.back().second;
    ir::Op &op = function.op(function.region(region).ops[i]);
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store) {
      op.accessId = next++;
      (op.opcode == Opcode::Load ? function.array(op.array).reads
                                 : function.array(op.array).writes) = true;
    }
    for (size_t k = op.regions.size(); k-- > 0;)
      work.push_back({op.regions[k], 0});
  }
  std::vector<ArrayId> renumbered(function.arrays.size());
  std::vector<ir::Array> kept;
  for (size_t i = 0; i < function.arrays.size(); ++i) {
    ir::Array &array = function.arrays[i];
    bool own = !array.isPassed() || optional.count(array.name);
    if (own && !array.reads && !array.writes)
      continue;
    renumbered[i] = ArrayId(kept.size());
    kept.push_back(std::move(array));
  }
  function.arrays = std::move(kept);
  for (ir::Op &op : function.ops)
    if (op.array)
      op.array = renumbered[op.array.index];
}

} // namespace colonnade::canonical
