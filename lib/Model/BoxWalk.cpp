//===- BoxWalk.cpp - Runs a nest box by box -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest, and the plan for it (Boxes.h). Out: its accesses, or entries of its regions.
//
// A loop that comes before those around it is open where these are run, once for each of its
// iterations. What is in them, but not in it, is counted with its first iteration only.
//
// Invariant: what is counted waits until no range of its box can be cut any more.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

#include "Model/Residues.h"
#include "Model/Stages.h"

#include "IR/KernelFacts.h"

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

void ProfileSummary::BoxWalk::mergeTally() {
  Tally &to = summary_.tally_;
  for (const Tally::Row &row : tally_.rows) {
    std::vector<uint64_t> &counts = to.countsOf(row.site, row.symbols, summary_.profile_.period);
    for (size_t residue = 0; residue < counts.size(); ++residue)
      counts[residue] += row.counts[residue];
  }
  for (auto [all, more] : llvm::zip(to.executions, tally_.executions)) {
    all.all += more.all;
    all.conditional += more.conditional;
  }
  to.add(tally_.sum);
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
  const llvm::SaveAndRestore conditions(conditions_, conditions_ + 1);
  for (RegionId arm : op.regions)
    if (!region(arm))
      return false;
  for (ValueId result : op.results) {
    if (summary_.matters_[result.index])
      return false; // it may be known, where both arms give the same
    value(result) = BoxValue::data();
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

/// A loop that ends with a box does so with its first iteration.
bool ProfileSummary::BoxWalk::goesOn(const Op &op, unsigned dimension, bool &again) {
  if (!op.hasContinueFlag)
    return true;
  const BoxValue &flag = value(function_.terminator(op.regions[0]).operands[0]);
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

/// Ranges of the loop are no more cut; nor are those around it, perhaps.
bool ProfileSummary::BoxWalk::endPass(unsigned dimension, size_t from) {
  if (const int64_t count = frames_[dimension].count; count > 1)
    for (size_t p = from; p < pending_.size(); ++p)
      if (pending_[p].dimensions >> dimension & 1)
        pending_[p].counts[dimension] = count;
  if ((ranged_ & ~(uint32_t(1) << dimension)) != 0)
    return true;
  for (const Pending &pending : pending_)
    if (!commit(pending))
      return false;
  pending_.clear();
  return true;
}

void ProfileSummary::BoxWalk::enter(uint32_t number, const BoxValue &cell, bool isConditional) {
  for (unsigned loop : plan_.hoisted)
    if (const unsigned d = plan_.symbols + loop; !(around_ >> d & 1) && !frames_[d].isFirst)
      return;
  Pending pending{number, isConditional, around_, cell, {}};
  pending.counts.fill(1);
  pending_.push_back(pending);
}

std::optional<BoxValue> ProfileSummary::BoxWalk::cellOf(const ir::AccessOperands &operands) {
  BoxValue cell = value(operands.subscripts[0]);
  for (size_t k = 0; k < operands.radices.size(); ++k) {
    const BoxValue &radix = value(operands.radices[k]), &next = value(operands.subscripts[k + 1]);
    if (cell.isData || radix.isData || next.isData)
      return BoxValue::data();
    BoxValue row;
    if (!linear(Opcode::Mul, cell, radix, row) || !linear(Opcode::Add, row, next, cell))
      return std::nullopt;
  }
  return cell;
}

bool ProfileSummary::BoxWalk::access(OpId id) {
  const Op &op = function_.op(id);
  const std::optional<BoxValue> cell = cellOf(ir::accessOperands(op));
  if (!cell || cell->isData)
    return false;
  enter(summary_.siteOf(id), *cell, false);
  return op.opcode == Opcode::Store || load(op, *cell);
}

bool ProfileSummary::BoxWalk::kernelLoad(const Op &op) {
  value(op.results[0]) = BoxValue::data();
  if (!summary_.decides_[op.array.index])
    return true;
  const std::optional<BoxValue> cell = cellOf(ir::accessOperands(op));
  return cell && (cell->isData || load(op, *cell));
}

/// What is loaded from an array whose contents are known.
bool ProfileSummary::BoxWalk::load(const Op &op, const BoxValue &cell) {
  BoxValue &result = value(op.results[0]);
  const ir::ScalarType type = summary_.typeOf(op.results[0]);
  result = {};
  result.isData = !summary_.decides_[op.array.index] || ir::isFloat(type);
  if (result.isData)
    return true;
  const llvm::ArrayRef<uint64_t> contents = summary_.contents_[op.array.index];
  if (!makeKnown(cell) || static_cast<uint64_t>(cell.base) >= contents.size())
    return false;
  result.base = ir::asInt64({type, contents[static_cast<size_t>(cell.base)]});
  return true;
}

bool ProfileSummary::BoxWalk::commit(const Pending &pending) {
  uint64_t times = 1;
  forEachDimension(pending.dimensions, [&](unsigned d) {
    times = llvm::SaturatingMultiply(times, static_cast<uint64_t>(pending.counts[d]));
  });
  tally_.add(times);
  if (tally_.sum == UINT64_MAX)
    return false; // the other ways say so
  if (summary_.isKernel_) {
    Executions &of = tally_.executions[pending.number];
    of.all += times;
    of.conditional += pending.isConditional ? times : 0;
    return true;
  }
  if (!isWithinArray(pending.number, pending))
    return false;
  addCells(pending);
  return true;
}

/// As of ProfileSummary::access.
bool ProfileSummary::BoxWalk::isWithinArray(uint32_t site, const Pending &pending) const {
  const Site &of = summary_.profile_.sites[site];
  int64_t least = pending.cell.base, most = least;
  bool overflows = false;
  forEachDimension(pending.cell.changing & pending.dimensions, [&](unsigned d) {
    int64_t change;
    overflows |=
        __builtin_mul_overflow(pending.cell.steps[d], pending.counts[d] - 1, &change) ||
        __builtin_add_overflow(change < 0 ? least : most, change, change < 0 ? &least : &most);
  });
  if (overflows)
    return false;
  const int64_t last = summary_.cells_[of.array.index] - 1;
  const bool isIn =
      hasSymbols(pending.cell)
          ? model::isWithin(withSymbols(pending.cell, least), 0, last, summary_.loops_) &&
                model::isWithin(withSymbols(pending.cell, most), 0, last, summary_.loops_)
          : least >= 0 && most <= last;
  return isIn || (function_.op(of.op).speculative && !summary_.decides_[of.array.index]);
}

void ProfileSummary::BoxWalk::addCells(const Pending &pending) {
  const BoxValue &cell = pending.cell;
  std::vector<uint64_t> &counts =
      tally_.countsOf(pending.number, hasSymbols(cell) ? withSymbols(cell, 0).terms : LoopTerms(),
                      summary_.profile_.period);
  uint64_t times = 1;
  uint32_t changing = 0;
  forEachDimension(pending.dimensions, [&](unsigned d) {
    if (pending.counts[d] == 1)
      return;
    if (cell.changing >> d & 1)
      changing |= uint32_t(1) << d;
    else
      times *= static_cast<uint64_t>(pending.counts[d]);
  });
  if (changing == 0) {
    counts[summary_.residueOf(cell.base)] += times;
  } else if (llvm::popcount(changing) == 1) {
    const auto d = static_cast<unsigned>(llvm::countr_zero(changing));
    addResidues(counts, cell.base, cell.steps[d], static_cast<uint64_t>(pending.counts[d]), times);
  } else {
    LoopCounts loops = {static_cast<int64_t>(times)};
    LinearValue of = LinearValue::of({ir::ScalarType::S64, static_cast<uint64_t>(cell.base)});
    forEachDimension(changing, [&](unsigned d) {
      of.terms[static_cast<unsigned>(loops.size())] = cell.steps[d];
      loops.push_back(pending.counts[d]);
    });
    addResidues(counts, of, loops);
  }
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
  const std::optional<Outcome> outcome = plan ? BoxWalk(*this, *plan).run() : std::nullopt;
  declined = outcome ? 0 : declined + 1;
  return outcome;
}

} // namespace colonnade::model
