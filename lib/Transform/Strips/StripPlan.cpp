//===- StripPlan.cpp - Rows of a table in strips, in one thread -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/StripPlan.h"

#include "Transform/Strips/CarryCells.h"
#include "Transform/Strips/DeadStores.h"
#include "Transform/Strips/MergeCarried.h"
#include "Transform/Strips/NestOrder.h"
#include "Transform/Strips/SinkStores.h"
#include "Transform/UnusedValues.h"
#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

// Registers for what rows carry and need, of 255: with these and others, an SM has room for 16
// warps.
static constexpr uint64_t MostWords = 80;
// Operations of iterations that are unrolled together.
static constexpr uint64_t MostOperations = 1536;
// Columns that are unrolled: with fewer, what rows carry is moved from register to register.
static constexpr uint8_t Columns = 4;

namespace {

/// A nest with rows side by side, as it is built.
struct StripSteps {
  std::optional<Function> kernel;
  std::string reason;
  OpId blocks = {};
  std::vector<OpId> inner = {};
};

} // namespace

static void markAll(const Function &kernel, RegionId region, std::vector<bool> &marks) {
  for (OpId id : kernel.region(region).ops) {
    marks[id.index] = true;
    for (RegionId inner : kernel.op(id).regions)
      markAll(kernel, inner, marks);
  }
}

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

/// `from`: its stores are sunk.
static StripSteps stripsOfSunk(const Function &from, const StripNest &nest, uint64_t rows,
                               WalkBudget &budget) {
  static constexpr const char *TooLong = "there are too many operations to follow";
  std::vector<bool> isOfNest(from.ops.size());
  markAll(from, from.op(nest.outer).regions[0], isOfNest);
  const auto carried = withoutReuse(from, {nest.inner}, isOfNest, budget);
  if (!carried)
    return {std::nullopt, TooLong};
  const StripNest own = moved(nest, carried->loops);
  JammedNest jammed = jamNest(carried->kernel, own, rows);
  if (!jammed.kernel)
    return {std::nullopt, jammed.reason};
  const std::string broken = brokenDependence(carried->kernel, own, jammed, rows, budget);
  if (!broken.empty())
    return {std::nullopt, broken};
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

static StripSteps buildStrips(const Function &kernel, const StripNest &nest, uint64_t rows,
                              WalkBudget &budget) {
  const SunkStores sunk = sinkStores(kernel, nest);
  return stripsOfSunk(sunk.kernel, moved(nest, sunk.loops), rows, budget);
}

static bool isAccess(const Op &op) {
  return op.opcode == Opcode::Load || op.opcode == Opcode::Store;
}

/// What an iteration does.
struct IterationWork {
  uint64_t operations = 0;
  std::set<ArrayId> stored;
  uint64_t ofStored = 0; // accesses to arrays that are stored to
};

static void addWork(const Function &kernel, RegionId region, const std::set<ArrayId> &stored,
                    IterationWork &work) {
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    work.operations += op.opcode != Opcode::Constant && op.opcode != Opcode::Yield;
    if (op.opcode == Opcode::Store)
      work.stored.insert(op.array);
    work.ofStored += isAccess(op) && stored.count(op.array);
    for (RegionId inner : op.regions)
      addWork(kernel, inner, stored, work);
  }
}

static IterationWork workOf(const Function &kernel, OpId loop, const std::set<ArrayId> &stored) {
  IterationWork work;
  addWork(kernel, kernel.op(loop).regions[0], stored, work);
  return work;
}

static void addUsed(const Function &kernel, RegionId region, std::set<ValueId> &used) {
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    used.insert(op.operands.begin(), op.operands.end());
    for (RegionId inner : op.regions)
      addUsed(kernel, inner, used);
  }
}

static void addDefined(const Function &kernel, RegionId region, std::set<ValueId> &defined) {
  defined.insert(kernel.region(region).args.begin(), kernel.region(region).args.end());
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    defined.insert(op.results.begin(), op.results.end());
    for (RegionId inner : op.regions)
      addDefined(kernel, inner, defined);
  }
}

/// Registers of what a loop carries, and what its iterations need from outside.
static uint64_t wordsOf(const Function &kernel, OpId loop) {
  const RegionId body = kernel.op(loop).regions[0];
  std::set<ValueId> used, defined;
  addUsed(kernel, body, used);
  addDefined(kernel, body, defined);
  used.insert(kernel.region(body).args.begin(), kernel.region(body).args.end());
  uint64_t words = 0;
  for (ValueId value : used)
    if ((!defined.count(value) || kernel.value(value).region == body) && kernel.varying(value) &&
        !kernel.constant(value))
      words += sizeBytes(kernel.value(value).type) == 8 ? 2 : 1;
  return words;
}

