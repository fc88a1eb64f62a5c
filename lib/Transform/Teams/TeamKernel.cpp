//===- TeamKernel.cpp - A kernel of teams ---------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamKernel.h"

#include "IR/KernelFacts.h"
#include "Transform/BlockBuilder.h"
#include "Transform/LiveCopies.h"
#include "Transform/Teams/OwnCopies.h"
#include "Transform/Teams/TeamRows.h"
#include "Transform/Teams/TileNests.h"
#include "Transform/Teams/TilePlan.h"
#include "Transform/Unroll.h"
#include "Transform/UnusedValues.h"
#include "Transform/Varying.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class TeamKernel {
public:
  /// instances: of a block whose rows are its own; 0: they are each warp's.
  TeamKernel(const TeamPlan &plan, Layouts layouts, unsigned instances)
      : plan_(plan), layouts_(layouts), instances_(instances), kernel_(plan.kernel),
        builder_(kernel_), rows_(kernel_.arrays.size()), registers_(builder_) {}

  std::optional<Function> run();

private:
  unsigned team() const { return plan_.choice.team; }
  bool areOfBlock() const { return instances_ > 0; }
  bool shape();
  ValueId rowOfBlock(ValueId ofWarp);
  void placeArrays();
  void body(llvm::ArrayRef<OpId> ops);
  void region(RegionId id);
  void append(OpId id);
  void access(OpId id);
  void place(OpId id) { kernel_.region(builder_.insertionRegion()).ops.push_back(id); }
  void deal(OpId id);
  void turn(const Op &loop, ValueId base);
  void tile(size_t number);
  void placeOwnCells();
  void storeOwnCells();
  ValueId ownCounter(ValueId base, ValueId step);
  void stageAll(bool isIn);
  void unroll();
  void note();

  const TeamPlan &plan_;
  Layouts layouts_;
  unsigned instances_;
  Function kernel_;
  BlockBuilder builder_;
  std::vector<ArrayId> rows_;                  // by array: its rows in shared memory; or invalid
  ValueId row_, member_, first_, hasInstance_; // first_: whether the member is the first
  std::optional<TileSlots> slots_;             // in a grid
  TileArrays registers_;
  std::vector<std::pair<size_t, OwnRegisters>> owned_; // arrays, and a member's own cells of them
  OwnAccesses ownAccesses_;
  bool isDealt_ = false; // what is appended is within a loop that is dealt out
  bool isFirst_ = false; // or within a branch that the first member takes alone
};

} // namespace

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

