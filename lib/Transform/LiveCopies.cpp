//===- LiveCopies.cpp - Copies of live cells alone ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Members of a team run at the same time, so what one has written is there for another one behind a
// barrier only: each access has a phase, the barriers before it. A kernel without races has no
// other order between members (Teams/TeamWalk.h, and the block interpreter checks it).
//
//===----------------------------------------------------------------------===//

#include "Transform/LiveCopies.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"
#include "Transform/LiveCells.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr uint32_t Never = UINT32_MAX;

namespace {

struct Cell {
  uint32_t read = Never;    // the first phase in which a member reads what it has not written
  uint32_t written = Never; // the first phase in which it is written, surely
  uint32_t writer = Never;  // the last member that has surely written it
  bool isPerhapsWritten = false;
};

/// What rows hold from one copy to them to the next one.
struct Filling {
  OpId in;                 // the copy; invalid: none has come yet
  std::vector<OpId> out;   // copies back
  std::vector<Cell> cells; // of a row
  bool isKnown = true;     // false: all cells may be read and written
};

/// By shared array.
using Fillings = std::map<uint32_t, std::vector<Filling>>;

/// The copies at the top of a kernel, each of which is made once.
class Copies {
public:
  explicit Copies(const Function &kernel);

  bool isEmpty() const { return fillings.empty(); }
  Fillings fillings;
  /// Which filling of its array a copy begins or ends.
  std::map<uint32_t, size_t> numberOf; // by operation

private:
  void add(OpId copy);

  const Function &kernel_;
};

/// Of one member.
class LiveWalk final : public KnownWalk {
public:
  LiveWalk(const Function &kernel, unsigned member, Copies &copies, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), member_(member), copies_(copies) {}

  bool run() { return walk(function_.body); }

private:
  bool visit(OpId op) override;
  bool access(OpId op, std::optional<int64_t> cell) override;
  void remains(OpId op) override;
  bool unknownLoop(OpId) override { return false; }
  bool place(const Op &op);
  Filling *fillingOf(ArrayId rows);

  unsigned member_;
  Copies &copies_;
  struct Now {
    size_t filling = 0;
    bool isBack = false; // copied back
  };
  std::map<uint32_t, Now> now_; // by shared array
  uint32_t phase_ = 0;
  bool mayHaveLeft_ = false; // the loop around
};

} // namespace

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static ArrayId rowsOf(const Function &kernel, const Op &stage) {
  return stage.arrays[kernel.array(stage.arrays[0]).isShared() ? 0 : 1];
}

static bool isToRows(const Function &kernel, const Op &stage) {
  return kernel.array(stage.arrays[0]).isShared();
}

static uint64_t widthOf(const Array &rows) {
  return static_cast<uint64_t>(rows.extents[1].asConstant().value_or(0));
}

Copies::Copies(const Function &kernel) : kernel_(kernel) {
  std::vector<bool> isAtTop(kernel.ops.size());
  for (OpId id : kernel.region(kernel.body).ops) {
    isAtTop[id.index] = true;
    if (kernel.op(id).opcode == Opcode::Stage)
      add(id);
  }
  // Ops that are in no region any more do no harm: they only keep an array as it is.
  for (size_t o = 0; o < kernel.ops.size(); ++o)
    if (kernel.ops[o].opcode == Opcode::Stage && !isAtTop[o])
      fillings.erase(rowsOf(kernel, kernel.ops[o]).index);
}

