//===- LoopsAtOnce.cpp - Closed loops of a summary ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LoopRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using Kind = LinearValue::Kind;

/// A block's body takes as long as so many iterations that are walked by themselves.
static constexpr uint64_t LongerAtOnce = 8;

static LinearValue later(const LinearValue &counter, int64_t change) {
  LinearValue result = counter;
  result.scalar = ir::makeInt(counter.scalar.type, ir::asInt64(counter.scalar) + change);
  return result;
}

/// Whether a kernel's loop only has its regions counted: there is no branch, loop or part in it,
/// and nothing of what it computes is used behind it but its counter.
bool ProfileSummary::isOnlyCounted(const Op &op) const {
  return isKernel_ && !op.hasContinueFlag && !op.dataEnds &&
         llvm::all_of(op.regions, [&](RegionId part) {
           return llvm::all_of(deciding_[part.index], [&](OpId id) {
             const Op &inner = function_.op(id);
             return inner.regions.empty() && inner.opcode != ir::Opcode::CallPart;
           });
         });
}

void ProfileSummary::countRegions(const Op &op, int64_t iterations) {
  loops_.push_back(iterations);
  for (RegionId part : op.regions)
    enter(part);
  loops_.pop_back();
}

/// nullopt: it has to be run one by one.
std::optional<Outcome> ProfileSummary::atOnce(OpId id, const LinearValue &low, int64_t step,
                                              int64_t iterations, unsigned counter) {
  const Op &op = function_.op(id);
  const auto loop = static_cast<unsigned>(loops_.size());
  const bool fits = fitsBehind(low, step, iterations);
  if (fits && isOnlyCounted(op)) {
    countRegions(op, iterations);
    defineAsData(op.results);
    value(op.results[counter]) = later(low, step * iterations);
    settle();
    return Outcome::Done;
  }
  LoopRun run{id, step, iterations, counter, LoopBlocks(iterations, operationsIn(id)), loop, {}};
  if (op.dataEnds || op.hasContinueFlag) // the first iteration is made whatever the data
    run.split(0, 0, 1);
  const size_t recorded = records_.size();
  if (fits)
    splitBefore(run, low);
  const std::optional<Outcome> outcome = fits ? triedAtOnce(run, low) : std::nullopt;
  // What was not known may be of a loop around that will be walked.
  if (!outcome)
    openFrom_[id.index] = run.blocks.wasAsked() ? NeverOpen : loop - loops_.symbols;
  if (outcome != Outcome::Done)
    return outcome;
  mergeRecords(recorded);
  defineAsData(op.results);
  if (!op.hasContinueFlag)
    value(op.results[counter]) = later(low, step * iterations);
  settle();
  return Outcome::Done;
}

/// Iterations that are equally far from each other are a loop, too.
Outcome ProfileSummary::stridedAtOnce(LoopRun &run, const LinearValue &low) {
  for (const StridedPart &part : run.parts) {
    LinearValue counter = later(low, run.step * part.first);
    if (part.count > 1) {
      counter.terms[static_cast<unsigned>(loops_.size())] = run.step * part.stride;
      loops_.push_back(part.count);
      run.levels.push_back(0);
    }
    if (Outcome outcome = bodyAtOnce(run, part.first, counter); outcome != Outcome::Done)
      return outcome;
    if (part.count > 1) {
      loops_.pop_back();
      run.levels.pop_back();
    }
  }
  return Outcome::Done;
}

std::optional<Outcome> ProfileSummary::triedAtOnce(LoopRun &run, const LinearValue &low) {
  const llvm::SaveAndRestore attempts(attempts_, attempts_ + 1);
  const LoopCounts around = loops_;
  const size_t recorded = records_.size(), entered = entries_.size(), sources = sources_.size();
  const auto forgotten = llvm::make_scope_exit([&] { sources_.resize(sources); });
  const llvm::SaveAndRestore mergeable(mergeable_, recorded);
  do {
    sources_.resize(sources);
    records_.resize(recorded);
    entries_.resize(entered);
    run.levels.clear();
    run.isSplitAnew = false;
    const Outcome outcome = run.parts.empty()
                                ? levelAtOnce(run, run.blocks.topLevel(), {0, run.iterations}, low)
                                : stridedAtOnce(run, low);
    loops_ = around;
    const bool isBlamed = outcome == Outcome::Open && (run.isOver || blamed_ >= run.around);
    if (!isBlamed)
      return outcome;
    if (run.isSplitAnew)
      findBorders(run);
  } while (!run.isOver &&
           (run.isSplitAnew ||
            (run.parts.empty() && run.blocks.refine(run.levels[blamed_ - run.around]))));
  records_.resize(recorded);
  entries_.resize(entered);
  return std::nullopt;
}

