//===- OrderFreeChains.cpp - Least values of any order --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/OrderFreeChains.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace colonnade;
using namespace colonnade::ir;

//===----------------------------------------------------------------------===//
// Arrays of which each load sees a store
//===----------------------------------------------------------------------===//

namespace {

class StoredFirst final : public KnownWalk {
public:
  StoredFirst(const Function &kernel, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), isStored_(kernel.arrays.size()),
        seesStores_(kernel.arrays.size()) {
    for (auto [a, array] : llvm::enumerate(kernel.arrays)) {
      seesStores_[a] = !array.isSharedInput();
      isStored_[a].resize(array.constantCells().value_or(0));
    }
  }

  /// By array.
  std::vector<bool> run() {
    if (!walk(function_.body))
      seesStores_.assign(seesStores_.size(), false);
    return std::move(seesStores_);
  }

private:
  bool unknownLoop(OpId) override { return false; }
  bool access(OpId id, std::optional<int64_t> cell) override {
    const Op &op = function_.op(id);
    std::vector<bool> &isStored = isStored_[op.array.index];
    const bool isKnown = cell && *cell >= 0 && static_cast<uint64_t>(*cell) < isStored.size();
    if (op.opcode == Opcode::Load) {
      if (!isKnown || !isStored[static_cast<size_t>(*cell)])
        seesStores_[op.array.index] = false;
    } else if (isKnown && uncertain_ == 0) {
      isStored[static_cast<size_t>(*cell)] = true;
    }
    return true;
  }

  std::vector<std::vector<bool>> isStored_; // by array, of its cells: in every run
  std::vector<bool> seesStores_;
};

//===----------------------------------------------------------------------===//
// Values that are never -0
//===----------------------------------------------------------------------===//

/// All floats are taken to be such, until an operation says otherwise.
class ZeroFacts {
public:
  ZeroFacts(const Function &kernel, std::vector<bool> arrays)
      : kernel_(kernel), values_(kernel.values.size()), arrays_(std::move(arrays)) {
    for (auto [v, value] : llvm::enumerate(kernel.values))
      values_[v] = isFloat(value.type) && (value.def || kernel.region(value.region).parent);
  }

  std::vector<bool> run() {
    do {
      hasChanged_ = false;
      for (const Op &op : kernel_.ops)
        visit(op);
    } while (hasChanged_);
    return std::move(values_);
  }

private:
  bool of(ValueId value) const { return values_[value.index]; }
  void atMost(ValueId value, bool fact) {
    hasChanged_ |= values_[value.index] && !fact;
    values_[value.index] = values_[value.index] && fact;
  }
  void visit(const Op &op);
  bool ofResult(const Op &op) const;
  void visitFor(const Op &op);

  const Function &kernel_;
  std::vector<bool> values_, arrays_;
  bool hasChanged_ = false;
};

} // namespace

static bool isNegativeZero(Scalar scalar) {
  const double value = asDouble(scalar);
  return value == 0 && std::signbit(value);
}

bool ZeroFacts::ofResult(const Op &op) const {
  const auto operand = [&](unsigned i) { return of(op.operands[i]); };
  switch (op.opcode) {
  case Opcode::Constant:
    return !isNegativeZero(op.scalar);
  case Opcode::Load:
    return arrays_[op.array.index];
  case Opcode::Add: // rounded to nearest, x + -x is +0
    return operand(0) || operand(1);
  case Opcode::Sub: // x + -y
    return operand(0);
  case Opcode::Select:
    return operand(1) && operand(2);
  case Opcode::Cast:
    return isInteger(kernel_.value(op.operands[0]).type);
  case Opcode::Math:
    return op.math == MathFn::Fabs ||
           ((op.math == MathFn::Fmin || op.math == MathFn::Fmax) && operand(0) && operand(1));
  default:
    return false;
  }
}

/// What it carries, by induction.
void ZeroFacts::visitFor(const Op &op) {
  const Region &body = kernel_.region(op.regions[0]);
  const llvm::ArrayRef<ValueId> yields = kernel_.terminator(op.regions[0]).operands;
  for (size_t c = 0; c + 1 < op.results.size(); ++c) {
    const bool fact = !op.hasContinueFlag && of(op.operands[c + 3]) && of(yields[c]);
    atMost(body.args[c + 1], fact);
    atMost(op.results[c + 1], fact);
  }
}

void ZeroFacts::visit(const Op &op) {
  if (op.opcode == Opcode::Store) {
    const ValueId stored = accessOperands(op).stored;
    if (isFloat(kernel_.value(stored).type) && !of(stored) && arrays_[op.array.index]) {
      arrays_[op.array.index] = false;
      hasChanged_ = true;
    }
  } else if (op.opcode == Opcode::For) {
    visitFor(op);
  } else if (op.opcode == Opcode::If) {
    for (size_t r = 0; r < op.results.size(); ++r)
      atMost(op.results[r], llvm::all_of(op.regions, [&](RegionId arm) {
               return of(kernel_.terminator(arm).operands[r]);
             }));
  } else {
    for (RegionId region : op.regions)
      for (ValueId arg : kernel_.region(region).args)
        atMost(arg, false);
    for (ValueId result : op.results)
      atMost(result, op.results.size() == 1 && op.regions.empty() && ofResult(op));
  }
}

