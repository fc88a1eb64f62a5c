//===- TileNests.cpp - What a member does of a tiled nest -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest's operations in groups, each of which runs for all of a member's cells before the next one
// does: what depends on the row alone, on the column alone, and the rest. A loop in the nest ends a
// group, and goes around groups of its own.
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TileNests.h"

#include "IR/ValueNumbering.h"
#include "Transform/Teams/TileCopies.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

using enum TileLevel;

/// Operations that run for all of a member's iterations before the next ones do.
struct Group {
  std::vector<OpId> rows, columns, loads, cells; // loads: of cells, before anything is stored
  std::set<uint32_t> stored;                     // arrays
};

class TileNest {
public:
  TileNest(BlockBuilder &builder, TileSlots &slots, TileArrays &arrays, const OwnAccesses &own,
           const TiledNest &nest, const TileExtent &extent)
      : builder_(builder), kernel_(builder.function()), slots_(slots), arrays_(arrays), nest_(nest),
        extent_(extent), copies_(builder, slots, own, nest, extent),
        level_(kernel_.values.size(), Same), isLoaded_(kernel_.values.size()) {}

  void run();

private:
  using Stores = std::vector<std::pair<ValueId, ArrayId>>; // of values to keep
  ValueId anyIteration();
  void block(llvm::ArrayRef<OpId> ops, const Stores &atEnd, OpId end);
  void add(Group &group, OpId id);
  void flush(Group &group, const Stores &atEnd, OpId end);
  void runBlocks(const Group &group, const Stores &atEnd, OpId end);
  bool isJammed(OpId id) const;
  void jam(OpId id);
  TileLevel levelOf(OpId id) const;
  bool isHoisted(const Group &group, OpId id) const;
  bool isLoadedBefore(OpId id) const;

  bool isUsedBeside(ValueId value, const llvm::DenseSet<uint32_t> &ops, OpId end) const;
  void collectOps(OpId id, llvm::DenseSet<uint32_t> &ops) const;
  Stores keptOf(llvm::ArrayRef<OpId> ops, TileLevel level, OpId end);
  void run(llvm::ArrayRef<OpId> ops, TileLevel level, const Stores &kept);

  BlockBuilder &builder_;
  Function &kernel_;
  TileSlots &slots_;
  TileArrays &arrays_;
  const TiledNest nest_;
  const TileExtent extent_;
  TileCopies copies_;
  std::vector<TileLevel> level_; // by value of the kernel as it came
  std::vector<bool> isLoaded_;   // by value: depends on what is loaded, so it is not recomputed
};

} // namespace

/// Whether the member has an iteration; invalid: it always has, or that is found at each row or
/// column, as where a block has one counter.
ValueId TileNest::anyIteration() {
  const auto bound = [&](OpId loop, unsigned operand) {
    return copies_.get(kernel_.op(loop).operands[operand]);
  };
  const bool hasBlocks = slots_.grid().hasBlocks();
  ValueId hasAny;
  if (!extent_.allRows && !(hasBlocks && copies_.isAtOne(nest_.rows))) {
    const ValueId low = bound(nest_.rows, 0), high = bound(nest_.rows, 1);
    hasAny = slots_.anyRow(low, high);
  }
  if (copies_.hasColumns() && !extent_.allColumns &&
      !(hasBlocks && copies_.isAtOne(nest_.columns))) {
    const ValueId first = bound(nest_.columns, 0), end = bound(nest_.columns, 1);
    const ValueId anyColumn = slots_.anyColumn(first, end);
    hasAny = hasAny ? builder_.varying(builder_.binary(Opcode::And, hasAny, anyColumn)) : anyColumn;
  }
  return hasAny;
}