/// A part of the level's loop after the other.
Outcome ProfileSummary::levelAtOnce(LoopRun &run, unsigned level, Iterations part,
                                    const LinearValue &counter) {
  const llvm::SmallVector<int64_t, 4> borders = run.blocks.borders(level, part);
  for (auto [first, last] : llvm::zip(borders, llvm::drop_begin(borders)))
    if (Outcome outcome =
            partAtOnce(run, level, {first, last}, later(counter, run.step * (first - part.first)));
        outcome != Outcome::Done)
      return outcome;
  return Outcome::Done;
}

/// What the level's whole blocks leave before and behind them is the level below's.
Outcome ProfileSummary::partAtOnce(LoopRun &run, unsigned level, Iterations part,
                                   const LinearValue &counter) {
  if (part.count() == 0)
    return Outcome::Done;
  if (level == 0)
    return blocksAtOnce(run, 0, part, counter);
  const Iterations whole = run.blocks.wholeBlocks(level, part);
  auto at = [&](int64_t iteration) { return later(counter, run.step * (iteration - part.first)); };
  Outcome outcome = levelAtOnce(run, level - 1, {part.first, whole.first}, counter);
  if (outcome == Outcome::Done)
    outcome = blocksAtOnce(run, level, whole, at(whole.first));
  if (outcome == Outcome::Done)
    outcome = levelAtOnce(run, level - 1, {whole.last, part.last}, at(whole.last));
  return outcome;
}

/// Whole blocks of a level, by a loop, or one by one.
Outcome ProfileSummary::blocksAtOnce(LoopRun &run, unsigned level, Iterations part,
                                     LinearValue counter) {
  const int64_t unit = run.blocks.unit(level), count = part.count() / unit;
  auto block = [&](int64_t first, const LinearValue &at) {
    return level == 0 ? bodyAtOnce(run, first, at)
                      : levelAtOnce(run, level - 1, {first, first + unit}, at);
  };
  if (count == 1 || run.blocks.isWalked(level)) {
    const llvm::SaveAndRestore walked(walkedBlocks_, walkedBlocks_ + (count > 1));
    for (int64_t first = part.first; first < part.last; first += unit) {
      if (!mayWalk(count > 1 ? LongerAtOnce : 1))
        return Outcome::Given;
      if (Outcome outcome = block(first, later(counter, run.step * (first - part.first)));
          outcome != Outcome::Done)
        return outcome;
    }
    return Outcome::Done;
  }
  if (count == 0)
    return Outcome::Done;
  counter.terms[static_cast<unsigned>(loops_.size())] = run.step * unit;
  loops_.push_back(count);
  run.levels.push_back(level);
  const Outcome outcome = block(part.first, counter);
  if (outcome == Outcome::Done) { // else it is still asked who is to blame
    loops_.pop_back();
    run.levels.pop_back();
  }
  return outcome;
}

Outcome ProfileSummary::bodyAtOnce(LoopRun &run, int64_t first, const LinearValue &counter) {
  const Op &op = function_.op(run.id);
  const RegionId body = op.regions[0];
  const LoopRequests::Sizes before = requests_.sizes();
  const size_t sources = sources_.size();
  const auto forgotten = llvm::make_scope_exit([&] { sources_.resize(sources); });
  Outcome outcome = Outcome::Done;
  {
    const llvm::SaveAndRestore conditions(conditions_,
                                          conditions_ + (op.hasContinueFlag && first > 0)),
        later(later_, later_ + (op.dataEnds && first > 0));
    for (RegionId part : op.regions) { // perhaps its test before
      defineAsData(function_.region(part).args);
      value(function_.region(part).args[run.counter]) = counter;
      if (outcome == Outcome::Done)
        outcome = region(part);
    }
  }
  if (outcome == Outcome::Done && op.hasContinueFlag &&
      !isData(function_.terminator(body).operands[0])) {
    run.isOver = true;
    return Outcome::Open;
  }
  const auto levelOf = [&](unsigned loop) { // nullopt: it is none of this loop's
    const bool isOwn = loop >= run.around && loop < run.around + run.levels.size();
    return isOwn ? std::optional(run.levels[loop - run.around]) : std::nullopt;
  };
  for (size_t r = before.blocks; r < requests_.blocks.size(); ++r)
    if (const std::optional<unsigned> level = levelOf(requests_.blocks[r].loop))
      run.blocks.ask(requests_.blocks[r], *level, first);
  for (size_t r = before.splits; r < requests_.splits.size(); ++r)
    if (const std::optional<unsigned> level = levelOf(requests_.splits[r].loop))
      run.split(*level, first, requests_.splits[r].iteration);
  for (size_t r = before.lowest; r < requests_.lowest.size(); ++r)
    if (levelOf(requests_.lowest[r].loop) == 0u)
      run.take(requests_.lowest[r]);
  if (run.around == loops_.symbols)
    requests_.dropTo(before);
  return outcome;
}

} // namespace colonnade::model
