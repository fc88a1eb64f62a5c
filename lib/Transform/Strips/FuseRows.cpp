//===- FuseRows.cpp - Two loops of a row as one ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/FuseRows.h"

#include "IR/Clone.h"
#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"
#include "Transform/Strips/CarryCells.h"
#include "Transform/Strips/StripNest.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Two loops of a row, and their counters. Iteration k of the second one is at place k - ahead,
/// where the first one has its iterations 0 to `columns`.
struct RowPair {
  OpId first, second;
  int64_t low = 0, step = 0; // of the second one's counter
  int64_t ahead = 0, columns = 0, all = 0;

  int64_t place(uint64_t iteration) const { return static_cast<int64_t>(iteration) - ahead; }
};

/// Whether what the second loop accesses may be accessed that early.
class PairWalk final : public KnownWalk {
public:
  PairWalk(const Function &kernel, const RowPair &pair, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), pair_(pair), cells_(kernel.arrays.size()) {
    for (size_t a = 0; a < cells_.size(); ++a)
      cells_[a].resize(kernel.arrays[a].constantCells().value_or(0));
  }

  bool run() { return walk(function_.body); }

private:
  /// The last places of the first loop, in this run of it.
  struct Cell {
    uint64_t run = 0;
    int64_t loaded = -1, stored = -1;
  };

  bool iteration(OpId loop, uint64_t number) override {
    if (loop != pair_.first && loop != pair_.second)
      return KnownWalk::iteration(loop, number);
    run_ += loop == pair_.first && number == 0;
    place_ = loop == pair_.first ? static_cast<int64_t>(number) : pair_.place(number);
    const OpId around = std::exchange(within_, loop);
    const bool goesOn = KnownWalk::iteration(loop, number);
    within_ = around;
    return goesOn;
  }
  bool access(OpId id, std::optional<int64_t> number) override {
    const Op &op = function_.op(id);
    std::vector<Cell> &cells = cells_[op.array.index];
    if (!within_ || function_.array(op.array).isSharedInput())
      return true;
    if (!number || *number < 0 || static_cast<uint64_t>(*number) >= cells.size())
      return false;
    Cell &cell = cells[static_cast<size_t>(*number)];
    if (cell.run != run_)
      cell = {run_};
    const bool isStore = op.opcode == Opcode::Store;
    if (within_ == pair_.first) {
      (isStore ? cell.stored : cell.loaded) = place_;
      return true;
    }
    const int64_t place = std::max<int64_t>(place_, -1); // all that come before are before the loop
    return cell.stored <= place && (!isStore || cell.loaded <= place);
  }
  bool unknownLoop(OpId loop) override { return !within_ && KnownWalk::unknownLoop(loop); }

  RowPair pair_;
  std::vector<std::vector<Cell>> cells_;
  uint64_t run_ = 0;
  int64_t place_ = 0;
  OpId within_;
};

class PairFuser {
public:
  PairFuser(const Function &from, const RowPair &pair, llvm::ArrayRef<OpId> between)
      : from_(from), pair_(pair), between_(between), builder_(kernel_),
        cloner_(from, builder_, [this](OpId old) { return hook(old); }) {}

  Function run() {
    cloner_.copyShell();
    cloner_.cloneBody();
    return std::move(kernel_);
  }

private:
  bool hook(OpId old);
  void fuse();
  /// Iterations from one to before another, by themselves.
  void beside(int64_t begin, int64_t end) {
    const ScalarType type = from_.value(from_.op(pair_.first).operands[0]).type;
    for (int64_t k = begin; k < end; ++k)
      second(builder_.constantInt(type, pair_.low + k * pair_.step));
  }
  void second(ValueId counter) {
    cloner_.set(from_.region(from_.op(pair_.second).regions[0]).args[0], counter);
    cloner_.cloneOpsButTerminator(from_.op(pair_.second).regions[0]);
  }

  const Function &from_;
  RowPair pair_;
  llvm::ArrayRef<OpId> between_;
  Function kernel_;
  Builder builder_;
  Cloner cloner_;
};

} // namespace

bool PairFuser::hook(OpId old) {
  if (old == pair_.first) {
    for (OpId id : between_)
      cloner_.copy(id);
    fuse();
    return true;
  }
  return old == pair_.second || llvm::is_contained(between_, old);
}

void PairFuser::fuse() {
  const Op &op = from_.op(pair_.first);
  const llvm::SmallVector<ValueId, 4> operands = cloner_.map(op.operands);
  beside(0, pair_.ahead);
  const OpId loop = builder_.createFor(operands[0], operands[1], operands[2], op.predicate, false,
                                       llvm::ArrayRef(operands).drop_front(3));
  kernel_.op(loop).loc = op.loc;
  const RegionId body = kernel_.op(loop).regions[0], oldBody = op.regions[0];
  const auto become = [&](ValueId from, ValueId to) {
    kernel_.value(to).name = from_.value(from).name;
    kernel_.value(to).varying = from_.varying(from);
    cloner_.set(from, to);
  };
  for (size_t a = 0; a < from_.region(oldBody).args.size(); ++a)
    become(from_.region(oldBody).args[a], kernel_.region(body).args[a]);
  {
    const InsertionScope scope(builder_);
    builder_.setRegion(body);
    cloner_.cloneOpsButTerminator(oldBody);
    second(kernel_.region(body).args[0]);
    builder_.yield(cloner_.map(from_.terminator(oldBody).operands));
  }
  for (size_t r = 0; r < op.results.size(); ++r)
    become(op.results[r], kernel_.op(loop).results[r]);
  beside(pair_.ahead + pair_.columns, pair_.all);
}

