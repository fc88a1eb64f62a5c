//===- ValueRange.cpp - Which integers a value can be -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: current_ holds what the region being followed sees, values_ the
// union over all iterations followed. Single operations are in OperationRange.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/ValueRange.h"

#include "IR/Evaluate.h"
#include "Transform/Lanes/OperationRange.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;
using llvm::APInt;
using llvm::ConstantRange;

static constexpr uint64_t IterationsFollowed = 64;
// After so many visits for each operation of the function, loops are no longer followed:
// what they carry may then have any value.
static constexpr size_t BudgetPerOp = 64;

static bool hasRange(ScalarType type) { return isInteger(type) || type == ScalarType::Bool; }

bool colonnade::fitsIn(const ConstantRange &range, ScalarType type, ScalarType other) {
  unsigned width = bitWidth(other);
  if (isSigned(type)) {
    if (isSigned(other))
      return range.getMinSignedBits() <= width;
    return range.isAllNonNegative() && range.getActiveBits() <= width;
  }
  return range.getActiveBits() <= width - (isSigned(other) ? 1 : 0);
}

namespace colonnade {
class RangeAnalysis {
public:
  RangeAnalysis(const Function &function, ValueRanges &result)
      : function_(function), result_(result), current_(function.values.size()),
        budget_(BudgetPerOp * function.ops.size()) {
    visit(function.body);
  }

private:
  using Ranges = llvm::SmallVector<std::optional<ConstantRange>, 4>;

  ConstantRange get(ValueId value) const {
    const std::optional<ConstantRange> &range = current_[value.index];
    return range ? *range : ConstantRange::getFull(bitWidth(function_.value(value).type));
  }
  void set(ValueId value, const ConstantRange &range) {
    current_[value.index] = range;
    std::optional<ConstantRange> &all = result_.values_[value.index];
    all = all ? unite(*all, range, function_.value(value).type) : range;
  }
  std::optional<ConstantRange> ifRanged(ValueId value) const {
    if (!hasRange(function_.value(value).type))
      return std::nullopt;
    return get(value);
  }
  Ranges rangesOf(llvm::ArrayRef<ValueId> values) const {
    Ranges ranges;
    for (ValueId value : values)
      ranges.push_back(ifRanged(value));
    return ranges;
  }
  void setAll(llvm::ArrayRef<ValueId> values, const Ranges &ranges) {
    for (auto [value, range] : llvm::zip(values, ranges))
      if (range)
        set(value, *range);
  }
  Ranges united(const Ranges &a, llvm::ArrayRef<ValueId> values) const;
  /// What carried values are before the next iteration, given what they have been.
  Ranges grown(const Ranges &before, const Ranges &after, bool follow,
               llvm::ArrayRef<ValueId> values) const;

  void visit(RegionId region);
  void visit(const Op &op);
  void visitIf(const Op &op);
  void visitFor(const Op &op);
  void visitLoop(const Op &op);
  void setCounter(const Op &op, std::optional<uint64_t> iterations);

  const Function &function_;
  ValueRanges &result_;
  std::vector<std::optional<ConstantRange>> current_;
  size_t budget_;
};
} // namespace colonnade

void RangeAnalysis::visit(RegionId region) {
  for (OpId id : function_.region(region).ops)
    visit(function_.op(id));
}

void RangeAnalysis::visit(const Op &op) {
  budget_ -= budget_ ? 1 : 0;
  switch (op.opcode) {
  case Opcode::If:
    return visitIf(op);
  case Opcode::For:
    return visitFor(op);
  case Opcode::Loop:
    return visitLoop(op);
  case Opcode::Load:
    if (hasRange(function_.array(op.array).cell))
      set(op.results[0], result_.ofCells(op.array));
    return;
  default:
    if (op.results.size() == 1 && hasRange(function_.value(op.results[0]).type))
      set(op.results[0],
          operationRange(function_, op, [this](ValueId value) { return get(value); }));
  }
}

