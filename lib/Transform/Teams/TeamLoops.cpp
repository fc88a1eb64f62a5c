//===- TeamLoops.cpp - Loops that can be dealt out to a team --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamLoops.h"

#include "Transform/Teams/CollapseNests.h"
#include "Transform/Teams/SkewNests.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

// Of wavefronts.
static constexpr unsigned Slopes[] = {0, 1, 2};
// Each split triples a loop's body.
static constexpr unsigned MaxSplits = 8;
static constexpr size_t MaxOperations = 3000;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

class LoopCollector {
public:
  explicit LoopCollector(const Function &kernel) : kernel_(kernel), isUsed_(kernel.values.size()) {
    for (const Op &op : kernel.ops)
      for (ValueId operand : op.operands)
        isUsed_[operand.index] = true;
  }

  TeamLoops run() {
    loops_.outermost = collect(kernel_.body);
    return std::move(loops_);
  }

private:
  bool carriesNothing(const Op &op) const;
  std::vector<size_t> collect(RegionId region);

  const Function &kernel_;
  std::vector<bool> isUsed_; // by value
  std::vector<ValueId> counters_;
  TeamLoops loops_;
};

} // namespace

/// And their number is known when the loop begins.
bool LoopCollector::carriesNothing(const Op &op) const {
  return op.opcode == Opcode::For && !op.hasContinueFlag && !op.postTest &&
         op.predicate != Predicate::Ne && kernel_.region(op.regions[0]).args.size() == 1 &&
         !isUsed_[op.results[0].index] &&
         !kernel_.anyVarying(llvm::ArrayRef(op.operands).take_front(3));
}

std::vector<size_t> LoopCollector::collect(RegionId region) {
  std::vector<size_t> found;
  for (OpId id : kernel_.region(region).ops) {
    const Op &op = kernel_.op(id);
    const std::vector<ValueId> around = counters_;
    if (op.opcode == Opcode::For)
      counters_.push_back(kernel_.region(op.regions[0]).args[0]);
    std::vector<size_t> inner;
    for (RegionId each : op.regions)
      llvm::append_range(inner, collect(each));
    counters_ = around;
    if (!carriesNothing(op)) {
      llvm::append_range(found, inner);
      continue;
    }
    loops_.all.push_back({id, std::move(inner), around});
    found.push_back(loops_.all.size() - 1);
  }
  return found;
}

TeamLoops colonnade::teamLoops(const Function &kernel) { return LoopCollector(kernel).run(); }

