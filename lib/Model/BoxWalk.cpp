//===- BoxWalk.cpp - Runs a nest box by box -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest, and the plan for it (Boxes.h). Out: regions, branches and loops, run box by box.
//
// A loop that comes before those around it is open where these are run, once for each of its
// iterations.
//
// Invariant: the boxes of a loop, in all classes, are its iterations, each once.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"
#include "Model/DigitNest.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

static constexpr uint64_t MaxBoxOperations = 300'000'000; // some seconds

ProfileSummary::BoxWalk::BoxWalk(ProfileSummary &summary, const BoxPlan &plan)
    : summary_(summary), function_(summary.function_), plan_(plan), values_(summary.values_.size()),
      dimensionOf_(function_.ops.size()), conditions_(summary.conditions_),
      left_(std::min(summary.left_, MaxBoxOperations)) {
  for (unsigned loop = 0; loop < plan.loops.size(); ++loop)
    dimensionOf_[plan.loops[loop].id.index] = static_cast<uint8_t>(plan.symbols + loop);
  for (ValueId id : plan.outside) {
    const LinearValue &of = summary.values_[id.index];
    value(id).isData = of.kind != LinearValue::Kind::Linear || ir::isFloat(summary.typeOf(id));
    if (value(id).isData)
      continue;
    value(id).base = ir::asInt64(of.scalar);
    for (auto [symbol, coefficient] : of.terms)
      value(id).setStep(symbol, coefficient);
  }
  tally_.rowOf.assign(summary.profile_.sites.size(), UINT32_MAX);
  tally_.executions.resize(summary.tally_.executions.size());
}

std::optional<Outcome> ProfileSummary::BoxWalk::run() {
  const OpId root = plan_.loops.front().id;
  const uint64_t before = left_;
  if (!hoist(0)) {
    if (!blamed_)
      return std::nullopt;
    summary_.blamed_ = *blamed_;
    return Outcome::Open;
  }
  summary_.left_ -= std::min(summary_.left_, before - left_);
  mergeTally();
  const Op &op = function_.op(root);
  summary_.defineAsData(op.results);
  const ir::ScalarType type = summary_.typeOf(op.results[0]);
  const BoxValue &behind = value(op.results[0]);
  summary_.value(op.results[0]) = withSymbols(behind, behind.base);
  summary_.value(op.results[0]).scalar = ir::makeInt(type, behind.base);
  return Outcome::Done;
}

/// Opens the loops that come first, each iteration by itself, then runs the nest.
bool ProfileSummary::BoxWalk::hoist(size_t next) {
  if (next == plan_.hoisted.size())
    return loop(plan_.loops.front().id);
  const BoxLoop &of = plan_.loops[plan_.hoisted[next]];
  const Op &op = function_.op(of.id);
  const unsigned dimension = plan_.symbols + plan_.hoisted[next];
  BoxValue low = of.low.value, high = of.high.value;
  bool isEmpty = false;
  for (unsigned d : open_) {
    const Frame &frame = frames_[d];
    isEmpty |= (of.around >> (d - plan_.symbols) & 1) && frame.iterations == 0;
    int64_t change;
    for (BoxValue *bound : {&low, &high})
      if (__builtin_mul_overflow(bound->steps[d], frame.first, &change) ||
          __builtin_add_overflow(bound->base, change, &bound->base))
        return false;
  }
  const ir::ScalarType type = summary_.typeOf(op.operands[0]);
  const std::optional<int64_t> iterations =
      isEmpty ? 0
              : summary_.iterations(op, LinearValue::of(ir::makeInt(type, low.base)),
                                    LinearValue::of(ir::makeInt(type, high.base)), of.step);
  if (!iterations)
    return false;
  Frame &frame = frames_[dimension];
  frame = {};
  frame.isHoisted = true;
  frame.iterations = *iterations;
  open_.push_back(dimension);
  for (frame.first = 0; frame.first < std::max(*iterations, int64_t(1)); ++frame.first) {
    setCount(dimension, 1);
    frame.isFirst = frame.first == 0;
    const size_t from = pending_.size();
    if (!hoist(next + 1) || !endPass(dimension, from))
      return false;
  }
  open_.pop_back();
  frame.isHoisted = false;
  return true;
}

bool ProfileSummary::BoxWalk::region(RegionId id) {
  if (summary_.isKernel_)
    enter(id.index, {}, conditions_ > 0);
  for (OpId op : summary_.isKernel_ ? summary_.deciding_[id.index] : function_.region(id).ops)
    if (!operation(op))
      return false;
  return true;
}