void TeamKernel::placeArrays() {
  const size_t numArrays = kernel_.arrays.size();
  for (size_t a = 0; a < numArrays; ++a) {
    Array &array = kernel_.arrays[a];
    if (!plan_.choice.common[a])
      continue;
    if (array.isLocal()) {
      toRows(array, plan_, instances_);
      rows_[a] = ArrayId(a);
    } else if (hasLongRows(array)) {
      Array rows = array;
      rows.name += "_rows";
      toRows(rows, plan_, instances_);
      kernel_.arrays.push_back(std::move(rows));
      rows_[a] = ArrayId(kernel_.arrays.size() - 1);
    }
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void TeamKernel::access(OpId id) {
  const Op access = kernel_.op(id);
  const bool isCommon = plan_.choice.common[access.array.index],
             isStore = access.opcode == Opcode::Store;
  if (const ArrayId rows = rows_[access.array.index]) {
    llvm::SmallVector<ValueId, 4> operands = {
        row_, builder_.cellOf(access),
        builder_.number(*kernel_.array(rows).extents[1].asConstant())};
    if (isStore)
      operands.push_back(accessOperands(access).stored);
    kernel_.op(id).array = rows;
    kernel_.op(id).operands = std::move(operands);
  }
  if (isStore && isCommon && !isDealt_ && !isFirst_)
    builder_.onlyIf(first_, [&] { place(id); });
  else
    place(id);
}

/// base + member * step, in the counter's type.
ValueId TeamKernel::ownCounter(ValueId base, ValueId step) {
  const ScalarType type = kernel_.value(base).type;
  const ValueId member = builder_.cast(member_, type);
  const ValueId ahead = builder_.binary(Opcode::Mul, member, step);
  const ValueId counter = builder_.binary(Opcode::Add, base, ahead);
  for (ValueId value : {member, ahead, counter})
    builder_.varying(value);
  return counter;
}

/// The iteration of each member behind `base`, if there is one.
void TeamKernel::turn(const Op &loop, ValueId base) {
  const RegionId body = loop.regions[0];
  const ValueId counter = kernel_.region(body).args[0], own = ownCounter(base, loop.operands[2]);
  kernel_.value(own).name = kernel_.value(counter).name;
  for (Op &op : kernel_.ops)
    std::replace(op.operands.begin(), op.operands.end(), counter, own);
  kernel_.region(body).args.clear();
  const ValueId runs =
      builder_.varying(builder_.binary(comparisonOf(loop.predicate), own, loop.operands[1]));
  const OpId branch = builder_.createIf(runs, {});
  {
    const InsertionScope scope(builder_);
    builder_.setRegion(kernel_.op(branch).regions[1]);
    builder_.yield({});
  }
  kernel_.op(branch).regions[0] = body;
  kernel_.region(body).parent = branch;
}

/// for (base = lo; base < hi; base += team * step) { a turn }
void TeamKernel::deal(OpId id) {
  const Op loop = kernel_.op(id);
  if (plan_.run.isOneTurn[id.index])
    return turn(loop, loop.operands[0]);
  const ValueId threads = builder_.constantInt(kernel_.value(loop.operands[2]).type, team());
  const ValueId step = builder_.binary(Opcode::Mul, loop.operands[2], threads);
  const OpId turns =
      builder_.createFor(loop.operands[0], loop.operands[1], step, loop.predicate, false, {});
  kernel_.op(turns).unrolling = loop.unrolling;
  const InsertionScope scope(builder_);
  builder_.setRegion(kernel_.op(turns).regions[0]);
  turn(loop, kernel_.region(kernel_.op(turns).regions[0]).args[0]);
  builder_.yield({});
}

void TeamKernel::tile(size_t number) {
  const TiledNest &nest = plan_.choice.tiles[number];
  isDealt_ = true;
  region(kernel_.op(nest.rows).regions[0]);
  isDealt_ = false;
  emitTile(builder_, *slots_, registers_, ownAccesses_, nest, plan_.run.extents[number]);
}

/// Registers for cells that one member alone stores to.
void TeamKernel::placeOwnCells() {
  if (plan_.choice.tiles.empty())
    return;
  const auto own = ownArrays(plan_.kernel, plan_.choice, plan_.run);
  const TileExtent &extent = plan_.run.extents.front();
  const bool areRows = colonnade::areRows(plan_.choice);
  bool isRaced = false;
  OwnCopies copies(builder_, *slots_, extent, row_);
  for (size_t a = 0; a < own.size(); ++a) {
    if (!own[a] || !rows_[a])
      continue;
    const int64_t columns = areRows ? own[a]->columns : slots_->columns(extent.columns);
    const ArrayId array = registers_.create(
        kernel_.arrays[a].cell, slots_->rows(extent.rows) * static_cast<unsigned>(columns),
        kernel_.arrays[a].name + "_own");
    OwnRegisters registers = {array, *own[a], areRows,
                              areAlone(plan_.kernel, plan_.choice, plan_.run, a)};
    if (areRows)
      registers.columns = columnsOfSlots(*own[a], plan_.choice.homes[a], plan_.choice.grid.rows);
    owned_.push_back({a, registers});
    for (size_t o = 0; o < plan_.kernel.ops.size(); ++o) {
      const Op &op = plan_.kernel.ops[o];
      if (op.array.valid() && op.array.index == a && plan_.run.isAtHome[o])
        ownAccesses_[static_cast<uint32_t>(o)] = registers;
    }
    if (llvm::any_of(plan_.choice.tiles,
                     [](const TiledNest &nest) { return nest.rowsBeyond || nest.columnsBeyond; }))
      copies.clear(array);
    copies.copy(rows_[a], registers, OwnCopy::FromRows);
    isRaced |= !own[a]->isDense;
  }
  if (isRaced) // others store to cells among these
    builder_.barrier(Sharing::Instance);
}

void TeamKernel::storeOwnCells() {
  for (const auto &[array, registers] : owned_)
    if (registers.areAlone)
      OwnCopies(builder_, *slots_, plan_.run.extents.front(), row_)
          .copy(rows_[array], registers, OwnCopy::ToRows);
}

void TeamKernel::append(OpId id) {
  if (plan_.run.barrierBefore[id.index])
    builder_.barrier(Sharing::Instance);
  for (auto [number, nest] : llvm::enumerate(plan_.choice.tiles))
    if (nest.rows == id)
      return tile(number);
  const Opcode opcode = kernel_.op(id).opcode;
  if (opcode == Opcode::Load || opcode == Opcode::Store)
    return access(id);
  if (!isDealt_ && !isFirst_ && isForFirst(plan_.kernel, plan_.choice, id)) {
    isFirst_ = true;
    for (RegionId arm : llvm::SmallVector<RegionId, 2>(kernel_.op(id).regions))
      region(arm);
    isFirst_ = false;
    builder_.onlyIf(first_, [&] { place(id); });
    return;
  }
  const bool begins = plan_.choice.dealt[id.index];
  const llvm::SmallVector<RegionId, 2> regions = kernel_.op(id).regions;
  isDealt_ |= begins;
  for (RegionId each : regions)
    region(each);
  isDealt_ &= !begins;
  if (begins)
    deal(id);
  else
    place(id);
}

void TeamKernel::region(RegionId id) {
  const InsertionScope scope(builder_);
  const std::vector<OpId> ops = std::move(kernel_.region(id).ops);
  kernel_.region(id).ops.clear();
  builder_.setRegion(id);
  for (OpId op : ops)
    append(op);
}

void TeamKernel::stageAll(bool isIn) {
  for (size_t a = 0; a < rows_.size(); ++a) {
    const Array &memory = kernel_.arrays[a];
    if (!rows_[a] || rows_[a].index == a)
      continue;
    if (isIn && (plan_.run.isRead[a]))
      builder_.stage(rows_[a], ArrayId(a));
    else if (!isIn && memory.writes)
      builder_.stage(ArrayId(a), rows_[a]);
  }
}

/// Of the row of an instance of the warp, counted from its first: as Array::rowOf.
ValueId TeamKernel::rowOfBlock(ValueId ofWarp) {
  ValueId warp = builder_.place(Opcode::Warp, ScalarType::S64);
  const auto times = [&](ValueId value, uint64_t number) {
    return builder_.varying(builder_.binary(Opcode::Mul, value, builder_.number(number)));
  };
  if (const unsigned spread = spreadOf(plan_, instances_))
    ofWarp = times(ofWarp, spread);
  else
    warp = times(warp, LanesPerWarp / team());
  return builder_.varying(builder_.binary(Opcode::Add, warp, ofWarp));
}

void TeamKernel::body(llvm::ArrayRef<OpId> ops) {
  builder_.setRegion(kernel_.body);
  const bool hasWarps = team() > LanesPerWarp;
  const ValueId place = builder_.place(hasWarps ? Opcode::Warp : Opcode::Lane, ScalarType::S64);
  const unsigned ofTeam = hasWarps ? team() / LanesPerWarp : team();
  member_ = builder_.place(Opcode::Member, ScalarType::S64);
  hasInstance_ = builder_.place(Opcode::HasInstance, ScalarType::Bool);
  row_ = builder_.varying(builder_.binary(Opcode::Div, place, builder_.number(ofTeam)));
  if (areOfBlock() && !hasWarps)
    row_ = rowOfBlock(row_);
  first_ = builder_.varying(builder_.binary(Opcode::Eq, member_, builder_.number(0)));
  if (const TeamGrid grid = plan_.choice.grid) {
    const ValueId across = builder_.number(grid.columns);
    const ValueId row = builder_.varying(builder_.binary(Opcode::Div, member_, across));
    const ValueId column = builder_.varying(builder_.binary(Opcode::Rem, member_, across));
    slots_.emplace(builder_, grid, row, column);
  }
  const Sharing copiers = areOfBlock() ? Sharing::Block : Sharing::Warp;
  stageAll(true);
  builder_.wait();
  builder_.barrier(copiers);
  builder_.onlyIf(hasInstance_, [&] {
    placeOwnCells();
    for (OpId id : ops.drop_back())
      append(id);
    storeOwnCells();
  });
  builder_.barrier(copiers);
  stageAll(false);
  kernel_.region(kernel_.body).ops.push_back(ops.back());
}

/// As many as have room in shared memory; beyond so many threads, registers would be too few.
/// Without it, ptxas loads all that it can ahead, and few blocks have room.
static unsigned residentBlocks(const Function &kernel) {
  static constexpr uint64_t MostThreads = 1024;
  static constexpr uint64_t Registers = 1 << 16;
  const uint64_t threads = std::get<ThreadShape>(*kernel.launch).perBlock;
  const uint64_t byShared = MaxSharedBytes / std::max<uint64_t>(1, kernel.sharedBytes()),
                 byThreads = MostThreads / threads,
                 byOwn = Registers / threads / registersWithOwn(kernel);
  return static_cast<unsigned>(std::max<uint64_t>(1, std::min({byShared, byThreads, byOwn})));
}

/// A loop around loops that are unrolled in any case, over cells that each thread has in registers:
/// of several iterations at once it would have those of all.
static bool isAroundUnrolled(const Function &kernel, const Op &around) {
  return llvm::any_of(around.regions, [&](RegionId region) {
    return llvm::any_of(kernel.region(region).ops, [&](OpId id) {
      const Op &op = kernel.op(id);
      return op.unrolling.kind == Unrolling::Kind::Fully || isAroundUnrolled(kernel, op);
    });
  });
}

/// All iterations are known. Where they are not too many, subscripts become constants.
void TeamKernel::unroll() {
  // What is loaded in that many iterations of a loop around groups is loaded at once.
  static constexpr Unrolling Around = {Unrolling::Kind::Times, 4};
  const bool all = unrollsAll(plan_.choice, plan_.run);
  const bool hasOwn = cellsInRegisters(plan_.kernel) > 0;
  RegisterPlan loops;
  for (const Op &op : kernel_.ops)
    loops.unroll.push_back(all && !(hasOwn && isAroundUnrolled(kernel_, op)));
  if (slots_)
    for (OpId loop : slots_->loops())
      loops.unroll[loop.index] = true;
  unrollLoops(kernel_, loops);
  if (slots_ && !all)
    for (OpId loop : slots_->outerLoops())
      kernel_.op(loop).unrolling = Around;
  std::get<ThreadShape>(*kernel_.launch).resident =
      (all || hasOwn) && !slots_ ? residentBlocks(kernel_) : 1;
}

static bool isStoredTo(const Function &kernel, const Array &array) {
  return llvm::any_of(kernel.ops, [&](const Op &op) {
    return op.opcode == Opcode::Store && &kernel.array(op.array) == &array;
  });
}

void TeamKernel::note() {
  kernel_.notes.clear();
  const TeamGrid grid = plan_.choice.grid;
  const std::string members = grid
                                  ? std::to_string(grid.rows) + " x " + std::to_string(grid.columns)
                                  : std::to_string(team());
  kernel_.notes.push_back((layouts_ == Layouts::Columns
                               ? "column-wise and tiled instances: a team of "
                               : "row-wise instances: a team of ") +
                          members + " threads each; its arrays are rows in shared memory");
  if (!plan_.note.empty())
    kernel_.notes.push_back(plan_.note);
  if (!plan_.ruledOut.empty())
    kernel_.notes.push_back("no grid of threads with cells of their own: " + plan_.ruledOut);
  for (auto [array, isCommon] : llvm::zip(plan_.kernel.arrays, plan_.choice.common))
    if (!isCommon && array.isPassed() && hasLongRows(array))
      kernel_.notes.push_back(array.name + (isStoredTo(plan_.kernel, array)
                                                ? ": stored to where the caller has it"
                                                : ": loaded from where the caller has it"));
  for (auto [array, registers] : owned_)
    kernel_.notes.push_back(kernel_.arrays[array].name +
                            ": each thread has its own cells in registers" +
                            (registers.areAlone ? "" : ", too"));
  if (const uint64_t bytes = kernel_.sharedBytes(); bytes > SharedBytesOfAll)
    kernel_.notes.push_back("blocks have " + std::to_string(bytes) +
                            " bytes of shared memory; as others where a GPU has less");
}

bool TeamKernel::shape() {
  if (!areOfBlock())
    return shapeForRows(kernel_, team());
  ThreadShape &shape = std::get<ThreadShape>(*kernel_.launch);
  shape.perBlock = instances_ * team();
  shape.team = team();
  shape.together = true;
  shape.layouts = layouts_;
  return kernel_.sharedBytes() <= MaxSharedBytes;
}

std::optional<Function> TeamKernel::run() {
  placeArrays();
  if (!shape())
    return std::nullopt;
  const std::vector<OpId> ops = std::move(kernel_.region(kernel_.body).ops);
  kernel_.region(kernel_.body).ops.clear();
  body(ops);
  if (plan_.choice.grid.hasBlocks()) // ends of loops with one iteration
    dropUnusedValues(kernel_);
  spreadVarying(kernel_);
  unroll();
  note();
  copyLiveCells(kernel_);
  return std::move(kernel_);
}

/// A team of several warps is a block.
Function colonnade::teamKernel(const TeamPlan &plan) {
  const unsigned instances = plan.choice.team > LanesPerWarp ? 1 : 0;
  return *TeamKernel(plan, Layouts::Rows, instances).run();
}

std::optional<Function> colonnade::teamKernelForColumns(const TeamPlan &plan) {
  // While some blocks compute, others copy. What a block's threads may take of a multiprocessor.
  static constexpr unsigned MostThreads = 512, BlocksAtOnce = 2, Registers = 1 << 16;
  const unsigned least = instancesOfSectors(plan.kernel), team = plan.choice.team;
  const auto hasRoom = [&](unsigned instances) {
    return instances * team <= MostThreads && instances * team * plan.registers <= Registers;
  };
  unsigned instances = std::max(least, LanesPerWarp);
  while (instances > least && !hasRoom(instances))
    instances /= 2;
  for (; instances > 0; instances /= 2) {
    if (instances * team > MostThreads)
      continue;
    std::optional<Function> kernel = TeamKernel(plan, Layouts::Columns, instances).run();
    if (kernel && (instances <= least || kernel->sharedBytes() * BlocksAtOnce <= MaxSharedBytes))
      return kernel;
  }
  return std::nullopt;
}
