//===- ChainNest.cpp - A nest of two loops with a chain in it -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/ChainNest.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class NestParts {
public:
  NestParts(const Function &kernel, OpId outer, OpId inner)
      : kernel_(kernel), isCounted_(kernel.values.size(), true) {
    nest_.outer = outer;
    nest_.inner = inner;
    nest_.levels.assign(kernel.values.size(), TileLevel::Same);
  }

  std::optional<ChainNest> run(const std::vector<bool> &neverNegativeZero);

private:
  llvm::ArrayRef<OpId> bodyOf(OpId loop) const {
    return llvm::ArrayRef(kernel_.region(kernel_.op(loop).regions[0]).ops).drop_back();
  }
  ValueId counterOf(OpId loop) const { return kernel_.region(kernel_.op(loop).regions[0]).args[0]; }
  bool note(OpId id, std::vector<OpId> &counted);
  bool outerBody();
  bool innerBody();
  bool hasOneStore();
  bool links();

  const Function &kernel_;
  ChainNest nest_;
  std::vector<bool> isCounted_; // by value: what is outside of the nest counts as such
};

} // namespace

/// Its levels; whether it is computed from counters alone.
bool NestParts::note(OpId id, std::vector<OpId> &counted) {
  const Op &op = kernel_.op(id);
  unsigned level = 0;
  bool isCounted = isPure(op);
  for (ValueId operand : op.operands) {
    level |= static_cast<unsigned>(nest_.levels[operand.index]);
    isCounted &= isCounted_[operand.index];
  }
  for (ValueId result : op.results) {
    nest_.levels[result.index] = static_cast<TileLevel>(level);
    isCounted_[result.index] = isCounted;
  }
  if (isCounted)
    counted.push_back(id);
  return isCounted;
}

bool NestParts::outerBody() {
  nest_.levels[counterOf(nest_.outer).index] = TileLevel::Row;
  nest_.levels[counterOf(nest_.inner).index] = TileLevel::Column;
  const llvm::ArrayRef<OpId> body = bodyOf(nest_.outer);
  return !body.empty() && body.back() == nest_.inner &&
         llvm::all_of(body.drop_back(), [&](OpId id) { return note(id, nest_.counted); });
}

bool NestParts::innerBody() {
  for (OpId id : bodyOf(nest_.inner)) {
    if (kernel_.op(id).opcode == Opcode::Loop ||
        (kernel_.op(id).opcode == Opcode::For && nest_.loop))
      return false;
    if (kernel_.op(id).opcode == Opcode::For) {
      nest_.loop = id;
      for (ValueId result : kernel_.op(id).results)
        isCounted_[result.index] = false;
    } else if (!note(id, nest_.counted)) {
      (nest_.loop ? nest_.after : nest_.before).push_back(id);
    }
  }
  return nest_.loop.valid() && hasOneStore();
}

/// In each iteration, and nothing else is stored.
bool NestParts::hasOneStore() {
  for (OpId id : llvm::concat<OpId>(nest_.before, nest_.after)) {
    if (!kernel_.op(id).regions.empty())
      return false;
    if (kernel_.op(id).opcode != Opcode::Store)
      continue;
    if (nest_.store)
      return false;
    nest_.store = id;
  }
  return nest_.store && llvm::is_contained(nest_.after, nest_.store);
}

/// What the loop's iterations do, each for itself.
bool NestParts::links() {
  const Op &loop = kernel_.op(nest_.loop);
  const ValueId carried = nest_.chain.carried;
  isCounted_[carried.index] = false;
  for (OpId id : bodyOf(nest_.loop)) {
    const Op &op = kernel_.op(id);
    if (id == nest_.chain.choice || id == nest_.chain.comparison)
      continue;
    if (!isPure(op) && op.opcode != Opcode::Load)
      return false;
    if (!note(id, nest_.linkCounted))
      nest_.links.push_back(id);
  }
  // What they use from without is computed from counters.
  const auto isAnywhere = [&](ValueId value) {
    return isCounted_[value.index] || llvm::any_of(nest_.links, [&](OpId link) {
             return kernel_.op(link).results[0] == value;
           });
  };
  const bool areFree = llvm::all_of(
      nest_.links, [&](OpId link) { return llvm::all_of(kernel_.op(link).operands, isAnywhere); });
  return areFree && isAnywhere(nest_.chain.candidate) &&
         llvm::all_of(llvm::ArrayRef(loop.operands).take_front(2),
                      [&](ValueId bound) { return isCounted_[bound.index]; });
}

