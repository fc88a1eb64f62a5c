//===- KnownConditions.cpp - What is known of conditions on the way here ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/KnownConditions.h"

namespace colonnade::canonical {

using ir::Opcode;

// A chain of thousands of conditions (`a || b || …`, the cases of a switch) hangs together
// from its first to its last. Without limits, each new condition would go through all before it.
static constexpr size_t MaxConsequences = 64; // of one assumption, the nearest first
static constexpr unsigned MaxIfs = 16;        // looked through for one question

void KnownConditions::assume(ValueId cond, bool truth) {
  std::vector<std::pair<ValueId, bool>> work = {{cond, truth}};
  for (size_t next = 0; next < work.size() && next < MaxConsequences; ++next) {
    auto [v, holds] = work[next];
    if (function_.constant(v) || !truths_.try_emplace(v.index, holds).second)
      continue;
    log_.push_back(v.index);
    const ir::Op *op = function_.definition(v);
    if (!op)
      continue;
    if (op->opcode == Opcode::Not)
      work.push_back({op->operands[0], !holds});
    if ((op->opcode == Opcode::And && holds) || (op->opcode == Opcode::Or && !holds)) {
      work.push_back({op->operands[0], holds});
      work.push_back({op->operands[1], holds});
    }
    if (op->opcode != Opcode::If)
      continue;
    if (ValueId fromArm = given(v))
      work.push_back({fromArm, holds});
    // An arm that yields the opposite was not taken.
    uint32_t index = function_.value(v).index;
    for (unsigned arm = 0; arm < 2; ++arm) {
      ValueId given = function_.terminator(op->regions[arm]).operands[index];
      const ir::Scalar *constant = function_.constant(given);
      if (!constant || (constant->bits != 0) == holds)
        continue;
      work.push_back({op->operands[0], arm != 0});
      work.push_back({function_.terminator(op->regions[1 - arm]).operands[index], holds});
    }
  }
}

void KnownConditions::forgetSince(size_t mark) {
  while (log_.size() > mark) {
    truths_.erase(log_.back());
    log_.pop_back();
  }
}

std::optional<bool> KnownConditions::known(ValueId cond) const {
  unsigned ifs = MaxIfs;
  return known(cond, ifs);
}

ValueId KnownConditions::given(ValueId v) const {
  unsigned ifs = MaxIfs;
  return given(v, ifs);
}

std::optional<bool> KnownConditions::known(ValueId cond, unsigned &ifs) const {
  bool flip = false;
  for (;;) {
    if (const ir::Scalar *constant = function_.constant(cond))
      return (constant->bits != 0) != flip;
    auto it = truths_.find(cond.index);
    if (it != truths_.end())
      return it->second != flip;
    if (ValueId fromArm = given(cond, ifs)) {
      cond = fromArm;
      continue;
    }
    const ir::Op *op = function_.definition(cond);
    if (!op || op->opcode != Opcode::Not)
      return std::nullopt;
    cond = op->operands[0];
    flip = !flip;
  }
}

ValueId KnownConditions::given(ValueId v, unsigned &ifs) const {
  const ir::Op *op = function_.definition(v);
  if (!op || op->opcode != Opcode::If || ifs == 0)
    return {};
  --ifs;
  std::optional<bool> truth = known(op->operands[0], ifs);
  if (!truth)
    return {};
  return function_.terminator(op->regions[*truth ? 0 : 1]).operands[function_.value(v).index];
}

} // namespace colonnade::canonical
