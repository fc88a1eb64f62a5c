//===- DigitNest.cpp - A nest of loops, counted by digits -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest. Out: its numbers and conditions (Digits.h), and what is accessed or entered where.
//
// Both arms of a branch are gone through once, each with its condition; so is a loop's body, with
// the condition that its counter lies between its bounds.
//
// Invariant: the conditions of a place hold in as many iterations as it is come to.
//
//===----------------------------------------------------------------------===//

#include "Model/DigitNest.h"

#include "IR/KernelFacts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

static constexpr size_t MaxDigitLoops = 16;
static constexpr double MaxDigitIterations = 4e18; // their number fits 64 bits

ProfileSummary::DigitNest::Place ProfileSummary::DigitNest::here() const {
  return {path_, around_};
}

bool ProfileSummary::DigitNest::region(RegionId id) {
  if (summary_.isKernel_) {
    Visits &visits = visits_[here()];
    (conditions_ > 0 ? visits.conditionalRegions : visits.regions).push_back(id.index);
  }
  return llvm::all_of(summary_.isKernel_ ? summary_.deciding_[id.index]
                                         : summary_.function_.region(id).ops,
                      [&](OpId op) { return operation(op); });
}

bool ProfileSummary::DigitNest::operation(OpId id) {
  const Op &op = summary_.function_.op(id);
  switch (op.opcode) {
  case Opcode::For:
    return loop(id);
  case Opcode::If:
    return branch(op);
  case Opcode::Load:
  case Opcode::Store:
    return access(id);
  case Opcode::Yield:
  case Opcode::Constant: // known before
    return true;
  case Opcode::Check: {
    const Value condition = value(op.operands[0]);
    if (condition.kind != Value::Kind::Truth)
      return false;
    visits_[here()].mustNotBe.push_back(system_.isNot(condition.id));
    return true;
  }
  case Opcode::Lane:
  case Opcode::Warp:
    define(op.results[0], {Value::Kind::Data});
    return true;
  case Opcode::Member: // as in KernelSummary.cpp
    define(op.results[0], number(system_.constant(0)));
    return true;
  case Opcode::HasInstance:
    define(op.results[0], truth(system_.constantly(true)));
    return true;
  default:
    if (!isComputation(op.opcode))
      return false;
  }
  define(op.results[0], plain(op));
  return true;
}

bool ProfileSummary::DigitNest::arm(RegionId id, DigitTruthId truth) {
  if (system_.constantTruth(truth) == false)
    return true;
  const size_t before = path_.size();
  if (!system_.constantTruth(truth))
    path_.push_back(truth);
  const bool isDone = region(id);
  path_.resize(before);
  return isDone;
}

bool ProfileSummary::DigitNest::branch(const Op &op) {
  const Value condition = value(op.operands[0]);
  if (condition.kind == Value::Kind::Data)
    return bothArms(op);
  if (condition.kind != Value::Kind::Truth || !arm(op.regions[0], condition.id) ||
      !arm(op.regions[1], system_.isNot(condition.id)))
    return false;
  const ir::Function &function = summary_.function_;
  const std::optional<bool> known = system_.constantTruth(condition.id);
  for (auto [result, first, second] :
       llvm::zip(op.results, function.terminator(op.regions[0]).operands,
                 function.terminator(op.regions[1]).operands))
    define(result, known ? value(*known ? first : second)
                         : chosen(condition.id, value(first), value(second)));
  return true;
}

/// Some lanes may go one way and some the other.
bool ProfileSummary::DigitNest::bothArms(const Op &op) {
  const llvm::SaveAndRestore conditions(conditions_, conditions_ + 1);
  for (RegionId arm : op.regions)
    if (!region(arm))
      return false;
  const ir::Function &function = summary_.function_;
  for (auto [result, first, second] :
       llvm::zip(op.results, function.terminator(op.regions[0]).operands,
                 function.terminator(op.regions[1]).operands)) {
    const Value a = value(first), b = value(second);
    const bool isData = a.kind == Value::Kind::Data || b.kind == Value::Kind::Data ||
                        !summary_.matters_[result.index];
    const bool isSame = a.kind == b.kind && a.id == b.id;
    define(result, isData ? Value{Value::Kind::Data} : isSame ? a : Value());
  }
  return true;
}

