//===- TeamWalk.cpp - What a team's threads do to each other --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is a number that grows with every operation of the walk. Where an access meets an earlier
// one that another member has made since the last barrier, a barrier goes before the outermost
// operation that encloses this access and not that one.
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamWalk.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"
#include "Transform/Teams/TileRuns.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr uint64_t MaxSteps = 1 << 25;
// Of an instruction that an SM starts half as often as others.
static constexpr double HalfRate = 2;
// Counters move up to a team's iterations beyond their end.
static constexpr int64_t MaxCounter = 1 << 30;

/// Whether all that is in the region may be left to one member.
static bool isForOne(const Function &kernel, const TeamChoice &choice, RegionId region) {
  return llvm::all_of(kernel.region(region).ops, [&](OpId id) {
    const Op &op = kernel.op(id);
    return !choice.dealt[id.index] &&
           (op.opcode != Opcode::Store || choice.common[op.array.index]) &&
           llvm::all_of(op.regions,
                        [&](RegionId inner) { return isForOne(kernel, choice, inner); });
  });
}

bool colonnade::isForFirst(const Function &kernel, const TeamChoice &choice, OpId id) {
  const Op &op = kernel.op(id);
  return op.opcode == Opcode::If && op.results.empty() && kernel.varying(op.operands[0]) &&
         llvm::all_of(op.regions, [&](RegionId arm) { return isForOne(kernel, choice, arm); });
}

namespace {

using Member = int32_t; // of a team
constexpr Member All = -1, Several = -2, Nobody = -3;

/// What was last done to a cell.
struct CellHistory {
  uint64_t written = 0, read = 0; // when; 0: never
  uint64_t readByOthers = 0;      // than the last reader
  Member writer = Nobody, reader = Nobody;
  Member holder = All; // whose own copy is up to date, if each member had one
  CellUse use = {};
};

/// An execution of a region that the walk is in.
struct Frame {
  uint64_t begin = 0;
  OpId current;
  uint64_t currentBegin = 0;
  bool isUncertain = false; // an arm of a branch on data
};

class TeamWalk final : public KnownWalk {
public:
  TeamWalk(const Function &kernel, const TeamChoice &choice, uint64_t maxSteps, bool counts)
      : KnownWalk(kernel, maxSteps), choice_(choice), counts_(counts), turn_(kernel, choice.team),
        cells_(kernel.arrays.size()), loaded_(kernel.arrays.size()),
        storesTo_(kernel.arrays.size()), tiles_(kernel, choice),
        hasOwnCells_(cellsInRegisters(kernel) > 0) {
    if (!choice.tiles.empty()) {
      run_.homes.resize(kernel.arrays.size());
      run_.isAtHome.assign(kernel.ops.size(), true);
    }
    run_.barrierBefore.resize(kernel.ops.size());
    run_.isOneTurn.assign(kernel.ops.size(), true);
    run_.ownCopies.assign(kernel.arrays.size(), true);
    run_.isRead.resize(kernel.arrays.size());
    for (size_t a = 0; a < kernel.arrays.size(); ++a)
      if (!kernel.arrays[a].isSharedInput())
        cells_[a].resize(kernel.arrays[a].constantCells().value_or(0));
    for (size_t a = 0; a < cells_.size(); ++a)
      loaded_[a].resize(counts ? cells_[a].size() * (choice.team + 1) : 0);
  }

  TeamRun run() {
    if (!walk(function_.body) && run_.refusal.empty())
      run_.refusal = "there are too many operations to follow";
    for (size_t a = 0; a < cells_.size(); ++a)
      if (function_.arrays[a].writes && llvm::any_of(cells_[a], [](const CellHistory &cell) {
            return !cell.use.isSurelyWritten;
          }))
        run_.isRead[a] = true;
    noteLive();
    run_.extents = tiles_.extents();
    return std::move(run_);
  }

private:
  void noteUse(CellUse &use, bool isStore) {
    use.isReadFirst |= !isStore && !use.isSurelyWritten;
    use.isWritten |= isStore;
    use.isSurelyWritten |= isStore && !isUncertain();
  }
  void noteLive() {
    for (auto [array, cells] : llvm::zip_equal(function_.arrays, cells_)) {
      std::vector<CellUse> uses;
      for (const CellHistory &cell : cells)
        uses.push_back(cell.use);
      run_.live.push_back(liveCells(uses, cellsOfSector(array.cell), array.writes));
    }
  }
  bool refuse(std::string why, OpId at) {
    run_.refusal = std::move(why);
    run_.at = at;
    if (isDealt())
      run_.loop = frames_[dealtFrame_ - 1].current;
    return false;
  }
  bool walk(RegionId region) override;
  bool visit(OpId id) override;
  bool access(OpId id, std::optional<int64_t> cell) override;
  void remains(OpId id) override;
  bool entersUnrolled(const Op &op) const {
    return hasOwnCells_ && op.unrolling.kind == Unrolling::Kind::Fully;
  }
  void issue(double rolled, double unrolled);
  bool isThere(size_t array, int64_t cell, bool isStore);
  void count(OpId id, int64_t cell);
  bool iteration(OpId loop, uint64_t number) override;
  bool uncertainArm(RegionId arm) override;
  bool unknownLoop(OpId id) override;