std::vector<bool> colonnade::storedFirst(const Function &kernel, WalkBudget &budget) {
  StoredFirst walk(kernel, budget.left);
  std::vector<bool> arrays = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return arrays;
}

std::vector<bool> colonnade::neverNegativeZero(const Function &kernel,
                                               std::vector<bool> storedFirst) {
  return ZeroFacts(kernel, std::move(storedFirst)).run();
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// The values that a choice has for true and false, if nothing else is in it.
static std::optional<std::pair<ValueId, ValueId>> chosenOf(const Function &kernel, const Op &op) {
  if (op.opcode == Opcode::Select)
    return std::pair(op.operands[1], op.operands[2]);
  if (op.opcode != Opcode::If || op.results.size() != 1)
    return std::nullopt;
  for (RegionId arm : op.regions)
    if (kernel.region(arm).ops.size() != 1)
      return std::nullopt;
  return std::pair(kernel.terminator(op.regions[0]).operands[0],
                   kernel.terminator(op.regions[1]).operands[0]);
}

/// Whether the chain's value is there for its comparison and its choice alone.
static bool isUsedBeside(const Function &kernel, const LeastChain &chain) {
  llvm::SmallVector<OpId, 4> users = {chain.comparison, chain.choice};
  for (RegionId arm : kernel.op(chain.choice).regions)
    users.push_back(kernel.region(arm).ops.back());
  for (size_t o = 0; o < kernel.ops.size(); ++o)
    if (llvm::is_contained(kernel.ops[o].operands, chain.carried) &&
        !llvm::is_contained(users, OpId(o)))
      return true;
  return false;
}

/// least < t, or t > least.
static std::optional<LeastChain> comparedChain(const Function &kernel, ValueId carried,
                                               OpId choice) {
  const Op &op = kernel.op(choice);
  const auto chosen = chosenOf(kernel, op);
  const Op *const comparison = kernel.definition(op.operands[0]);
  if (!chosen || !comparison || chosen->second != carried || chosen->first == carried)
    return std::nullopt;
  const bool isLess = comparison->opcode == Opcode::Lt || comparison->opcode == Opcode::Le,
             isMore = comparison->opcode == Opcode::Gt || comparison->opcode == Opcode::Ge;
  if (!isLess && !isMore)
    return std::nullopt;
  LeastChain chain = {carried, chosen->first, kernel.value(op.operands[0]).def, choice};
  const llvm::ArrayRef<ValueId> sides = comparison->operands;
  const bool isCandidateFirst = sides[0] == chain.candidate && sides[1] == carried;
  if (!isCandidateFirst && !(sides[0] == carried && sides[1] == chain.candidate))
    return std::nullopt;
  chain.isGreatest = isCandidateFirst == isMore;
  return chain;
}

/// It goes through floats in whatever order.
static bool isFreeOfOrder(const Function &kernel, ValueId init, const LeastChain &chain,
                          const std::vector<bool> &neverNegativeZero) {
  const Scalar *const first = kernel.constant(init);
  return first && !std::isnan(asDouble(*first)) && neverNegativeZero[chain.candidate.index] &&
         neverNegativeZero[init.index];
}

/// A NaN that it may be is a quiet one.
static bool isComputed(const Function &kernel, ValueId value) {
  const Op *const op = kernel.definition(value);
  return op && (op->opcode == Opcode::Add || op->opcode == Opcode::Sub ||
                op->opcode == Opcode::Mul || op->opcode == Opcode::Div);
}

std::optional<LeastChain> colonnade::orderFreeChain(const Function &kernel, OpId loop,
                                                    const std::vector<bool> &neverNegativeZero) {
  const Op &op = kernel.op(loop);
  if (op.opcode != Opcode::For || op.hasContinueFlag || op.postTest || op.operands.size() != 4)
    return std::nullopt;
  const ValueId carried = kernel.region(op.regions[0]).args[1],
                yielded = kernel.terminator(op.regions[0]).operands[0];
  const OpId choice = kernel.value(yielded).def;
  if (!choice || !llvm::is_contained(kernel.region(op.regions[0]).ops, choice))
    return std::nullopt;
  std::optional<LeastChain> chain = comparedChain(kernel, carried, choice);
  if (!chain || isUsedBeside(kernel, *chain))
    return std::nullopt;
  if (!isFloat(kernel.value(carried).type))
    return chain;
  if (!isFreeOfOrder(kernel, op.operands[3], *chain, neverNegativeZero))
    return std::nullopt;
  chain->isMinimum = isComputed(kernel, chain->candidate);
  return chain;
}
