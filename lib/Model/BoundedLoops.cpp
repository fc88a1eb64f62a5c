//===- BoundedLoops.cpp - Bounds for loops that take too long -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop that can neither be closed nor walked. Out: at least and at most how often each access
// in it is made: a part of the iterations at once, with a range for each value that is not linear
// in them. Where a range does not decide a branch, either arm may run; where it does not decide a
// loop's bounds, that loop has a least and a most number of iterations.
//
// Invariant: of a run that is defined, the bounds hold.
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

#include "Model/Residues.h"

#include "IR/KernelFacts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using Kind = LinearValue::Kind;

std::optional<ValueRange> ProfileSummary::rangeOfValue(const LinearValue &of,
                                                       ir::ScalarType type) const {
  if (of.kind == Kind::Other)
    return of.scalar.bits == 0 ? anyOf(type) : ranges_[of.scalar.bits - 1];
  if (of.kind == Kind::Undefined || ir::isFloat(type) || !isSigned64(of, loops_))
    return std::nullopt;
  const auto values = range(of, loops_);
  return ValueRange{values->first, values->second};
}

LinearValue ProfileSummary::between(std::optional<ValueRange> range, ir::ScalarType type) {
  if (range && range->low == range->high)
    if (std::optional<ir::Scalar> only = ir::exactInt(type, range->low))
      return LinearValue::of(*only);
  LinearValue result;
  result.kind = Kind::Other;
  result.scalar = {type, 0};
  if (range) {
    ranges_.push_back(*range);
    result.scalar.bits = ranges_.size();
  }
  return result;
}

/// A result that is not linear.
LinearValue ProfileSummary::bounded(const Op &op) {
  const ir::ScalarType type = typeOf(op.results[0]);
  llvm::SmallVector<std::optional<ValueRange>, 3> operands;
  for (ValueId operand : op.operands)
    operands.push_back(rangeOfValue(operand));
  return between(rangeOf(op, type, operands), type);
}

std::optional<ValueRange> ProfileSummary::contentsOf(ArrayId array, ir::ScalarType type) const {
  std::optional<ValueRange> range;
  if (!ir::isInteger(type) && type != ir::ScalarType::Bool)
    return range;
  for (uint64_t bits : contents_[array.index]) {
    const int64_t content = ir::asInt64({type, bits});
    if (type == ir::ScalarType::U64 && content < 0)
      return std::nullopt;
    range = range ? hullOf(*range, {content, content}) : ValueRange{content, content};
  }
  return range;
}

/// Either arm, or the other.
Outcome ProfileSummary::boundedBranch(const Op &op) {
  const llvm::SaveAndRestore conditions(conditions_, conditions_ + 1);
  for (RegionId arm : op.regions)
    if (Outcome outcome = region(arm); outcome != Outcome::Done)
      return outcome;
  for (auto [result, first, second] :
       llvm::zip(op.results, function_.terminator(op.regions[0]).operands,
                 function_.terminator(op.regions[1]).operands)) {
    const std::optional<ValueRange> a = rangeOfValue(first), b = rangeOfValue(second);
    const bool isData =
        value(first).kind == Kind::Undefined || value(second).kind == Kind::Undefined;
    value(result) =
        isData ? LinearValue()
               : between(a && b ? std::optional(hullOf(*a, *b)) : std::nullopt, typeOf(result));
  }
  return Outcome::Done;
}

/// By how much the counter moves, if always the same way.
std::optional<ValueRange> ProfileSummary::stepRange(const Op &op) const {
  const bool rises = op.predicate == ir::Predicate::Lt || op.predicate == ir::Predicate::Le;
  const LinearValue &step = values_[op.operands[2].index];
  std::optional<ValueRange> range;
  if (step.isKnown())
    range = ValueRange{ir::asStep(op, step.scalar), ir::asStep(op, step.scalar)};
  else
    range = rangeOfValue(step, typeOf(op.operands[2]));
  return range && (rises ? range->low > 0 : range->high < 0) ? range : std::nullopt;
}

/// Whether the counter behind the loop fits its type: else one without a sign goes on from the
/// other end. One with a sign does not leave its type while the run is defined.
bool ProfileSummary::staysInType(const Op &op, ValueRange step) {
  const ir::ScalarType type = typeOf(op.operands[0]);
  const std::optional<ValueRange> high = rangeOfValue(op.operands[1]);
  if (ir::isSigned(type))
    return true;
  if (!high)
    return false;
  const ValueRange any = anyOf(type).value_or(ValueRange{0, INT64_MAX});
  const bool isInclusive = op.predicate == ir::Predicate::Le || op.predicate == ir::Predicate::Ge;
  return step.low > 0 ? __int128(high->high) - !isInclusive + step.high <= any.high
                      : __int128(high->low) + !isInclusive + step.low >= any.low;
}

