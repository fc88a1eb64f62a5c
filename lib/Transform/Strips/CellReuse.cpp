//===- CellReuse.cpp - Loads of what is in a register already -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/CellReuse.h"

#include "IR/KnownWalk.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class ReuseWalk final : public KnownWalk {
public:
  ReuseWalk(const Function &kernel, llvm::ArrayRef<OpId> loops, const std::vector<bool> &isWanted,
            uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), isWanted_(isWanted), loopOf_(kernel.ops.size()),
        places_(kernel.ops.size()), times_(kernel.ops.size()), runs_(kernel.ops.size()),
        loads_(kernel.ops.size()), isOpaque_(kernel.arrays.size()), cells_(kernel.arrays.size()) {
    for (OpId loop : loops)
      enclose(loop, kernel.op(loop).regions[0]);
    number(kernel.body);
    for (size_t a = 0; a < cells_.size(); ++a)
      cells_[a].resize(kernel.arrays[a].constantCells().value_or(0));
  }

  bool run() { return walk(function_.body); }
  CellReuse reuse(OpId load) const;

private:
  /// When an operation was made: in which iteration of its loop, and how many times before.
  struct Moment {
    OpId op;
    uint64_t time = 0, run = 0, iteration = 0;
  };
  struct Cell {
    Moment last;
    OpId storedIn; // the loop, and its run, in which it was stored to
    uint64_t storedInRun = 0;
  };
  struct Run {
    uint64_t number = 0, iteration = 0;
  };
  /// What is still possible of a load.
  struct Candidates {
    bool isSame = true, isBefore = true, isFirstMade = false;
    OpId same, before; // valid once it was seen
  };
  /// Where an operation stands in the text.
  struct Place {
    RegionId region;
    size_t position = 0;
  };

  void enclose(OpId loop, RegionId region) {
    for (OpId id : function_.region(region).ops) {
      loopOf_[id.index] = loop;
      for (RegionId inner : function_.op(id).regions)
        enclose(loop, inner);
    }
  }
  void number(RegionId region) {
    for (auto [position, id] : llvm::enumerate(function_.region(region).ops)) {
      places_[id.index] = {region, position};
      for (RegionId inner : function_.op(id).regions)
        number(inner);
    }
  }
  bool dominates(OpId first, OpId second) const {
    while (places_[second.index].region != places_[first.index].region) {
      second = function_.region(places_[second.index].region).parent;
      if (!second)
        return false;
    }
    return places_[first.index].position < places_[second.index].position;
  }
  bool isWhole(OpId op, OpId loop) const { // made in each iteration
    return places_[op.index].region == function_.op(loop).regions[0];
  }

  bool access(OpId id, std::optional<int64_t> cell) override;
  void load(OpId id, const Cell &cell);
  bool visit(OpId id) override {
    const bool isUnknown = function_.op(id).opcode == Opcode::Loop;
    return isUnknown ? unknownLoop(id) : KnownWalk::visit(id);
  }
  /// It is walked once, but its iterations load what those before have stored.
  bool unknownLoop(OpId loop) override {
    const bool before = std::exchange(isInUnknown_, true);
    const bool goesOn = KnownWalk::unknownLoop(loop);
    isInUnknown_ = before;
    return goesOn;
  }
  bool iteration(OpId loop, uint64_t iteration) override {
    Run &run = runs_[loop.index];
    run.number += iteration == 0;
    run.iteration = iteration;
    return KnownWalk::iteration(loop, iteration);
  }

  const std::vector<bool> &isWanted_;
  std::vector<OpId> loopOf_;
  std::vector<Place> places_;
  std::vector<uint64_t> times_;
  std::vector<Run> runs_;
  std::vector<Candidates> loads_;
  std::vector<bool> isOpaque_; // by array: cells that are not known are stored to
  std::vector<std::vector<Cell>> cells_;
  bool isInUnknown_ = false;
};

} // namespace

void ReuseWalk::load(OpId id, const Cell &cell) {
  Candidates &load = loads_[id.index];
  const Moment &last = cell.last;
  const auto agrees = [](OpId &seen, OpId op) {
    if (!seen)
      seen = op;
    return seen == op;
  };
  load.isSame = load.isSame && last.op && last.op != id && last.time == times_[last.op.index] &&
                dominates(last.op, id) && agrees(load.same, last.op);
  const OpId loop = loopOf_[id.index];
  if (!loop || !load.isBefore)
    return;
  const Run &run = runs_[loop.index];
  if (run.iteration == 0) {
    load.isFirstMade = true;
    load.isBefore = cell.storedIn != loop || cell.storedInRun != run.number;
    return;
  }
  load.isBefore = last.op && loopOf_[last.op.index] == loop && isWhole(last.op, loop) &&
                  last.run == run.number && last.iteration + 1 == run.iteration &&
                  agrees(load.before, last.op);
}

bool ReuseWalk::access(OpId id, std::optional<int64_t> number) {
  const Op &op = function_.op(id);
  const bool isStore = op.opcode == Opcode::Store;
  std::vector<Cell> &cells = cells_[op.array.index];
  ++times_[id.index];
  if (isInUnknown_)
    loads_[id.index].isSame = loads_[id.index].isBefore = false;
  if (!number || *number < 0 || static_cast<uint64_t>(*number) >= cells.size()) {
    isOpaque_[op.array.index] = isOpaque_[op.array.index] || isStore;
    loads_[id.index].isSame = loads_[id.index].isBefore = false;
    return true;
  }
  Cell &cell = cells[static_cast<size_t>(*number)];
  if (!isStore)
    load(id, cell);
  const OpId loop = loopOf_[id.index];
  const Run run = loop ? runs_[loop.index] : Run();
  if (isStore || uncertain_ == 0)
    cell.last = {id, times_[id.index], run.number, run.iteration};
  if (isStore) {
    cell.storedIn = loop;
    cell.storedInRun = run.number;
  }
  return true;
}

CellReuse ReuseWalk::reuse(OpId id) const {
  const Op &op = function_.op(id);
  const Candidates &load = loads_[id.index];
  if (op.opcode != Opcode::Load || !isWanted_[id.index] || isOpaque_[op.array.index] ||
      times_[id.index] == 0)
    return {};
  if (load.isSame)
    return {CellReuse::Kind::SameIteration, load.same, {}};
  if (load.isBefore && load.isFirstMade && load.before)
    return {CellReuse::Kind::IterationBefore, load.before, loopOf_[id.index]};
  return {};
}

std::optional<std::vector<CellReuse>> colonnade::findCellReuse(const Function &kernel,
                                                               llvm::ArrayRef<OpId> loops,
                                                               const std::vector<bool> &isWanted,
                                                               WalkBudget &budget) {
  ReuseWalk walk(kernel, loops, isWanted, budget.left);
  const bool ran = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  if (!ran)
    return std::nullopt;
  std::vector<CellReuse> reuse;
  for (size_t o = 0; o < kernel.ops.size(); ++o)
    reuse.push_back(walk.reuse(OpId(o)));
  return reuse;
}
