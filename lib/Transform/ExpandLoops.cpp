//===- ExpandLoops.cpp - Iterations that the compiler would not find ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/ExpandLoops.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "Transform/UnusedValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// What is to be unrolled has fewer, by the walk that says so; this ends what does not end.
static constexpr size_t MostOperations = 1 << 20;

namespace {

/// Loops to be expanded, if all that decides on their iterations is known. What data may end is
/// not: its counter stays.
class Candidates {
public:
  explicit Candidates(const Function &kernel) : kernel_(kernel), is_(kernel.ops.size()) {
    visit(kernel.body);
    for (const Part &part : kernel.parts)
      visit(part.body);
  }
  bool contains(OpId op) const { return is_[op.index]; }
  bool empty() const {
    return llvm::none_of(is_, [](bool is) { return is; });
  }

private:
  /// Whether one is in the region.
  bool visit(RegionId region) {
    bool found = false;
    for (OpId id : kernel_.region(region).ops) {
      const Op &op = kernel_.op(id);
      bool isAround = false;
      for (RegionId inner : op.regions)
        isAround |= inner.valid() && visit(inner);
      const bool isFull = op.unrolling.kind == Unrolling::Kind::Fully;
      is_[id.index] = isFull && (op.opcode == Opcode::Loop || (isAround && !op.hasContinueFlag));
      found |= is_[id.index] || isAround;
    }
    return found;
  }

  const Function &kernel_;
  std::vector<bool> is_;
};

class LoopExpander {
public:
  LoopExpander(const Function &kernel, Function &expanded)
      : kernel_(kernel), candidates_(kernel), builder_(expanded),
        cloner_(kernel, builder_, [this](OpId op) { return visit(op); }) {}

  /// False: there is nothing to do, and the result is not complete.
  bool run() {
    if (candidates_.empty())
      return false;
    cloner_.copyShell();
    cloner_.cloneBody();
    return isComplete_;
  }

private:
  using Values = llvm::SmallVector<ValueId, 4>;

  const Scalar *known(ValueId old) { return builder_.function().constant(cloner_.map(old)); }

  bool visit(OpId id) {
    const Op &op = kernel_.op(id);
    switch (op.opcode) {
    case Opcode::If:
      return takeArm(op);
    case Opcode::For:
      return candidates_.contains(id) && expandFor(op);
    case Opcode::Loop:
      return candidates_.contains(id) && expandLoop(op);
    default:
      return op.results.size() == 1 && foldValue(op);
    }
  }

  bool foldValue(const Op &op) {
    llvm::SmallVector<Scalar, 3> operands;
    for (ValueId operand : op.operands)
      if (const Scalar *scalar = known(operand))
        operands.push_back(*scalar);
    if (op.operands.empty() || operands.size() != op.operands.size())
      return false;
    const std::optional<Scalar> result = fold(op, kernel_.value(op.results[0]).type, operands);
    if (result)
      cloner_.set(op.results[0], builder_.constant(*result));
    return result.has_value();
  }

  void setAll(llvm::ArrayRef<ValueId> old, llvm::ArrayRef<ValueId> fresh) {
    for (auto [of, value] : llvm::zip_equal(old, fresh))
      cloner_.set(of, value);
  }
  Values yielded(RegionId region, unsigned drop) const {
    return cloner_.map(llvm::ArrayRef(kernel_.terminator(region).operands).drop_front(drop));
  }

  bool takeArm(const Op &op) {
    const Scalar *condition = known(op.operands[0]);
    if (!condition)
      return false;
    const RegionId arm = op.regions[condition->bits ? 0 : 1];
    cloner_.cloneOpsButTerminator(arm);
    setAll(op.results, yielded(arm, 0));
    return true;
  }

  /// Whether a Loop goes on, by the first operand of the region's terminator. If that is not
  /// known, iterations that are copied already cannot be taken back.
  bool goesOn(RegionId region) {
    const Scalar *flag = known(kernel_.terminator(region).operands[0]);
    isComplete_ &= flag != nullptr && builder_.function().ops.size() <= MostOperations;
    return isComplete_ && flag->bits;
  }

  bool expandFor(const Op &op) {
    const Scalar *low = known(op.operands[0]), *high = known(op.operands[1]),
                 *step = known(op.operands[2]);
    if (!low || !high || !step)
      return false;
    const RegionId region = op.regions[0];
    const Scalar end = *high, by = *step;
    Scalar counter = *low;
    Values carried = cloner_.map(llvm::ArrayRef(op.operands).drop_front(3));
    for (bool first = op.postTest; first || runs(op.predicate, counter, end); first = false) {
      const llvm::ArrayRef<ValueId> args = kernel_.region(region).args;
      cloner_.set(args[0], builder_.constant(counter));
      setAll(args.drop_front(), carried);
      cloner_.cloneOpsButTerminator(region);
      carried = yielded(region, 0);
      counter = evaluateBinary(Opcode::Add, counter, by).value;
    }
    cloner_.set(op.results[0], builder_.constant(counter));
    setAll(llvm::ArrayRef(op.results).drop_front(), carried);
    return true;
  }

  bool expandLoop(const Op &op) {
    Values carried = cloner_.map(op.operands);
    for (;;) {
      for (RegionId region : op.regions) {
        setAll(kernel_.region(region).args, carried);
        cloner_.cloneOpsButTerminator(region);
        carried = yielded(region, 1);
        if (!goesOn(region)) {
          setAll(op.results, carried);
          return true;
        }
      }
    }
  }

  const Function &kernel_;
  Candidates candidates_;
  Builder builder_;
  Cloner cloner_;
  bool isComplete_ = true;
};

} // namespace

void colonnade::expandLoops(Function &kernel) {
  Function expanded;
  if (!LoopExpander(kernel, expanded).run())
    return;
  dropUnusedValues(expanded);
  kernel = std::move(expanded);
}