bool ProfileSummary::BoxWalk::operation(OpId id) {
  if (left_ == 0)
    return false;
  --left_;
  const Op &op = function_.op(id);
  switch (op.opcode) {
  case Opcode::If:
    return branch(op);
  case Opcode::For:
    return loop(id);
  case Opcode::Yield:
    return true;
  case Opcode::Load:
  case Opcode::Store:
    return summary_.isKernel_ ? kernelLoad(op) : access(id);
  case Opcode::Check:
    return isKnown(value(op.operands[0])) && value(op.operands[0]).base;
  case Opcode::Lane:
  case Opcode::Warp:
    value(op.results[0]) = BoxValue::data();
    return true;
  case Opcode::AnyLane:
    value(op.results[0]) = value(op.operands[0]);
    return true;
  default:
    return evaluate(id);
  }
}

bool ProfileSummary::BoxWalk::branch(const Op &op) {
  const BoxValue &condition = value(op.operands[0]);
  if (!condition.isData) {
    if (!makeKnown(condition))
      return false;
    const RegionId arm = op.regions[condition.base ? 0 : 1];
    if (!region(arm))
      return false;
    if (!op.results.empty()) // none of them is one of those that are passed
      for (auto [result, given] : llvm::zip(op.results, function_.terminator(arm).operands))
        value(result) = value(given);
    return true;
  }
  if (!summary_.isKernel_)
    return false;
  return bothArms(op);
}

/// Some lanes may go one way and some the other.
bool ProfileSummary::BoxWalk::bothArms(const Op &op) {
  const llvm::SaveAndRestore conditions(conditions_, conditions_ + 1);
  for (RegionId arm : op.regions)
    if (!region(arm))
      return false;
  for (auto [id, first, second] :
       llvm::zip(op.results, function_.terminator(op.regions[0]).operands,
                 function_.terminator(op.regions[1]).operands)) {
    const BoxValue &a = value(first), &b = value(second);
    if (!summary_.matters_[id.index] || a.isData || b.isData)
      value(id) = BoxValue::data();
    else if (a.base == b.base && a.steps == b.steps)
      value(id) = a;
    else
      return false; // they may be the same somewhere in the box
  }
  return true;
}

bool ProfileSummary::BoxWalk::loop(OpId id) {
  const Op &op = function_.op(id);
  const unsigned dimension = dimensionOf_[id.index];
  const BoxLoop &of = plan_.loops[dimension - plan_.symbols];
  const BoxValue low = value(op.operands[0]), high = value(op.operands[1]);
  if (low.isData || high.isData)
    return false;
  BoxValue way;
  forEachDimension(low.changing | high.changing,
                   [&](unsigned d) { way.setStep(d, high.steps[d] - low.steps[d]); });
  const ir::ScalarType type = summary_.typeOf(op.operands[0]);
  const bool mayBeBeyond = type == ir::ScalarType::U64; // of signed integers
  if (!makeKnown(way) || (mayBeBeyond && (!fits(low, type) || !fits(high, type))))
    return false;
  const std::optional<int64_t> count =
      summary_.iterations(op, LinearValue::of(ir::makeInt(type, low.base)),
                          LinearValue::of(ir::makeInt(type, high.base)), of.step);
  const auto isBehind = [&](int64_t iterations, BoxValue &behind) {
    int64_t all;
    behind = low;
    return !__builtin_mul_overflow(of.step, iterations, &all) &&
           !__builtin_add_overflow(behind.base, all, &behind.base) && fits(behind, type);
  };
  BoxValue behind;
  if (!count || !isBehind(*count, behind))
    return false;
  int64_t iterations = *count;
  const bool isRun = frames_[dimension].isHoisted
                         ? frames_[dimension].iterations == iterations &&
                               (iterations == 0 || body(id, dimension, low))
                         : iterate(id, dimension, low, iterations);
  if (!isRun || !isBehind(iterations, behind))
    return false;
  for (ValueId result : op.results) {
    value(result) = BoxValue::data();
  }
  const RegionId body = op.regions[0];
  const bool mayEnd =
      op.hasContinueFlag && iterations > 0 && value(function_.terminator(body).operands[0]).isData;
  if (!mayEnd)
    value(op.results[0]) = behind;
  return true;
}

