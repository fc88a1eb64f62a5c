//===- TileNests.cpp - What a member does of a tiled nest -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TileNests.h"

#include "IR/ValueNumbering.h"
#include "Transform/Teams/EarlierLoads.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// Of a member that has all rows: so that there are some cells at a time.
static unsigned rowsAtOnce(unsigned columns) {
  static constexpr unsigned Cells = 8;
  return std::max(1u, Cells / std::max(columns, 1u));
}

/// The counters that a value depends on.
enum Level : uint8_t { Same = 0, Row = 1, Column = 2, Cell = 3 };

/// Operations that run for all of a member's iterations before the next ones do.
struct Group {
  std::vector<OpId> rows, columns, loads, cells; // loads: of cells, before anything is stored
  std::set<uint32_t> stored;                     // arrays
};

/// Where a value is while other groups run: a cell of an array for each row, column or iteration.
struct Kept {
  ArrayId array;
  Level level;
};

class TileNest {
public:
  TileNest(BlockBuilder &builder, TileSlots &slots, TileArrays &arrays, const OwnAccesses &own,
           const TiledNest &nest, const TileExtent &extent)
      : builder_(builder), kernel_(builder.function()), slots_(slots), arrays_(arrays), own_(own),
        nest_(nest), extent_(extent), isRolled_(slots.grid().rows == 1),
        rows_(isRolled_ ? rowsAtOnce(slots.columns(extent.columns)) : slots.rows(extent.rows)),
        columns_(hasColumns() ? slots.columns(extent.columns) : 1),
        level_(kernel_.values.size(), Same), isLoaded_(kernel_.values.size()),
        isInside_(kernel_.values.size()), loads_(kernel_, kernel_.op(nest.rows).regions[0]) {}

  void run();

private:
  using Values = llvm::DenseMap<uint32_t, ValueId>;
  using Stores = std::vector<std::pair<ValueId, ArrayId>>; // of values to keep
  bool hasColumns() const { return nest_.columns.valid(); }
  ValueId counterOf(OpId loop) const { return kernel_.region(kernel_.op(loop).regions[0]).args[0]; }
  void collect(RegionId region);
  void block(llvm::ArrayRef<OpId> ops, const Stores &atEnd, OpId end);
  void add(Group &group, OpId id);
  void flush(Group &group, const Stores &atEnd, OpId end);
  void rolledRows(llvm::function_ref<void()> body);
  bool isJammed(OpId id) const;
  void jam(OpId id);
  Level levelOf(OpId id) const;
  bool isHoisted(const Group &group, OpId id) const;

  bool isUsedBeside(ValueId value, const llvm::DenseSet<uint32_t> &ops, OpId end) const;
  void collectOps(OpId id, llvm::DenseSet<uint32_t> &ops) const;
  Stores keptOf(llvm::ArrayRef<OpId> ops, Level level, OpId end);

  void each(Level level, llvm::function_ref<void()> body);
  void eachRow(llvm::function_ref<void()> body);
  void eachColumn(llvm::function_ref<void()> body);
  void ifWithin(OpId loop, ValueId counter, bool isAlways, llvm::function_ref<void()> body);
  void run(llvm::ArrayRef<OpId> ops, Level level, const Stores &kept);
  void clone(OpId id);
  void cloneRegion(RegionId from, RegionId to);
  void cloneAccess(OpId id);
  ValueId ownSlot(const Op &access, const OwnRegisters &own);
  ValueId atFirstRow(ValueId value);
  bool dependsOnRow(ValueId value) const;
  ValueId get(ValueId value);
  llvm::SmallVector<ValueId, 4> get(llvm::ArrayRef<ValueId> values);
  ValueId slotOf(Level level);
  unsigned cellsOf(Level level) const;

  BlockBuilder &builder_;
  Function &kernel_;
  TileSlots &slots_;
  TileArrays &arrays_;
  const OwnAccesses &own_;
  const TiledNest nest_;
  const TileExtent extent_;
  const bool isRolled_;           // all rows are a member's, some at a time
  const unsigned rows_, columns_; // a member's, at a time
  ValueId base_;                  // of the rows at this time
  std::vector<Level> level_;      // by value of the kernel as it came
  std::vector<bool> isLoaded_;    // by value: depends on what is loaded, so it is not recomputed
  std::vector<bool> isInside_;    // by value
  std::vector<OpId> ops_;         // of the nest
  EarlierLoads loads_;
  llvm::DenseMap<uint32_t, Kept> kept_; // by value
  Values values_;                       // by value: its copy where the builder stands
  ValueId row_, column_;                // slots where the builder stands
};

} // namespace