  void barrier() {
    lastBarrier_ = ++time_;
    ++barriers_;
    run_.work.barriers += 1;
  }
  bool isDealt() const { return dealtFrame_ != SIZE_MAX; }
  bool isUncertain() const {
    return llvm::any_of(frames_, [](const Frame &frame) { return frame.isUncertain; });
  }
  bool isCounterSmall(const Op &loop) const;
  bool tileIteration(OpId loop);
  void noteHome(OpId id, size_t cell);
  bool isOwn(OpId id, size_t cell) const;
  const std::string &arrayName(OpId access) const {
    return function_.array(function_.op(access).array).name;
  }
  bool separate(uint64_t before, OpId access);
  bool common(OpId id, CellHistory &cell, bool isStore);
  void ownCopy(size_t array, CellHistory &cell, bool isStore);

  const TeamChoice &choice_;
  bool counts_;
  TeamRun run_;
  TeamTurn turn_;
  std::vector<std::vector<CellHistory>> cells_; // by array
  // By array: cells for all members and each, with the stores and barriers that were before.
  std::vector<std::vector<uint64_t>> loaded_;
  std::vector<uint64_t> storesTo_; // by array
  uint64_t barriers_ = 0;
  std::vector<Frame> frames_;
  uint64_t time_ = 0, lastBarrier_ = 0;
  Member member_ = All;
  size_t dealtFrame_ = SIZE_MAX; // the first one in a loop that is dealt out
  bool nextIsUncertain_ = false;
  TileRuns tiles_;
  const bool hasOwnCells_;      // in registers, of loops that are unrolled in each plan
  unsigned unrolledAround_ = 0; // such loops
};

} // namespace

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

bool TeamWalk::walk(RegionId region) {
  frames_.push_back({++time_, {}, 0, nextIsUncertain_});
  nextIsUncertain_ = false;
  const bool goesOn = KnownWalk::walk(region);
  frames_.pop_back();
  return goesOn;
}

bool TeamWalk::visit(OpId id) {
  if (run_.barrierBefore[id.index])
    barrier();
  frames_.back().current = id;
  frames_.back().currentBegin = ++time_;
  const Op &op = function_.op(id);
  issue(instructionsOf(function_, op), 0);
  if (op.opcode == Opcode::Check)
    return refuse("a check is reported by each member", id);
  const TileLoop part = tiles_.partOf(id);
  const bool isDealt = choice_.dealt[id.index] || part == TileLoop::Outer;
  if ((isDealt || part == TileLoop::Inner) && !isCounterSmall(op))
    return refuse("the counter of a loop is too large to deal out", id);
  if (part == TileLoop::Outer)
    tiles_.begin(id);
  if (part != TileLoop::None)
    tiles_.enter(id, asInt64(*value(op.operands[0])), asInt64(*value(op.operands[1])));
  const Member before = member_;
  if (member_ == All && isForFirst(function_, choice_, id))
    member_ = 0;
  unrolledAround_ += entersUnrolled(op);
  if (!KnownWalk::visit(id))
    return false;
  unrolledAround_ -= entersUnrolled(op);
  member_ = before;
  if (isDealt) {
    turn_.end(run_.work, part == TileLoop::Outer);
    dealtFrame_ = SIZE_MAX;
  }
  if (part == TileLoop::Outer)
    tiles_.end(run_.work, counts_);
  return true;
}

//===----------------------------------------------------------------------===//
// Tiled nests
//===----------------------------------------------------------------------===//

bool TeamWalk::tileIteration(OpId loop) {
  const ValueId counter = function_.region(function_.op(loop).regions[0]).args[0];
  const int64_t at = asInt64(*value(counter));
  if (at < 0 || at >= int64_t(MaxGrid))
    return refuse("the counter of a loop is too large to deal out", loop);
  if (tiles_.partOf(loop) == TileLoop::Outer)
    dealtFrame_ = frames_.size();
  member_ = tiles_.iterate(loop, at);
  turn_.begin(member_);
  return KnownWalk::iteration(loop, 0);
}

