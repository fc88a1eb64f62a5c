//===- SkewNests.cpp - Two loops in the order of wavefronts ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/SkewNests.h"

#include "IR/Clone.h"
#include "IR/KernelFacts.h"
#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"
#include "Transform/BlockBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// The most iterations that the loops have.
class TripWalk final : public KnownWalk {
public:
  TripWalk(const Function &kernel, OpId outer, OpId inner, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), outer_(outer), inner_(inner) {}

  bool run() { return walk(function_.body); }
  uint64_t rows = 0;
  /// By row; u + 1 at most.
  std::vector<uint64_t> columns;

private:
  bool access(OpId, std::optional<int64_t>) override { return true; }
  bool unknownLoop(OpId) override { return false; }
  bool iteration(OpId loop, uint64_t number) override {
    if (loop == outer_) {
      row_ = number;
      rows = std::max(rows, number + 1);
      columns.resize(std::max<size_t>(columns.size(), rows));
    } else if (loop == inner_) {
      columns[row_] = std::max(columns[row_], number + 1);
    }
    return KnownWalk::iteration(loop, number);
  }

  OpId outer_, inner_;
  uint64_t row_ = 0;
};

/// Whether the skewed nest keeps the order of accesses. A rank says where an iteration was.
class OrderWalk final : public KnownWalk {
public:
  OrderWalk(const SkewedNest &nest, unsigned slope, uint64_t maxSteps)
      : KnownWalk(nest.kernel, maxSteps), nest_(nest), slope_(slope),
        cells_(nest.kernel.arrays.size()) {
    for (size_t a = 0; a < cells_.size(); ++a)
      cells_[a].resize(nest.kernel.arrays[a].constantCells().value_or(0));
  }

  bool run() { return walk(function_.body); }

private:
  struct Ranks { // the last ones in the old order, of this run of the nest; 0: none
    uint64_t run = 0;
    int64_t stored = 0, loaded = 0;
  };
  static constexpr int64_t OfRow = int64_t(1) << 32;

  bool unknownLoop(OpId) override { return false; }
  bool iteration(OpId loop, uint64_t number) override {
    if (loop == nest_.steps) {
      run_ += number == 0;
      step_ = static_cast<int64_t>(number);
    }
    if (loop != nest_.rows)
      return KnownWalk::iteration(loop, number);
    const auto row = static_cast<int64_t>(number);
    rank_ = row * OfRow + (step_ - int64_t(slope_) * row) + 1;
    const bool goesOn = KnownWalk::iteration(loop, number);
    rank_ = 0;
    return goesOn;
  }
  bool access(OpId id, std::optional<int64_t> cell) override {
    const Op &op = function_.op(id);
    if (rank_ == 0 || function_.array(op.array).isSharedInput())
      return true;
    std::vector<Ranks> &cells = cells_[op.array.index];
    if (!cell || *cell < 0 || static_cast<uint64_t>(*cell) >= cells.size())
      return false;
    Ranks &ranks = cells[static_cast<size_t>(*cell)];
    if (ranks.run != run_)
      ranks = {run_};
    const bool isStore = op.opcode == Opcode::Store;
    if (function_.array(op.array).space == Space::Registers) { // of each iteration its own
      if (isStore)
        ranks.stored = rank_;
      return ranks.stored == rank_;
    }
    if (ranks.stored > rank_ || (isStore && ranks.loaded > rank_))
      return false;
    int64_t &last = isStore ? ranks.stored : ranks.loaded;
    last = std::max(last, rank_);
    return true;
  }

  const SkewedNest &nest_;
  unsigned slope_;
  std::vector<std::vector<Ranks>> cells_; // by array
  uint64_t run_ = 0;
  int64_t step_ = 0, rank_ = 0;
};

/// Rebuilds a kernel with the nest skewed.
class NestSkewer {
public:
  NestSkewer(const Function &from, OpId outer, OpId inner, unsigned slope)
      : from_(from), outer_(outer), inner_(inner), slope_(slope), builder_(nest_.kernel),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  SkewedNest run(uint64_t steps, uint64_t rows) {
    numSteps_ = steps;
    numRows_ = rows;
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(nest_);
  }

private:
  bool hook(OpId old);
  OpId count(uint64_t iterations);
  ValueId enter(OpId loop) {
    const RegionId region = nest_.kernel.op(loop).regions[0];
    builder_.setRegion(region);
    return nest_.kernel.region(region).args[0];
  }
  void counter(const Op &loop, ValueId iteration);
  void row(ValueId step, ValueId row);
  ValueId runs(const Op &loop);