/// By one, in a type that does not wrap before it ends.
static bool countsByOne(const Function &kernel, const Op &loop) {
  const Scalar *const step = kernel.constant(loop.operands[2]);
  const bool falls = loop.predicate == Predicate::Gt || loop.predicate == Predicate::Ge;
  const ScalarType type = kernel.value(loop.operands[0]).type;
  return step && !loop.postTest && loop.predicate != Predicate::Ne && bitWidth(type) >= 32 &&
         isSigned(type) && asInt64(*step) == (falls ? -1 : 1);
}

std::optional<ChainNest> NestParts::run(const std::vector<bool> &neverNegativeZero) {
  if (!countsByOne(kernel_, kernel_.op(nest_.outer)) ||
      !countsByOne(kernel_, kernel_.op(nest_.inner)) || !outerBody() || !innerBody())
    return std::nullopt;
  const Op &loop = kernel_.op(nest_.loop);
  if (!countsByOne(kernel_, loop) || loop.predicate != Predicate::Lt)
    return std::nullopt;
  const bool isEndUsed = llvm::any_of(
      kernel_.ops, [&](const Op &op) { return llvm::is_contained(op.operands, loop.results[0]); });
  const std::optional<LeastChain> chain = orderFreeChain(kernel_, nest_.loop, neverNegativeZero);
  if (!chain || isEndUsed || !kernel_.constant(loop.operands[3]))
    return std::nullopt;
  nest_.chain = *chain;
  return links() ? std::optional(std::move(nest_)) : std::nullopt;
}