/// The least and the most; nullopt: that is not known.
std::optional<Interval> ProfileSummary::iterationsBetween(const Op &op, ValueRange step) {
  const std::optional<ValueRange> low = rangeOfValue(op.operands[0]),
                                  high = rangeOfValue(op.operands[1]);
  const bool rises = step.low > 0;
  const bool isInclusive = op.predicate == ir::Predicate::Le || op.predicate == ir::Predicate::Ge;
  if (!low || !high || op.predicate == ir::Predicate::Ne)
    return std::nullopt;
  auto count = [&](int64_t first, int64_t last, int64_t by) -> std::optional<uint64_t> {
    const __int128 way = (rises ? __int128(last) - first : __int128(first) - last) + isInclusive;
    const __int128 stride = rises ? by : -__int128(by);
    const __int128 found = way <= 0 ? 0 : (way + stride - 1) / stride;
    if (found > INT64_MAX)
      return std::nullopt;
    return std::max(static_cast<uint64_t>(found), uint64_t(op.postTest));
  };
  const auto least =
      rises ? count(low->high, high->low, step.high) : count(low->low, high->high, step.low);
  const auto most =
      rises ? count(low->low, high->high, step.low) : count(low->high, high->low, step.high);
  return least && most ? std::optional(Interval{*least, *most}) : std::nullopt;
}

/// Where parts of a loop's iterations begin, and where the last one ends. They grow from both ends
/// on: for what falls like 1/i, or like 1/(n - i), no part's first iteration is much above its
/// last.
static std::vector<int64_t> bordersOf(int64_t iterations, int64_t parts) {
  const int64_t share = parts < 64 ? 1 : 8; // of what lies between a part and the end
  std::vector<int64_t> borders;
  const int64_t size = std::max(iterations / parts, int64_t(1));
  int64_t first = 0;
  for (; parts > 1 && first < size; first += std::max(first / share, int64_t(1)))
    borders.push_back(first);
  for (first = std::min(first, iterations); first < iterations; first += size)
    borders.push_back(first);
  std::vector<int64_t> ends;
  for (int64_t last = 1; parts > 1 && last < size; last += std::max(last / share, int64_t(1)))
    ends.push_back(iterations - last);
  for (int64_t end : llvm::reverse(ends))
    if (borders.empty() || end > borders.back())
      borders.push_back(end);
  borders.push_back(iterations);
  return borders;
}

std::optional<int64_t> ProfileSummary::exactIterations(const Op &op) {
  if (!value(op.operands[2]).isKnown())
    return std::nullopt;
  const LinearValue &low = value(op.operands[0]);
  const int64_t step = ir::asStep(op, value(op.operands[2]).scalar);
  const std::optional<int64_t> count = iterations(op, low, value(op.operands[1]), step);
  return count && (ir::isSigned(typeOf(op.operands[0])) || fitsBehind(low, step, *count))
             ? count
             : std::nullopt;
}

Outcome ProfileSummary::bounded(OpId id) {
  const Op &op = function_.op(id);
  const LinearValue low = value(op.operands[0]);
  const bool isOutermost = !isBounding_;
  const llvm::SaveAndRestore bounding(isBounding_, true);
  const std::optional<ValueRange> step = stepRange(op);
  std::optional<Interval> count =
      step && staysInType(op, *step) ? iterationsBetween(op, *step) : std::nullopt;
  if (const std::optional<int64_t> exact = exactIterations(op))
    count = Interval{static_cast<uint64_t>(*exact), static_cast<uint64_t>(*exact)};
  if (!count)
    return Outcome::Given;
  const auto around = static_cast<unsigned>(loops_.size());
  const auto most = static_cast<int64_t>(count->high);
  // Each part with its own ranges; of a loop in a bounded one, all at once.
  // In walked loops, all of them together are as many as iterations that may be walked.
  const int64_t all = std::max(maxWalked_ / walkedTimes_, int64_t(1));
  const int64_t parts = isOutermost && count->isExact() ? std::min(boundedParts_, all) : 1;
  const std::vector<int64_t> borders = bordersOf(most, parts);
  for (size_t part = 1; part < borders.size(); ++part) {
    const Outcome outcome = boundedPart(op, {borders[part - 1], borders[part]}, *count, low);
    if (outcome == Outcome::Open && blamed_ >= around)
      return Outcome::Given; // a loop whose end is not known
    if (outcome != Outcome::Done)
      return outcome;
  }
  const ir::ScalarType type = typeOf(op.results[0]);
  value(op.results[0]) = between(anyOf(type), type);
  for (ValueId result : llvm::drop_begin(op.results))
    value(result) = isKernel_ && function_.varying(result)
                        ? LinearValue()
                        : between(anyOf(typeOf(result)), typeOf(result));
  settle();
  return Outcome::Done;
}

