//===- SummedLoops.cpp - Running totals of a loop's iterations ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/SummedLoops.h"

#include "Model/ProfileSummary.h"
#include "Model/Stages.h"

#include "IR/KernelFacts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using Kind = LinearValue::Kind;

/// A loop whose iterations are asked for.
struct ProfileSummary::SummedRun {
  OpId id;
  int64_t step;
  int64_t count;
  Iterations range = {0, 0};
  int64_t base = 0; // of counters that are not relative
};

/// Only where it is walked otherwise, as nothing but its counter is carried. nullopt: it cannot be
/// had so.
std::optional<Outcome> ProfileSummary::summed(OpId id) {
  const Op &op = function_.op(id);
  if (op.opcode != ir::Opcode::For || op.hasContinueFlag || op.dataEnds || !isOpen(id) ||
      (op.operands.size() > 3 && !carriesData(op)) || !value(op.operands[2]).isKnown())
    return std::nullopt;
  SummedLoop &loop = summedLoop(id);
  if (!loop.isWorthwhile())
    return std::nullopt;
  const LinearValue low = value(op.operands[0]);
  const int64_t step = ir::asStep(op, value(op.operands[2]).scalar);
  const std::optional<int64_t> count = iterations(op, low, value(op.operands[1]), step);
  if (!count || !fitsBehind(low, step, *count))
    return std::nullopt;
  SummedRun run{id, step, *count};
  if (run.count > 0 && !isCountedBySums(loop, run))
    return std::nullopt;
  loop.asked += static_cast<uint64_t>(run.count);
  defineAsData(op.results);
  value(op.results[0]) = low;
  value(op.results[0]).scalar =
      ir::makeInt(low.scalar.type, ir::asInt64(low.scalar) + step * *count);
  settle();
  return Outcome::Done;
}

/// The counter behind the loop has to fit its type, too.
bool ProfileSummary::fitsBehind(const LinearValue &low, int64_t step, int64_t iterations) {
  const auto loop = static_cast<unsigned>(loops_.size());
  loops_.push_back(iterations + 1);
  const bool fits = linearIn(low, step, loop, loops_).kind == Kind::Linear;
  loops_.pop_back();
  return fits;
}

SummedLoop &ProfileSummary::summedLoop(OpId id) {
  std::unique_ptr<SummedLoop> &loop = summed_[id.index];
  if (!loop) {
    loop = std::make_unique<SummedLoop>();
    setOutside(*loop, function_.op(id));
  }
  return *loop;
}

void ProfileSummary::setOutside(SummedLoop &loop, const Op &op) const {
  llvm::ArrayRef<ValueId> low = llvm::ArrayRef(op.operands).take_front(loop.isRelative);
  loop.outside = rootsOf(outsideValues(op, low));
  loop.isKnown.assign(loop.outside.roots.size(), false);
}

/// Tries with ever more values that have to be known.
bool ProfileSummary::isCountedBySums(SummedLoop &loop, SummedRun &run) {
  while (true) {
    std::optional<std::vector<uint64_t>> key = keyOf(loop.outside, loop.isKnown);
    const LinearValue &low = value(function_.op(run.id).operands[0]);
    if (!key || (!loop.isRelative && !low.isKnown()))
      return false; // what runs it says what has to be known
    run.range = {0, run.count};
    if (!loop.isRelative) {
      const int64_t from = ir::asInt64(low.scalar);
      run.base = floorRemainder(from, std::abs(run.step));
      run.range.first = (from - run.base) / run.step;
      run.range.last = run.range.first + run.count;
    }
    key->push_back(static_cast<uint64_t>(run.step));
    key->push_back(static_cast<uint64_t>(run.base));
    SummedIterations &sums = sumsOf(loop, *key, run.range);
    const Outcome outcome = extended(loop, sums, run);
    if (outcome == Outcome::Done)
      return isReplayed(loop, sums, run.range);
    if (outcome == Outcome::Given)
      return false;
    loop.forget();
  }
}