std::optional<ChainNest> colonnade::chainNest(const Function &kernel, OpId outer, OpId inner,
                                              const std::vector<bool> &neverNegativeZero) {
  return NestParts(kernel, outer, inner).run(neverNegativeZero);
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

namespace {

/// Notes the ranges of k, and whose own cells are loaded.
class ChainWalk final : public KnownWalk {
public:
  ChainWalk(const Function &kernel, ChainNest &nest, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), nest_(nest), stored_(kernel.op(nest.store).array),
        homes_(kernel.array(stored_).constantCells().value_or(0)) {}

  std::optional<ChainIterations> run();

private:
  struct Home {
    int64_t row = 0, column = 0; // counters
    bool isThere = false;
  };
  struct Load {
    OpId op;
    int64_t row, column, k, cell;
  };
  int64_t counterOf(OpId loop) const {
    return asInt64(*value(function_.region(function_.op(loop).regions[0]).args[0]));
  }
  bool unknownLoop(OpId) override { return false; }
  bool visit(OpId id) override;
  bool iteration(OpId loop, uint64_t number) override;
  bool access(OpId id, std::optional<int64_t> cell) override;
  void noteApart(int64_t own);
  bool isOwnCells(const Load &load);
  void iterations();

  ChainNest &nest_;
  ArrayId stored_;
  std::vector<Home> homes_; // by cell
  std::vector<Load> loads_;
  std::map<uint32_t, int64_t> beside_; // by operation: the last cell
  std::set<uint32_t> differ_;          // operations whose cells are not as far apart everywhere
  std::vector<std::pair<Home, ChainIterations::Range>> found_;
  ChainIterations result_;
  std::optional<int64_t> rowAhead_, columnAhead_;
  bool isInside_ = false;
  unsigned numRuns_ = 0;
};

} // namespace

bool ChainWalk::visit(OpId id) {
  if (id == nest_.outer) {
    isInside_ = true;
    ++numRuns_;
  } else if (id == nest_.loop) {
    const Op &loop = function_.op(id);
    const int64_t low = asInt64(*value(loop.operands[0])), high = asInt64(*value(loop.operands[1]));
    found_.push_back(
        {{counterOf(nest_.outer), counterOf(nest_.inner), true}, {low, std::max(low, high)}});
  }
  const bool goesOn = KnownWalk::visit(id);
  isInside_ &= id != nest_.outer;
  return goesOn && numRuns_ < 2;
}

bool ChainWalk::iteration(OpId loop, uint64_t number) {
  if (loop == nest_.outer)
    result_.counters.push_back(counterOf(loop));
  return KnownWalk::iteration(loop, number);
}

bool ChainWalk::access(OpId id, std::optional<int64_t> cell) {
  const Op &op = function_.op(id);
  if (!isInside_)
    return true;
  if (op.array != stored_) {
    if (cell && llvm::is_contained(nest_.after, id))
      beside_[id.index] = *cell;
    return true;
  }
  if (!cell || *cell < 0 || static_cast<uint64_t>(*cell) >= homes_.size())
    return false;
  if (id == nest_.store) {
    Home &home = homes_[static_cast<size_t>(*cell)];
    const bool isFirst = !home.isThere;
    home = {counterOf(nest_.outer), counterOf(nest_.inner), true};
    noteApart(*cell);
    return isFirst;
  }
  const bool isLink = llvm::is_contained(nest_.links, id);
  loads_.push_back({id, counterOf(nest_.outer), counterOf(nest_.inner),
                    isLink ? counterOf(nest_.loop) : 0, *cell});
  return isLink; // an iteration's own cell may only be stored
}

/// Of the iteration's other loads.
void ChainWalk::noteApart(int64_t own) {
  for (const auto &[op, cell] : beside_) {
    const auto [at, isFirst] = result_.apart.try_emplace(op, cell - own);
    if (!isFirst && at->second != cell - own)
      differ_.insert(op);
  }
}

/// Of another iteration, in the same row or in the same column; all of one load are alike.
bool ChainWalk::isOwnCells(const Load &load) {
  const Home &home = homes_[static_cast<size_t>(load.cell)];
  if (!home.isThere)
    return true;
  const bool isSameColumn = home.column == load.column, isSameRow = home.row == load.row;
  if (isSameColumn == isSameRow)
    return false;
  OpId &own = isSameColumn ? nest_.ofRow : nest_.ofColumn;
  std::optional<int64_t> &ahead = isSameColumn ? rowAhead_ : columnAhead_;
  const int64_t by = (isSameColumn ? home.row : home.column) - load.k;
  if (!own)
    own = load.op;
  if (!ahead)
    ahead = by;
  return own == load.op && *ahead == by;
}

void ChainWalk::iterations() {
  int64_t last = INT64_MIN, first = INT64_MAX;
  for (const auto &[home, range] : found_) {
    first = std::min(first, home.column);
    last = std::max(last, home.column);
  }
  const bool falls = asInt64(*function_.constant(function_.op(nest_.inner).operands[2])) < 0;
  result_.rows = static_cast<int64_t>(result_.counters.size());
  result_.columns = last - first + 1;
  result_.columnsFall = falls;
  result_.firstColumn = falls ? last : first;
  result_.ranges.resize(static_cast<size_t>(result_.rows * result_.columns));
  const int64_t byRow = result_.rows > 1 ? result_.counters[1] - result_.counters[0] : 1;
  for (const auto &[home, range] : found_) {
    const int64_t row = (home.row - result_.counters[0]) / byRow,
                  column = falls ? last - home.column : home.column - first;
    result_.ranges[static_cast<size_t>(row * result_.columns + column)] = range;
  }
}

std::optional<ChainIterations> ChainWalk::run() {
  if (!walk(function_.body) || numRuns_ != 1 || found_.empty() ||
      !llvm::all_of(loads_, [&](const Load &load) { return isOwnCells(load); }) ||
      (nest_.ofRow && nest_.ofRow == nest_.ofColumn))
    return std::nullopt;
  iterations();
  for (uint32_t op : differ_)
    result_.apart.erase(op);
  result_.rowAhead = rowAhead_.value_or(0);
  result_.columnAhead = columnAhead_.value_or(0);
  return std::move(result_);
}

std::optional<ChainIterations> colonnade::walkChains(const Function &kernel, ChainNest &nest,
                                                     WalkBudget &budget) {
  ChainWalk walk(kernel, nest, budget.left);
  std::optional<ChainIterations> iterations = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return iterations;
}
