//===- TileCopies.cpp - A nest's operations for a member's cells ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TileCopies.h"

#include "IR/Evaluate.h"
#include "Transform/Teams/BlockPlaces.h"
#include "Transform/Teams/TilePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

/// Of a member that has all rows: so that there are some cells at a time.
static unsigned rowsAtOnce(unsigned columns) {
  static constexpr unsigned Cells = 8;
  return std::max(1u, Cells / std::max(columns, 1u));
}

TileCopies::TileCopies(BlockBuilder &builder, TileSlots &slots, const OwnAccesses &own,
                       const TiledNest &nest, const TileExtent &extent)
    : builder_(builder), kernel_(builder.function()), slots_(slots), own_(own), nest_(nest),
      extent_(extent), isRolled_(slots.grid().rows == 1),
      rowsInAll_(isRolled_ ? rowsAtOnce(slots.columns(extent.columns)) : slots.rows(extent.rows)),
      rowsAtOnce_(isRolled_ ? rowsInAll_
                            : std::min(rowsInAll_, rowSlotsAtOnce(extent, slots.grid()))),
      columns_(hasColumns() ? slots.columns(extent.columns) : 1), isInside_(kernel_.values.size()),
      loads_(kernel_, kernel_.op(nest.rows).regions[0]) {
  collect(kernel_.op(nest.rows).regions[0]);
}