TeamTrial colonnade::tryTeam(const Function &kernel, unsigned team, llvm::ArrayRef<OpId> dealt,
                             WalkBudget &budget, bool counts, llvm::ArrayRef<ArrayId> inPlace) {
  TeamTrial trial;
  trial.choice.team = team;
  trial.choice.dealt.resize(kernel.ops.size());
  for (OpId loop : dealt)
    trial.choice.dealt[loop.index] = true;
  for (const Array &array : kernel.arrays)
    trial.choice.common.push_back(array.isPassed() && array.isPerInstance());
  for (ArrayId array : inPlace)
    trial.choice.common[array.index] = false;
  trial.run = walkTeam(kernel, trial.choice, budget, counts);
  if (!trial.run.refusal.empty())
    return trial;
  bool isOwn = true;
  for (size_t a = 0; a < kernel.arrays.size(); ++a) {
    const Array &array = kernel.arrays[a];
    if (array.isLocal() && (!trial.run.ownCopies[a] || array.space == Space::Scratch)) {
      trial.choice.common[a] = true;
      isOwn = false;
    }
  }
  if (!isOwn)
    trial.run = walkTeam(kernel, trial.choice, budget, counts);
  return trial;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {

/// Finds the loops of a shape that can be dealt out, each time from one end: what cannot be is left
/// out, of outer ones for those within them.
class DealableLoops {
public:
  DealableLoops(Function kernel, WalkBudget &budget) : loops_(teamLoops(kernel)), budget_(budget) {
    shape_.kernel = std::move(kernel);
  }

  TeamShape outermost() {
    find(loops_.outermost, true);
    return std::move(shape_);
  }
  TeamShape run() {
    find(loops_.outermost, true);
    std::vector<size_t> innermost;
    for (auto [i, each] : llvm::enumerate(loops_.all))
      if (each.inner.empty())
        innermost.push_back(i);
    if (innermost != loops_.outermost)
      find(std::move(innermost), false);
    return std::move(shape_);
  }

private:
  void find(std::vector<size_t> loops, bool goesInwards);

  TeamLoops loops_;
  WalkBudget &budget_;
  TeamShape shape_;
};

} // namespace

void DealableLoops::find(std::vector<size_t> loops, bool goesInwards) {
  const auto isRefused = [&](size_t loop) {
    return llvm::is_contained(shape_.refused, loops_.all[loop].loop);
  };
  while (!loops.empty()) {
    std::vector<OpId> dealt;
    for (size_t loop : loops)
      dealt.push_back(loops_.all[loop].loop);
    const TeamRun run = tryTeam(shape_.kernel, LanesPerWarp, dealt, budget_, false).run;
    if (run.refusal.empty()) {
      if (!llvm::is_contained(shape_.dealable, dealt))
        shape_.dealable.push_back(std::move(dealt));
      return;
    }
    if (shape_.reason.empty())
      shape_.reason = run.refusal;
    if (!run.loop.valid())
      return;
    shape_.refused.push_back(run.loop);
    std::vector<size_t> left;
    for (size_t loop : loops) {
      if (!isRefused(loop))
        left.push_back(loop);
      else if (goesInwards)
        llvm::copy_if(loops_.all[loop].inner, std::back_inserter(left),
                      [&](size_t inner) { return !isRefused(inner); });
    }
    loops = std::move(left);
  }
}

/// One loop that cannot be dealt out, in parts that can.
static std::optional<Function> splitOne(const TeamShape &shape, MiddlePart middle,
                                        WalkBudget &budget) {
  const TeamLoops loops = teamLoops(shape.kernel);
  for (const TeamLoop &each : llvm::reverse(loops.all)) {
    if (!llvm::is_contained(shape.refused, each.loop))
      continue;
    std::vector<ValueId> counters = each.enclosing;
    if (middle == MiddlePart::Branch) // else an inner one may be of a middle part, and no bound
      std::reverse(counters.begin(), counters.end());
    for (ValueId counter : counters) {
      if (!isSplittable(shape.kernel, each.loop, counter))
        continue;
      LoopParts parts = splitLoop(shape.kernel, each.loop, counter, middle);
      if (parts.kernel.ops.size() <= MaxOperations &&
          tryTeam(parts.kernel, LanesPerWarp, parts.loops, budget, false).run.refusal.empty())
        return std::move(parts.kernel);
    }
  }
  return std::nullopt;
}

/// Two loops, neither of which can be dealt out, in an order in which one can.
static std::optional<Function> skewOne(const TeamShape &shape, WalkBudget &budget) {
  const TeamLoops loops = teamLoops(shape.kernel);
  const auto isDealable = [&](size_t loop) {
    return llvm::any_of(shape.dealable, [&](const std::vector<OpId> &dealt) {
      return llvm::is_contained(dealt, loops.all[loop].loop);
    });
  };
  for (auto [i, outer] : llvm::enumerate(loops.all)) {
    if (isDealable(i) || outer.inner.size() != 1 || isDealable(outer.inner[0]))
      continue;
    for (unsigned slope : Slopes) {
      std::optional<SkewedNest> nest =
          skewNest(shape.kernel, outer.loop, loops.all[outer.inner[0]].loop, slope, budget);
      if (nest &&
          tryTeam(nest->kernel, LanesPerWarp, {nest->rows}, budget, false).run.refusal.empty())
        return std::move(nest->kernel);
    }
  }
  return std::nullopt;
}

/// One loop that can be dealt out and consists of several.
static std::optional<Function> distributeOne(const TeamShape &shape) {
  const TeamLoops loops = teamLoops(shape.kernel);
  for (const TeamLoop &each : loops.all)
    if (!each.inner.empty() && llvm::is_contained(shape.dealable.front(), each.loop))
      if (std::optional<LoopParts> parts = distributeLoop(shape.kernel, each.loop))
        return std::move(parts->kernel);
  return std::nullopt;
}

static TeamShape shapeOf(Function kernel, WalkBudget &budget) {
  return DealableLoops(std::move(kernel), budget).run();
}

/// By operation: in some way they can be dealt out.
static std::vector<bool> legalLoops(const TeamShape &shape) {
  std::vector<bool> legal(shape.kernel.ops.size());
  for (const std::vector<OpId> &loops : shape.dealable)
    for (OpId loop : loops)
      legal[loop.index] = true;
  return legal;
}

std::vector<TeamShape> colonnade::teamShapes(const Function &kernel, WalkBudget &budget,
                                             MiddlePart middle) {
  std::vector<TeamShape> shapes = {shapeOf(kernel, budget)};
  TeamShape parts = shapes.front();
  unsigned changes = 0;
  for (; changes < MaxSplits; ++changes) {
    std::optional<Function> next = splitOne(parts, middle, budget);
    if (!next)
      next = skewOne(parts, budget);
    if (!next)
      break;
    parts = shapeOf(std::move(*next), budget);
  }
  if (changes > 0) {
    while (!parts.dealable.empty()) {
      std::optional<Function> next = distributeOne(parts);
      if (!next)
        break;
      parts = shapeOf(std::move(*next), budget);
    }
    shapes.push_back(std::move(parts));
  }
  return shapes;
}

std::optional<TeamShape> colonnade::collapsedShape(const TeamShape &shape, WalkBudget &budget) {
  std::optional<Function> collapsed = collapseNests(shape.kernel, legalLoops(shape));
  return collapsed ? std::optional(shapeOf(std::move(*collapsed), budget)) : std::nullopt;
}

TeamShape colonnade::outermostShape(Function kernel, WalkBudget &budget) {
  return DealableLoops(std::move(kernel), budget).outermost();
}
