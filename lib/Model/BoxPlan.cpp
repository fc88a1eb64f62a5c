//===- BoxPlan.cpp - Which loops of a nest are walked ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest, and what is known before it. Out: which of its loops are walked, so that there are as
// few boxes as can be, and which of these come before loops around them (Boxes.h).
//
// Invariant: a loop that comes before those around it has bounds that none but walked loops before
// it change, and is the only loop in each of them.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

#include "IR/KernelFacts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using FormKind = BoxForm::Kind;
using DemandKind = BoxDemand::Kind;

static constexpr double MaxBoxes = 8'000'000; // a second or two
static constexpr double FewerBoxes = 4;       // than iterations, by that factor

bool BoxDemand::isMet(uint32_t walked) const {
  switch (kind) {
  case Kind::AllButOne:
    return llvm::popcount(loops & ~walked) <= 1;
  case Kind::All:
    return (loops & ~walked) == 0;
  case Kind::OneSide:
    return (loops & ~walked) == 0 || (others & ~walked) == 0;
  }
  return false;
}

void ProfileSummary::BoxPlanner::demand(DemandKind kind, uint32_t loops, uint32_t others) {
  if (loops != 0 && (kind != DemandKind::AllButOne || llvm::popcount(loops) > 1))
    demands_.push_back({kind, loops, others});
}

bool ProfileSummary::BoxPlanner::region(RegionId id) {
  return llvm::all_of(summary_.isKernel_ ? summary_.deciding_[id.index]
                                         : summary_.function_.region(id).ops,
                      [&](OpId op) { return operation(op); });
}

bool ProfileSummary::BoxPlanner::operation(OpId id) {
  const Op &op = summary_.function_.op(id);
  switch (op.opcode) {
  case Opcode::For:
    return loop(id);
  case Opcode::If:
    return branch(op);
  case Opcode::Load:
  case Opcode::Store:
    return access(op);
  case Opcode::Check:
    formOf(op.operands[0]);
    return true;
  case Opcode::Yield:
  case Opcode::Constant: // known before
    for (ValueId operand : op.operands)
      formOf(operand);
    return true;
  case Opcode::Lane:
  case Opcode::Warp: {
    BoxForm data;
    data.kind = FormKind::Data;
    define(op.results[0], data);
    return true;
  }
  default:
    if (!isComputation(op.opcode))
      return false;
  }
  define(op.results[0], wrapped(plain(op), summary_.typeOf(op.results[0])));
  return true;
}

/// Both arms are seen: which is taken may change.
bool ProfileSummary::BoxPlanner::branch(const Op &op) {
  formOf(op.operands[0]);
  for (RegionId arm : op.regions)
    if (!region(arm))
      return false;
  const ir::Function &function = summary_.function_;
  for (auto [result, first, second] :
       llvm::zip(op.results, function.terminator(op.regions[0]).operands,
                 function.terminator(op.regions[1]).operands))
    define(result, merged(formOf(first), formOf(second)));
  return true;
}

bool ProfileSummary::BoxPlanner::access(const Op &op) {
  const ir::AccessOperands operands = ir::accessOperands(op);
  const bool decides = summary_.decides_[op.array.index];
  if (!summary_.isKernel_ && (operands.mask || (decides && op.opcode == Opcode::Store)))
    return false;
  BoxForm cell = formOf(operands.subscripts[0]);
  for (size_t k = 0; k < operands.radices.size(); ++k)
    cell =
        sum(product(cell, formOf(operands.radices[k])), 1, formOf(operands.subscripts[k + 1]), 1);
  if (op.opcode == Opcode::Store)
    return true;
  BoxForm loaded;
  loaded.kind = decides && cell.kind != FormKind::Data ? FormKind::Linear : FormKind::Data;
  loaded.high = 1 << 30;
  if (decides)
    demand(DemandKind::All, cell.loops);
  define(op.results[0], loaded);
  return true;
}

/// nullopt: it carries, or ends by, what is not followed in boxes.
std::optional<BoxLoop> ProfileSummary::BoxPlanner::bounded(OpId id) {
  const Op &op = summary_.function_.op(id);
  const bool isPlain = op.operands.size() == 3 || summary_.carriesNothingKnown(op);
  const BoxForm step = formOf(op.operands[2]);
  if (!isPlain || plan_.dimensions() == MaxBoxDimensions || !isKnownForm(step) ||
      step.value.base == 0)
    return std::nullopt;
  BoxLoop loop;
  loop.id = id;
  loop.step = ir::asStep(op, ir::makeInt(summary_.typeOf(op.operands[2]), step.value.base));
  loop.low = formOf(op.operands[0]);
  loop.high = formOf(op.operands[1]);
  loop.around = around_;
  loop.hasFlag = op.hasContinueFlag || op.dataEnds;
  const BoxForm way = sum(loop.high, 1, loop.low, -1);
  if (way.kind == FormKind::Data)
    return std::nullopt;
  const auto isExact = [](const BoxForm &of) { return of.isExact && of.divisor == 1; };
  loop.hasExactBounds =
      !loop.hasFlag && isExact(loop.low) && isExact(loop.high) && way.kind == FormKind::Linear;
  demand(DemandKind::All, way.loops);
  const double most = (loop.step > 0 ? way.high : -way.low) / std::abs(double(loop.step));
  loop.most = static_cast<int64_t>(std::clamp(most, 1.0, 1e12));
  return loop;
}