/// Of a store.
void TeamWalk::noteHome(OpId id, size_t cell) {
  if (run_.homes.empty())
    return;
  CellHomes &homes = run_.homes[function_.op(id).array.index];
  homes.resize(cells_[function_.op(id).array.index].size());
  const CellHome here = tiles_.isInside() ? tiles_.home() : ManyHomes;
  homes[cell] = homes[cell] == NoHome || homes[cell] == here ? here : ManyHomes;
}

/// Whether its member may have it in a register.
bool TeamWalk::isOwn(OpId id, size_t cell) const {
  if (!tiles_.isInside() || choice_.homes.empty())
    return false;
  const CellHomes &homes = choice_.homes[function_.op(id).array.index];
  return !homes.empty() && homes[cell] == tiles_.home();
}

//===----------------------------------------------------------------------===//
// Iterations and accesses
//===----------------------------------------------------------------------===//

/// No member's counter leaves the type, up to a team's iterations beyond the end.
bool TeamWalk::isCounterSmall(const Op &loop) const {
  int64_t bounds[3];
  for (size_t b = 0; b < 3; ++b) {
    const Known &known = value(loop.operands[b]);
    if (!known || std::abs(asInt64(*known)) >= MaxCounter)
      return false;
    bounds[b] = asInt64(*known);
  }
  const ScalarType type = function_.value(loop.operands[0]).type;
  const int64_t beyond = bounds[2] * choice_.team;
  return exactInt(type, bounds[0] + beyond) && exactInt(type, bounds[1] + beyond);
}

bool TeamWalk::iteration(OpId loop, uint64_t number) {
  if (tiles_.partOf(loop) != TileLoop::None)
    return tileIteration(loop);
  if (!choice_.dealt[loop.index])
    return KnownWalk::iteration(loop, number);
  member_ = static_cast<Member>(number % choice_.team);
  if (member_ == 0 && number > 0) {
    turn_.end(run_.work);
    run_.isOneTurn[loop.index] = false;
  }
  dealtFrame_ = frames_.size();
  turn_.begin(member_);
  return KnownWalk::iteration(loop, number);
}

bool TeamWalk::uncertainArm(RegionId arm) {
  nextIsUncertain_ = true;
  return walk(arm);
}

bool TeamWalk::unknownLoop(OpId id) { return refuse("data decides when a loop ends", id); }

void TeamWalk::issue(double rolled, double unrolled) {
  if (!counts_)
    return;
  if (unrolledAround_ > 0)
    rolled = unrolled;
  if (tiles_.isInside())
    return tiles_.issue(unrolled);
  if (isDealt())
    return turn_.issue(rolled, unrolled);
  run_.work.rolled.instructions += rolled;
  run_.work.unrolled.instructions += unrolled;
}

/// Whether the member, or all of them, need not load the cell again. What is stored or what stands
/// behind a barrier may be another value.
bool TeamWalk::isThere(size_t array, int64_t cell, bool isStore) {
  if (isStore) {
    ++storesTo_[array];
    return false;
  }
  uint64_t &loaded = loaded_[array][static_cast<size_t>(cell) * (choice_.team + 1) +
                                    static_cast<size_t>(member_ + 1)];
  const uint64_t now = tiles_.isInside() ? tiles_.stamp() : storesTo_[array] + barriers_ + 1;
  return std::exchange(loaded, now) == now;
}

/// Own cells are in registers: a branch on data is what chooses between them. Comparisons and
/// choices are started half as often as others.
void TeamWalk::remains(OpId id) {
  const Opcode opcode = function_.op(id).opcode;
  if (unrolledAround_ == 0)
    return issue(0, 1);
  issue(0, isComparison(opcode) || opcode == Opcode::Select ? HalfRate
           : opcode == Opcode::If                           ? 0
                                                            : 1);
}