  const Function &from_;
  OpId outer_, inner_;
  unsigned slope_;
  uint64_t numSteps_ = 0, numRows_ = 0;
  SkewedNest nest_;
  BlockBuilder builder_;
  Cloner cloner_;
};

} // namespace

bool NestSkewer::hook(OpId old) {
  if (old != outer_)
    return false;
  const InsertionScope scope(builder_);
  nest_.steps = count(numSteps_);
  const ValueId step = enter(nest_.steps);
  nest_.rows = count(numRows_);
  const RegionId ofSteps = builder_.insertionRegion();
  row(step, enter(nest_.rows));
  builder_.yield({});
  builder_.setRegion(ofSteps);
  builder_.yield({});
  return true;
}

OpId NestSkewer::count(uint64_t iterations) {
  const ValueId low = builder_.number(0), high = builder_.number(iterations),
                step = builder_.number(1);
  return builder_.createFor(low, high, step, Predicate::Lt, false, {});
}

/// lo + iteration * step stands for the loop's counter.
void NestSkewer::counter(const Op &loop, ValueId iteration) {
  const ValueId low = cloner_.map(loop.operands[0]), step = cloner_.map(loop.operands[2]),
                old = from_.region(loop.regions[0]).args[0];
  const ValueId ahead =
      builder_.binary(Opcode::Mul, builder_.cast(iteration, from_.value(old).type), step);
  const ValueId own = builder_.binary(Opcode::Add, low, ahead);
  nest_.kernel.value(own).name = from_.value(old).name;
  cloner_.set(old, own);
}

ValueId NestSkewer::runs(const Op &loop) {
  return builder_.binary(comparisonOf(loop.predicate),
                         cloner_.map(from_.region(loop.regions[0]).args[0]),
                         cloner_.map(loop.operands[1]));
}

void NestSkewer::row(ValueId step, ValueId row) {
  const Op &outer = from_.op(outer_), &inner = from_.op(inner_);
  counter(outer, row);
  builder_.onlyIf(runs(outer), [&] {
    for (OpId id : from_.region(outer.regions[0]).ops)
      if (isPure(from_.op(id)))
        cloner_.visit(id);
    const ValueId slope = builder_.number(slope_), none = builder_.number(0);
    const ValueId late = builder_.binary(Opcode::Mul, row, slope);
    const ValueId column = builder_.binary(Opcode::Sub, step, late);
    counter(inner, column);
    const ValueId hasBegun = builder_.binary(Opcode::Ge, column, none), goesOn = runs(inner);
    const ValueId isThere = builder_.binary(Opcode::And, hasBegun, goesOn);
    builder_.onlyIf(isThere, [&] { cloner_.cloneOpsButTerminator(inner.regions[0]); });
  });
}

template <class Walk> static bool ranWithin(Walk &walk, WalkBudget &budget) {
  const bool ran = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return ran;
}

/// Iterations that there are not have counters beyond the end: they must not begin anew.
static bool isWide(const Function &kernel, const Op &loop) {
  const ScalarType type = kernel.value(loop.operands[0]).type;
  const bool rises = loop.predicate == Predicate::Lt || loop.predicate == Predicate::Le;
  const bool falls = loop.predicate == Predicate::Gt || loop.predicate == Predicate::Ge;
  return bitWidth(type) >= 32 && (rises || (falls && isSigned(type)));
}

/// Beside the inner loop, the outer one only computes.
static bool isNest(const Function &kernel, OpId outer, OpId inner) {
  const llvm::ArrayRef<OpId> body = kernel.region(kernel.op(outer).regions[0]).ops;
  return body.size() >= 2 && body[body.size() - 2] == inner &&
         llvm::all_of(body.drop_back(2), [&](OpId id) { return isPure(kernel.op(id)); }) &&
         isWide(kernel, kernel.op(outer)) && isWide(kernel, kernel.op(inner));
}

std::optional<SkewedNest> colonnade::skewNest(const Function &kernel, OpId outer, OpId inner,
                                              unsigned slope, WalkBudget &budget) {
  if (!isNest(kernel, outer, inner))
    return std::nullopt;
  TripWalk trips(kernel, outer, inner, budget.left);
  if (!ranWithin(trips, budget))
    return std::nullopt;
  uint64_t steps = 0;
  for (auto [row, columns] : llvm::enumerate(trips.columns))
    steps = std::max(steps, columns + row * slope);
  SkewedNest nest = NestSkewer(kernel, outer, inner, slope).run(steps, trips.rows);
  OrderWalk order(nest, slope, budget.left);
  return ranWithin(order, budget) ? std::optional(std::move(nest)) : std::nullopt;
}