/// Of the next loop.
BoxForm ProfileSummary::BoxPlanner::counterOf(const BoxLoop &loop) const {
  BoxForm counter = loop.low;
  counter.value.steps[plan_.dimensions()] = loop.step * counter.divisor;
  counter.loops |= uint32_t(1) << plan_.loops.size();
  const double last = double(loop.step) * double(loop.most - 1);
  counter.low += std::min(last, 0.0);
  counter.high += std::max(last, 0.0);
  return counter;
}

bool ProfileSummary::BoxPlanner::loop(OpId id) {
  const Op &op = summary_.function_.op(id);
  const std::optional<BoxLoop> loop = bounded(id);
  if (!loop)
    return false;
  for (unsigned other = 0; other < plan_.loops.size(); ++other)
    if (around_ >> other & 1)
      plan_.loops[other].isInner = false;
  for (ValueId arg : summary_.function_.region(op.regions[0]).args)
    define(arg, BoxForm{FormKind::Data});
  define(summary_.function_.region(op.regions[0]).args[0], counterOf(*loop));
  {
    const llvm::SaveAndRestore around(around_, around_ | uint32_t(1) << plan_.loops.size());
    plan_.loops.push_back(*loop);
    if (!region(op.regions[0]))
      return false;
  }
  for (ValueId result : op.results)
    define(result, BoxForm{FormKind::Data});
  BoxForm behind = loop->high;
  behind.loops |= loop->low.loops | (loop->hasFlag ? around_ : 0);
  behind.kind = behind.loops ? FormKind::Piecewise : FormKind::Linear;
  behind.isExact = false;
  define(op.results[0], behind);
  return true;
}

/// Of walked loops, those that have to come before ones around them that are not, and those that
/// their bounds depend on. nullopt: that cannot be.
std::optional<uint32_t> ProfileSummary::BoxPlanner::hoistedOf(uint32_t walked) const {
  uint32_t hoisted = 0;
  for (auto number = static_cast<unsigned>(plan_.loops.size()); number-- > 0;) {
    const BoxLoop &loop = plan_.loops[number];
    const uint32_t bit = uint32_t(1) << number;
    if ((walked & bit) && (loop.around & ~walked))
      hoisted |= bit;
    if (hoisted & bit)
      hoisted |= walked & (loop.low.loops | loop.high.loops);
  }
  const auto mayNot = [&](const auto &loop) {
    return (hoisted >> loop.index() & 1) && !loop.value().hasExactBounds;
  };
  if (hoisted != 0 && (!plan_.isChain() || llvm::any_of(llvm::enumerate(plan_.loops), mayNot)))
    return std::nullopt;
  return hoisted;
}

/// nullopt: it cannot be had.
std::optional<double> ProfileSummary::BoxPlanner::boxesOf(uint32_t walked) const {
  const auto isMet = [&](const BoxDemand &demand) { return demand.isMet(walked); };
  if (!llvm::all_of(demands_, isMet) || !hoistedOf(walked))
    return std::nullopt;
  double all = 0;
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop) {
    const BoxLoop &of = plan_.loops[loop];
    if (!of.isInner)
      continue;
    double boxes = 1;
    for (unsigned other = 0; other < plan_.loops.size(); ++other)
      if (other == loop || of.around >> other & 1) {
        BoxLoop one = plan_.loops[other];
        one.isWalked = walked >> other & 1;
        boxes *= double(one.boxes());
      }
    all += boxes;
  }
  return all;
}

std::optional<uint32_t> ProfileSummary::BoxPlanner::bestWalked() const {
  std::optional<uint32_t> best;
  double least = 0;
  for (uint32_t walked = 0; walked >> plan_.loops.size() == 0; ++walked)
    if (const std::optional<double> boxes = boxesOf(walked); boxes && (!best || *boxes < least)) {
      best = walked;
      least = *boxes;
    }
  return best;
}

/// About how many all loops have.
double ProfileSummary::BoxPlanner::iterations() const {
  double all = 0;
  for (const BoxLoop &loop : plan_.loops) {
    double product = double(loop.most);
    for (unsigned other = 0; other < plan_.loops.size(); ++other)
      if (loop.around >> other & 1)
        product *= double(plan_.loops[other].most);
    all += product;
  }
  return all;
}

std::optional<BoxPlan> ProfileSummary::BoxPlanner::plan() {
  plan_.symbols = static_cast<unsigned>(summary_.loops_.size());
  if (plan_.symbols >= MaxBoxDimensions || !loop(root_) || !isNeeded_)
    return std::nullopt;
  const std::optional<uint32_t> walked = bestWalked();
  if (!walked)
    return std::nullopt;
  plan_.boxes = *boxesOf(*walked);
  if (plan_.boxes > MaxBoxes || plan_.boxes * FewerBoxes > iterations())
    return std::nullopt;
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop) {
    BoxLoop &of = plan_.loops[loop];
    of.isWalked = *walked >> loop & 1;
    if (of.isWalked || of.hasFlag)
      of.stride = 1;
    if (*hoistedOf(*walked) >> loop & 1)
      plan_.hoisted.push_back(loop);
  }
  return std::move(plan_);
}

} // namespace colonnade::model