bool TeamWalk::access(OpId id, std::optional<int64_t> cell) {
  const Op &op = function_.op(id);
  const Array &array = function_.array(op.array);
  if (array.isSharedInput())
    issue(0, 1);
  if (array.isSharedInput())
    return op.opcode == Opcode::Load || refuse("an array of all instances is written", id);
  std::vector<CellHistory> &cells = cells_[op.array.index];
  if (!cell || *cell < 0 || static_cast<uint64_t>(*cell) >= cells.size())
    return refuse("a subscript is not known beforehand", id);
  CellHistory &history = cells[static_cast<size_t>(*cell)];
  const bool isStore = op.opcode == Opcode::Store;
  const bool isOwn = this->isOwn(id, static_cast<size_t>(*cell));
  if (isStore)
    noteHome(id, static_cast<size_t>(*cell));
  if (!run_.isAtHome.empty() && !isOwn && (tiles_.isInside() || !isStore))
    run_.isAtHome[id.index] = false;
  if (array.isLocal())
    ownCopy(op.array.index, history, isStore);
  if (!choice_.common[op.array.index]) {
    if (array.space != Space::Registers)
      issue(0, 1);
    else if (isStore && isUncertain())
      issue(0, HalfRate);
    noteUse(history.use, isStore);
    return true;
  }
  if (counts_ && (isStore || !isOwn))
    count(id, *cell);
  if (!isStore && !history.use.isSurelyWritten)
    run_.isRead[op.array.index] = true;
  noteUse(history.use, isStore);
  return common(id, history, isStore);
}

void TeamWalk::count(OpId id, int64_t cell) {
  const Op &op = function_.op(id);
  const bool isThere = this->isThere(op.array.index, cell, op.opcode == Opcode::Store);
  issue(0, isThere ? 0 : 1);
  if (tiles_.isInside() && isThere)
    return;
  if (isDealt())
    return turn_.access(id, cell, isThere);
  const uint64_t bytes = sizeBytes(function_.array(op.array).cell);
  addRequest(run_.work.rolled, cell, bytes);
  if (!isThere)
    addRequest(run_.work.unrolled, cell, bytes);
}

/// Whether each member's own copy would hold what it loads. What may be stored, under a condition,
/// may also not be: then the copy that holds it is that of both, if they are one.
void TeamWalk::ownCopy(size_t array, CellHistory &cell, bool isStore) {
  if (!isStore)
    run_.ownCopies[array] = run_.ownCopies[array] && (cell.holder == All || cell.holder == member_);
  else if (!isUncertain() || cell.holder == All || cell.holder == member_)
    cell.holder = member_;
  else
    cell.holder = Several;
}

bool TeamWalk::common(OpId id, CellHistory &cell, bool isStore) {
  const bool isFirst = member_ == All && (isStore || choice_.team == 1);
  const Member own = isFirst ? Member(0) : member_;
  if (cell.writer != own && cell.written > lastBarrier_ && !separate(cell.written, id))
    return false;
  const uint64_t read = cell.reader == own ? cell.readByOthers : cell.read;
  if (isStore && read > lastBarrier_ && !separate(read, id))
    return false;
  if (isStore) {
    cell.written = time_;
    cell.writer = own;
    cell.read = cell.readByOthers = 0;
  } else {
    if (cell.reader != own)
      cell.readByOthers = cell.read;
    cell.reader = own;
    cell.read = time_;
  }
  return true;
}

/// A barrier between the access and what was done at `before`, in flow that all lanes share.
bool TeamWalk::separate(uint64_t before, OpId access) {
  size_t frame = frames_.size() - 1;
  while (frames_[frame].begin > before)
    --frame;
  if (frames_[frame].currentBegin <= before)
    ++frame; // an earlier iteration of the same loop
  const auto isUncertain = [](const Frame &f) { return f.isUncertain; };
  const auto uncertain = static_cast<size_t>(llvm::find_if(frames_, isUncertain) - frames_.begin());
  if (uncertain <= frame && frame < dealtFrame_) {
    frame = uncertain - 1;
    if (frames_[frame].currentBegin <= before)
      return refuse("members need each other's cells of " + arrayName(access) +
                        " within a branch on data",
                    access);
  }
  if (frame >= std::min(dealtFrame_, frames_.size()))
    return refuse("an iteration needs a cell of " + arrayName(access) +
                      " that another one has stored or loaded",
                  access);
  run_.barrierBefore[frames_[frame].current.index] = true;
  lastBarrier_ = std::max(lastBarrier_, frames_[frame].currentBegin - 1);
  run_.work.barriers += 1;
  return true;
}

TeamRun colonnade::walkTeam(const Function &kernel, const TeamChoice &choice, WalkBudget &budget,
                            bool counts) {
  TeamWalk walk(kernel, choice, std::min(MaxSteps, budget.left), counts);
  TeamRun run = walk.run();
  budget.left -= std::min(budget.left, walk.steps());
  return run;
}
