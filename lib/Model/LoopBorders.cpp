//===- LoopBorders.cpp - Where a closed loop's parts begin ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A try to run a loop at once ends where a comparison of its counter changes, and the next one has
// a part begin there. A loop that was tried several times is run again and again where loops around
// it are walked: then its comparisons with what is computed before it are looked at first, and its
// parts begin where these change. A border too many does no harm.
//
//===----------------------------------------------------------------------===//

#include "Model/LoopRun.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

namespace {

/// Of one loop.
class ComparisonFinder {
public:
  ComparisonFinder(const ir::Function &function, const Op &loop, unsigned counter)
      : function_(function) {
    for (RegionId part : loop.regions) {
      define(part);
      fromCounter_.insert(function.region(part).args[counter].index);
    }
    for (RegionId part : loop.regions)
      region(part);
  }

  /// Comparisons, and what they need of the loop's own operations, in their order.
  std::vector<OpId> needed() const {
    llvm::DenseSet<uint32_t> values;
    std::vector<OpId> result;
    for (OpId id : llvm::reverse(computed_)) {
      const Op &op = function_.op(id);
      if (!ir::isComparison(op.opcode) && !values.contains(op.results[0].index))
        continue;
      for (ValueId operand : op.operands)
        values.insert(operand.index);
      result.push_back(id);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

private:
  void define(RegionId part) {
    for (ValueId arg : function_.region(part).args)
      own_.insert(arg.index);
    for (OpId id : function_.region(part).ops) {
      for (ValueId result : function_.op(id).results)
        own_.insert(result.index);
      for (RegionId inner : function_.op(id).regions)
        define(inner);
    }
  }
  void region(RegionId part) {
    for (OpId id : function_.region(part).ops) {
      const Op &op = function_.op(id);
      if (isComputed(op)) {
        computed_.push_back(id);
        fromCounter_.insert(op.results[0].index);
      }
      for (RegionId inner : op.regions)
        region(inner);
    }
  }
  bool isComputed(const Op &op) const {
    const bool isPlain = ir::isComparison(op.opcode) || op.opcode == Opcode::Add ||
                         op.opcode == Opcode::Sub || op.opcode == Opcode::Mul ||
                         op.opcode == Opcode::Cast;
    auto isOfCounter = [&](ValueId id) { return fromCounter_.contains(id.index); };
    return isPlain && llvm::any_of(op.operands, isOfCounter) &&
           llvm::all_of(op.operands,
                        [&](ValueId id) { return isOfCounter(id) || !own_.contains(id.index); });
  }

  const ir::Function &function_;
  llvm::DenseSet<uint32_t> own_, fromCounter_; // values
  std::vector<OpId> computed_;
};

} // namespace

void ProfileSummary::splitBefore(LoopRun &run, const LinearValue &low) {
  if (borders_.empty() || !borders_[run.id.index])
    return;
  const Op &loop = function_.op(run.id);
  const LoopRequests::Sizes before = requests_.sizes();
  LinearValue counter = low;
  counter.terms[run.around] = run.step;
  loops_.push_back(run.iterations);
  for (RegionId part : loop.regions)
    value(function_.region(part).args[run.counter]) = counter;
  for (OpId id : *borders_[run.id.index]) {
    const Op &op = function_.op(id);
    llvm::SmallVector<const LinearValue *, 2> operands;
    for (ValueId operand : op.operands)
      operands.push_back(&value(operand));
    const ValueId result = op.results[0];
    LinearValue computed =
        evaluate(op, typeOf(result), operands, loops_, &requests_).value_or(LinearValue());
    value(result) = std::move(computed);
  }
  loops_.pop_back();
  for (size_t r = before.splits; r < requests_.splits.size(); ++r)
    if (requests_.splits[r].loop == run.around)
      run.split(0, 0, requests_.splits[r].iteration);
  requests_.dropTo(before);
}

void ProfileSummary::findBorders(const LoopRun &run) {
  borders_.resize(function_.ops.size());
  std::optional<std::vector<OpId>> &found = borders_[run.id.index];
  if (!found)
    found = ComparisonFinder(function_, function_.op(run.id), run.counter).needed();
}

} // namespace colonnade::model
