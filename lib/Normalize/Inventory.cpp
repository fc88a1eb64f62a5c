//===- Inventory.cpp - What the passes after the walk keep ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Balance.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::canonical {

using ir::Op;
using ir::Opcode;

static constexpr size_t MaxLosses = 20;

static bool isEffect(const Op &op) {
  return op.opcode == Opcode::Load || op.opcode == Opcode::Store || op.opcode == Opcode::Check ||
         op.opcode == Opcode::Unsupported || op.choosesAddress;
}

/// Calls `visit` for every operation of `region`, with the numbered If, For or Loop around it
/// and the arm.
template <class F, class Visit>
static void forEach(F &function, RegionId region, uint32_t control, unsigned arm, Visit visit) {
  for (OpId id : function.region(region).ops) {
    auto &op = function.op(id);
    visit(op, control, arm);
    bool counts = op.provenance != 0;
    for (unsigned i = 0; i < op.regions.size(); ++i)
      forEach(function, op.regions[i], counts ? op.provenance : control, counts ? i : arm, visit);
  }
}

Inventory::Inventory(ir::Function &function) {
  forEach(function, function.body, 0, 0, [&](Op &op, uint32_t control, unsigned arm) {
    op.provenance = 0;
    if (!isEffect(op) && op.regions.empty())
      return;
    op.provenance = static_cast<uint32_t>(entries_.size());
    entries_.push_back({op.opcode, isEffect(op), op.loc, control, arm});
  });
}

static const char *nameOf(Opcode opcode) {
  switch (opcode) {
  case Opcode::Load:
    return "a read";
  case Opcode::Store:
    return "a write";
  case Opcode::Check:
    return "a check of what is assumed";
  case Opcode::If:
    return "a condition";
  case Opcode::For:
  case Opcode::Loop:
    return "a loop";
  default:
    return "a part that is not supported";
  }
}

std::vector<Loss> Inventory::missingFrom(const ir::Function &result, const LeftOut &leftOut) const {
  // By number. An arm that is never taken takes along what is in it; an If of which only one
  // arm is left is no longer around it. Neither is a Loop around its test, if it became an If.
  std::vector<bool> neverRuns(entries_.size()), mayMiss(entries_.size()), isThere(entries_.size());
  std::vector<std::pair<uint32_t, unsigned>> around(entries_.size());
  for (uint32_t i = 1; i < entries_.size(); ++i) {
    const Entry &entry = entries_[i];
    const uint32_t control = entry.control;
    const bool isLoop = entries_[control].opcode == Opcode::Loop, isTest = isLoop && entry.arm == 0;
    const unsigned arm = isLoop ? 0 : entry.arm;
    neverRuns[i] = neverRuns[control] || (!isTest && leftOut.arms.count({control, arm}));
    mayMiss[i] = neverRuns[i] || leftOut.checks.count(i) || leftOut.arms.count({i, 0}) ||
                 leftOut.arms.count({i, 1});
    const bool isOutside =
        isTest ? leftOut.once.count(control) : leftOut.arms.count({control, 1 - arm});
    around[i] = isOutside ? around[control] : std::pair(control, arm);
  }
  std::set<uint32_t> lost;
  forEach(result, result.body, 0, 0, [&](const Op &op, uint32_t control, unsigned arm) {
    if (!entries_[op.provenance].isEffect)
      return;
    isThere[op.provenance] = true;
    const bool isLoop = entries_[control].opcode == Opcode::Loop && !leftOut.once.count(control);
    if (around[op.provenance] != std::pair(control, isLoop ? 0 : arm))
      lost.insert(around[op.provenance].first ? around[op.provenance].first : op.provenance);
  });
  for (uint32_t i = 1; i < entries_.size(); ++i)
    if (entries_[i].isEffect && !isThere[i] && !mayMiss[i])
      lost.insert(i);
  std::vector<Loss> losses;
  for (uint32_t i : lost)
    if (losses.size() < MaxLosses)
      losses.push_back({entries_[i].loc, nameOf(entries_[i].opcode)});
  return losses;
}

} // namespace colonnade::canonical