void TileNest::collect(RegionId region) {
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

void TileNest::run() {
  const Op outer = kernel_.op(nest_.rows);
  collect(outer.regions[0]);
  level_[counterOf(nest_.rows).index] = Row;
  std::vector<OpId> ops = kernel_.region(outer.regions[0]).ops;
  ops.pop_back();
  if (hasColumns()) {
    const RegionId inner = kernel_.op(nest_.columns).regions[0];
    llvm::erase(ops, nest_.columns);
    level_[counterOf(nest_.columns).index] = Column;
    llvm::append_range(ops, llvm::drop_end(kernel_.region(inner).ops));
  }
  if (extent_.allRows && (extent_.allColumns || !hasColumns()))
    return block(ops, {}, {});
  const auto bound = [&](OpId loop, unsigned operand) {
    return get(kernel_.op(loop).operands[operand]);
  };
  const ValueId low = bound(nest_.rows, 0), high = bound(nest_.rows, 1);
  ValueId hasAny = slots_.anyRow(low, high);
  if (hasColumns()) {
    const ValueId first = bound(nest_.columns, 0), end = bound(nest_.columns, 1);
    hasAny = builder_.varying(builder_.binary(Opcode::And, hasAny, slots_.anyColumn(first, end)));
  }
  builder_.onlyIf(hasAny, [&] {
    const Values outside = values_;
    block(ops, {}, {});
    values_ = outside;
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Level TileNest::levelOf(OpId id) const {
  unsigned level = Same;
  for (ValueId operand : kernel_.op(id).operands)
    if (operand.index < level_.size())
      level |= level_[operand.index];
  return static_cast<Level>(level);
}

/// Whether what it needs is there before any iteration.
bool TileNest::isHoisted(const Group &group, OpId id) const {
  const Op &op = kernel_.op(id);
  if (op.opcode == Opcode::Load)
    return !own_.contains(id.index) && group.stored.count(op.array.index) == 0;
  return isPure(op);
}

/// A loop whose iterations are those of all cells.
bool TileNest::isJammed(OpId id) const {
  const Op &op = kernel_.op(id);
  if (op.opcode != Opcode::For || op.hasContinueFlag || op.postTest)
    return false;
  const auto isSame = [&](ValueId bound) {
    return !isInside_[bound.index] || (level_[bound.index] == Same && !isLoaded_[bound.index]);
  };
  return llvm::all_of(llvm::ArrayRef(op.operands).take_front(3), isSame) &&
         llvm::none_of(ops_, [&](OpId other) {
           return llvm::is_contained(kernel_.op(other).operands, op.results[0]);
         });
}

/// What comes next in the programme; it runs when the group is complete.
void TileNest::add(Group &group, OpId id) {
  const Op &op = kernel_.op(id);
  const bool isLoaded = !isPure(op) || llvm::any_of(op.operands, [&](ValueId operand) {
    return isInside_[operand.index] && isLoaded_[operand.index];
  });
  const Level level = isHoisted(group, id) ? levelOf(id) : Cell;
  for (ValueId result : op.results) {
    level_[result.index] = level;
    isLoaded_[result.index] = isLoaded;
  }
  if (!isLoaded)
    return; // computed where it is used
  loads_.note(id);
  if (llvm::any_of(op.results, [&](ValueId result) { return loads_.of(result).valid(); }))
    return;
  if (level == Same)
    return clone(id);
  const bool isLoad = isRolled_ && op.opcode == Opcode::Load && isHoisted(group, id);
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
      const ArrayId array = arrays_.take(kernel_.value(init).type, cellsOf(Cell));
      inits.push_back({init, array});
      for (ValueId carried : {args[c + 1], op.results[c + 1]}) {
        kept_[carried.index] = {array, Cell};
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
  const ValueId low = get(op.operands[0]), high = get(op.operands[1]), step = get(op.operands[2]);
  const OpId loop = builder_.createFor(low, high, step, op.predicate, false, {});
  kernel_.op(loop).loc = op.loc;
  slots_.addOuterLoop(loop);
  loads_.forget(from);
  {
    const InsertionScope scope(builder_);
    const Values outside = values_;
    const EarlierLoads before = loads_;
    const RegionId to = kernel_.op(loop).regions[0];
    const ValueId counter = kernel_.region(from).args[0], fresh = kernel_.region(to).args[0];
    kernel_.value(fresh).name = kernel_.value(counter).name;
    values_[counter.index] = fresh;
    builder_.setRegion(to);
    Stores carried;
    for (auto [c, value] : llvm::enumerate(kernel_.terminator(from).operands))
      carried.push_back({value, kept_.find(op.results[c + 1].index)->second.array});
    const std::vector<OpId> ops = kernel_.region(from).ops;
    block(llvm::ArrayRef(ops).drop_back(), carried, ops.back());
    builder_.yield({});
    values_ = outside;
    loads_.leave(before);
  }
}

/// Rows and columns first: nothing that they need is stored in the group.
void TileNest::flush(Group &group, const Stores &atEnd, OpId end) {
  const auto runAll = [&](llvm::ArrayRef<OpId> ops, Level level, const Stores &more) {
    Stores kept = keptOf(ops, level, end);
    llvm::append_range(kept, more);
    if (!ops.empty() || !more.empty())
      each(level, [&] { run(ops, level, kept); });
  };
  runAll(group.columns, Column, {});
  const auto runRows = [&] {
    runAll(group.rows, Row, {});
    runAll(group.loads, Cell, {});
    runAll(group.cells, Cell, atEnd);
  };
  if (isRolled_)
    return rolledRows(runRows);
  runRows();
}

/// for (base = low; base < high; base += rows at a time) …
void TileNest::rolledRows(llvm::function_ref<void()> body) {
  const ValueId counter = counterOf(nest_.rows), low = get(kernel_.op(nest_.rows).operands[0]),
                high = get(kernel_.op(nest_.rows).operands[1]);
  const ValueId step = builder_.constantInt(kernel_.value(counter).type, rows_);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  const InsertionScope scope(builder_);
  const Values outside = values_;
  const RegionId region = kernel_.op(loop).regions[0];
  builder_.setRegion(region);
  base_ = kernel_.region(region).args[0];
  body();
  builder_.yield({});
  base_ = {};
  values_ = outside;
}

/// All values first: one may be kept in place of another.
void TileNest::run(llvm::ArrayRef<OpId> ops, Level level, const Stores &kept) {
  for (OpId id : ops)
    clone(id);
  llvm::SmallVector<ValueId, 4> values;
  for (auto [value, array] : kept)
    values.push_back(get(value));
  for (auto [value, store] : llvm::zip_equal(values, kept))
    builder_.store(store.second, value, {slotOf(level)});
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
  return llvm::any_of(ops_, [&](OpId id) {
    const Op &op = kernel_.op(id);
    if (id == end || ops.contains(id.index))
      return false;
    const bool isSame =
        llvm::any_of(op.results, [&](ValueId result) { return loads_.of(result) == value; });
    return isSame || llvm::is_contained(op.operands, value);
  });
}

TileNest::Stores TileNest::keptOf(llvm::ArrayRef<OpId> ops, Level level, OpId end) {
  llvm::DenseSet<uint32_t> within;
  for (OpId id : ops)
    collectOps(id, within);
  Stores kept;
  for (OpId id : ops)
    for (ValueId result : llvm::SmallVector<ValueId, 2>(kernel_.op(id).results))
      if (isUsedBeside(result, within, end)) {
        const ArrayId array = arrays_.take(kernel_.value(result).type, cellsOf(level));
        kept.push_back({result, array});
        kept_[result.index] = {array, level};
      }
  return kept;
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

unsigned TileNest::cellsOf(Level level) const {
  return (level & Row ? rows_ : 1) * (level & Column ? columns_ : 1);
}

ValueId TileNest::slotOf(Level level) {
  if (level == Row)
    return row_;
  if (level == Column)
    return column_;
  if (columns_ == 1)
    return row_;
  const ValueId before = builder_.binary(Opcode::Mul, row_, builder_.number(columns_));
  return builder_.binary(Opcode::Add, before, column_);
}

void TileNest::ifWithin(OpId loop, ValueId counter, bool isAlways,
                        llvm::function_ref<void()> body) {
  if (isAlways)
    return body();
  const ValueId low = get(kernel_.op(loop).operands[0]), high = get(kernel_.op(loop).operands[1]);
  const bool isBehind = isRolled_ && loop == nest_.rows;
  ValueId isWithin = builder_.varying(builder_.binary(Opcode::Lt, counter, high));
  const Scalar *const least = kernel_.constant(low);
  if (!isBehind && (!least || least->bits != 0)) {
    const ValueId isAfterLow = builder_.varying(builder_.binary(Opcode::Le, low, counter));
    isWithin = builder_.varying(builder_.binary(Opcode::And, isAfterLow, isWithin));
  }
  builder_.onlyIf(isWithin, body);
}

void TileNest::eachRow(llvm::function_ref<void()> body) {
  const ValueId counter = counterOf(nest_.rows);
  const Values outside = values_;
  const std::string name = kernel_.value(counter).name;
  slots_.eachRow(
      kernel_.value(counter).type, rows_, name,
      [&](ValueId slot, ValueId own) {
        row_ = slot;
        values_[counter.index] = own;
        ifWithin(nest_.rows, own, extent_.allRows && !isRolled_, body);
      },
      base_);
  row_ = {};
  values_ = outside;
}

void TileNest::eachColumn(llvm::function_ref<void()> body) {
  const ValueId counter = counterOf(nest_.columns);
  const Values outside = values_;
  const std::string name = kernel_.value(counter).name;
  slots_.eachColumn(kernel_.value(counter).type, columns_, name, [&](ValueId slot, ValueId own) {
    column_ = slot;
    values_[counter.index] = own;
    ifWithin(nest_.columns, own, extent_.allColumns, body);
  });
  column_ = {};
  values_ = outside;
}

/// The dimension of which fewer are in the nest goes outside: the others are left out at once.
void TileNest::each(Level level, llvm::function_ref<void()> body) {
  if (level == Row || (level == Cell && !hasColumns()))
    return eachRow(body);
  if (level == Column)
    return eachColumn(body);
  if (extent_.isNarrow)
    return eachColumn([&] { eachRow(body); });
  eachRow([&] { eachColumn(body); });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

llvm::SmallVector<ValueId, 4> TileNest::get(llvm::ArrayRef<ValueId> values) {
  llvm::SmallVector<ValueId, 4> copies;
  for (ValueId value : values)
    copies.push_back(get(value));
  return copies;
}

ValueId TileNest::get(ValueId value) {
  if (value.index >= isInside_.size() || !isInside_[value.index])
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

void TileNest::cloneAccess(OpId id) {
  const Op op = kernel_.op(id);
  const auto own = own_.find(id.index);
  if (own == own_.end() || op.opcode == Opcode::Store) {
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
ValueId TileNest::atFirstRow(ValueId value) {
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

bool TileNest::dependsOnRow(ValueId value) const {
  if (value == counterOf(nest_.rows))
    return true;
  const Op *const op = value.index < isInside_.size() && isInside_[value.index]
                           ? kernel_.definition(value)
                           : nullptr;
  return op && op->regions.empty() && op->opcode != Opcode::Load &&
         llvm::any_of(op->operands, [&](ValueId operand) { return dependsOnRow(operand); });
}

/// Where a member has the cell. In a row: u * columns + the cell of the first row - first.
ValueId TileNest::ownSlot(const Op &access, const OwnRegisters &own) {
  if (!own.areRows)
    return slotOf(Cell);
  const auto number = [&](int64_t value) { return builder_.constantInt(ScalarType::S64, value); };
  ValueId column = atFirstRow(accessOperands(access).subscripts[1]);
  if (!column)
    column = number(0);
  if (own.cells.first != 0)
    column = builder_.binary(Opcode::Sub, column, number(own.cells.first));
  const ValueId before = builder_.binary(Opcode::Mul, row_, number(own.cells.columns));
  return builder_.binary(Opcode::Add, before, column);
}

void TileNest::cloneRegion(RegionId from, RegionId to) {
  const InsertionScope scope(builder_);
  const Values outside = values_;
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

void TileNest::clone(OpId id) {
  const Op op = kernel_.op(id);
  if (llvm::any_of(op.results, [&](ValueId result) { return loads_.of(result).valid(); }))
    return;
  if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
    return cloneAccess(id);
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

void colonnade::emitTile(BlockBuilder &builder, TileSlots &slots, TileArrays &arrays,
                         const OwnAccesses &own, const TiledNest &nest, const TileExtent &extent) {
  TileNest(builder, slots, arrays, own, nest, extent).run();
  arrays.endNest();
}