/// A loop at its own place: class by class, and range by range. If it ends before, `iterations` are
/// those before its last one.
bool ProfileSummary::BoxWalk::iterate(OpId id, unsigned dimension, const BoxValue &low,
                                      int64_t &iterations) {
  const BoxLoop &of = plan_.loops[dimension - plan_.symbols];
  Frame &frame = frames_[dimension];
  frame = {};
  frame.iterations = iterations;
  open_.push_back(dimension);
  bool again = true;
  const llvm::SaveAndRestore conditions(conditions_), later(summary_.later_);
  for (; again && frame.remainder < std::min(of.stride, iterations); ++frame.remainder) {
    const int64_t ofClass = (iterations - frame.remainder + of.stride - 1) / of.stride;
    for (frame.first = 0; again && frame.first < ofClass; frame.first += frame.count) {
      setCount(dimension, of.isWalked ? 1 : ofClass - frame.first);
      const size_t from = pending_.size();
      if (!body(id, dimension, low) || !goesOn(function_.op(id), dimension, again) ||
          !endPass(dimension, from))
        return false;
      if (!again)
        iterations = frame.first;
    }
  }
  open_.pop_back();
  setCount(dimension, 1);
  return true;
}

/// A loop that ends with a box does so with its first iteration. Where data ends it, its own first
/// iteration is a box, and what follows is conditional.
bool ProfileSummary::BoxWalk::goesOn(const Op &op, unsigned dimension, bool &again) {
  const bool isFirst = frames_[dimension].first == 0;
  if (op.dataEnds && isFirst) {
    setCount(dimension, 1);
    ++summary_.later_;
  }
  if (!op.hasContinueFlag)
    return true;
  const BoxValue &flag = value(function_.terminator(op.regions[0]).operands[0]);
  if (flag.isData) {
    conditions_ += isFirst;
    if (isFirst)
      setCount(dimension, 1);
    return summary_.isKernel_;
  }
  if (!makeKnown(flag))
    return false;
  again = flag.base;
  if (!again)
    setCount(dimension, 1);
  return true;
}

bool ProfileSummary::BoxWalk::body(OpId id, unsigned dimension, const BoxValue &low) {
  const RegionId region = function_.op(id).regions[0];
  const BoxLoop &of = plan_.loops[dimension - plan_.symbols];
  const Frame &frame = frames_[dimension];
  llvm::ArrayRef<ValueId> args = function_.region(region).args;
  for (ValueId arg : args.drop_front()) {
    value(arg) = BoxValue::data();
  }
  BoxValue &counter = value(args[0]);
  counter = low; // the counter behind the loop fits: nothing wraps
  counter.base += of.step * (frame.remainder + of.stride * frame.first);
  if (frame.count > 1)
    counter.setStep(dimension, of.step * of.stride);
  const llvm::SaveAndRestore around(around_, around_ | uint32_t(1) << dimension);
  return this->region(region);
}

/// Where nothing around may be taken back. nullopt: it has to be run in some other way.
std::optional<Outcome> ProfileSummary::inBoxes(OpId id) {
  static constexpr uint8_t MaxDeclined = 16; // times in a row
  uint8_t &declined = boxesDeclined_[id.index];
  if (declined == MaxDeclined || isBounding_ || !isDirect() || (!isKernel_ && conditions_ > 0))
    return std::nullopt;
  std::optional<BoxPlan> plan;
  for (int64_t maxStride : {16, 64, 256})
    if (std::optional<BoxPlan> other = BoxPlanner(*this, id, maxStride).plan();
        other && (!plan || other->boxes < plan->boxes))
      plan = std::move(other);
  std::optional<Outcome> outcome;
  if (byDigits(id, plan ? plan->boxes : std::numeric_limits<double>::infinity()))
    outcome = Outcome::Done;
  else if (plan)
    outcome = BoxWalk(*this, *plan).run();
  declined = outcome ? 0 : declined + 1;
  return outcome;
}

/// Where boxes are many: automata may have fewer steps.
bool ProfileSummary::byDigits(OpId id, double boxes) {
  constexpr double Most = 3'000'000;
  if (boxes <= double(fewestByDigits_) || loops_.symbols > 0)
    return false;
  const uint64_t budget =
      std::min({static_cast<uint64_t>(std::min(boxes, Most)), digitsLeft_, left_});
  DigitNest nest(*this, budget);
  const bool isDone = nest.run(id, fewestByDigits_);
  (isDone ? left_ : digitsLeft_) -= budget - nest.left();
  return isDone;
}

} // namespace colonnade::model
