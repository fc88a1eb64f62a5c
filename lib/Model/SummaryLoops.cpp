//===- SummaryLoops.cpp - Branches and loops of a summary -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

#include "IR/KernelFacts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using Kind = LinearValue::Kind;

Outcome ProfileSummary::branch(const Op &op) {
  if (isData(op.operands[0]))
    return bothArms(op);
  if (isBounding_ && !value(op.operands[0]).isKnown())
    return boundedBranch(op);
  int64_t condition = 0;
  if (Outcome outcome = known(value(op.operands[0]), condition); outcome != Outcome::Done)
    return outcome;
  const RegionId arm = op.regions[condition ? 0 : 1];
  if (Outcome outcome = region(arm); outcome != Outcome::Done)
    return outcome;
  define(op.results, passed(arm, 0));
  return Outcome::Done;
}

/// How often the body runs, if that is known and the counter stays in its type; a coefficient of
/// a loop around may drop out: for (j = i; j < i + 3; j++).
std::optional<int64_t> ProfileSummary::iterations(const Op &op, const LinearValue &low,
                                                  const LinearValue &high, int64_t step) {
  if (low.kind != Kind::Linear || high.kind != Kind::Linear || low.terms != high.terms ||
      !isSigned64(low, loops_) || !isSigned64(high, loops_))
    return std::nullopt;
  int64_t way;
  if (step == 0 || __builtin_sub_overflow(ir::asInt64(high.scalar), ir::asInt64(low.scalar), &way))
    return std::nullopt;
  if (op.predicate == ir::Predicate::Ne) {
    const bool ends = way % step == 0 && way / step >= int64_t(op.postTest);
    return ends ? std::optional(way / step) : std::nullopt;
  }
  const bool rises = op.predicate == ir::Predicate::Lt || op.predicate == ir::Predicate::Le;
  if (rises != (step > 0))
    return std::nullopt;
  const int64_t toNext = rises ? 1 : -1;
  if (op.predicate == ir::Predicate::Le || op.predicate == ir::Predicate::Ge)
    way += toNext;
  const int64_t count = way == 0 || (way > 0) != rises ? 0 : (way + step - toNext) / step;
  return std::max(count, int64_t(op.postTest));
}

/// Whether it was taken back with as few closed loops around, or fewer.
bool ProfileSummary::isOpen(OpId id) const {
  return loops_.size() - loops_.symbols >= openFrom_[id.index];
}

Outcome ProfileSummary::counted(OpId id) {
  const Op &op = function_.op(id);
  const LinearValue low = value(op.operands[0]), high = value(op.operands[1]);
  int64_t step = 0, first = 0, last = 0;
  if (isBounding_)
    return bounded(id);
  if (walks_ > 0 && !mayWalk())
    return Outcome::Given;
  if (std::optional<Outcome> outcome = inBoxes(id))
    return *outcome;
  if (Outcome outcome = known(value(op.operands[2]), step); outcome != Outcome::Done)
    return outcome;
  step = ir::asStep(op, value(op.operands[2]).scalar);
  const std::optional<int64_t> count = iterations(op, low, high, step);
  const bool isPlain = (!op.hasContinueFlag && op.operands.size() == 3) || carriesData(op);
  // Of few iterations, none depends on another.
  if (count && isPlain && (*count > 1 ? !isOpen(id) && !isShort(op, low, *count) : !low.isKnown()))
    if (std::optional<Outcome> outcome = atOnce(id, low, step, *count))
      return *outcome;
  if (count && takesBounds(*count))
    return bounded(id);
  if (std::optional<Outcome> outcome = byItself(id))
    return *outcome;
  if (Outcome outcome = known(low, first); outcome != Outcome::Done)
    return outcome;
  if (Outcome outcome = known(high, last); outcome != Outcome::Done)
    return outcome;
  if (count && !op.hasContinueFlag && isTooLong(id, static_cast<uint64_t>(*count)))
    return left_ = 0, Outcome::Given;
  llvm::SaveAndRestore times(walkedTimes_);
  if (!count || __builtin_mul_overflow(walkedTimes_, std::max(*count, int64_t(1)), &walkedTimes_))
    walkedTimes_ = std::max(maxWalked_, int64_t(1));
  return walked(op, first, last, step);
}