static bool isUsed(const Function &kernel, ValueId value) {
  return llvm::any_of(kernel.ops,
                      [&](const Op &op) { return llvm::is_contained(op.operands, value); });
}

/// Their counters take the same steps, and the second loop has all of the first one's.
static std::optional<RowPair> asPair(const Function &kernel, OpId first, OpId second) {
  static constexpr int64_t MostBeside = 4;
  const Op &one = kernel.op(first), &two = kernel.op(second);
  const std::optional<int64_t> columns = constantIterations(kernel, one),
                               all = constantIterations(kernel, two);
  if (!columns || !all || *columns < 1 || *all - *columns > MostBeside || one.hasContinueFlag ||
      two.hasContinueFlag || one.postTest || two.postTest || two.results.size() != 1 ||
      isUsed(kernel, two.results[0]) ||
      kernel.value(one.operands[0]).type != kernel.value(two.operands[0]).type)
    return std::nullopt;
  RowPair pair = {first, second};
  pair.low = asInt64(*kernel.constant(two.operands[0]));
  pair.step = asStep(two, *kernel.constant(two.operands[2]));
  const int64_t before = asInt64(*kernel.constant(one.operands[0])) - pair.low;
  pair.columns = *columns;
  pair.all = *all;
  pair.ahead = before / pair.step;
  const bool isSame = asStep(one, *kernel.constant(one.operands[2])) == pair.step;
  return isSame && before % pair.step == 0 && pair.ahead >= 0 && pair.ahead + *columns <= *all
             ? std::optional(pair)
             : std::nullopt;
}

/// The loops of a row, if there are two, one behind the other.
static std::optional<RowPair> pairOf(const Function &kernel, OpId outer,
                                     std::vector<OpId> &between) {
  OpId first, second;
  between.clear();
  for (OpId id : kernel.region(kernel.op(outer).regions[0]).ops) {
    const Op &op = kernel.op(id);
    if (op.opcode == Opcode::Loop || (op.opcode == Opcode::For && second))
      return std::nullopt;
    if (op.opcode == Opcode::For)
      (first ? second : first) = id;
    else if (first && !second)
      between.push_back(id);
  }
  const auto mayMove = [&](OpId id) {
    const Op &op = kernel.op(id);
    return isPure(op) && llvm::none_of(op.operands, [&](ValueId value) {
             return llvm::is_contained(kernel.op(first).results, value);
           });
  };
  if (!second || !llvm::all_of(between, mayMove))
    return std::nullopt;
  return asPair(kernel, first, second);
}

static bool sees(const Function &kernel, RegionId region, llvm::ArrayRef<ValueId> values) {
  return llvm::any_of(kernel.region(region).ops, [&](OpId id) {
    const Op &op = kernel.op(id);
    return llvm::any_of(op.operands,
                        [&](ValueId value) { return llvm::is_contained(values, value); }) ||
           llvm::any_of(op.regions, [&](RegionId inner) { return sees(kernel, inner, values); });
  });
}

/// The first loop's iterations hand on in registers what they can.
static std::optional<CarriedCells> carried(const Function &kernel, OpId loop, WalkBudget &budget) {
  std::vector<bool> isInside(kernel.ops.size());
  markRegion(kernel, kernel.op(loop).regions[0], isInside);
  const auto reuse = findCellReuse(kernel, {loop}, isInside, budget);
  return reuse ? std::optional(carryCells(kernel, *reuse)) : std::nullopt;
}

static std::optional<Function> fuseRow(const Function &kernel, OpId outer, WalkBudget &budget) {
  std::vector<OpId> between;
  const std::optional<RowPair> pair = pairOf(kernel, outer, between);
  if (!pair)
    return std::nullopt;
  const std::optional<CarriedCells> cells = carried(kernel, pair->first, budget);
  if (!cells)
    return std::nullopt;
  const std::optional<RowPair> own = pairOf(cells->kernel, cells->loops.at(outer), between);
  if (!own || sees(cells->kernel, cells->kernel.op(own->second).regions[0],
                   cells->kernel.op(own->first).results))
    return std::nullopt;
  PairWalk walk(cells->kernel, *own, budget.left);
  const bool isInOrder = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return isInOrder ? std::optional(PairFuser(cells->kernel, *own, between).run()) : std::nullopt;
}

Function colonnade::fuseRows(const Function &kernel, WalkBudget &budget) {
  Function fused = kernel;
  for (size_t o = 0; o < fused.ops.size(); ++o) {
    if (fused.ops[o].opcode != Opcode::For || fused.ops[o].unrolling.kind != Unrolling::Kind::None)
      continue;
    if (std::optional<Function> next = fuseRow(fused, OpId(o), budget)) {
      fused = std::move(*next);
      o = 0; // its operations are numbered anew
    }
  }
  return fused;
}