/// Iterations that are apart from the range are begun anew: those between them may not be defined.
SummedIterations &ProfileSummary::sumsOf(SummedLoop &loop, const std::vector<uint64_t> &key,
                                         Iterations range) {
  SummedIterations *sums = &loop.sums[key];
  const Iterations covered = sums->covered();
  if (!sums->up.empty() && (range.first > covered.last || range.last < covered.first)) {
    loop.forget();
    sums = &loop.sums[key];
  }
  if (sums->up.empty()) {
    sums->first = range.first;
    for (auto *totals : {&sums->up, &sums->down}) {
      RunningTotal &none = totals->emplace_back();
      none.tally.rowOf.assign(profile_.sites.size(), UINT32_MAX);
      none.tally.executions.resize(tally_.executions.size());
    }
  }
  return *sums;
}

/// Runs the iterations of the range that are not covered. Open: other values have to be known.
Outcome ProfileSummary::extended(SummedLoop &loop, SummedIterations &sums, const SummedRun &run) {
  while (true) {
    const Iterations covered = sums.covered();
    const bool isUp = covered.last < run.range.last;
    if (!isUp && covered.first <= run.range.first)
      return Outcome::Done;
    LoopRecording recording;
    const Outcome outcome =
        iterationAlone(loop, run, isUp ? covered.last : covered.first - 1, recording);
    if (outcome == Outcome::Open)
      haveKnown(loop, function_.op(run.id), recording.origin.rootOf[blamed_]);
    if (outcome != Outcome::Done)
      return outcome;
    if (sums.up.size() == 1 && sums.down.size() == 1)
      sums.origin = recording.origin;
    const size_t size =
        recording.tally.rows.size() * profile_.period + recording.tally.executions.size();
    std::optional<RunningTotal> total =
        totalWith(isUp ? sums.up.back() : sums.down.back(), recording, loop, sums.origin);
    if (!total || loop.left < size)
      return Outcome::Given;
    loop.left -= size;
    ++loop.run;
    (isUp ? sums.up : sums.down).push_back(std::move(*total));
  }
}

Outcome ProfileSummary::iterationAlone(const SummedLoop &loop, const SummedRun &run,
                                       int64_t iteration, LoopRecording &recording) {
  const Op &op = function_.op(run.id);
  return recordedRun(loop.outside, loop.isKnown, recording, [&] {
    const llvm::SaveAndRestore walks(walks_, walks_ + 1);
    LinearValue counter = value(op.operands[0]);
    const int64_t from = loop.isRelative ? ir::asInt64(counter.scalar) : run.base;
    counter.scalar = ir::makeInt(counter.scalar.type, from + run.step * iteration);
    if (!loop.isRelative)
      counter.terms.clear();
    llvm::ArrayRef<ValueId> args = function_.region(op.regions[0]).args;
    defineAsData(args);
    value(args[0]) = linearIn(counter, 0, 0, loops_);
    return region(op.regions[0]);
  });
}

/// Perhaps it is enough that the counter is known.
void ProfileSummary::haveKnown(SummedLoop &loop, const Op &op, size_t root) {
  const ValueId low = op.operands[0];
  const bool isOfLow =
      loop.outside.roots[root] == low || llvm::any_of(loop.outside.sums, [&](const auto &sum) {
        return sum.id == low && sum.terms.of(static_cast<unsigned>(root)) != 0;
      });
  if (!loop.isRelative || !isOfLow)
    return findKnown(loop.outside, loop.isKnown, root);
  loop.isRelative = false;
  setOutside(loop, op);
}

/// By how much each symbol was more than in the totals, if all that is a sum of them was so, too.
static std::optional<std::vector<int64_t>> movedBy(const OutsideValues &outside,
                                                   const LoopOrigin &from, const LoopOrigin &to) {
  std::vector<int64_t> roots(outside.roots.size()), symbols;
  for (size_t k : to.rootOf) {
    if (__builtin_sub_overflow(to.roots[k], from.roots[k], &roots[k]))
      return std::nullopt;
    symbols.push_back(roots[k]);
  }
  for (size_t s = 0; s < to.sums.size(); ++s) {
    __int128 expected = from.sums[s];
    for (auto [root, coefficient] : outside.sums[s].terms)
      expected += static_cast<__int128>(coefficient) * roots[root];
    if (expected != to.sums[s])
      return std::nullopt;
  }
  return symbols;
}

