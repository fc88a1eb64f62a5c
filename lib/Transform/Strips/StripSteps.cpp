//===- StripSteps.cpp - Rows of a nest together, step by step -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/StripSteps.h"

#include "Transform/Strips/CarryCells.h"
#include "Transform/Strips/DeadStores.h"
#include "Transform/Strips/MergeCarried.h"
#include "Transform/Strips/NestOrder.h"
#include "Transform/Strips/RaiseLoads.h"
#include "Transform/Strips/SinkStores.h"
#include "Transform/UnusedValues.h"
#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static constexpr const char *TooLong = "there are too many operations to follow";

/// Loads of the nest of what an iteration has, or the one before it had.
static std::optional<CarriedCells> withoutReuse(const Function &kernel, llvm::ArrayRef<OpId> inner,
                                                const std::vector<bool> &isOfNest,
                                                WalkBudget &budget) {
  const auto reuse = findCellReuse(kernel, inner, isOfNest, budget);
  return reuse ? std::optional(carryCells(kernel, *reuse)) : std::nullopt;
}

static StripNest moved(StripNest nest, const std::map<OpId, OpId> &loops) {
  nest.outer = loops.at(nest.outer);
  nest.inner = loops.at(nest.inner);
  return nest;
}

/// What rows hand on to each other in cells is in registers.
static StripSteps withoutCells(JammedNest jammed, WalkBudget &budget) {
  std::vector<bool> isJammed;
  for (auto [op, origin] : llvm::zip_equal(jammed.kernel->ops, jammed.origins)) {
    isJammed.push_back(origin.op.valid());
    op.guarded = op.guarded && !isJammed.back(); // the walk has seen each of its cells
  }
  const auto strips = withoutReuse(*jammed.kernel, jammed.inner, isJammed, budget);
  if (!strips)
    return {std::nullopt, TooLong};
  // Of what is loaded before the rows, too, one row may have what another one loads.
  std::vector<bool> isFirst(strips->kernel.ops.size());
  for (OpId load : strips->firsts)
    isFirst[load.index] = true;
  auto last = withoutReuse(strips->kernel, {}, isFirst, budget);
  if (!last)
    return {std::nullopt, TooLong};
  const auto now = [&](OpId loop) { return last->loops.at(strips->loops.at(loop)); };
  StripSteps steps = {std::move(last->kernel), "", now(jammed.blocks), {}};
  for (OpId inner : jammed.inner)
    steps.inner.push_back(now(inner));
  mergeCarried(*steps.kernel);
  dropDeadStores(*steps.kernel, budget);
  dropUnusedValues(*steps.kernel);
  spreadVarying(*steps.kernel);
  return steps;
}

/// Whether all that operations need is there.
static bool isWhole(const Function &kernel) {
  return llvm::all_of(kernel.ops, [&](const Op &op) {
    return llvm::all_of(op.operands,
                        [&](ValueId value) { return value.index < kernel.values.size(); });
  });
}

/// `from`: its stores are sunk, its loads raised.
static StripSteps stripsOfSunk(const Function &from, const StripNest &nest, uint64_t rows,
                               Dependences dependences, WalkBudget &budget) {
  std::vector<bool> isOfNest(from.ops.size());
  markRegion(from, from.op(nest.outer).regions[0], isOfNest);
  const auto carried = withoutReuse(from, {nest.inner}, isOfNest, budget);
  if (!carried)
    return {std::nullopt, TooLong};
  const StripNest own = moved(nest, carried->loops);
  JammedNest jammed = jamNest(carried->kernel, own, rows);
  if (!jammed.kernel)
    return {std::nullopt, jammed.reason};
  if (!isWhole(*jammed.kernel))
    return {std::nullopt, "rows need a value that is computed between their loops"};
  if (dependences == Dependences::AreKept) {
    const std::string broken = brokenDependence(carried->kernel, own, jammed, rows, budget);
    if (!broken.empty())
      return {std::nullopt, broken};
  }
  return withoutCells(std::move(jammed), budget);
}

StripSteps colonnade::buildStrips(const Function &kernel, const StripNest &nest, uint64_t rows,
                                  Dependences dependences, WalkBudget &budget) {
  const SunkStores sunk = sinkStores(kernel, nest);
  const StripNest own = moved(nest, sunk.loops);
  const SunkStores raised = raiseLoads(sunk.kernel, own);
  return stripsOfSunk(raised.kernel, moved(own, raised.loops), rows, dependences, budget);
}