void Copies::add(OpId id) {
  const Op &copy = kernel_.op(id);
  const ArrayId rows = rowsOf(kernel_, copy);
  std::vector<Filling> &all = fillings[rows.index];
  const auto begin = [&](OpId in) {
    all.push_back({in, {}, std::vector<Cell>(widthOf(kernel_.array(rows)))});
  };
  if (all.empty())
    begin({}); // before any
  if (isToRows(kernel_, copy))
    begin(id);
  else
    all.back().out.push_back(id);
  numberOf[id.index] = all.size() - 1;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Of the first instance of a block: all have the same cells.
bool LiveWalk::place(const Op &op) {
  switch (op.opcode) {
  case Opcode::Lane:
    set(op.results[0], makeInt(ScalarType::S64, member_ % LanesPerWarp));
    return true;
  case Opcode::Member:
    set(op.results[0], makeInt(ScalarType::S64, member_));
    return true;
  case Opcode::Warp:
    set(op.results[0], makeInt(ScalarType::S64, member_ / LanesPerWarp));
    return true;
  case Opcode::HasInstance:
    set(op.results[0], makeInt(ScalarType::Bool, 1));
    return true;
  default:
    return false;
  }
}

bool LiveWalk::visit(OpId id) {
  const Op &op = function_.op(id);
  if (place(op))
    return true;
  switch (op.opcode) {
  case Opcode::Barrier:
    ++phase_;
    return true;
  case Opcode::Stage:
    if (const auto number = copies_.numberOf.find(id.index); number != copies_.numberOf.end())
      now_[rowsOf(function_, op).index] = {number->second, !isToRows(function_, op)};
    return true;
  case Opcode::CallPart:
    return false;
  case Opcode::For: {
    const bool mayHaveLeft = mayHaveLeft_;
    const bool goesOn = KnownWalk::visit(id);
    mayHaveLeft_ = mayHaveLeft;
    return goesOn;
  }
  default:
    return KnownWalk::visit(id);
  }
}

/// A For whose continue flag data decides: later iterations are not sure.
void LiveWalk::remains(OpId id) { mayHaveLeft_ |= function_.op(id).opcode == Opcode::For; }

Filling *LiveWalk::fillingOf(ArrayId rows) {
  const auto all = copies_.fillings.find(rows.index);
  return all == copies_.fillings.end() ? nullptr : &all->second[now_[rows.index].filling];
}

bool LiveWalk::access(OpId id, std::optional<int64_t> place) {
  const Op &op = function_.op(id);
  Filling *const filling = fillingOf(op.array);
  if (!filling)
    return true;
  const bool isWithin =
      place && *place >= 0 && static_cast<uint64_t>(*place) < filling->cells.size();
  if (!isWithin || now_[op.array.index].isBack) {
    filling->isKnown = false;
    return true;
  }
  Cell &cell = filling->cells[static_cast<size_t>(*place)];
  if (op.opcode == Opcode::Load) {
    if (cell.writer != member_)
      cell.read = std::min(cell.read, phase_);
    return true;
  }
  cell.isPerhapsWritten = true;
  if (uncertain_ == 0 && !mayHaveLeft_) {
    cell.written = std::min(cell.written, phase_);
    cell.writer = member_;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Live cells
//===----------------------------------------------------------------------===//

namespace {

/// Sets what each copy moves.
class LiveCopies {
public:
  explicit LiveCopies(Function &kernel) : kernel_(kernel), copies_(kernel) {}

  void run();

private:
  bool walk();
  void set(const Filling &filling, const Array &rows);
  bool isForColumns() const { return std::get<ThreadShape>(*kernel_.launch).isForColumns(); }
  bool isBack(OpId out, OpId in) const;
  bool isOfSectors(OpId copy) const;
  std::optional<int64_t> beginOf(const Op &copy) const;
  void copyOnly(OpId copy, const std::vector<bool> &live);

  Function &kernel_;
  Copies copies_;
};

} // namespace

bool LiveCopies::walk() {
  static constexpr uint64_t MaxSteps = uint64_t(1) << 24; // a second or so
  uint64_t left = MaxSteps;
  for (unsigned member = 0; member < kernel_.team(); ++member) {
    LiveWalk walk(kernel_, member, copies_, left);
    if (!walk.run())
      return false;
    left -= std::min(left, walk.steps());
  }
  return true;
}

/// What a copy back leaves out is in memory already, if it comes from there.
bool LiveCopies::isBack(OpId out, OpId in) const {
  const Op &to = kernel_.op(out), &from = kernel_.op(in);
  return to.arrays[0] == from.arrays[1] && beginOf(to) == beginOf(from);
}

/// The first cell of the rows, if it is known.
std::optional<int64_t> LiveCopies::beginOf(const Op &copy) const {
  if (copy.operands.empty())
    return 0;
  const Scalar *const at = kernel_.constant(copy.operands[0]);
  return at ? std::optional(asInt64(*at)) : std::nullopt;
}

/// Sectors of rows are known by their numbers.
bool LiveCopies::isOfSectors(OpId id) const {
  const Op &copy = kernel_.op(id);
  const Array &rows = kernel_.array(rowsOf(kernel_, copy)),
              &memory = kernel_.array(copy.arrays[isToRows(kernel_, copy) ? 1 : 0]);
  const auto inSector = static_cast<int64_t>(cellsOfSector(rows.cell));
  if (isForColumns() || !memory.constantCells())
    return isForColumns();
  return (widthOf(rows) | *memory.constantCells() | *beginOf(copy)) % inSector == 0;
}

void LiveCopies::copyOnly(OpId copy, const std::vector<bool> &live) {
  if (!llvm::is_contained(live, false))
    return;
  if (llvm::is_contained(live, true)) {
    kernel_.op(copy).live = rangesOf(live);
    return;
  }
  std::vector<OpId> &ops = kernel_.region(kernel_.body).ops;
  ops.erase(llvm::find(ops, copy));
}

void LiveCopies::set(const Filling &filling, const Array &rows) {
  if (!filling.in || !beginOf(kernel_.op(filling.in)) || !isOfSectors(filling.in) ||
      !llvm::all_of(filling.out, [&](OpId out) { return isBack(out, filling.in); }))
    return;
  std::vector<CellUse> uses;
  for (const Cell &cell : filling.cells)
    uses.push_back({cell.read != Never && cell.read <= cell.written, cell.isPerhapsWritten,
                    cell.written != Never});
  const LiveCells live =
      liveCells(uses, isForColumns() ? 1 : cellsOfSector(rows.cell), !filling.out.empty());
  // From a longer list each load of a column would wait for another one.
  const bool isLong =
      isForColumns() && llvm::count(live.loaded, true) > ptrdiff_t(LongestConstantList);
  if (!isLong)
    copyOnly(filling.in, live.loaded);
  for (OpId out : filling.out)
    copyOnly(out, live.stored);
}

void LiveCopies::run() {
  if (copies_.isEmpty() || !walk())
    return;
  for (const auto &[array, fillings] : copies_.fillings)
    for (const Filling &filling : fillings)
      if (filling.isKnown)
        set(filling, kernel_.arrays[array]);
}

void colonnade::copyLiveCells(Function &kernel) { LiveCopies(kernel).run(); }