static std::optional<int64_t> sumOf(const LoopTerms &terms, llvm::ArrayRef<int64_t> symbols) {
  int64_t sum = 0, product;
  for (auto [symbol, coefficient] : terms)
    if (__builtin_mul_overflow(coefficient, symbols[symbol], &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  return sum;
}

/// A guard whose symbols are 0 elsewhere.
static bool addMovedGuard(std::vector<Guard> &guards, Guard guard,
                          llvm::ArrayRef<int64_t> symbols) {
  const std::optional<int64_t> by = sumOf(guard.symbols, symbols);
  if (!by || (guard.low != INT64_MIN && __builtin_add_overflow(guard.low, *by, &guard.low)) ||
      (guard.high != INT64_MAX && __builtin_add_overflow(guard.high, *by, &guard.high)))
    return false;
  addGuard(guards, std::move(guard));
  return true;
}

/// An iteration more, whose symbols may be 0 elsewhere; nullopt: beyond 64 bits.
std::optional<RunningTotal> ProfileSummary::totalWith(const RunningTotal &total,
                                                      const LoopRecording &recording,
                                                      const SummedLoop &loop,
                                                      const LoopOrigin &origin) const {
  const auto symbols = movedBy(loop.outside, origin, recording.origin);
  if (!symbols)
    return std::nullopt;
  RunningTotal sum = total;
  for (const Tally::Row &row : recording.tally.rows) {
    const std::optional<int64_t> by = sumOf(row.symbols, *symbols);
    if (!by)
      return std::nullopt;
    std::vector<uint64_t> &counts = sum.tally.countsOf(row.site, row.symbols, profile_.period);
    const auto period = static_cast<int64_t>(profile_.period);
    auto to = static_cast<size_t>(floorRemainder(-floorRemainder(*by, period), period));
    for (uint64_t times : row.counts) {
      counts[to] += times;
      to = to + 1 == counts.size() ? 0 : to + 1;
    }
  }
  for (auto [all, more] : llvm::zip(sum.tally.executions, recording.tally.executions)) {
    all.all += more.all;
    all.conditional += more.conditional;
  }
  for (const Guard &guard : recording.guards)
    if (!addMovedGuard(sum.guards, guard, *symbols))
      return std::nullopt;
  sum.tally.add(recording.tally.sum);
  return sum.tally.sum == UINT64_MAX ? std::nullopt : std::optional(std::move(sum));
}

/// The totals whose sum or difference a range is.
static llvm::SmallVector<std::pair<const RunningTotal *, const RunningTotal *>, 2>
totalsOf(const SummedIterations &sums, Iterations range) {
  auto up = [&](int64_t to) { return &sums.up[static_cast<size_t>(to - sums.first)]; };
  auto down = [&](int64_t to) { return &sums.down[static_cast<size_t>(sums.first - to)]; };
  if (range.first >= sums.first)
    return {{up(range.last), up(range.first)}};
  if (range.last <= sums.first)
    return {{down(range.first), down(range.last)}};
  return {{down(range.first), nullptr}, {up(range.last), nullptr}};
}

/// False: a guard does not hold, and nothing is counted.
bool ProfileSummary::isReplayed(const SummedLoop &loop, const SummedIterations &sums,
                                Iterations range) {
  const auto symbols = symbolsNow(loop.outside, sums.origin);
  if (!symbols)
    return false;
  llvm::SmallVector<Replay, 2> replays;
  for (auto [total, without] : totalsOf(sums, range)) {
    if (!hold(total->guards, *symbols))
      return false;
    std::optional<Replay> replay =
        replayOf(total->tally, without ? &without->tally : nullptr, *symbols);
    if (!replay)
      return false;
    replays.push_back(std::move(*replay));
  }
  for (const Replay &replay : replays)
    count(replay);
  return true;
}

} // namespace colonnade::model