/// Walked sooner than run at once: its few iterations are single accesses and sums.
bool ProfileSummary::isShort(const Op &loop, const LinearValue &low, int64_t iterations) const {
  constexpr int64_t Few = 160; // operations
  int64_t each = 0;
  for (RegionId part : loop.regions)
    each += static_cast<int64_t>(function_.region(part).ops.size());
  const auto isPlain = [&](RegionId part) {
    return llvm::all_of(function_.region(part).ops,
                        [&](OpId id) { return function_.op(id).regions.empty(); });
  };
  return !isKernel_ && iterations <= Few / each && isDirect() && low.isKnown() &&
         llvm::all_of(loop.regions, isPlain);
}

/// Nothing is walked in vain: each iteration takes as many operations as its body has, or more, and
/// runs each loop in it.
bool ProfileSummary::isTooLong(OpId loop, uint64_t iterations) {
  if (llvm::SaturatingMultiply(iterations, 1 + operationsIn(loop)) <=
      std::min(iterationsLeft_, left_))
    return false;
  const Least each = leastOf(function_.op(loop).regions[0]);
  return llvm::SaturatingMultiply(iterations, 1 + each.loops) > iterationsLeft_ ||
         llvm::SaturatingMultiply(iterations, each.operations) > left_;
}

/// Of its branches the less, of its loops no iteration.
ProfileSummary::Least ProfileSummary::leastOf(RegionId region) const {
  Least all;
  for (OpId id : isKernel_ ? deciding_[region.index] : function_.region(region).ops) {
    const Op &op = function_.op(id);
    ++all.operations;
    all.loops += op.opcode == ir::Opcode::For || op.opcode == ir::Opcode::Loop;
    if (op.opcode != ir::Opcode::If)
      continue;
    const Least a = leastOf(op.regions[0]), b = leastOf(op.regions[1]);
    all.operations += std::min(a.operations, b.operations);
    all.loops += std::min(a.loops, b.loops);
  }
  return all;
}

/// One more iteration of a walked loop, or loop in one.
bool ProfileSummary::mayWalk(uint64_t iterations) {
  if (iterationsLeft_ < iterations)
    return left_ = 0, false;
  iterationsLeft_ -= iterations;
  return true;
}

/// Of an iteration, and of the loops in it once.
uint64_t ProfileSummary::operationsIn(OpId id) {
  uint64_t &all = operationsIn_[id.index];
  if (all == 0)
    for (RegionId part : function_.op(id).regions)
      for (OpId op : isKernel_ ? deciding_[part.index] : function_.region(part).ops)
        all += 1 + operationsIn(op);
  return all;
}

/// A loop that is walked within closed ones: its accesses are summed up before it is known whether
/// these are taken back.
std::optional<Outcome> ProfileSummary::byItself(OpId id) {
  if (isDirect() || allowsBounds_)
    return std::nullopt;
  if (std::optional<Outcome> outcome = summed(id))
    return outcome;
  return lookedUp(id, memoryOf(id));
}

static bool isBefore(ir::Predicate predicate, int64_t counter, int64_t high) {
  switch (predicate) {
  case ir::Predicate::Lt:
    return counter < high;
  case ir::Predicate::Le:
    return counter <= high;
  case ir::Predicate::Gt:
    return counter > high;
  case ir::Predicate::Ge:
    return counter >= high;
  case ir::Predicate::Ne:
    return counter != high;
  }
  return false;
}

/// Whether an iteration's flag says that the loop goes on: for some lanes, if data decides; then
/// what follows is conditional.
Outcome ProfileSummary::goesOn(RegionId part, bool &again) {
  const ValueId id = function_.terminator(part).operands[0];
  int64_t flag = 1;
  if (isData(id))
    ++conditions_;
  else if (Outcome outcome = known(value(id), flag); outcome != Outcome::Done)
    return outcome;
  again = flag;
  return Outcome::Done;
}

namespace {

/// Whether a loop that is walked will have more iterations in it than may be, if those to come are
/// like the last half of those that were: then it is not walked to that end. What loops in it did
/// may be remembered by and by, so some have to be seen, and to take long.
class WalkForecast {
public:
  WalkForecast(uint64_t left, int64_t iterations)
      : before_(left), half_(left),
        iterations_(static_cast<uint64_t>(std::max(iterations, int64_t(0)))) {}