/// Of a counter in its loop: from where it begins to where it ends.
LinearValue ProfileSummary::counterBetween(const Op &op) {
  const ir::ScalarType type = typeOf(op.operands[0]);
  const std::optional<ValueRange> low = rangeOfValue(op.operands[0]),
                                  high = rangeOfValue(op.operands[1]);
  const bool isOrdered = op.predicate != ir::Predicate::Ne && !op.postTest;
  return between(low && high && isOrdered ? std::optional(hullOf(*low, *high)) : anyOf(type), type);
}

/// Iterations at once; all of them, if their number is not known.
Outcome ProfileSummary::boundedPart(const Op &op, Iterations part, Interval count,
                                    const LinearValue &low) {
  const RegionId body = op.regions[0];
  llvm::ArrayRef<ValueId> args = function_.region(body).args;
  const LoopCounts around = loops_;
  const auto loop = static_cast<unsigned>(around.size());
  const LinearValue &step = value(op.operands[2]);
  LinearValue counter = counterBetween(op);
  loops_.push_back(part.count());
  if (!count.isExact() && (__builtin_mul_overflow(loops_.least, count.low, &loops_.least) ||
                           __builtin_mul_overflow(loops_.most, count.high, &loops_.most)))
    return Outcome::Given;
  int64_t first;
  if (low.kind == Kind::Linear && step.isKnown() &&
      !__builtin_mul_overflow(ir::asStep(op, step.scalar), part.first, &first) &&
      !__builtin_add_overflow(ir::asInt64(low.scalar), first, &first)) {
    LinearValue base = low;
    base.scalar = ir::makeInt(typeOf(args[0]), first);
    base = linearIn(base, ir::asStep(op, step.scalar), loop, loops_);
    if (base.kind == Kind::Linear)
      counter = base;
  }
  value(args[0]) = counter;
  for (ValueId arg : args.drop_front())
    value(arg) = isKernel_ && function_.varying(arg) ? LinearValue()
                                                     : between(anyOf(typeOf(arg)), typeOf(arg));
  const llvm::SaveAndRestore conditions(conditions_, conditions_ + op.hasContinueFlag),
      later(later_, later_ + op.dataEnds);
  const Outcome outcome = region(body);
  loops_ = around;
  return outcome;
}

/// A record for good: how often, and where, if both are known. Loops are not remembered while
/// others are bounded.
void ProfileSummary::settle(const Record &record) {
  const LoopCounts &loops = record.loops;
  const uint64_t most = loops.product();
  if (record.cell.kind == Kind::Linear && !record.isConditional && loops.least == loops.most) {
    std::vector<uint64_t> &counts =
        tally_.countsOf(record.site, symbolsOf(record.cell.terms, loops), profile_.period);
    if (!record.others) {
      tally_.add(most);
      return addResidues(counts, record.cell, loops);
    }
    std::vector<uint64_t> others = *record.others;
    for (size_t r = 0; record.without && r < others.size(); ++r)
      others[r] -= (*record.without)[r];
    for (uint64_t times : others)
      tally_.add(llvm::SaturatingMultiply(times, most));
    return addTurnedResidues(counts, others, record.cell, loops);
  }
  tally_.add(most);
  tally_.anywhere.resize(profile_.sites.size());
  tally_.anywhere[record.site].low += record.isConditional ? 0 : most / loops.most * loops.least;
  tally_.anywhere[record.site].high += most;
}

/// What may be, beyond what is: sites of their own.
void ProfileSummary::addBounds() {
  for (uint32_t site = 0; site < tally_.anywhere.size(); ++site) {
    const Interval &count = tally_.anywhere[site];
    profile_.isBounds |= count.high > 0;
    profile_.sites[site].anywhere = count.low;
    if (count.isExact())
      continue;
    Site more = profile_.sites[site];
    more.counts.assign(profile_.period, 0);
    more.anywhere = count.high - count.low;
    more.isConditional = true;
    profile_.sites.push_back(more);
  }
}

} // namespace colonnade::model