/// nullopt: it is not known which way the counter goes, or one of them.
std::optional<ProfileSummary::DigitNest::Bounds> ProfileSummary::DigitNest::boundsOf(const Op &op) {
  const Value low = value(op.operands[0]), high = value(op.operands[1]), by = value(op.operands[2]);
  if (low.kind != Value::Kind::Number || high.kind != low.kind || by.kind != low.kind)
    return std::nullopt;
  const std::optional<int64_t> given = system_.constantOf(by.id);
  const std::optional<DigitNumberId> way = system_.sum(high.id, 1, low.id, -1);
  if (!given || *given == 0 || !way)
    return std::nullopt;
  const int64_t step = ir::asStep(op, ir::makeInt(summary_.typeOf(op.operands[2]), *given));
  const ValueRange range = system_.number(*way).range;
  bool rises = op.predicate == ir::Predicate::Lt || op.predicate == ir::Predicate::Le;
  if (op.predicate == ir::Predicate::Ne) {
    rises = step == 1;
    if (step == 1 ? range.low < 0 : step != -1 || range.high > 0)
      return std::nullopt;
  }
  if (rises != (step > 0) || std::abs(step) > int64_t(1) << 40)
    return std::nullopt;
  return Bounds{low.id, high.id, step,
                op.predicate == ir::Predicate::Le || op.predicate == ir::Predicate::Ge};
}

/// The least and the most that the counter may be in the loop: none, if that is less. nullopt: it
/// may wrap behind that.
std::optional<ValueRange> ProfileSummary::DigitNest::valuesOf(const Op &op, const Bounds &bounds) {
  const bool rises = bounds.step > 0;
  const int64_t toLast = bounds.isClosed ? 0 : rises ? -1 : 1;
  const ValueRange low = system_.number(bounds.low).range, high = system_.number(bounds.high).range;
  ValueRange of =
      rises ? ValueRange{low.low, high.high + toLast} : ValueRange{high.low + toLast, low.high};
  if (op.postTest)
    of = {std::min(of.low, low.low), std::max(of.high, low.high)};
  const ValueRange any = anyOf(summary_.typeOf(op.operands[0])).value_or(ValueRange{0, INT64_MAX});
  const bool wraps = rises ? of.high + bounds.step > any.high : of.low + bounds.step < any.low;
  return wraps ? std::nullopt : std::optional(of);
}

/// Whether the counter is in its loop, and in its first iteration.
bool ProfileSummary::DigitNest::setConditions(Frame &frame, const Op &op, const Bounds &bounds) {
  const int64_t sign = bounds.step > 0 ? 1 : -1;
  const std::optional<DigitNumberId> behindLow =
                                         system_.sum(frame.counter, sign, bounds.low, -sign),
                                     before = system_.sum(bounds.high, sign, frame.counter, -sign);
  const std::optional<DigitNumberId> toEnd =
      before ? system_.sum(*before, 1, system_.constant(bounds.isClosed ? 0 : -1), 1)
             : std::nullopt;
  if (!behindLow || !toEnd)
    return false;
  frame.isFirst = system_.isZero(*behindLow);
  frame.isWithin = system_.both(system_.isNot(system_.isNegative(*behindLow)),
                                system_.isNot(system_.isNegative(*toEnd)));
  if (op.postTest)
    frame.isWithin = system_.either(frame.isWithin, frame.isFirst);
  return true;
}

/// The counter is a variable, if it takes all values between its bounds; else its iteration is.
std::optional<ProfileSummary::DigitNest::Frame>
ProfileSummary::DigitNest::frameOf(const Op &op, const Bounds &bounds) {
  const std::optional<ValueRange> of = valuesOf(op, bounds);
  if (!of)
    return std::nullopt;
  const std::optional<int64_t> low = system_.constantOf(bounds.low);
  const bool isUnit = std::abs(bounds.step) == 1 && !low, isEmpty = of->low > of->high;
  const int64_t last = isEmpty ? 0 : (of->high - of->low) / std::abs(bounds.step);
  Frame frame;
  frame.digits = system_.variable(last, uint32_t(1) << frames_.size());
  const std::optional<DigitNumberId> counter =
      isUnit ? system_.sum(frame.digits, 1, system_.constant(of->low), 1)
             : system_.sum(bounds.low, 1, frame.digits, bounds.step);
  if (!counter)
    return std::nullopt;
  frame.counter = *counter;
  if (!setConditions(frame, op, bounds))
    return std::nullopt;
  if (!isEmpty) { // where these hold
    system_.narrow(frame.digits, {0, last});
    system_.narrow(frame.counter, *of);
  }
  frame.most = double(last) + 1;
  if (low && system_.constantOf(bounds.high))
    frame.constant = isEmpty ? 0 : static_cast<uint64_t>(last) + 1;
  return frame;
}

