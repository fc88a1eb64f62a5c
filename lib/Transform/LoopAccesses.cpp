//===- LoopAccesses.cpp - Which cells a loop's iterations access ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/LoopAccesses.h"

#include "IR/KernelFacts.h"
#include "Transform/SharedRows.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

LoopAccessWalk::LoopAccessWalk(const Function &function, uint64_t maxSteps)
    : KnownWalk(function, maxSteps), stored_(function.arrays.size()) {
  for (auto [a, array] : llvm::enumerate(function.arrays))
    stored_[a].resize(array.constantCells().value_or(0));
}

bool LoopAccessWalk::iteration(OpId loop, uint64_t number) {
  if (number == 0)
    run_ = ++numRuns_;
  iteration_ = number;
  return KnownWalk::iteration(loop, number);
}

void LoopAccessWalk::note(OpId load, const Stored &stored) {
  Distance &distance = distances_[load.index];
  const bool isOfRun = stored.run == run_;
  if (isOfRun)
    distance.least = std::min(distance.least, iteration_ - stored.iteration);
  if (iteration_ == 0)
    return;
  distance.isNext &=
      isOfRun && iteration_ - stored.iteration == 1 && (!distance.by || distance.by == stored.by);
  distance.by = stored.by;
}

void LoopAccessWalk::noteOrder(OpId access, int64_t cell) {
  Progress &progress = orders_[access.index];
  Order &order = progress.order;
  if (progress.number == 0)
    order.start = cell;
  else if (iteration_ == 0)
    while ((cell - order.start) % order.modulo != 0)
      order.modulo /= 2;
  else if (order.step == 0)
    order.step = cell - progress.last;
  else
    order.isKnown &= cell - progress.last == order.step;
  progress.last = cell;
  ++progress.number;
}

bool LoopAccessWalk::access(OpId id, std::optional<int64_t> cell) {
  const Op &op = function_.op(id);
  std::vector<Stored> &cells = stored_[op.array.index];
  if (function_.array(op.array).isSharedInput())
    return true;
  if (!cell || *cell < 0 || static_cast<uint64_t>(*cell) >= cells.size())
    return false;
  noteOrder(id, *cell);
  Stored &stored = cells[static_cast<size_t>(*cell)];
  if (op.opcode == Opcode::Load)
    note(id, stored);
  else
    stored = {run_, iteration_, id};
  return true;
}

/// Of an access of a loop that is unrolled and has so many iterations; or where loops around it
/// decide how many, which are unrolled, too.
static bool isOfUnit(const LoopAccessWalk::Order &order, std::optional<int64_t> iterations,
                     ScalarType cell) {
  const auto perUnit = static_cast<int64_t>(UnitBytes / sizeBytes(cell));
  return order.isKnown && std::abs(order.step) == 1 && order.beginsUnit(perUnit) &&
         iterations.value_or(0) % perUnit == 0;
}

std::vector<bool> colonnade::accessedInUnits(const Function &function, WalkBudget &budget) {
  LoopAccessWalk walk(function, budget.left);
  const bool isKnown = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  std::vector<uint64_t> all(function.arrays.size()), ofUnits(function.arrays.size());
  const auto isAccess = [](const Op &op) {
    return op.opcode == Opcode::Load || op.opcode == Opcode::Store;
  };
  for (auto [o, op] : llvm::enumerate(function.ops))
    if (isAccess(op))
      all[op.array.index] += walk.number(OpId(static_cast<uint32_t>(o)));
  for (const Op &loop : function.ops) {
    if (loop.opcode != Opcode::For || loop.unrolling.kind != Unrolling::Kind::Fully)
      continue;
    const std::optional<int64_t> iterations = constantIterations(function, loop);
    for (OpId id : function.region(loop.regions[0]).ops) {
      const Op &op = function.op(id);
      if (isAccess(op) && isOfUnit(walk.order(id), iterations, function.array(op.array).cell))
        ofUnits[op.array.index] += walk.number(id);
    }
  }
  std::vector<bool> result(function.arrays.size());
  for (size_t a = 0; a < result.size(); ++a)
    result[a] = isKnown && 2 * ofUnits[a] > all[a];
  return result;
}
