//===- StripPlan.cpp - Rows of a table in strips, in one thread -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/StripPlan.h"

#include "Transform/Strips/FuseRows.h"
#include "Transform/Strips/StripSteps.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

// Registers for what rows carry and need, of 255: with these and others, an SM has room for 16
// warps.
static constexpr uint64_t MostWords = 80;
// Operations of iterations that are unrolled together.
static constexpr uint64_t MostUnrolled = 1536;
// Columns that are unrolled: with fewer, what rows carry is moved from register to register.
static constexpr uint8_t Columns = 4;

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
    work.ofStored += isCellAccess(op) && stored.count(op.array);
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
    while (columns > 1 && columns * operations > MostUnrolled)
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
  StripSteps steps = buildStrips(kernel, nest, rows, Dependences::AreKept, budget);
  if (!steps.kernel)
    return {std::nullopt, steps.reason};
  return finish(std::move(steps), nest, rows);
}

/// So that all blocks but the last one have as many, and that one hardly fewer.
static uint64_t balanced(uint64_t rows, uint64_t most) {
  const uint64_t blocks = (rows + most - 1) / most;
  return (rows + blocks - 1) / blocks;
}

/// Accesses of rows to cells that the nest stores to.
struct RowAccesses {
  uint64_t before = 0, after = 0;
};

static RowAccesses accessesOf(const Function &kernel, const StripNest &nest,
                              const StripSteps &steps, uint64_t rows,
                              const std::vector<bool> &isInRegisters) {
  std::set<ArrayId> stored = workOf(kernel, nest.inner, {}).stored;
  std::erase_if(stored, [&](ArrayId array) { return isInRegisters[array.index]; });
  return {workOf(kernel, nest.inner, stored).ofStored * rows,
          workOf(*steps.kernel, steps.inner.front(), stored).ofStored};
}

static bool hasFloats(const Function &kernel, RegionId region) {
  return llvm::any_of(kernel.region(region).ops, [&](OpId id) {
    const Op &op = kernel.op(id);
    return llvm::any_of(op.results, [&](ValueId v) { return isFloat(kernel.value(v).type); });
  });
}

/// Arms in which floats are computed. Of these nvcc makes no selections, and where many such
/// branches follow each other it takes minutes: a row with one compiled in 6 s in strips of 8, and
/// not within 100 s in strips of 23.
static uint64_t floatBranches(const Function &kernel, RegionId region) {
  uint64_t sum = 0;
  for (OpId id : kernel.region(region).ops)
    for (RegionId inner : kernel.op(id).regions)
      sum += (kernel.op(id).opcode == Opcode::If && hasFloats(kernel, inner)) +
             floatBranches(kernel, inner);
  return sum;
}

static bool isWithinLimits(const StripSteps &steps) {
  static constexpr uint64_t MostBranches = 64; // arms
  const RegionId body = steps.kernel->op(steps.inner.front()).regions[0];
  return wordsOf(*steps.kernel, steps.inner.front()) <= MostWords &&
         Columns * floatBranches(*steps.kernel, body) <= MostBranches &&
         Columns * workOf(*steps.kernel, steps.inner.front(), {}).operations <= MostUnrolled;
}

/// As many rows as there is room for; whether that is worth it, the first of these say.
static std::optional<uint64_t> rowsWithRoom(const Function &kernel, const StripNest &nest,
                                            const std::vector<bool> &isInRegisters, bool areWanted,
                                            WalkBudget &budget) {
  static constexpr uint64_t AtLeast = 4;
  for (unsigned most : StripRows) {
    const uint64_t rows = balanced(nest.rows, most);
    const StripSteps steps = buildStrips(kernel, nest, rows, Dependences::AreNotChecked, budget);
    if (!steps.kernel)
      return std::nullopt;
    if (!isWithinLimits(steps))
      continue;
    const RowAccesses accesses = accessesOf(kernel, nest, steps, rows, isInRegisters);
    const bool isWorthIt = areWanted || accesses.before >= AtLeast * accesses.after;
    return isWorthIt ? std::optional(rows) : std::nullopt;
  }
  return std::nullopt;
}

/// What two rows do not gain, more hardly do, and what they break, more do, too.
static StripPlan bestStrips(const Function &kernel, const StripNest &nest,
                            const std::vector<bool> &isInRegisters, bool areWanted,
                            WalkBudget &budget) {
  static constexpr const char *TooLittle =
      "rows hand on too little for what they need of registers";
  static constexpr uint64_t AtLeast = 2;
  StripSteps two = buildStrips(kernel, nest, 2, Dependences::AreNotChecked, budget);
  if (!two.kernel)
    return {std::nullopt, two.reason};
  const RowAccesses accesses = accessesOf(kernel, nest, two, 2, isInRegisters);
  if (!areWanted && (accesses.before == 0 || accesses.before < AtLeast * accesses.after))
    return {std::nullopt, TooLittle};
  two = buildStrips(kernel, nest, 2, Dependences::AreKept, budget);
  if (!two.kernel)
    return {std::nullopt, two.reason};
  const auto rows = rowsWithRoom(kernel, nest, isInRegisters, areWanted, budget);
  return rows ? stripNest(kernel, nest, *rows, budget) : StripPlan{std::nullopt, TooLittle};
}

StripPlan colonnade::planStrips(const Function &kernel, const std::vector<bool> &isInRegisters,
                                WantedStrips wanted) {
  WalkBudget budget;
  StripPlan plan;
  const Function fused = fuseRows(kernel, budget);
  const Function *current = &fused;
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