RangeAnalysis::Ranges RangeAnalysis::united(const Ranges &a, llvm::ArrayRef<ValueId> values) const {
  Ranges result = a;
  for (auto [range, value] : llvm::zip(result, values))
    if (range)
      range = unite(*range, get(value), function_.value(value).type);
  return result;
}

void RangeAnalysis::visitIf(const Op &op) {
  visit(op.regions[0]);
  visit(op.regions[1]);
  setAll(op.results, united(rangesOf(function_.terminator(op.regions[0]).operands),
                            function_.terminator(op.regions[1]).operands));
}

// The smallest scalar type's range that holds `range`.
static ConstantRange widened(const ConstantRange &range, ScalarType type) {
  for (ScalarType other : {ScalarType::S8, ScalarType::U8, ScalarType::S16, ScalarType::U16,
                           ScalarType::S32, ScalarType::U32})
    if (bitWidth(other) < bitWidth(type) && fitsIn(range, type, other) &&
        (isSigned(type) || !isSigned(other))) {
      ConstantRange all = ConstantRange::getFull(bitWidth(other));
      return isSigned(other) ? all.signExtend(bitWidth(type)) : all.zeroExtend(bitWidth(type));
    }
  return ConstantRange::getFull(bitWidth(type));
}

RangeAnalysis::Ranges RangeAnalysis::grown(const Ranges &before, const Ranges &after, bool follow,
                                           llvm::ArrayRef<ValueId> values) const {
  Ranges result = after;
  for (size_t i = 0; i < result.size(); ++i) {
    if (!result[i] || *result[i] == *before[i])
      continue;
    if (!budget_)
      result[i] = ConstantRange::getFull(result[i]->getBitWidth());
    else if (!follow)
      result[i] = widened(*result[i], function_.value(values[i]).type);
  }
  return result;
}

// Of a loop whose bounds and step are constants, and whose counter does not leave its type's range:
// not even by the step behind the last iteration, which an unsigned one would go on from.
static std::optional<uint64_t> iterationsOf(const Function &function, const Op &op) {
  const Scalar *from = function.constant(op.operands[0]), *to = function.constant(op.operands[1]),
               *by = function.constant(op.operands[2]);
  if (!from || !to || !by)
    return std::nullopt;
  int64_t lo = asInt64(*from), hi = asInt64(*to), step = asInt64(*by);
  constexpr int64_t small = int64_t{1} << 30; // nothing below overflows, and no counter
  if (std::max({std::abs(lo), std::abs(hi), std::abs(step)}) >= small || bitWidth(from->type) < 32)
    return std::nullopt;
  const bool isUnsigned = !isSigned(from->type);
  if (isUnsigned && (lo < 0 || hi < 0)) // beyond half of the range
    return std::nullopt;
  const int64_t first = lo, signedStep = step;
  if (op.predicate == Predicate::Gt || op.predicate == Predicate::Ge) {
    std::swap(lo, hi);
    step = -step;
  }
  if (step <= 0 || op.predicate == Predicate::Ne)
    return std::nullopt;
  bool inclusive = op.predicate == Predicate::Le || op.predicate == Predicate::Ge;
  int64_t distance = hi - lo + (inclusive ? 1 : 0);
  const int64_t iterations =
      std::max<int64_t>(op.postTest ? 1 : 0, distance <= 0 ? 0 : (distance + step - 1) / step);
  if (isUnsigned && first + signedStep * iterations < 0)
    return std::nullopt;
  return iterations;
}

void RangeAnalysis::setCounter(const Op &op, std::optional<uint64_t> iterations) {
  ValueId counter = function_.region(op.regions[0]).args[0];
  ScalarType type = function_.value(counter).type;
  unsigned width = bitWidth(type);
  ConstantRange inside = ConstantRange::getFull(width), after = inside;
  if (iterations) {
    APInt lo = get(op.operands[0]).getLower(), step = get(op.operands[2]).getLower();
    APInt last = lo + step * (std::max<uint64_t>(*iterations, 1) - 1),
          end = lo + step * *iterations;
    inside = unite(ConstantRange(lo), ConstantRange(last), type);
    after = unite(ConstantRange(lo), ConstantRange(end), type);
  }
  set(counter, inside);
  set(op.results[0], after);
}