  /// After an iteration, where so many may still be walked.
  bool isTooLong(uint64_t left) {
    ++done_;
    if (done_ < Few || before_ - left < Many || (done_ & (done_ - 1)) != 0)
      return false;
    const uint64_t each = (half_ - left) / (done_ / 2);
    half_ = left;
    return done_ >= 2 * Few && done_ < iterations_ &&
           llvm::SaturatingMultiply(each, iterations_ - done_) >
               llvm::SaturatingMultiply(left, More);
  }

private:
  static constexpr uint64_t Few = 8, Many = 2'000'000; // iterations: a fifth of a second or so
  static constexpr uint64_t More = 2;
  uint64_t before_, half_; // what was left, before all and at the last look
  uint64_t iterations_;
  uint64_t done_ = 0;
};

} // namespace

/// What a counter is in the next iteration: it may wrap, if that is defined. nullopt: it is not, or
/// is beyond the signed integers.
static std::optional<int64_t> stepped(ir::ScalarType type, int64_t counter, int64_t step) {
  constexpr unsigned BitsOfInt = 32; // narrower ones are not added as such, but cut to size
  int64_t next;
  const bool overflows = __builtin_add_overflow(counter, step, &next);
  if (!overflows && ir::exactInt(type, next))
    return next;
  if ((ir::isSigned(type) && ir::bitWidth(type) >= BitsOfInt) || type == ir::ScalarType::U64)
    return std::nullopt;
  return ir::asInt64(ir::makeInt(type, next));
}

/// One iteration after the other.
Outcome ProfileSummary::walked(const Op &op, int64_t low, int64_t high, int64_t step) {
  const RegionId body = op.regions[0];
  const ir::ScalarType type = value(op.operands[0]).scalar.type;
  if (type == ir::ScalarType::U64 && (low < 0 || high < 0))
    return Outcome::Given; // beyond the signed integers
  Values carried;
  for (ValueId init : llvm::drop_begin(op.operands, 3))
    carried.push_back(value(init));
  int64_t counter = low;
  llvm::SaveAndRestore conditions(conditions_), walks(walks_, walks_ + 1), later(later_);
  WalkForecast forecast(iterationsLeft_, op.hasContinueFlag ? 0 : (high - low) / step);
  for (bool isFirst = op.postTest; isFirst || isBefore(op.predicate, counter, high);
       isFirst = false, later_ = later.get() + op.dataEnds) {
    llvm::ArrayRef<ValueId> args = function_.region(body).args;
    value(args[0]) = LinearValue::of(ir::makeInt(type, counter));
    define(args.drop_front(), carried);
    if (!mayWalk())
      return Outcome::Given;
    if (Outcome outcome = region(body); outcome != Outcome::Done)
      return outcome;
    if (forecast.isTooLong(iterationsLeft_))
      return left_ = 0, Outcome::Given;
    carried = passed(body, op.hasContinueFlag);
    if (op.hasContinueFlag) {
      bool again = false;
      if (Outcome outcome = goesOn(body, again); outcome != Outcome::Done)
        return outcome;
      if (!again)
        break;
    }
    const std::optional<int64_t> next = stepped(type, counter, step);
    if (!next)
      return Outcome::Given;
    counter = *next;
  }
  value(op.results[0]) = LinearValue::of(ir::makeInt(type, counter));
  define(llvm::ArrayRef(op.results).drop_front(), carried);
  if (conditions_ > conditions.get())
    defineAsData(op.results); // lanes left with what they had
  return Outcome::Done;
}

Outcome ProfileSummary::uncounted(OpId id) {
  const Op &op = function_.op(id);
  if (std::optional<Outcome> outcome = testedAtOnce(id))
    return *outcome;
  if (std::optional<Outcome> outcome = byItself(id))
    return *outcome;
  llvm::SaveAndRestore conditions(conditions_), walks(walks_, walks_ + 1);
  llvm::ArrayRef<ValueId> carried = op.operands;
  while (true) {
    if (!mayWalk())
      return Outcome::Given;
    for (RegionId part : op.regions) { // the test, then the body: each ends with whether to go on
      pass(carried, function_.region(part).args);
      if (Outcome outcome = region(part); outcome != Outcome::Done)
        return outcome;
      carried = llvm::ArrayRef(function_.terminator(part).operands).drop_front();
      if (part == op.regions[0] && isData(function_.terminator(part).operands[0]))
        return Outcome::Given; // nothing says when it ends
      bool again = false;
      if (Outcome outcome = goesOn(part, again); outcome != Outcome::Done)
        return outcome;
      if (!again) {
        pass(carried, op.results);
        if (conditions_ > conditions.get())
          defineAsData(op.results);
        return Outcome::Done;
      }
    }
  }
}

} // namespace colonnade::model