bool ProfileSummary::DigitNest::loop(OpId id) {
  const Op &op = summary_.function_.op(id);
  const std::optional<Bounds> bounds = boundsOf(op);
  if (!bounds || frames_.size() == MaxDigitLoops ||
      (op.operands.size() > 3 && !summary_.carriesNothingKnown(op)))
    return false;
  std::optional<Frame> frame = frameOf(op, *bounds);
  if (!frame || !body(op, *frame))
    return false;
  for (ValueId result : op.results)
    define(result, {summary_.isKernel_ ? Value::Kind::Data : Value::Kind::Other});
  if (!op.hasContinueFlag)
    defineBehind(op, *bounds, *frame);
  return true;
}

bool ProfileSummary::DigitNest::body(const Op &op, Frame &frame) {
  const RegionId body = op.regions[0];
  const llvm::ArrayRef<ValueId> args = summary_.function_.region(body).args;
  for (ValueId arg : args)
    define(arg, {Value::Kind::Data});
  define(args[0], number(frame.counter));
  frame.endsByData = summary_.isKernel_ ? op.hasContinueFlag : op.dataEnds;
  around_.push_back(static_cast<uint32_t>(frames_.size()));
  frames_.push_back(frame);
  double iterations = 1;
  for (uint32_t loop : around_)
    iterations *= frames_[loop].most;
  iterations_ += iterations;
  if (iterations > MaxDigitIterations || !region(body))
    return false;
  around_.pop_back();
  return !op.hasContinueFlag ||
         value(summary_.function_.terminator(body).operands[0]).kind == Value::Kind::Data;
}

void ProfileSummary::DigitNest::defineBehind(const Op &op, const Bounds &bounds,
                                             const Frame &frame) {
  const std::optional<int64_t> low = system_.constantOf(bounds.low);
  define(op.results[0],
         frame.constant && low
             ? number(system_.constant(*low + bounds.step * static_cast<int64_t>(*frame.constant)))
             : Value());
}

std::optional<ProfileSummary::DigitNest::Value>
ProfileSummary::DigitNest::cellOf(const ir::AccessOperands &operands) {
  Value cell = value(operands.subscripts[0]);
  for (size_t k = 0; k < operands.radices.size(); ++k) {
    const Value radix = value(operands.radices[k]), next = value(operands.subscripts[k + 1]);
    for (const Value &of : {cell, radix, next})
      if (of.kind != Value::Kind::Number)
        return std::nullopt;
    const std::optional<int64_t> scale = system_.constantOf(radix.id);
    if (!scale)
      return std::nullopt;
    cell = number(system_.sum(cell.id, *scale, next.id, 1));
  }
  return cell.kind == Value::Kind::Number ? std::optional(cell) : std::nullopt;
}

bool ProfileSummary::DigitNest::access(OpId id) {
  const Op &op = summary_.function_.op(id);
  const bool decides = summary_.decides_[op.array.index];
  if (op.opcode == Opcode::Load)
    define(op.results[0],
           {summary_.isKernel_ && !decides ? Value::Kind::Data : Value::Kind::Other});
  if (summary_.isKernel_)
    return true;
  const ir::AccessOperands operands = ir::accessOperands(op);
  if (operands.mask || (decides && op.opcode == Opcode::Store))
    return false;
  const std::optional<Value> cell = cellOf(operands);
  if (!cell)
    return false;
  Visits &visits = visits_[here()];
  visits.accesses.push_back({id, cell->id});
  const int64_t cells = summary_.cells_[op.array.index];
  const ValueRange range = system_.number(cell->id).range;
  if ((range.low >= 0 && range.high < cells) || (op.speculative && !decides))
    return true;
  const std::optional<DigitNumberId> behind = system_.sum(cell->id, 1, system_.constant(cells), -1);
  if (!behind)
    return false;
  visits.mustNotBe.push_back(system_.isNegative(cell->id));
  visits.mustNotBe.push_back(system_.isNot(system_.isNegative(*behind)));
  return true;
}

} // namespace colonnade::model