void RangeAnalysis::visitFor(const Op &op) {
  auto args = llvm::ArrayRef(function_.region(op.regions[0]).args).drop_front();
  auto yields = llvm::ArrayRef(function_.terminator(op.regions[0]).operands)
                    .drop_front(op.hasContinueFlag ? 1 : 0);
  std::optional<uint64_t> iterations = iterationsOf(function_, op);
  bool follow = iterations && *iterations <= IterationsFollowed;
  Ranges carried = rangesOf(llvm::ArrayRef(op.operands).drop_front(3));
  for (uint64_t iteration = 1;; ++iteration) {
    setCounter(op, iterations);
    setAll(args, carried);
    visit(op.regions[0]);
    Ranges next = united(carried, yields);
    bool last = next == carried || (follow && iteration >= *iterations);
    carried = last ? next : grown(carried, next, follow, args);
    if (last)
      break;
  }
  setAll(llvm::ArrayRef(op.results).drop_front(), carried);
}

void RangeAnalysis::visitLoop(const Op &op) {
  const Region &before = function_.region(op.regions[0]), &body = function_.region(op.regions[1]);
  auto forwarded = llvm::ArrayRef(function_.terminator(op.regions[0]).operands).drop_front();
  auto yields = llvm::ArrayRef(function_.terminator(op.regions[1]).operands).drop_front();
  Ranges carried = rangesOf(op.operands);
  for (;;) {
    setAll(before.args, carried);
    visit(op.regions[0]);
    setAll(body.args, rangesOf(forwarded));
    visit(op.regions[1]);
    Ranges next = united(carried, yields);
    if (next == carried)
      break;
    carried = grown(carried, next, false, before.args);
  }
  setAll(op.results, united(rangesOf(forwarded), yields));
}

static ConstantRange tableRange(const Array &array) {
  unsigned width = bitWidth(array.cell);
  ConstantRange range = ConstantRange::getEmpty(width);
  for (uint64_t bits : array.contents)
    range = unite(range, ConstantRange(APInt(width, bits)), array.cell);
  return range.isEmptySet() ? ConstantRange(APInt(width, 0)) : range;
}

ValueRanges::ValueRanges(const Function &function)
    : function_(&function), values_(function.values.size()), cells_(function.arrays.size()) {
  for (size_t a = 0; a < function.arrays.size(); ++a)
    if (function.arrays[a].isTable() && hasRange(function.arrays[a].cell))
      cells_[a] = tableRange(function.arrays[a]);
  RangeAnalysis(function, *this);
  // Local arrays start as zeros; a second look knows what is stored to them.
  std::vector<std::optional<ConstantRange>> stored(function.arrays.size());
  for (const Op &op : function.ops) {
    if (op.opcode != Opcode::Store || !hasRange(function.array(op.array).cell))
      continue;
    ScalarType cell = function.array(op.array).cell;
    std::optional<ConstantRange> &all = stored[op.array.index];
    if (!all)
      all = ConstantRange(APInt(bitWidth(cell), 0));
    all = unite(*all, of(accessOperands(op).stored), cell);
  }
  for (size_t a = 0; a < function.arrays.size(); ++a)
    if (function.arrays[a].isLocal() && stored[a] && !stored[a]->isFullSet())
      cells_[a] = stored[a];
  values_.assign(function.values.size(), std::nullopt);
  RangeAnalysis(function, *this);
}

ConstantRange ValueRanges::of(ValueId value) const {
  const std::optional<ConstantRange> &range = values_[value.index];
  return range ? *range : ConstantRange::getFull(bitWidth(function_->value(value).type));
}

ConstantRange ValueRanges::ofCells(ArrayId array) const {
  const std::optional<ConstantRange> &range = cells_[array.index];
  return range ? *range : ConstantRange::getFull(bitWidth(function_->array(array).cell));
}