void TileNest::run() {
  const Op outer = kernel_.op(nest_.rows);
  level_[copies_.counterOf(nest_.rows).index] = Row;
  std::vector<OpId> ops = kernel_.region(outer.regions[0]).ops;
  ops.pop_back();
  if (copies_.hasColumns()) {
    const RegionId inner = kernel_.op(nest_.columns).regions[0];
    llvm::erase(ops, nest_.columns);
    level_[copies_.counterOf(nest_.columns).index] = Column;
    llvm::append_range(ops, llvm::drop_end(kernel_.region(inner).ops));
  }
  const auto all = [&] {
    if (copies_.isInParts())
      return copies_.rowsInParts([&] { block(ops, {}, {}); });
    block(ops, {}, {});
  };
  if (extent_.allRows && (extent_.allColumns || !copies_.hasColumns()))
    return all();
  const ValueId hasAny = anyIteration();
  if (!hasAny)
    return all();
  builder_.onlyIf(hasAny, [&] { copies_.within(all); });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

TileLevel TileNest::levelOf(OpId id) const {
  unsigned level = 0;
  for (ValueId operand : kernel_.op(id).operands)
    if (operand.index < level_.size())
      level |= static_cast<unsigned>(level_[operand.index]);
  return static_cast<TileLevel>(level);
}

/// Whether what it needs is there before any iteration.
bool TileNest::isHoisted(const Group &group, OpId id) const {
  const Op &op = kernel_.op(id);
  if (op.opcode == Opcode::Load)
    return !copies_.isOwn(id) && group.stored.count(op.array.index) == 0;
  return isPure(op);
}

/// A loop whose iterations are those of all cells.
bool TileNest::isJammed(OpId id) const {
  const Op &op = kernel_.op(id);
  if (op.opcode != Opcode::For || op.hasContinueFlag || op.postTest)
    return false;
  const auto isSame = [&](ValueId bound) {
    return !copies_.isInside(bound) || (level_[bound.index] == Same && !isLoaded_[bound.index]);
  };
  return llvm::all_of(llvm::ArrayRef(op.operands).take_front(3), isSame) &&
         llvm::none_of(copies_.ops(), [&](OpId other) {
           return llvm::is_contained(kernel_.op(other).operands, op.results[0]);
         });
}

bool TileNest::isLoadedBefore(OpId id) const {
  return llvm::any_of(kernel_.op(id).results,
                      [&](ValueId result) { return copies_.loads().of(result).valid(); });
}

/// What comes next in the programme; it runs when the group is complete.
void TileNest::add(Group &group, OpId id) {
  const Op &op = kernel_.op(id);
  const bool isLoaded = !isPure(op) || llvm::any_of(op.operands, [&](ValueId operand) {
    return copies_.isInside(operand) && isLoaded_[operand.index];
  });
  const TileLevel level = isHoisted(group, id) ? levelOf(id) : Cell;
  for (ValueId result : op.results) {
    level_[result.index] = level;
    isLoaded_[result.index] = isLoaded;
  }
  if (!isLoaded)
    return; // computed where it is used
  copies_.loads().note(id);
  if (isLoadedBefore(id))
    return;
  if (level == Same)
    return copies_.clone(id);
  const bool isLoad = (copies_.isRolled() || slots_.grid().hasBlocks()) &&
                      op.opcode == Opcode::Load && isHoisted(group, id);
  (level == Row      ? group.rows
   : level == Column ? group.columns
   : isLoad          ? group.loads
                     : group.cells)
      .push_back(id);
  llvm::DenseSet<uint32_t> ops;
  collectOps(id, ops);
  for (uint32_t each : ops)
    if (kernel_.ops[each].opcode == Opcode::Store)
      group.stored.insert(kernel_.ops[each].array.index);
}

/// atEnd: values of each iteration that are kept for `end`.
void TileNest::block(llvm::ArrayRef<OpId> ops, const Stores &atEnd, OpId end) {
  Group group;
  for (OpId id : ops) {
    if (!isJammed(id)) {
      add(group, id);
      continue;
    }
    const Op op = kernel_.op(id);
    const llvm::ArrayRef<ValueId> args = kernel_.region(op.regions[0]).args;
    Stores inits;
    for (auto [c, init] : llvm::enumerate(llvm::drop_begin(op.operands, 3))) {
      const ArrayId array = arrays_.take(kernel_.value(init).type, copies_.cellsOf(Cell));
      inits.push_back({init, array});
      for (ValueId carried : {args[c + 1], op.results[c + 1]}) {
        copies_.keep(carried, array, Cell);
        level_[carried.index] = Cell;
        isLoaded_[carried.index] = true;
      }
    }
    flush(group, inits, id);
    group = {};
    jam(id);
  }
  flush(group, atEnd, end);
}

void TileNest::jam(OpId id) {
  const Op op = kernel_.op(id);
  const RegionId from = op.regions[0];
  const ValueId low = copies_.get(op.operands[0]), high = copies_.get(op.operands[1]),
                step = copies_.get(op.operands[2]);
  const OpId loop = builder_.createFor(low, high, step, op.predicate, false, {});
  kernel_.op(loop).loc = op.loc;
  slots_.addOuterLoop(loop);
  copies_.loads().forget(from);
  const InsertionScope scope(builder_);
  const EarlierLoads before = copies_.loads();
  const RegionId to = kernel_.op(loop).regions[0];
  const ValueId counter = kernel_.region(from).args[0], fresh = kernel_.region(to).args[0];
  kernel_.value(fresh).name = kernel_.value(counter).name;
  builder_.setRegion(to);
  Stores carried;
  for (auto [c, value] : llvm::enumerate(kernel_.terminator(from).operands))
    carried.push_back({value, copies_.keptIn(op.results[c + 1])});
  const std::vector<OpId> ops = kernel_.region(from).ops;
  copies_.within([&] {
    copies_.set(counter, fresh);
    block(llvm::ArrayRef(ops).drop_back(), carried, ops.back());
    builder_.yield({});
  });
  copies_.loads().leave(before);
}

/// Rows and columns first: nothing that they need is stored in the group.
void TileNest::flush(Group &group, const Stores &atEnd, OpId end) {
  const auto runAll = [&](llvm::ArrayRef<OpId> ops, TileLevel level, const Stores &more) {
    Stores kept = keptOf(ops, level, end);
    llvm::append_range(kept, more);
    if (!ops.empty() || !more.empty())
      copies_.each(level, [&] { run(ops, level, kept); });
  };
  runAll(group.columns, Column, {});
  const auto runRows = [&] {
    runAll(group.rows, Row, {});
    if (slots_.grid().hasBlocks() && copies_.hasColumns() && !group.loads.empty())
      return runBlocks(group, atEnd, end);
    runAll(group.loads, Cell, {});
    runAll(group.cells, Cell, atEnd);
  };
  if (copies_.isRolled())
    return copies_.rolledRows(runRows);
  runRows();
}

/// Of each block what is loaded, and then all else.
void TileNest::runBlocks(const Group &group, const Stores &atEnd, OpId end) {
  const Stores loaded = keptOf(group.loads, Cell, end);
  Stores kept = keptOf(group.cells, Cell, end);
  llvm::append_range(kept, atEnd);
  copies_.eachOfBlocks(
      {[&] { run(group.loads, Cell, loaded); }, [&] { run(group.cells, Cell, kept); }});
}

/// All values first: one may be kept in place of another.
void TileNest::run(llvm::ArrayRef<OpId> ops, TileLevel level, const Stores &kept) {
  for (OpId id : ops)
    copies_.clone(id);
  llvm::SmallVector<ValueId, 4> values;
  for (auto [value, array] : kept)
    values.push_back(copies_.get(value));
  for (auto [value, store] : llvm::zip_equal(values, kept))
    builder_.store(store.second, value, {copies_.slotOf(level)});
}

//===----------------------------------------------------------------------===//
// Values that other groups use
//===----------------------------------------------------------------------===//

void TileNest::collectOps(OpId id, llvm::DenseSet<uint32_t> &ops) const {
  ops.insert(id.index);
  for (RegionId region : kernel_.op(id).regions)
    for (OpId inner : kernel_.region(region).ops)
      collectOps(inner, ops);
}

/// Whether another group uses it. What comes at the group's end has it kept anyway.
bool TileNest::isUsedBeside(ValueId value, const llvm::DenseSet<uint32_t> &ops, OpId end) const {
  return llvm::any_of(copies_.ops(), [&](OpId id) {
    const Op &op = kernel_.op(id);
    if (id == end || ops.contains(id.index))
      return false;
    const bool isSame = llvm::any_of(
        op.results, [&](ValueId result) { return copies_.loads().of(result) == value; });
    return isSame || llvm::is_contained(op.operands, value);
  });
}

TileNest::Stores TileNest::keptOf(llvm::ArrayRef<OpId> ops, TileLevel level, OpId end) {
  llvm::DenseSet<uint32_t> within;
  for (OpId id : ops)
    collectOps(id, within);
  Stores kept;
  for (OpId id : ops)
    for (ValueId result : llvm::SmallVector<ValueId, 2>(kernel_.op(id).results))
      if (isUsedBeside(result, within, end)) {
        const ArrayId array = arrays_.take(kernel_.value(result).type, copies_.cellsOf(level));
        kept.push_back({result, array});
        copies_.keep(result, array, level);
      }
  return kept;
}

void colonnade::emitTile(BlockBuilder &builder, TileSlots &slots, TileArrays &arrays,
                         const OwnAccesses &own, const TiledNest &nest, const TileExtent &extent) {
  TileNest(builder, slots, arrays, own, nest, extent).run();
  arrays.endNest();
}