void TileCopies::collect(RegionId region) {
  for (ValueId arg : kernel_.region(region).args)
    isInside_[arg.index] = true;
  for (OpId id : kernel_.region(region).ops) {
    ops_.push_back(id);
    for (ValueId result : kernel_.op(id).results)
      isInside_[result.index] = true;
    for (RegionId inner : kernel_.op(id).regions)
      collect(inner);
  }
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

void TileCopies::within(llvm::function_ref<void()> body) {
  const auto outside = values_;
  body();
  values_ = outside;
}

/// for (base = low; base < high; base += rows at a time) …
void TileCopies::rolledRows(llvm::function_ref<void()> body) {
  const ValueId counter = counterOf(nest_.rows), low = get(kernel_.op(nest_.rows).operands[0]),
                high = get(kernel_.op(nest_.rows).operands[1]);
  const ValueId step = builder_.constantInt(kernel_.value(counter).type, rowsAtOnce_);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  const InsertionScope scope(builder_);
  const auto outside = values_;
  const RegionId region = kernel_.op(loop).regions[0];
  builder_.setRegion(region);
  base_ = kernel_.region(region).args[0];
  body();
  builder_.yield({});
  base_ = {};
  values_ = outside;
}

/// for (base = 0; base < the end of its rows; base += rows of all members at a time) …
void TileCopies::rowsInParts(llvm::function_ref<void()> body) {
  const ScalarType type = kernel_.value(counterOf(nest_.rows)).type;
  const uint64_t step = uint64_t(rowsAtOnce_) * slots_.grid().rows;
  const auto number = [&](uint64_t value) { return builder_.constantInt(type, value); };
  const ValueId none = number(0), end = number(uint64_t(rowsInAll_) * slots_.grid().rows),
                each = number(step);
  const OpId loop = builder_.createFor(none, end, each, Predicate::Lt, false, {});
  const InsertionScope scope(builder_);
  const RegionId region = kernel_.op(loop).regions[0];
  builder_.setRegion(region);
  base_ = kernel_.region(region).args[0];
  within(body);
  builder_.yield({});
  base_ = {};
}

static bool has(TileLevel level, TileLevel counter) {
  return (static_cast<unsigned>(level) & static_cast<unsigned>(counter)) != 0;
}

unsigned TileCopies::cellsOf(TileLevel level) const {
  return (has(level, TileLevel::Row) ? rowsAtOnce_ : 1) *
         (has(level, TileLevel::Column) ? columns_ : 1);
}

ValueId TileCopies::slotOf(TileLevel level) {
  if (level == TileLevel::Row)
    return row_.number;
  if (level == TileLevel::Column)
    return column_.number;
  if (columns_ == 1)
    return row_.number;
  const ValueId before = builder_.binary(Opcode::Mul, row_.number, builder_.number(columns_));
  return builder_.binary(Opcode::Add, before, column_.number);
}

bool TileCopies::isAtOne(OpId loop) {
  const ValueId low = get(kernel_.op(loop).operands[0]), high = get(kernel_.op(loop).operands[1]);
  return colonnade::isAtOne(builder_, low, high, blockOf(loop));
}

/// k < i, k == i, or the same with j; invalid: the operation is something else.
ValueId TileCopies::compared(const Op &op) {
  if (op.opcode != Opcode::Lt && op.opcode != Opcode::Eq)
    return {};
  const auto slot = [&]() -> const TileSlot * {
    if (row_.counter && op.operands[1] == counterOf(nest_.rows))
      return &row_;
    return column_.counter && hasColumns() && op.operands[1] == counterOf(nest_.columns) ? &column_
                                                                                         : nullptr;
  }();
  if (!slot)
    return {};
  const ValueId at = get(op.operands[0]);
  return op.opcode == Opcode::Eq ? isSlotAt(builder_, *slot, at)
                                 : isSlotBehind(builder_, *slot, at);
}

//===----------------------------------------------------------------------===//
// Rows, columns and cells
//===----------------------------------------------------------------------===//

void TileCopies::ifWithin(OpId loop, const TileSlot &slot, bool isAlways,
                          llvm::function_ref<void()> body) {
  if (isAlways)
    return body();
  const ValueId low = get(kernel_.op(loop).operands[0]), high = get(kernel_.op(loop).operands[1]);
  if (slot.block && isAtOne(loop))
    return builder_.onlyIf(isSlotAt(builder_, slot, low), body);
  const bool isBehind = isRolled_ && loop == nest_.rows;
  ValueId isWithin = builder_.varying(builder_.binary(Opcode::Lt, slot.counter, high));
  const Scalar *const least = kernel_.constant(low);
  if (!isBehind && (!least || least->bits != 0)) {
    const ValueId isAfterLow = builder_.varying(builder_.binary(Opcode::Le, low, slot.counter));
    isWithin = builder_.varying(builder_.binary(Opcode::And, isAfterLow, isWithin));
  }
  builder_.onlyIf(isWithin, body);
}

/// Blocks are within the loop, or beyond its end, as a whole.
bool TileCopies::hasWholeBlocks(OpId loop) const {
  const Scalar *const low = kernel_.constant(kernel_.op(loop).operands[0]),
                      *const high = kernel_.constant(kernel_.op(loop).operands[1]);
  const int64_t length = blockOf(loop);
  return length > 1 && low && high && low->bits == 0 && asInt64(*high) % length == 0;
}

void TileCopies::eachTurn(OpId loop, llvm::function_ref<void(const TileTurn &)> body) {
  const ValueId counter = counterOf(loop);
  const ScalarType type = kernel_.value(counter).type;
  const std::string name = kernel_.value(counter).name;
  const bool isRows = loop == nest_.rows, isAlways = isRows ? extent_.allRows : extent_.allColumns;
  const auto ifThere = [&](const TileTurn &turn) {
    if (isAlways || !hasWholeBlocks(loop))
      return body(turn);
    const ValueId high = get(kernel_.op(loop).operands[1]);
    const ValueId isThere = builder_.binary(Opcode::Lt, turn.begin, high);
    builder_.onlyIf(builder_.varying(isThere), [&] { body(turn); });
  };
  if (isRows)
    slots_.eachRowTurn(type, rowsAtOnce_, name, ifThere, base_);
  else
    slots_.eachColumnTurn(type, columns_, name, ifThere);
}

void TileCopies::eachSlot(OpId loop, const TileTurn &turn, Body body) {
  const auto outside = values_;
  const bool isRows = loop == nest_.rows,
             isAlways = isRows ? extent_.allRows && !isRolled_ && rowsInAll_ % rowsAtOnce_ == 0
                               : extent_.allColumns;
  TileSlot &here = isRows ? row_ : column_;
  slots_.eachSlot(turn, [&](const TileSlot &slot) {
    here = slot;
    values_[counterOf(loop).index] = slot.counter;
    ifWithin(loop, slot, isAlways || hasWholeBlocks(loop), body);
  });
  here = {};
  values_ = outside;
}

void TileCopies::eachSlot(OpId loop, Body body) {
  eachTurn(loop, [&](const TileTurn &turn) { eachSlot(loop, turn, body); });
}

/// The dimension of which fewer are in the nest goes outside: the others are left out at once. So
/// does the one of which some may be left out.
bool TileCopies::areColumnsOutside() const {
  return extent_.isNarrow || (slots_.grid().hasBlocks() && extent_.allRows && !extent_.allColumns);
}

void TileCopies::each(TileLevel level, Body body) {
  if (level == TileLevel::Row || (level == TileLevel::Cell && !hasColumns()))
    eachSlot(nest_.rows, body);
  else if (level == TileLevel::Column)
    eachSlot(nest_.columns, body);
  else if (areColumnsOutside())
    eachSlot(nest_.columns, [&] { eachSlot(nest_.rows, body); });
  else
    eachSlot(nest_.rows, [&] { eachSlot(nest_.columns, body); });
}

void TileCopies::eachOfBlocks(llvm::ArrayRef<Body> bodies) {
  const OpId outer = areColumnsOutside() ? nest_.columns : nest_.rows,
             inner = areColumnsOutside() ? nest_.rows : nest_.columns;
  eachTurn(outer, [&](const TileTurn &outerTurn) {
    eachTurn(inner, [&](const TileTurn &innerTurn) {
      for (Body body : bodies)
        eachSlot(outer, outerTurn, [&] { eachSlot(inner, innerTurn, body); });
    });
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

llvm::SmallVector<ValueId, 4> TileCopies::get(llvm::ArrayRef<ValueId> values) {
  llvm::SmallVector<ValueId, 4> copies;
  for (ValueId value : values)
    copies.push_back(get(value));
  return copies;
}

ValueId TileCopies::get(ValueId value) {
  if (!isInside(value))
    return value;
  if (const ValueId earlier = loads_.of(value); earlier.valid())
    return get(earlier);
  if (const auto copy = values_.find(value.index); copy != values_.end())
    return copy->second;
  if (const auto kept = kept_.find(value.index); kept != kept_.end()) {
    const ValueId slot = slotOf(kept->second.level);
    const ValueId loaded = builder_.varying(builder_.load(kept->second.array, {slot}));
    values_[value.index] = loaded;
    return loaded;
  }
  clone(kernel_.value(value).def);
  return values_.find(value.index)->second;
}

void TileCopies::cloneAccess(OpId id) {
  const Op op = kernel_.op(id);
  const auto own = own_.find(id.index);
  if (own == own_.end() || (op.opcode == Opcode::Store && !own->second.areAlone)) {
    Op access = op;
    access.operands = get(op.operands);
    access.results.clear();
    llvm::SmallVector<ScalarType, 1> types;
    for (ValueId result : op.results)
      types.push_back(kernel_.value(result).type);
    const OpId fresh = builder_.append(std::move(access), types);
    if (op.opcode == Opcode::Load)
      values_[op.results[0].index] = builder_.varying(builder_.result(fresh));
  }
  if (own == own_.end())
    return;
  const ValueId slot = ownSlot(op, own->second);
  if (op.opcode == Opcode::Load)
    values_[op.results[0].index] = builder_.varying(builder_.load(own->second.array, {slot}));
  else
    builder_.store(own->second.array, get(accessOperands(op).stored), {slot});
}

/// A value for the row at counter 0; invalid: that is 0.
ValueId TileCopies::atFirstRow(ValueId value) {
  if (value == counterOf(nest_.rows))
    return {};
  if (!dependsOnRow(value))
    return get(value);
  const Op op = *kernel_.definition(value);
  const ValueId a = atFirstRow(op.operands[0]);
  if (op.opcode == Opcode::Cast)
    return a ? builder_.cast(a, kernel_.value(value).type) : a;
  const ValueId b = atFirstRow(op.operands[1]);
  if (op.opcode == Opcode::Mul)
    return a && b ? builder_.binary(Opcode::Mul, a, b) : ValueId();
  if (!b || (!a && op.opcode == Opcode::Add))
    return b ? b : a;
  const ValueId none = a ? a : builder_.constantInt(kernel_.value(value).type, 0);
  return builder_.binary(op.opcode, none, b);
}

bool TileCopies::dependsOnRow(ValueId value) const {
  if (value == counterOf(nest_.rows))
    return true;
  const Op *const op = isInside(value) ? kernel_.definition(value) : nullptr;
  return op && op->regions.empty() && op->opcode != Opcode::Load &&
         llvm::any_of(op->operands, [&](ValueId operand) { return dependsOnRow(operand); });
}

/// Where a member has the cell. In a row: u * columns + the cell of the first row - first.
ValueId TileCopies::ownSlot(const Op &access, const OwnRegisters &own) {
  if (!own.areRows)
    return slotOf(TileLevel::Cell);
  const auto number = [&](int64_t value) { return builder_.constantInt(ScalarType::S64, value); };
  ValueId column = atFirstRow(accessOperands(access).subscripts[1]);
  if (!column)
    column = number(0);
  if (own.cells.first != 0)
    column = builder_.binary(Opcode::Sub, column, number(own.cells.first));
  const ValueId before = builder_.binary(Opcode::Mul, row_.number, number(own.cells.columns));
  return builder_.binary(Opcode::Add, before, column);
}

void TileCopies::cloneRegion(RegionId from, RegionId to) {
  const InsertionScope scope(builder_);
  const auto outside = values_;
  builder_.setRegion(to);
  for (ValueId arg : llvm::SmallVector<ValueId, 4>(kernel_.region(from).args)) {
    const ValueId fresh = builder_.addArg(to, kernel_.value(arg).type, kernel_.value(arg).name);
    kernel_.value(fresh).varying = kernel_.varying(arg);
    values_[arg.index] = fresh;
  }
  for (OpId id : std::vector<OpId>(kernel_.region(from).ops))
    clone(id);
  values_ = outside;
}

void TileCopies::clone(OpId id) {
  const Op op = kernel_.op(id);
  if (llvm::any_of(op.results, [&](ValueId result) { return loads_.of(result).valid(); }))
    return;
  if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
    return cloneAccess(id);
  if (const ValueId result = compared(op)) {
    values_[op.results[0].index] = result;
    return;
  }
  Op copy = op;
  copy.operands = get(op.operands);
  copy.results.clear();
  llvm::SmallVector<ScalarType, 4> types;
  for (ValueId result : op.results)
    types.push_back(kernel_.value(result).type);
  for (RegionId &region : copy.regions)
    region = builder_.createRegion();
  const llvm::SmallVector<RegionId, 2> regions = copy.regions;
  const OpId fresh = builder_.append(std::move(copy), types);
  for (auto [r, result] : llvm::enumerate(op.results)) {
    const ValueId value = builder_.result(fresh, static_cast<unsigned>(r));
    kernel_.value(value).name = kernel_.value(result).name;
    kernel_.value(value).varying = kernel_.varying(result);
    values_[result.index] = value;
  }
  for (auto [from, to] : llvm::zip_equal(op.regions, regions)) {
    kernel_.region(to).parent = fresh;
    cloneRegion(from, to);
  }
}
