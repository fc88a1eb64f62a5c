//===- SummaryLoops.cpp - Branches and loops of a summary -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using Kind = LinearValue::Kind;

Outcome ProfileSummary::branch(const Op &op) {
  if (isData(op.operands[0]))
    return bothArms(op);
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

Outcome ProfileSummary::counted(OpId id) {
  const Op &op = function_.op(id);
  const LinearValue low = value(op.operands[0]), high = value(op.operands[1]);
  int64_t step = 0, first = 0, last = 0;
  if (Outcome outcome = known(value(op.operands[2]), step); outcome != Outcome::Done)
    return outcome;
  const std::optional<int64_t> count = iterations(op, low, high, step);
  const bool isPlain = (!op.hasContinueFlag && op.operands.size() == 3) || carriesData(op);
  if (count && isPlain && *count != 1 && !isOpen_[id.index]) {
    const size_t recorded = records_.size(), entered = entries_.size();
    const LoopCounts around = loops_;
    strides_.resize(around.size() + 1);
    strides_.back() = 1;
    Outcome outcome = closed(id, low, step, *count);
    loops_ = around;
    const bool isPeriodic = strides_[around.size()] > 1;
    if (isPeriodic && outcome == Outcome::Open && blamed_ == around.size()) {
      records_.resize(recorded);
      entries_.resize(entered);
      outcome = inStrides(id, low, step, *count);
    }
    if (outcome == Outcome::Done && around.empty())
      settle();
    if (outcome != Outcome::Open || blamed_ != around.size())
      return outcome;
    records_.resize(recorded);
    entries_.resize(entered);
    isOpen_[id.index] = !isPeriodic;
  }
  if (Outcome outcome = known(low, first); outcome != Outcome::Done)
    return outcome;
  if (Outcome outcome = known(high, last); outcome != Outcome::Done)
    return outcome;
  return walked(op, first, last, step);
}

/// All iterations at once.
Outcome ProfileSummary::closed(OpId id, const LinearValue &low, int64_t step, int64_t iterations) {
  const Op &op = function_.op(id);
  const RegionId body = op.regions[0];
  const auto loop = static_cast<unsigned>(loops_.size());
  loops_.push_back(iterations + 1); // the counter behind the loop has to fit its type, too
  const LinearValue beyond = linearIn(low, step, loop, loops_);
  if (beyond.kind != Kind::Linear)
    return blamed_ = loop, Outcome::Open;
  loops_.back() = iterations;
  if (iterations > 0) {
    value(function_.region(body).args[0]) = beyond;
    const llvm::SaveAndRestore conditions(conditions_, conditions_ + op.hasContinueFlag);
    defineAsData(llvm::ArrayRef(function_.region(body).args).drop_front());
    if (Outcome outcome = region(body); outcome != Outcome::Done)
      return outcome;
    if (op.hasContinueFlag && !isData(function_.terminator(body).operands[0]))
      return blamed_ = loop, Outcome::Open; // it may end for all lanes
  }
  loops_.pop_back();
  value(op.results[0]) = low;
  value(op.results[0]).scalar =
      ir::makeInt(low.scalar.type, ir::asInt64(low.scalar) + step * iterations);
  defineAsData(llvm::ArrayRef(op.results).drop_front(!op.hasContinueFlag));
  if (loops_.empty())
    settle();
  return Outcome::Done;
}

/// i, i + s, i + 2s, … at once, for each of the first s iterations: i % s is known in each.
Outcome ProfileSummary::inStrides(OpId id, const LinearValue &low, int64_t step,
                                  int64_t iterations) {
  const LoopCounts around = loops_;
  const auto loop = static_cast<unsigned>(around.size());
  const llvm::SaveAndRestore attempts(attempts_, attempts_ + 1);
  const size_t recorded = records_.size(), entered = entries_.size();
  const ir::ScalarType type = low.scalar.type;
  auto at = [&](int64_t iteration) {
    LinearValue value = low;
    value.scalar = ir::makeInt(type, ir::asInt64(low.scalar) + step * iteration);
    return value;
  };
  int64_t stride = strides_[loop], wider = 0;
  for (int64_t more = stride; more > 1; more = strides_[loop], stride *= more) {
    if (stride > MaxStride || 2 * stride > iterations ||
        __builtin_mul_overflow(step, stride, &wider))
      break;
    records_.resize(recorded);
    entries_.resize(entered);
    strides_[loop] = 1; // what these strides have to be multiplied by
    Outcome outcome = Outcome::Done;
    for (int64_t first = 0; first < stride && outcome == Outcome::Done; ++first) {
      outcome = closed(id, at(first), wider, (iterations - first + stride - 1) / stride);
      loops_ = around;
    }
    if (outcome == Outcome::Done && !function_.op(id).hasContinueFlag)
      value(function_.op(id).results[0]) = at(iterations);
    if (outcome != Outcome::Open || blamed_ != loop)
      return outcome;
  }
  return blamed_ = loop, Outcome::Open;
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
  llvm::SaveAndRestore conditions(conditions_);
  for (bool isFirst = op.postTest; isFirst || isBefore(op.predicate, counter, high);
       isFirst = false) {
    llvm::ArrayRef<ValueId> args = function_.region(body).args;
    value(args[0]) = LinearValue::of(ir::makeInt(type, counter));
    define(args.drop_front(), carried);
    if (Outcome outcome = region(body); outcome != Outcome::Done)
      return outcome;
    carried = passed(body, op.hasContinueFlag);
    if (op.hasContinueFlag) {
      bool again = false;
      if (Outcome outcome = goesOn(body, again); outcome != Outcome::Done)
        return outcome;
      if (!again)
        break;
    }
    if (__builtin_add_overflow(counter, step, &counter) || !ir::exactInt(type, counter))
      return Outcome::Given; // it wraps, or is undefined
  }
  value(op.results[0]) = LinearValue::of(ir::makeInt(type, counter));
  define(llvm::ArrayRef(op.results).drop_front(), carried);
  if (conditions_ > conditions.get())
    defineAsData(op.results); // lanes left with what they had
  return Outcome::Done;
}

Outcome ProfileSummary::uncounted(const Op &op) {
  llvm::SaveAndRestore conditions(conditions_);
  Values carried;
  for (ValueId init : op.operands)
    carried.push_back(value(init));
  while (true) {
    for (RegionId part : op.regions) { // the test, then the body: each ends with whether to go on
      define(function_.region(part).args, carried);
      if (Outcome outcome = region(part); outcome != Outcome::Done)
        return outcome;
      carried = passed(part, 1);
      if (part == op.regions[0] && isData(function_.terminator(part).operands[0]))
        return Outcome::Given; // nothing says when it ends
      bool again = false;
      if (Outcome outcome = goesOn(part, again); outcome != Outcome::Done)
        return outcome;
      if (!again) {
        define(op.results, carried);
        if (conditions_ > conditions.get())
          defineAsData(op.results);
        return Outcome::Done;
      }
    }
  }
}

} // namespace colonnade::model