/// As many columns together as their operations leave room for; blocks one after the other.
static void unrollStrips(Function &kernel, const StripSteps &steps) {
  kernel.op(steps.blocks).unrolling = {Unrolling::Kind::Times, 1};
  for (OpId inner : steps.inner) {
    const uint64_t operations = std::max<uint64_t>(1, workOf(kernel, inner, {}).operations);
    uint8_t columns = Columns;
    while (columns > 1 && columns * operations > MostOperations)
      columns /= 2;
    kernel.op(inner).unrolling = {Unrolling::Kind::Times, columns};
  }
}

static void note(Function &kernel, const StripNest &nest, uint64_t rows) {
  kernel.notes.push_back("strips: " + std::to_string(rows) + " of " + std::to_string(nest.rows) +
                         " rows of a table are done together, what they hand on is in registers");
}

static StripPlan finish(StripSteps steps, const StripNest &nest, uint64_t rows) {
  unrollStrips(*steps.kernel, steps);
  note(*steps.kernel, nest, rows);
  return {std::move(steps.kernel), ""};
}

StripPlan colonnade::stripNest(const Function &kernel, const StripNest &nest, uint64_t rows,
                               WalkBudget &budget) {
  StripSteps steps = buildStrips(kernel, nest, rows, budget);
  if (!steps.kernel)
    return {std::nullopt, steps.reason};
  return finish(std::move(steps), nest, rows);
}

/// So that all blocks but the last one have as many, and that one hardly fewer.
static uint64_t balanced(uint64_t rows, uint64_t most) {
  const uint64_t blocks = (rows + most - 1) / most;
  return (rows + blocks - 1) / blocks;
}

/// Cells of a table are loaded and stored far less often.
static bool isWorthIt(const Function &kernel, const StripNest &nest, const StripSteps &steps,
                      uint64_t rows, const std::vector<bool> &isInRegisters) {
  static constexpr uint64_t AtLeast = 4;
  std::set<ArrayId> stored = workOf(kernel, nest.inner, {}).stored;
  std::erase_if(stored, [&](ArrayId array) { return isInRegisters[array.index]; });
  const uint64_t before = workOf(kernel, nest.inner, stored).ofStored * rows,
                 after = workOf(*steps.kernel, steps.inner.front(), stored).ofStored;
  return before >= AtLeast * after && before > 0;
}

static bool hasRoom(const StripSteps &steps) {
  return wordsOf(*steps.kernel, steps.inner.front()) <= MostWords &&
         Columns * workOf(*steps.kernel, steps.inner.front(), {}).operations <= MostOperations;
}

/// What two rows break, more do, too, so these are tried first.
static StripPlan bestStrips(const Function &kernel, const StripNest &nest,
                            const std::vector<bool> &isInRegisters, bool areWanted,
                            WalkBudget &budget) {
  const std::set<ArrayId> stored = workOf(kernel, nest.inner, {}).stored;
  if (!areWanted && llvm::all_of(stored, [&](ArrayId array) { return isInRegisters[array.index]; }))
    return {};
  const StripSteps two = buildStrips(kernel, nest, 2, budget);
  if (!two.kernel)
    return {std::nullopt, two.reason};
  for (unsigned most : StripRows) {
    const uint64_t rows = balanced(nest.rows, most);
    StripSteps steps = buildStrips(kernel, nest, rows, budget);
    if (steps.kernel && hasRoom(steps) &&
        (areWanted || isWorthIt(kernel, nest, steps, rows, isInRegisters)))
      return finish(std::move(steps), nest, rows);
  }
  return {std::nullopt, "rows hand on too little for what they need of registers"};
}

StripPlan colonnade::planStrips(const Function &kernel, const std::vector<bool> &isInRegisters,
                                WantedStrips wanted) {
  WalkBudget budget;
  StripPlan plan;
  const Function *current = &kernel;
  for (size_t refused = 0;;) {
    const std::vector<StripNest> nests = findStripNests(*current);
    if (refused >= nests.size())
      return plan;
    const StripNest &nest = nests[refused];
    StripPlan next =
        wanted.rows ? stripNest(*current, nest, std::min<uint64_t>(wanted.rows, nest.rows), budget)
                    : bestStrips(*current, nest, isInRegisters, wanted.areWanted, budget);
    if (next.kernel) {
      plan.kernel = std::move(next.kernel);
      current = &*plan.kernel;
      continue;
    }
    ++refused;
    if (plan.reason.empty())
      plan.reason = next.reason;
  }
}
